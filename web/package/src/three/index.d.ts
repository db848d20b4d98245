import type { Bone, Box3, Intersection, Mesh, Object3D, Raycaster, Sphere } from "three";
import type { Body, Filter, Pairs } from "../index.js";

export { ready } from "../index.js";

/**
 * `mesh.raycast = suppleRaycast`: in place of three.js's own, for a SkinnedMesh or a Mesh with or without morph targets. The intersections are the
 * same, of the pose of now, and have the bone. Needs `await ready()` before. Honours `raycaster.firstHitOnly`.
 */
export function suppleRaycast(this: Mesh, raycaster: Raycaster, intersects: Intersection[]): void;

/** What suppleRaycast adds to an intersection: the bone that moves the point most. */
export interface SuppleIntersection<T extends Object3D = Object3D> extends Intersection<T> {
  bone: Bone | null;
}

/** A three.js mesh as supple sees it. */
export class SuppleMesh {
  private constructor();
  /** The one of a mesh; its shape is built once per geometry. Needs `await ready()` before. */
  static from(mesh: Mesh): SuppleMesh;
  readonly mesh: Mesh;
  /** In the world, in the pose of the last update. */
  readonly body: Body;
  /** Whether questions look first whether the mesh has moved, O(bones) each; true. If not, call update() per frame. */
  autoUpdate: boolean;
  /** Takes the pose that the mesh has now: O(bones). World matrices must be up to date. */
  update(): this;
  /** The smallest box around all triangles as they are shown, in the world. */
  boundingBox(target?: Box3): Box3;
  /** Sets the mesh's own boundingSphere, which three.js culls by. */
  updateBoundingSphere(): Sphere;
  /** Pairs of triangles that touch: that of this mesh, that of the other. */
  collide(other: SuppleMesh): Pairs;
  collideAny(other: SuppleMesh): boolean;
  selfCollide(filter?: Filter): Pairs;
  /** Frees memory. The shape stays with its geometry until that is disposed. */
  dispose(): void;
  [Symbol.dispose](): void;
}
