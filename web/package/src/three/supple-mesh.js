// A three.js mesh as a body of supple.

import { Box3, Matrix4, Sphere, Vector3 } from "three";
import { Body } from "../body.js";
import { SuppleError } from "../error.js";
import * as queries from "../queries.js";
import { shapeOf } from "./geometry-shape.js";

const meshes = new WeakMap();
const matrix = new Matrix4();
const corner = new Vector3();
const box = new Box3();

/** Whether numbers are other than those that were seen; remembers them. */
function differs(seen, at, numbers) {
  let isOther = false;
  for (let i = 0; i < numbers.length; i++) {
    if (seen[at + i] !== numbers[i]) {
      seen[at + i] = numbers[i];
      isOther = true;
    }
  }
  return isOther;
}

/** A SkinnedMesh or Mesh that supple can be asked about. Needs `await ready()` before. */
export class SuppleMesh {
  /** The one of a mesh; made when it is first asked for. */
  static from(mesh) {
    if (mesh?.isMesh !== true) throw new SuppleError("SuppleMesh.from needs a three.js Mesh or SkinnedMesh");
    if (mesh.isInstancedMesh || mesh.isBatchedMesh) throw new SuppleError("instanced and batched meshes are not supported");
    let known = meshes.get(mesh);
    if (!known) {
      known = new SuppleMesh(mesh);
      meshes.set(mesh, known);
    }
    return known;
  }

  constructor(mesh) {
    this.mesh = mesh;
    /** Whether questions look first whether the mesh has moved: O(bones). If not, call update() per frame. */
    this.autoUpdate = true;
    this.built = null;
    this.body = null;
    this.seen = new Float64Array();
    this.update();
  }

  /** Takes the pose that the mesh has now, if it is another one: O(bones). World matrices must be up to date, as for three.js's own raycast. */
  update() {
    const built = shapeOf(this.mesh);
    if (built !== this.built) {
      this.body?.free();
      [this.built, this.body, this.seen] = [built, new Body(built.shape), new Float64Array()];
    }
    if (this.hasMoved()) this.take();
    return this;
  }

  /** Compares everything that moves vertices with what was seen last, and remembers it. */
  hasMoved() {
    const { mesh, built } = this;
    const influences = built.morphCount > 0 ? mesh.morphTargetInfluences : [];
    const length = 16 * (built.isSkinned ? built.jointCount + 3 : 1) + influences.length;
    let moved = this.seen.length !== length;
    if (moved) this.seen = new Float64Array(length);
    const { seen } = this;
    moved = differs(seen, 0, mesh.matrixWorld.elements) || moved;
    moved = differs(seen, length - influences.length, influences) || moved;
    if (!built.isSkinned) return moved;
    const { bones } = mesh.skeleton;
    if (bones.length < built.jointCount) throw new SuppleError(`${mesh.name || "mesh"}: skinIndex names bone ${built.jointCount - 1}, the skeleton has ${bones.length} bones`);
    moved = differs(seen, 16, mesh.bindMatrix.elements) || moved;
    moved = differs(seen, 32, mesh.bindMatrixInverse.elements) || moved;
    for (let i = 0; i < built.jointCount; i++) moved = differs(seen, 48 + 16 * i, bones[i].matrixWorld.elements) || moved;
    return moved;
  }

  /** As the shader: world * bindMatrixInverse * bone * bindMatrix. */
  take() {
    const { mesh, built, body } = this;
    const influences = built.morphCount > 0 ? Float32Array.from(mesh.morphTargetInfluences) : undefined;
    try {
      if (!built.isSkinned) {
        body.setMatrices(Float32Array.from(mesh.matrixWorld.elements), influences);
        return;
      }
      mesh.skeleton.update();
      const matrices = mesh.skeleton.boneMatrices.subarray(0, 16 * built.jointCount);
      const before = matrix.multiplyMatrices(mesh.matrixWorld, mesh.bindMatrixInverse).elements;
      body.setMatrices(matrices, influences, { before, after: mesh.bindMatrix.elements });
    } catch (error) {
      this.seen = new Float64Array();
      throw error;
    }
  }

  /** The body, in the pose of now where updates are automatic. */
  posed() {
    if (this.body === null) throw new SuppleError("this SuppleMesh was disposed");
    if (this.autoUpdate) this.update();
    return this.body;
  }

  /** The smallest box around all triangles as they are shown, in the world. */
  boundingBox(target = new Box3()) {
    const numbers = this.posed().bounds();
    target.min.fromArray(numbers, 0);
    target.max.fromArray(numbers, 3);
    return target;
  }

  /** Sets the mesh's own boundingSphere, which three.js culls by: around the box of now. */
  updateBoundingSphere() {
    const { mesh } = this;
    this.boundingBox(box);
    matrix.copy(mesh.matrixWorld).invert();
    const sphere = (mesh.boundingSphere ??= new Sphere());
    box.getCenter(sphere.center).applyMatrix4(matrix);
    sphere.radius = 0;
    for (let i = 0; i < 8; i++) {
      corner.set((i & 1 ? box.max : box.min).x, (i & 2 ? box.max : box.min).y, (i & 4 ? box.max : box.min).z).applyMatrix4(matrix);
      sphere.radius = Math.max(sphere.radius, corner.distanceTo(sphere.center));
    }
    return sphere;
  }

  /** Pairs of triangles that touch: that of this mesh, that of the other. */
  collide(other) {
    return queries.collide(this.posed(), other.posed());
  }

  collideAny(other) {
    return queries.collideAny(this.posed(), other.posed());
  }

  selfCollide(filter) {
    return queries.selfCollide(this.posed(), filter);
  }

  /** Frees memory. The shape stays with its geometry until that is disposed. */
  dispose() {
    this.body?.free();
    [this.body, this.built] = [null, null];
    meshes.delete(this.mesh);
  }
}
if (Symbol.dispose) {
  SuppleMesh.prototype[Symbol.dispose] = function () {
    this.dispose();
  };
}
