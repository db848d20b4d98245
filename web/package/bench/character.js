// Characters of the zoo as three.js meshes.

import * as THREE from "three";
import { Body, zoo } from "../src/index.js";

/** A character and its poses: `pose(mesh, frame, x)` sets bones, as an animation would. */
export async function character(kind, detail) {
  const model = await zoo(kind, detail);
  const poser = new Body(model.shape());
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(model.positions(), 3));
  geometry.setIndex(new THREE.BufferAttribute(model.triangles(), 1));
  const [indices, weights] = [new Uint16Array(4 * model.vertexCount), new Float32Array(4 * model.vertexCount)];
  for (let vertex = 0; vertex < model.vertexCount; vertex++) {
    const heaviest = model.weightsOf(vertex).slice(0, 4);
    const sum = heaviest.reduce((total, [, weight]) => total + weight, 0);
    heaviest.forEach(([joint, weight], k) => {
      indices[4 * vertex + k] = joint;
      weights[4 * vertex + k] = weight / sum;
    });
  }
  geometry.setAttribute("skinIndex", new THREE.BufferAttribute(indices, 4));
  geometry.setAttribute("skinWeight", new THREE.BufferAttribute(weights, 4));
  const make = () => {
    const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    const bones = model.joints.map(() => new THREE.Bone());
    mesh.bind(new THREE.Skeleton(bones, bones.map(() => new THREE.Matrix4())), new THREE.Matrix4());
    mesh.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 1e3);
    mesh.frustumCulled = false;
    return mesh;
  };
  const [clip] = model.clips;
  const pose = (mesh, frame, x = 0) => {
    poser.pose(clip.name, (frame / 60) % clip.duration, { place: [x, 0, 0] });
    const matrices = poser.jointMatrices();
    mesh.skeleton.bones.forEach((bone, i) => bone.matrixWorld.fromArray(matrices, 16 * i));
  };
  const box = new THREE.Box3().setFromArray(poser.vertices());
  return { kind, detail, model, make, pose, box, triangles: model.triangleCount };
}

/** From around a box to somewhere near its middle. */
export function rayThrough(box, i) {
  const center = box.getCenter(new THREE.Vector3());
  const sides = box.getSize(new THREE.Vector3());
  const origin = new THREE.Vector3(Math.sin(i), 0.3 * Math.sin(3 * i), Math.cos(i)).multiplyScalar(2 * Math.max(sides.x, sides.y, sides.z)).add(center);
  const aim = new THREE.Vector3(Math.sin(5 * i), Math.sin(7 * i), Math.sin(11 * i)).multiply(sides).multiplyScalar(0.25).add(center);
  return new THREE.Ray(origin, aim.sub(origin).normalize());
}
