import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';

/** Lines that change in every frame. */
export class Lines {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  private points = new Float32Array(0);

  constructor(colour: number, options: { opacity?: number; isOnTop?: boolean } = {}) {
    const { opacity = 1, isOnTop = false } = options;
    const material = new LineBasicMaterial({ color: colour, transparent: opacity < 1 || isOnTop, opacity, depthTest: !isOnTop });
    this.object = new LineSegments(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 3;
    this.object.visible = false;
  }

  /** Makes room for so many line segments; they are filled by the caller, six numbers each, and shown by `show`. */
  room(segments: number): Float32Array {
    if (this.points.length < 6 * segments) {
      this.points = new Float32Array(6 * Math.ceil(1.5 * segments));
      this.object.geometry.dispose();
      this.object.geometry.setAttribute('position', new BufferAttribute(this.points, 3).setUsage(DynamicDrawUsage));
    }
    return this.points;
  }

  show(segments: number): void {
    this.object.visible = segments > 0;
    this.object.geometry.setDrawRange(0, 2 * segments);
    if (segments > 0) this.object.geometry.attributes.position.needsUpdate = true;
  }

  set(numbers: ArrayLike<number>): void {
    this.room(numbers.length / 6).set(numbers);
    this.show(numbers.length / 6);
  }

  free(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

/** The twelve edges of a box (its two corners, from `at` on) as lines from `to` on. */
export function writeBox(corners: Float32Array, at: number, lines: Float32Array, to: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (let corner = 0; corner < 4; corner++) {
      for (const end of [0, 3]) {
        lines[to + axis] = corners[at + axis + end];
        lines[to + u] = corners[at + u + (corner & 1 ? 3 : 0)];
        lines[to + v] = corners[at + v + (corner & 2 ? 3 : 0)];
        to += 3;
      }
    }
  }
}
