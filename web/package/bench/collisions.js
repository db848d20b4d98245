// Two skinned meshes with a new pose in every frame: which triangles touch.

import * as THREE from "three";
import { MeshBVH } from "three-mesh-bvh";
import { SuppleMesh } from "../src/three/index.js";
import { measure } from "./measure.js";
import { baker } from "./rays.js";

/** Microseconds per frame and pairs found; `share` of the width lies between the two. */
export function collisions(figure, share) {
  const meshes = [figure.make(), figure.make()];
  const aside = share * (figure.box.max.x - figure.box.min.x);
  const prepare = (frame) => {
    figure.pose(meshes[0], frame);
    figure.pose(meshes[1], frame + 30, aside);
  };
  prepare(0);
  const bakers = meshes.map(baker);
  const trees = bakers.map(({ baked }) => new MeshBVH(baked, { indirect: true }));
  const identity = new THREE.Matrix4();
  let pairs = 0;
  const theirs = () => {
    bakers.forEach(({ bake }) => bake());
    trees.forEach((tree) => tree.refit());
    pairs = 0;
    trees[0].bvhcast(trees[1], identity, {
      intersectsTriangles(a, b) {
        if (a.intersectsTriangle(b)) pairs += 1;
        return false;
      },
    });
  };
  const [a, b] = meshes.map((mesh) => SuppleMesh.from(mesh));
  let own = 0;
  const ours = () => {
    own = a.collide(b).pairs.length / 2;
  };
  const counts = { supple: 0, "three-mesh-bvh": 0 };
  for (const frame of [0, 20, 40]) {
    prepare(frame);
    ours();
    theirs();
    counts.supple += own;
    counts["three-mesh-bvh"] += pairs;
  }
  const times = { "three-mesh-bvh": measure(theirs, prepare), supple: measure(ours, prepare) };
  for (const one of [a, b]) one.dispose();
  return { times, counts };
}
