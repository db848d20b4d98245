// Questions to bodies.

import { Body, skinningOf } from "./body.js";
import * as check from "./check.js";
import { SuppleError, guard } from "./error.js";
import { rawOf } from "./handle.js";
import { exports, numbersAt } from "./module.js";
import { Shape } from "./model.js";

/** Numbers of a hit: triangle, time, three barycentrics, whether it is a back, joint, point, normal. */
export const HIT_NUMBERS = 13;

export function collide(a, b) {
  const [own, other] = two(a, b);
  return guard(() => ({ pairs: exports().collide(own, other), stats: statsOf(own) }));
}

export function collideAny(a, b) {
  const [own, other] = two(a, b);
  return guard(() => exports().collide_any(own, other));
}

export function selfCollide(body, filter) {
  const [raw, creases] = [one(body), creasesOf(filter)];
  return guard(() => ({ pairs: exports().self_collide(raw, creases), stats: statsOf(raw) }));
}

export function contacts(a, b) {
  const [own, other] = two(a, b);
  return guard(() => {
    const pairs = exports().collide(own, other);
    return { pairs, segments: exports().segments(own, other, pairs) };
  });
}

export function selfContacts(body, filter) {
  const [raw, creases] = [one(body), creasesOf(filter)];
  return guard(() => {
    const pairs = exports().self_collide(raw, creases);
    return { pairs, segments: exports().self_segments(raw, pairs) };
  });
}

export function castRay(body, origin, direction, maxTime = Infinity) {
  const numbers = firstHit(body, origin, direction, maxTime, false);
  return numbers && hitOf(numbers);
}

/** HIT_NUMBERS of the first hit, to be read at once; null where there is none. */
export function firstHit(body, origin, direction, maxTime, frontOnly) {
  const raw = one(body);
  check.vector(origin, 3, "origin");
  check.vector(direction, 3, "direction");
  if (typeof maxTime !== "number") throw new SuppleError("maxTime must be a number");
  return guard(() => {
    const hit = raw.cast_ray(origin[0], origin[1], origin[2], direction[0], direction[1], direction[2], maxTime, frontOnly);
    return hit ? numbersAt(raw.hit_address(), HIT_NUMBERS) : null;
  });
}

export function castRays(body, origins, directions) {
  const [raw, from, to] = [one(body), check.floats(origins, "origins"), check.floats(directions, "directions")];
  return guard(() => {
    const hits = raw.cast_rays(from, to);
    try {
      return { times: hits.times(), triangles: hits.triangles(), joints: hits.joints(), barycentrics: hits.barycentrics() };
    } finally {
      hits.free();
    }
  });
}

export function castRayAll(body, origin, direction, maxTime = Infinity) {
  const rows = hitRows(body, origin, direction, maxTime);
  const count = rows.length / HIT_NUMBERS;
  const column = (Into, first, width) => {
    const out = new Into(count * width);
    for (let i = 0; i < count; i++) out.set(rows.subarray(i * HIT_NUMBERS + first, i * HIT_NUMBERS + first + width), i * width);
    return out;
  };
  return {
    triangles: column(Int32Array, 0, 1),
    times: column(Float32Array, 1, 1),
    barycentrics: column(Float32Array, 2, 3),
    backs: column(Uint8Array, 5, 1),
    joints: column(Int32Array, 6, 1),
    points: column(Float32Array, 7, 3),
    normals: column(Float32Array, 10, 3),
  };
}

/** All hits of a ray by time, HIT_NUMBERS each. */
export function hitRows(body, origin, direction, maxTime) {
  const raw = one(body);
  check.vector(origin, 3, "origin");
  check.vector(direction, 3, "direction");
  if (typeof maxTime !== "number") throw new SuppleError("maxTime must be a number");
  return guard(() => raw.cast_ray_all(origin[0], origin[1], origin[2], direction[0], direction[1], direction[2], maxTime));
}

export function closestPoint(body, point) {
  const raw = one(body);
  check.vector(point, 3, "point");
  const [x, y, z, triangle, distance] = guard(() => exports().closest_point(raw, point[0], point[1], point[2]));
  return { point: [x, y, z], triangle, distance };
}

export function closestPoints(a, b) {
  const [own, other] = two(a, b);
  const numbers = guard(() => exports().closest_points(own, other));
  return { points: Float32Array.from(numbers.subarray(0, 6)), triangles: [numbers[6], numbers[7]], distance: numbers[8] };
}

export const bruteForce = Object.freeze({
  collide(a, b) {
    const [own, other] = two(a, b);
    return guard(() => exports().brute_force_collide(own, other));
  },
  selfCollide(body, filter) {
    const [raw, creases] = [one(body), creasesOf(filter)];
    return guard(() => exports().brute_force_self_collide(raw, creases));
  },
  castRay(body, origin, direction) {
    const raw = one(body);
    check.vector(origin, 3, "origin");
    check.vector(direction, 3, "direction");
    return guard(() => {
      const hit = raw.brute_force_cast_ray(origin[0], origin[1], origin[2], direction[0], direction[1], direction[2]);
      return hit ? hitOf(numbersAt(raw.hit_address(), HIT_NUMBERS)) : null;
    });
  },
});

export function audit(shape, options = {}, progress = () => true) {
  check.instance(shape, Shape, "shape");
  if (typeof progress !== "function") throw new SuppleError("progress must be a function");
  const [fps, skinning] = [check.finite(options?.fps ?? 30, "fps"), skinningOf(options?.skinning)];
  const minDepth = options?.minDepth === undefined ? NaN : check.finite(options.minDepth, "minDepth");
  const clips = options?.clips === undefined ? undefined : clipsOf(options.clips);
  const watcher = { go_on: (done, total) => progress(done, total) !== false };
  return JSON.parse(guard(() => exports().audit(rawOf(shape), fps, clips, skinning, minDepth, watcher)));
}

function one(body) {
  return rawOf(check.instance(body, Body, "body"));
}

function two(a, b) {
  check.instance(a, Body, "the first body");
  check.instance(b, Body, "the second body");
  if (a === b) throw new SuppleError("two different bodies are needed; a body with itself: selfCollide");
  return [rawOf(a), rawOf(b)];
}

const creasesOf = (filter) => filter?.creases !== false;

function clipsOf(clips) {
  if (!Array.isArray(clips)) throw new SuppleError("clips must be an array of names");
  return clips.map((name, i) => check.text(name, `clips[${i}]`));
}

const statsOf = (raw) => ({ visits: raw.visits(), refits: raw.refits(), tests: raw.tests() });

/** A hit as an object. */
function hitOf([triangle, time, u, v, w, back, joint, x, y, z, i, j, k]) {
  return { time, triangle, point: [x, y, z], barycentric: [u, v, w], normal: [i, j, k], joint, back: back === 1 };
}
