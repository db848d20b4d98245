// What web/wasm/examples/times.rs measures natively, through WebAssembly: `node times.js WASM KIND DETAIL ...`.

import { readFile } from "node:fs/promises";
import * as THREE from "three";
import * as supple from "../src/index.js";
import { rayThrough } from "./character.js";
import { measure } from "./measure.js";

const [wasm, ...figures] = process.argv.slice(2);
await supple.ready(await readFile(wasm));
for (let i = 0; i < figures.length; i += 2) {
  const model = await supple.zoo(figures[i], Number(figures[i + 1]));
  const shape = model.shape();
  const [a, b] = [new supple.Body(shape), new supple.Body(shape)];
  const box = new THREE.Box3().setFromArray(a.vertices());
  const aside = { place: [0.3 * (box.max.x - box.min.x), 0, 0] };
  const [clip] = model.clips;
  const pose = (body, time, place) => body.pose(clip.name, time % clip.duration, place);
  const rays = Array.from({ length: 1000 }, (_, k) => rayThrough(box, k));
  const origins = Float32Array.from(rays.flatMap(({ origin }) => origin.toArray()));
  const directions = Float32Array.from(rays.flatMap(({ direction }) => direction.toArray()));
  const questions = {
    ray(frame) {
      pose(a, frame / 60);
      supple.castRay(a, origins.subarray(21 * frame, 21 * frame + 3), directions.subarray(21 * frame, 21 * frame + 3));
    },
    "1000 rays"(frame) {
      pose(a, frame / 60);
      supple.castRays(a, origins, directions);
    },
    collide(frame) {
      pose(a, frame / 60);
      pose(b, frame / 60 + 0.5, aside);
      supple.collide(a, b);
    },
    self(frame) {
      pose(a, frame / 60);
      supple.selfCollide(a);
    },
  };
  for (const [name, ask] of Object.entries(questions)) {
    // Twice: the engine compiles better code while the first runs.
    measure(ask, undefined, 2);
    console.log(`${figures[i]} ${figures[i + 1]} ${name} ${measure(ask, undefined, 2).toFixed(2)}`);
  }
}
