import { castRay, type RayHit } from 'supple-collision';
import { Mesh, MeshBasicMaterial, SphereGeometry } from 'three';
import { byId, grouped, made } from './dom';
import { Lines, writeBox } from './lines';
import type { App, View } from './view';

/** Bones that are listed of a point. */
const BONES = 4;

/** What is under the pointer? And which boxes of the tree were computed to know it. */
export class PickView implements View {
  private readonly level = byId<HTMLInputElement>('pick-level');
  private readonly words = byId('pick-words');
  private readonly counts = byId('pick-counts');
  private readonly tip = byId('pick-tip');
  private readonly spot = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ color: 0xff7a00, depthTest: false }));
  private readonly asleep = new Lines(0x8a94a6, { opacity: 0.28 });
  private readonly lit = new Lines(0xff7a00, { isOnTop: true, opacity: 0.9 });
  private pointer: { x: number; y: number } | undefined;
  private hit: RayHit | null = null;
  private boxes = { all: 0, computed: 0 };
  private isHere = false;

  constructor(private readonly app: App) {
    const { canvas } = app.stage;
    this.spot.renderOrder = 4;
    this.level.addEventListener('input', () => app.changed());
    const point = (event: PointerEvent) => this.point({ x: event.clientX, y: event.clientY });
    canvas.addEventListener('pointermove', point);
    canvas.addEventListener('pointerdown', point);
    canvas.addEventListener('pointerleave', event => { if (event.pointerType === 'mouse') this.point(undefined); });
    addEventListener('keydown', event => { if (event.key === 'Escape' && this.isHere) this.point(undefined); });
    byId('pick-middle').addEventListener('click', () => {
      const box = canvas.getBoundingClientRect();
      this.point({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
    });
  }

  enter(): void {
    const { stage, character } = this.app;
    this.isHere = true;
    this.level.max = String(character.shape.levels - 1);
    stage.add(this.asleep.object, this.lit.object, this.spot);
  }

  leave(): void {
    this.isHere = false;
    this.pointer = undefined;
    this.tip.hidden = true;
    for (const object of [this.asleep.object, this.lit.object, this.spot]) object.removeFromParent();
  }

  others(): [] {
    return [];
  }

  ask(): void {
    const { figure, meter, stage } = this.app;
    this.hit = null;
    if (this.pointer) {
      const { origin, direction } = stage.ray(this.pointer.x, this.pointer.y);
      this.hit = meter.time('ask', () => castRay(figure.body, origin.toArray(), direction.toArray()));
    }
    this.drawBoxes();
    this.spot.visible = this.hit !== null;
    if (this.hit) {
      this.spot.position.set(...this.hit.point);
      this.spot.scale.setScalar(0.004 * stage.camera.position.distanceTo(this.spot.position));
      figure.touch([this.hit.triangle]);
    } else {
      figure.touch([]);
    }
    this.showTip();
  }

  tell(): void {
    const { all, computed } = this.boxes;
    const of = all === 1 ? 'the one box' : `the ${grouped(all)} boxes`;
    this.counts.textContent = this.pointer
      ? `${grouped(computed)} of ${of} of level ${this.level.value} ${computed === 1 ? 'was' : 'were'} computed for this ray: they light up.`
      : `No ray, no work: none of ${of} of level ${this.level.value} was computed.`;
    if (!this.hit) {
      this.words.replaceChildren(this.pointer ? 'Nothing is under the pointer.' : 'Point at the character: with the mouse, a finger, or the button below.');
      return;
    }
    const { hit } = this;
    const bars = this.weights(hit).map(([bone, weight]) => made('li', {},
      made('span', { textContent: this.boneName(bone) }),
      made('meter', { min: 0, max: 1, value: weight, ariaLabel: `weight of ${this.boneName(bone)}` }),
      made('span', { className: 'n', textContent: `${Math.round(100 * weight)} %` })));
    this.words.replaceChildren(
      made('dl', { className: 'facts' },
        made('dt', { textContent: 'bone' }), made('dd', { textContent: this.boneName(hit.joint) }),
        made('dt', { textContent: 'triangle' }), made('dd', { textContent: grouped(hit.triangle) }),
        made('dt', { textContent: 'distance' }), made('dd', { textContent: `${hit.time.toPrecision(4)} from the eye` })),
      made('ul', { className: 'weights' }, ...bars));
  }

  private point(pointer: { x: number; y: number } | undefined): void {
    if (!this.isHere) return;
    this.pointer = pointer;
    this.app.changed();
  }

  private boneName(joint: number): string {
    return this.app.character.joints[joint] ?? 'no bone';
  }

  /** Weights of the point that was hit: those of its corners, blended. */
  private weights(hit: RayHit): [number, number][] {
    const { shape, triangles } = this.app.character;
    const sum = new Map<number, number>();
    hit.barycentric.forEach((share, corner) => {
      for (const [joint, weight] of shape.model.weightsOf(triangles[3 * hit.triangle + corner])) {
        sum.set(joint, (sum.get(joint) ?? 0) + share * weight);
      }
    });
    return [...sum].sort((a, b) => b[1] - a[1]).slice(0, BONES);
  }

  private drawBoxes(): void {
    const { boxes, computed } = this.app.figure.body.boxes(Number(this.level.value));
    const [lit, asleep] = [this.lit.room(12 * computed.length), this.asleep.room(12 * computed.length)];
    let bright = 0;
    for (let i = 0; i < computed.length; i++) {
      if (computed[i]) writeBox(boxes, 6 * i, lit, 72 * bright++);
      else writeBox(boxes, 6 * i, asleep, 72 * (i - bright));
    }
    this.lit.show(12 * bright);
    this.asleep.show(12 * (computed.length - bright));
    this.boxes = { all: computed.length, computed: bright };
  }

  private showTip(): void {
    this.tip.hidden = !this.hit;
    if (!this.hit || !this.pointer) return;
    this.tip.textContent = `${this.boneName(this.hit.joint)} · triangle ${grouped(this.hit.triangle)}`;
    const box = this.app.stage.canvas.getBoundingClientRect();
    this.tip.style.left = `${Math.min(this.pointer.x - box.left + 14, box.width - this.tip.offsetWidth - 6)}px`;
    this.tip.style.top = `${Math.max(this.pointer.y - box.top - 34, 4)}px`;
  }
}
