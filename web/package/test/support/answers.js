// A hash of the answers of every query over the zoo, a line each: what web/wasm/examples/answers.rs prints, asked through JavaScript.
// `node answers.js WASM FOLDER [KIND ...]` prints them, with that WebAssembly, of the shapes that the other wrote into that folder.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as supple from "../../src/index.js";

function digest(words) {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (const word of words) {
    a = Math.imul(a ^ word, 0x85ebca6b);
    a ^= a >>> 13;
    b = Math.imul(b ^ word, 0xc2b2ae35);
    b ^= b >>> 16;
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

const bits = (floats) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
const bitsOf = (...numbers) => bits(Float32Array.from(numbers));

async function ofKind(kind) {
  const print = (skinning, pose) => (query, words) => console.log(`${kind} ${skinning} ${pose} ${query} ${digest(words)}`);
  const shape = supple.Shape.fromBytes(await readFile(join(folder, kind)));
  print("-", 0)("rest", bits(shape.model.positions()));
  print("-", 0)("triangles", shape.model.triangles());
  for (const skinning of ["linear", "dual", "spherical"]) {
    for (let pose = 0; pose < 3; pose++) ofPose(print(skinning, pose), shape, skinning, pose);
  }
  if (kind === "man" || kind === "dwarf") print("spherical", 2)("audit", walk(supple.audit(shape, { fps: 3 }), []));
  shape.model.free();
  shape.free();
}

function ofPose(print, shape, skinning, number) {
  const { clips } = shape.model;
  const sampled = (body, which, time, place) => (clips.length ? body.pose(clips[which % clips.length].name, time, place) : body.rest(place));
  const a = new supple.Body(shape, { skinning });
  const b = new supple.Body(shape, { skinning });
  const time = 0.2 + 0.3 * number;
  sampled(a, number, time);
  const bounds = a.bounds();
  const width = bounds[3] - bounds[0];
  sampled(b, 0, 0.5, { place: [0.4 * width, 0.02 * width, 0.05 * width], turn: [0, 0.14943813247359922, 0, 0.9887710779360422] });

  print("bounds", bits(bounds));
  const positions = a.vertices();
  print("vertices", bits(positions));
  const [matrices, coefficients] = [a.jointMatrices(), a.coefficients()];
  print("jointMatrices", bits(matrices));

  const { pairs, stats } = supple.collide(a, b);
  print("collide", [...pairs, stats.visits, stats.refits, stats.tests]);
  print("collideAny", [Number(supple.collideAny(a, b))]);
  print("contacts", bits(supple.contacts(a, b).segments));
  for (const [name, filter] of [["selfCollide", {}], ["withoutCreases", { creases: false }]]) {
    const found = supple.selfCollide(a, filter);
    print(name, [...found.pairs, found.stats.visits, found.stats.tests]);
    if (name === "selfCollide") print("selfContacts", bits(supple.selfContacts(a).segments));
  }
  const near = supple.closestPoints(a, b);
  print("closestPoints", [...bits(near.points), ...bitsOf(near.distance), ...near.triangles]);
  const closest = [];
  for (let i = 0; i < 8; i++) {
    const bit = (place) => (i >> place) & 1;
    const found = supple.closestPoint(a, at(bounds, [1.2 * bit(0) - 0.1, 1.2 * bit(1) - 0.1, 1.2 * bit(2) - 0.1]));
    closest.push(...bitsOf(...found.point, found.distance), found.triangle);
  }
  print("closestPoint", closest);

  sampled(a, number, time);
  const { origins, directions } = rays(bounds);
  const ray = (i) => [origins.subarray(3 * i, 3 * i + 3), directions.subarray(3 * i, 3 * i + 3)];
  const hits = [];
  for (let i = 0; i < 121; i += 7) {
    const hit = supple.castRay(a, ...ray(i));
    if (hit === null) hits.push(0xffffffff);
    else hits.push(hit.triangle, ...bitsOf(hit.time, ...hit.barycentric), Number(hit.back), hit.joint, ...bitsOf(...hit.point, ...hit.normal));
  }
  print("castRay", hits);
  print("boxes", a.boxes(3).computed);
  const many = supple.castRays(a, origins, directions);
  print("castRays", Array.from({ length: 121 }, (_, i) => [...bitsOf2(many.times, i, 1), many.triangles[i], many.joints[i], ...bitsOf2(many.barycentrics, i, 3)]).flat());
  const all = [];
  for (let i = 0; i < 121; i += 13) {
    const found = supple.castRayAll(a, ...ray(i));
    for (let k = 0; k < found.times.length; k++) {
      all.push(found.triangles[k], ...bitsOf2(found.times, k, 1), ...bitsOf2(found.barycentrics, k, 3), found.backs[k], found.joints[k]);
      all.push(...bitsOf2(found.points, k, 3), ...bitsOf2(found.normals, k, 3));
    }
  }
  print("castRayAll", all);

  print("setVertices", supple.collide(a.setVertices(positions), b).pairs);
  print("setMatrices", supple.collide(a.setMatrices(matrices, coefficients), b).pairs);
  a.free();
  b.free();
}

const bitsOf2 = (floats, i, width) => bits(floats.slice(width * i, width * (i + 1)));

function rays(bounds) {
  const [origins, directions] = [new Float32Array(363), new Float32Array(363)];
  for (let i = 0; i < 121; i++) {
    const [x, y] = [(i % 11) / 10, Math.floor(i / 11) / 10];
    const [from, to] = [at(bounds, [x, y, 1.5]), at(bounds, [x + 0.02, y - 0.01, -0.5])];
    origins.set(from, 3 * i);
    directions.set(to.map((number, axis) => number - from[axis]), 3 * i);
  }
  return { origins, directions };
}

/** A point by its shares of a box's sides, rounded to f32. */
const at = (bounds, shares) => shares.map((share, axis) => Math.fround(bounds[axis] + (bounds[axis + 3] - bounds[axis]) * share));

function walk(value, words) {
  const text = (string) => words.push(...new TextEncoder().encode(string));
  if (value === null) words.push(0);
  else if (typeof value === "boolean") words.push(1 + Number(value));
  else if (typeof value === "number") words.push(...new Uint32Array(Float64Array.of(value).buffer));
  else if (typeof value === "string") text(value);
  else if (Array.isArray(value)) value.forEach((one) => walk(one, words));
  else {
    for (const key of Object.keys(value).sort()) {
      text(key);
      walk(value[key], words);
    }
  }
  return words;
}

const [wasm, folder, ...chosen] = process.argv.slice(2);
await supple.ready(await readFile(wasm));
for (const kind of supple.zooNames) {
  if (chosen.length === 0 || chosen.includes(kind)) await ofKind(kind);
}
