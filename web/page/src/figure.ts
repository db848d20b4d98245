import { Body, type Place, type Skinning } from 'supple-collision';
import {
  BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial,
} from 'three';
import type { Character } from './character';
import { fillNormals } from './normals';

/** Colours of clay, and of triangles that touch: those of the pictures of `supple audit`. */
export const CLAY = [0xdfcfbf, 0xafc0d3] as const;
export const GLOW = [0xff7a00, 0x2f7bff] as const;

/** A body that is drawn: its vertices are those that supple computed. */
export class Figure {
  readonly object = new Group();
  readonly body: Body;
  place: Place = {};
  private readonly positions: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly surface: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly glow: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly marks: Uint8Array;
  private readonly touching: BufferAttribute;

  constructor(readonly character: Character, readonly skinning: Skinning, side: 0 | 1 = 0) {
    this.body = new Body(character.shape, { skinning });
    const { vertexCount } = character.shape.model;
    const { triangles } = character;
    this.positions = new BufferAttribute(new Float32Array(3 * vertexCount), 3).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(new Float32Array(3 * vertexCount), 3).setUsage(DynamicDrawUsage);
    this.marks = new Uint8Array(triangles.length / 3);
    this.touching = new BufferAttribute(new Uint32Array(triangles.length), 1).setUsage(DynamicDrawUsage);

    const geometry = this.geometry(new BufferAttribute(triangles, 1)).setAttribute('normal', this.normals);
    this.surface = new Mesh(geometry, new MeshLambertMaterial({ color: CLAY[side], side: DoubleSide }));
    const glowing = this.geometry(this.touching);
    this.glow = new Mesh(glowing, new MeshBasicMaterial({
      color: GLOW[side], side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
    }));
    // What touches inside of the body shines through it.
    const inside = new Mesh(glowing, new MeshBasicMaterial({
      color: GLOW[side], side: DoubleSide, depthTest: false, depthWrite: false, transparent: true, opacity: 0.45,
    }));
    inside.renderOrder = 2;
    for (const mesh of [this.surface, this.glow, inside]) {
      // The vertices move on; the stage knows where the figure is.
      mesh.frustumCulled = false;
      this.object.add(mesh);
    }
    this.touch([]);
  }

  private geometry(index: BufferAttribute): BufferGeometry {
    return new BufferGeometry().setAttribute('position', this.positions).setIndex(index);
  }

  pose(clip: string | undefined, seconds: number): void {
    if (clip === undefined) this.body.rest(this.place);
    else this.body.pose(clip, seconds, this.place);
  }

  /** All vertices, for drawing: no question needs them. */
  fetchVertices(): void {
    this.body.vertices(this.positions.array as Float32Array);
    this.positions.needsUpdate = true;
  }

  light(): void {
    fillNormals(this.positions.array as Float32Array, this.character.triangles, this.normals.array as Float32Array);
    this.normals.needsUpdate = true;
  }

  /** Lets triangles glow: every `step`-th number from `first` on. Returns how many they are. */
  touch(numbers: ArrayLike<number>, first = 0, step = 1): number {
    const index = this.touching.array as Uint32Array;
    const { triangles } = this.character;
    this.marks.fill(0);
    let count = 0;
    for (let i = first; i < numbers.length; i += step) {
      const triangle = numbers[i];
      if (this.marks[triangle]) continue;
      this.marks[triangle] = 1;
      index.set(triangles.subarray(3 * triangle, 3 * triangle + 3), 3 * count);
      count += 1;
    }
    this.glow.geometry.setDrawRange(0, 3 * count);
    this.touching.clearUpdateRanges();
    if (count > 0) {
      this.touching.addUpdateRange(0, 3 * count);
      this.touching.needsUpdate = true;
    }
    return count;
  }

  /** Where a point of a triangle is, as it was drawn last. */
  vertex(number: number): [number, number, number] {
    return [this.positions.getX(number), this.positions.getY(number), this.positions.getZ(number)];
  }

  free(): void {
    this.object.removeFromParent();
    for (const mesh of this.object.children as Mesh<BufferGeometry, MeshBasicMaterial>[]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.body.free();
  }
}
