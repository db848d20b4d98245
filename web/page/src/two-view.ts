import { castRay, closestPoints, collide, contacts, zooNames } from 'supple-collision';
import { Plane, Ray, Vector3 } from 'three';
import { loadCharacter, type Character } from './character';
import { Comparison } from './compare';
import { DetailTable } from './detail-table';
import { byId, counted, fillChoices } from './dom';
import { Figure } from './figure';
import { Lines } from './lines';
import type { App, View } from './view';

/** Two characters: drag one into the other. */
export class TwoView implements View {
  private readonly other = byId<HTMLSelectElement>('two-other');
  private readonly sliders = ['x', 'y', 'z', 'turn'].map(axis => byId<HTMLInputElement>(`two-${axis}`));
  private readonly words = byId('two-words');
  private readonly comparison: Comparison;
  private readonly table: DetailTable;
  private readonly segments = new Lines(0xffe14d, { isOnTop: true });
  private readonly gap = new Lines(0x23a05a, { isOnTop: true });
  /** The second one; of its own where another animal was chosen. */
  private second: Figure | undefined;
  private guest: Character | undefined;
  private found = { pairs: 0, distance: NaN };
  private drag: { plane: Plane; from: Vector3; place: number[] } | undefined;

  constructor(private readonly app: App) {
    fillChoices(this.other, ['the same again', ...zooNames]);
    this.table = new DetailTable(app, () => this.guest === undefined);
    this.other.addEventListener('change', () => void this.invite());
    for (const slider of this.sliders) slider.addEventListener('input', () => app.changed());
    byId('two-apart').addEventListener('click', () => this.put([1.3 * this.width(), 0, 0], 0));
    byId('two-touch').addEventListener('click', () => this.put([0.75 * this.width(), 0, 0], 0));
    const { canvas } = app.stage;
    canvas.addEventListener('pointerdown', event => this.grab(event), { capture: true });
    canvas.addEventListener('pointermove', event => this.pull(event), { capture: true });
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, () => this.drop(), { capture: true });
    this.comparison = new Comparison('two', () => {
      app.player.play(false);
      app.changed();
      const { clip, seconds } = app.player;
      const bodies = [app.figure, this.second!].map(({ character, skinning, place }, i) => ({
        bytes: character.bytes, skinning, place, clip: i === 0 ? clip : this.clipOfSecond(), seconds: i === 0 ? seconds : this.secondsOfSecond(),
      }));
      this.poseSecond();
      return { bodies, pairs: collide(app.figure.body, this.second!.body).pairs, words: `${clip ?? 'rest pose'} at ${seconds.toFixed(2)} s` };
    });
  }

  enter(): void {
    this.make();
    this.app.stage.add(this.segments.object, this.gap.object);
    this.put([1.2 * this.width(), 0, 0], 0);
    this.poseSecond();
    this.table.enter();
    this.app.look();
  }

  leave(): void {
    this.drop();
    this.comparison.forget();
    this.app.figure.touch([]);
    this.second?.free();
    this.second = undefined;
    for (const lines of [this.segments, this.gap]) lines.object.removeFromParent();
  }

  others(): Figure[] {
    return this.second ? [this.second] : [];
  }

  ask(): void {
    const { figure, meter } = this.app;
    if (!this.second) return;
    const second = this.second;
    meter.time('pose', () => this.poseSecond());
    const { pairs } = meter.time('ask', () => collide(figure.body, second.body));
    this.found = { pairs: pairs.length / 2, distance: NaN };
    figure.touch(pairs, 0, 2);
    second.touch(pairs, 1, 2);
    if (pairs.length > 0) {
      this.segments.set(contacts(figure.body, second.body).segments);
      this.gap.show(0);
    } else {
      const { points, distance } = closestPoints(figure.body, second.body);
      this.gap.set(points);
      this.segments.show(0);
      this.found.distance = distance;
    }
  }

  tell(): void {
    const { pairs, distance } = this.found;
    this.words.textContent = pairs > 0
      ? `${counted(pairs, 'pair')} of triangles touch. Yellow: where they cross.`
      : `They are apart: ${distance.toPrecision(3)} at the closest (green).`;
    this.table.tell();
  }

  /** The second one plays the same clip half a turn later, so that two equal ones are not the same. */
  private secondsOfSecond(): number {
    const { player } = this.app;
    const { clips } = this.second!.character;
    const duration = clips.find(clip => clip.name === this.clipOfSecond())?.duration ?? 0;
    return duration > 0 ? (player.seconds + 0.5 * duration) % duration : 0;
  }

  private clipOfSecond(): string | undefined {
    const { clips } = this.second!.character;
    return (clips.find(clip => clip.name === this.app.player.clip) ?? clips[0])?.name;
  }

  private poseSecond(): void {
    const second = this.second!;
    const [x, y, z, turn] = this.sliders.map(slider => Number(slider.value));
    const half = (turn * Math.PI) / 360;
    second.place = { place: [x, y, z], turn: [0, Math.sin(half), 0, Math.cos(half)] };
    second.pose(this.clipOfSecond(), this.secondsOfSecond());
  }

  private make(): void {
    const { figure, character, stage } = this.app;
    this.second?.free();
    this.second = new Figure(this.guest ?? character, figure.skinning, 1);
    stage.add(this.second.object);
    const size = 3 * this.width();
    this.sliders.slice(0, 3).forEach(slider => Object.assign(slider, { min: -size, max: size, step: size / 1000 }));
  }

  private async invite(): Promise<void> {
    const name = zooNames[Number(this.other.value) - 1];
    const guest = name === undefined
      ? undefined
      : await this.app.wait(`Making ${name}`, loadCharacter({ kind: 'zoo', name, detail: 0 }));
    this.second?.free();
    this.second = undefined;
    this.guest?.free();
    this.guest = guest;
    if (!guest) this.other.value = '0';
    this.make();
    this.comparison.forget();
    this.app.changed();
  }

  /** How wide the first one is as it stands. */
  private width(): number {
    const { figure, player } = this.app;
    figure.pose(player.clip, player.seconds);
    const [x0, , , x1] = figure.body.bounds();
    this.app.changed();
    return Math.max(x1 - x0, 1e-6);
  }

  private put(place: number[], turn: number): void {
    [...place, turn].forEach((value, i) => { this.sliders[i].value = String(value); });
    this.app.changed();
  }

  private grab(event: PointerEvent): void {
    if (!this.second || event.button !== 0) return;
    const { stage, figure } = this.app;
    const { origin, direction } = stage.ray(event.clientX, event.clientY);
    const cast = (one: Figure) => castRay(one.body, origin.toArray(), direction.toArray());
    const [hit, first] = [cast(this.second), cast(figure)];
    if (!hit || (first && first.time < hit.time)) return;
    const from = new Vector3(...hit.point);
    const plane = new Plane().setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new Vector3()), from);
    this.drag = { plane, from, place: this.sliders.slice(0, 3).map(slider => Number(slider.value)) };
    stage.controls.enabled = false;
    stage.canvas.setPointerCapture(event.pointerId);
    stage.canvas.style.cursor = 'grabbing';
  }

  private pull(event: PointerEvent): void {
    if (!this.drag) return;
    const { origin, direction } = this.app.stage.ray(event.clientX, event.clientY);
    const to = new Ray(origin, direction).intersectPlane(this.drag.plane, new Vector3());
    if (!to) return;
    const by = to.sub(this.drag.from).toArray();
    this.put(this.drag.place.map((value, axis) => value + by[axis]), Number(this.sliders[3].value));
  }

  private drop(): void {
    if (!this.drag) return;
    this.drag = undefined;
    this.app.stage.controls.enabled = true;
    this.app.stage.canvas.style.cursor = '';
  }
}
