// Every query gives what brute force gives.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as supple from "../src/index.js";
import { assetFolder, bytesOf } from "./support/assets.js";

const { Body } = supple;
const man = await supple.zoo("man");
const shape = man.shape();
const posed = (skinning, time, place) => new Body(shape, { skinning }).pose("walk", time, place);

test("the example of the README", async () => {
  const bytes = bytesOf(`${assetFolder("SUPPLE_ASSETS")}/khronos/CesiumMan.glb`);
  const model = await supple.load(bytes, { name: "CesiumMan.glb" });
  assert.ok(model.triangleCount > 4000 && model.joints.length > 10 && model.clips.length === 1);
  const a = new Body(model.shape());
  const b = new Body(model.shape(), { skinning: "dual" });
  const [clip] = model.clips;
  a.pose(clip.name, 0.2);
  b.pose(clip.name, 0.9, { place: [0.2, 0, 0] });
  const { pairs, stats } = supple.collide(a, b);
  assert.ok(pairs instanceof Uint32Array && pairs.length > 0 && pairs.length % 2 === 0);
  assert.ok(stats.visits > 0 && stats.refits > 0 && stats.tests >= pairs.length / 2);
});

for (const skinning of ["linear", "dual", "spherical"]) {
  test(`pairs, rays and boxes, ${skinning}`, async () => {
    const dwarf = (await supple.zoo("dwarf")).shape();
    const [clip] = dwarf.model.clips;
    const at = (time, place) => new Body(dwarf, { skinning }).pose(clip.name, time, { place });
    const [a, b] = [at(0.2), at(0.7, [0.3, 0, 0.1])];
    const { pairs } = supple.collide(a, b);
    assert.deepEqual(pairs, supple.bruteForce.collide(a, b));
    assert.ok(pairs.length > 0 && supple.collideAny(a, b));
    for (const filter of [undefined, { creases: false }]) {
      assert.deepEqual(supple.selfCollide(a, filter).pairs, supple.bruteForce.selfCollide(a, filter));
    }
    const bounds = a.bounds();
    const [vertices, triangles] = [a.vertices(), dwarf.model.triangles()];
    assert.deepEqual(bounds, boxOf(vertices, triangles));
    const middle = [0, 1, 2].map((axis) => (bounds[axis] + bounds[axis + 3]) / 2);
    let hits = 0;
    for (let i = 0; i < 20; i++) {
      const origin = [middle[0] + Math.sin(i) * 3, middle[1] + Math.cos(3 * i), middle[2] + Math.cos(i) * 3];
      const direction = origin.map((number, axis) => middle[axis] - number + 0.1 * Math.sin(7 * i + axis));
      const hit = supple.castRay(a, origin, direction);
      assert.deepEqual(hit, supple.bruteForce.castRay(a, origin, direction));
      if (hit) {
        hits += 1;
        const corners = [0, 1, 2].map((k) => triangles[3 * hit.triangle + k]);
        const weights = new Map();
        corners.forEach((vertex, k) => dwarf.model.weightsOf(vertex).forEach(([joint, weight]) => weights.set(joint, (weights.get(joint) ?? 0) + weight * hit.barycentric[k])));
        assert.ok(weights.get(hit.joint) >= Math.max(...weights.values()) - 1e-6);
        assert.ok(Math.abs(Math.hypot(...hit.normal) - 1) < 1e-5);
        for (let axis = 0; axis < 3; axis++) {
          const onTriangle = corners.reduce((sum, vertex, k) => sum + vertices[3 * vertex + axis] * hit.barycentric[k], 0);
          assert.ok(Math.abs(onTriangle - hit.point[axis]) < 1e-5 && Math.abs(origin[axis] + hit.time * direction[axis] - hit.point[axis]) < 1e-5);
        }
      }
    }
    assert.ok(hits > 5);
  });
}

function boxOf(vertices, triangles) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const vertex of triangles) {
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(box[axis], vertices[3 * vertex + axis]);
      box[axis + 3] = Math.max(box[axis + 3], vertices[3 * vertex + axis]);
    }
  }
  return Float32Array.from(box);
}

test("bounds are exact for every kind", async () => {
  for (const name of ["creature", "hand", "face", "fish", "blob", "curtain"]) {
    const model = await supple.zoo(name);
    for (const skinning of ["linear", "dual", "spherical"]) {
      const body = new Body(model.shape(), { skinning });
      for (const clip of model.clips.slice(0, 2)) {
        body.pose(clip.name, clip.duration * 0.4);
        assert.deepEqual(body.bounds(), boxOf(body.vertices(), model.triangles()), `${name} ${skinning} ${clip.name}`);
      }
    }
  }
});

test("many rays are single rays; a ray may end; all hits begin with the first", () => {
  const body = posed("linear", 0.4);
  const origins = new Float32Array(90);
  const directions = new Float32Array(90);
  for (let i = 0; i < 30; i++) {
    origins.set([(i % 6) * 0.1 - 0.25, 0.2 + Math.floor(i / 6) * 0.35, 4], 3 * i);
    directions.set([0.003, 0, -1], 3 * i);
  }
  const { times, triangles, joints, barycentrics } = supple.castRays(body, origins, directions);
  let hits = 0;
  for (let i = 0; i < 30; i++) {
    const [origin, direction] = [origins.subarray(3 * i, 3 * i + 3), directions.subarray(3 * i, 3 * i + 3)];
    const hit = supple.castRay(body, origin, direction);
    if (hit === null) {
      assert.deepEqual([times[i], triangles[i], joints[i]], [NaN, -1, -1]);
      continue;
    }
    hits += 1;
    assert.deepEqual([times[i], triangles[i], joints[i], ...barycentrics.subarray(3 * i, 3 * i + 3)], [hit.time, hit.triangle, hit.joint, ...hit.barycentric]);
    assert.equal(supple.castRay(body, origin, direction, hit.time * 0.99), null);
    const all = supple.castRayAll(body, origin, direction);
    assert.deepEqual([all.triangles[0], all.times[0], all.joints[0]], [hit.triangle, hit.time, hit.joint]);
    assert.ok(all.times.every((time, k) => k === 0 || time >= all.times[k - 1]) && all.times.length >= 2);
  }
  assert.ok(hits > 5 && hits < 30);
});

test("closest points and contact segments lie on the surfaces", () => {
  const [a, b] = [posed("linear", 0.2), posed("dual", 0.2, { place: [3, 0, 0] })];
  assert.equal(supple.collideAny(a, b), false);
  const near = supple.closestPoints(a, b);
  assert.ok(near.distance > 1 && near.distance < 3);
  const from = supple.closestPoint(a, [...near.points.subarray(3)]);
  assert.ok(Math.abs(from.distance - near.distance) < 1e-6 && from.triangle === near.triangles[0]);
  b.pose("walk", 0.2, { place: [0.3, 0, 0], turn: [0, Math.SQRT1_2, 0, Math.SQRT1_2] });
  const { pairs, segments } = supple.contacts(a, b);
  assert.equal(segments.length, 3 * pairs.length);
  assert.ok(pairs.length > 10);
  for (let i = 0; i < segments.length; i += 3) {
    const point = [...segments.subarray(i, i + 3)];
    assert.ok(supple.closestPoint(a, point).distance < 1e-5 && supple.closestPoint(b, point).distance < 1e-5);
  }
  const own = supple.selfContacts(posed("linear", 0.6));
  assert.equal(own.segments.length, 3 * own.pairs.length);
});

test("boxes of a level tell which of them questions needed", () => {
  const body = posed("linear", 0.3);
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  for (let level = 0; level < shape.levels; level++) assert.equal(sum(body.boxes(level).computed), 0, "looking is not asking");
  supple.castRay(body, [0, 1.2, 5], [0, 0, -1]);
  const { boxes, computed } = body.boxes(shape.levels - 1);
  assert.equal(boxes.length, 6 * computed.length);
  assert.ok(sum(computed) > 0 && sum(computed) < computed.length / 4);
  assert.deepEqual([...body.boxes(0).computed], [1]);
  const bounds = body.bounds();
  for (let i = 0; i < boxes.length; i += 6) {
    for (let axis = 0; axis < 3; axis++) assert.ok(boxes[i + axis] <= boxes[i + axis + 3] && boxes[i + axis] >= bounds[axis]);
  }
  assert.equal(sum(body.pose("walk", 0.4).boxes(2).computed), 0);
});

test("matrices, vertices and poses agree", () => {
  const a = posed("linear", 0.35, { place: [0.1, 0, 0] });
  const b = new Body(shape).setMatrices(a.jointMatrices());
  assert.deepEqual(b.vertices(), a.vertices());
  const c = new Body(shape).setVertices(a.vertices());
  assert.deepEqual(c.vertices(), a.vertices());
  const ray = [[0.1, 1.2, 5], [0, 0, -1]];
  assert.deepEqual(supple.castRay(b, ...ray), supple.castRay(a, ...ray));
  assert.deepEqual(supple.castRay(c, ...ray), supple.castRay(a, ...ray));
  const out = new Float32Array(3 * man.vertexCount);
  assert.equal(a.vertices(out), out);
  const before = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1];
  b.setMatrices(a.jointMatrices(), undefined, { before });
  const moved = b.vertices().map((number, i) => number - (i % 3 === 2 ? 2 : 0));
  assert.ok(moved.every((number, i) => Math.abs(number - out[i]) < 1e-6));
  assert.deepEqual(new Body(shape).rest().vertices().length, man.positions().length);
});

test("models from arrays, with skins and morphs", () => {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);
  const triangles = Uint32Array.of(0, 1, 2, 1, 3, 2);
  const plain = supple.Model.fromArrays({ positions, triangles });
  assert.deepEqual([plain.vertexCount, plain.triangleCount, plain.joints.length], [4, 2, 1]);
  const morphed = supple.Model.fromArrays({
    positions,
    triangles,
    skinIndices: Uint16Array.of(0, 0, 0, 0, 1, 1, 1, 1),
    skinWeights: Float32Array.of(1, 0, 1, 0, 0, 1, 0, 1),
    jointsPerVertex: 2,
    jointCount: 2,
    morphs: [Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1)],
  });
  assert.deepEqual(morphed.weightsOf(2), [[1, 1]]);
  const body = new Body(morphed.shape());
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const up = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1];
  body.setMatrices(Float32Array.from([...identity, ...up]), [0.5]);
  assert.deepEqual([...body.vertices()], [0, 0, 0.5, 1, 0, 0.5, 0, 6, 0.5, 1, 6, 0.5]);
  assert.deepEqual([...body.coefficients()], [0.5]);
});

test("shapes as bytes", () => {
  const again = supple.Shape.fromBytes(shape.toBytes());
  assert.deepEqual([again.levels, again.model.triangleCount, again.model.joints], [shape.levels, man.triangleCount, man.joints]);
  const [a, b] = [new Body(again).pose("walk", 0.3), posed("linear", 0.3)];
  assert.deepEqual(supple.selfCollide(a), supple.selfCollide(b));
});

test("an audit finds events, tells how far it is, and stops when told to", () => {
  const seen = [];
  const result = supple.audit(shape, { fps: 3, clips: ["random"] }, (done, total) => void seen.push([done, total]));
  assert.ok(result.events.length > 0 && result.events[0].class === "fault" && result.bones === man.joints.length);
  assert.deepEqual(seen.at(-1), [result.clips[0].frames, result.clips[0].frames]);
  assert.throws(() => supple.audit(shape, { fps: 3 }, (done) => done < 2), /stopped after 2 of \d+ frames/);
  assert.ok(supple.audit(shape, { fps: 3, clips: ["random"], minDepth: 100 }).events.every((event) => event.class !== "fault"));
});

test("the names of the zoo are those of the library", async () => {
  const { exports } = await import("../src/module.js");
  assert.deepEqual([...supple.zooNames], exports().zoo_names());
  const finer = await supple.zoo("dwarf", 1);
  assert.equal(finer.triangleCount, 4 * (await supple.zoo("dwarf")).triangleCount);
});
