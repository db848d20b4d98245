// Rays against a skinned mesh that has a new pose in every frame: three.js, three-mesh-bvh in two ways, supple.

import * as THREE from "three";
import { MeshBVH, SkinnedMeshBVH } from "three-mesh-bvh";
import { SuppleMesh, suppleRaycast } from "../src/three/index.js";
import { rayThrough } from "./character.js";
import { measure } from "./measure.js";

/** All vertices as three.js computes them, into a geometry of the same triangles. */
export function baker(mesh) {
  const baked = new THREE.BufferGeometry();
  const positions = new Float32Array(3 * mesh.geometry.attributes.position.count);
  baked.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  baked.setIndex(mesh.geometry.index.clone());
  const vertex = new THREE.Vector3();
  const bake = () => {
    for (let i = 0; i < positions.length; i += 3) mesh.getVertexPosition(i / 3, vertex).toArray(positions, i);
  };
  bake();
  return { baked, bake };
}

const caster = new THREE.Raycaster();
function cast(ray, method) {
  caster.ray.copy(ray);
  caster.firstHitOnly = true;
  const found = [];
  method(caster, found);
  return found;
}

/** Microseconds per frame for numbers of rays, by contestant; and in how many of some rays all hit the same triangle. */
export function rays(figure, counts) {
  const mesh = figure.make();
  figure.pose(mesh, 0);
  const all = Array.from({ length: Math.max(...counts) }, (_, i) => rayThrough(figure.box, i));
  const skinned = new SkinnedMeshBVH(mesh, { indirect: true });
  const { baked, bake } = baker(mesh);
  const still = new THREE.Mesh(baked, mesh.material);
  const bvh = new MeshBVH(baked, { indirect: true });
  SuppleMesh.from(mesh);
  const contestants = {
    "three.js": { refit: () => {}, cast: (ray) => cast(ray, (...given) => THREE.SkinnedMesh.prototype.raycast.apply(mesh, given)) },
    "three-mesh-bvh, skinned refit": { refit: () => skinned.refit(), cast: (ray) => cast(ray, (...given) => skinned.raycastObject3D(mesh, ...given)) },
    "three-mesh-bvh, vertices baked": {
      refit: () => {
        bake();
        bvh.refit();
      },
      cast: (ray) => cast(ray, (...given) => bvh.raycastObject3D(still, ...given)),
    },
    supple: { refit: () => {}, cast: (ray) => cast(ray, (...given) => suppleRaycast.apply(mesh, given)) },
  };
  let [same, hits] = [0, 0];
  for (let i = 0; i < 12; i++) {
    figure.pose(mesh, 5 * i);
    const first = Object.values(contestants).map((one) => {
      one.refit();
      const found = one.cast(all[i]).sort((a, b) => a.distance - b.distance);
      return found.length ? found[0].faceIndex : -1;
    });
    same += Number(first.every((triangle) => triangle === first[0]));
    hits += Number(first[0] >= 0);
  }
  const times = {};
  for (const [name, { refit, cast: ask }] of Object.entries(contestants)) {
    times[name] = counts.map((count) => {
      // Every ray of three.js does all work again: one is enough to know.
      const measured = name === "three.js" ? 1 : count;
      const frame = (number) => {
        refit();
        for (let i = 0; i < measured; i++) ask(all[(7 * number + i) % all.length]);
      };
      return (measure(frame, (number) => figure.pose(mesh, number)) * count) / measured;
    });
  }
  SuppleMesh.from(mesh).dispose();
  return { times, same, hits, asked: 12 };
}
