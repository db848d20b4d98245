// Bodies: instances of shapes, posed and asked.

import * as check from "./check.js";
import { SuppleError, guard } from "./error.js";
import { Handle, rawOf } from "./handle.js";
import { exports } from "./module.js";
import { Shape } from "./model.js";

const SKINNINGS = ["linear", "dual", "spherical"];
const NO_NUMBERS = new Float32Array();
const NO_MATRIX = new Float64Array();

export class Body extends Handle {
  constructor(shape, options = {}) {
    check.instance(shape, Shape, "shape");
    const skinning = skinningOf(options?.skinning);
    super(guard(() => new (exports().RawBody)(rawOf(shape), skinning)));
    this.shape = shape;
    this.skinning = skinning;
  }

  pose(clip, seconds, place) {
    check.text(clip, "clip");
    check.finite(seconds, "seconds");
    const numbers = placeOf(place);
    guard(() => rawOf(this).pose(clip, seconds, numbers));
    return this;
  }

  rest(place) {
    const numbers = placeOf(place);
    guard(() => rawOf(this).rest(numbers));
    return this;
  }

  setMatrices(matrices, coefficients, around = {}) {
    const [numbers, weights] = [check.floats(matrices, "matrices"), coefficients ? check.floats(coefficients, "coefficients") : NO_NUMBERS];
    const [before, after] = [matrixOf(around?.before, "before"), matrixOf(around?.after, "after")];
    guard(() => rawOf(this).set_matrices(numbers, weights, before, after));
    return this;
  }

  setVertices(vertices) {
    const numbers = check.floats(vertices, "vertices");
    guard(() => rawOf(this).set_vertices(numbers));
    return this;
  }

  vertices(out) {
    if (out !== undefined) check.instance(out, Float32Array, "out");
    const posed = guard(() => rawOf(this).vertices());
    if (out === undefined) return posed;
    if (out.length !== posed.length) throw new SuppleError(`out has ${out.length} numbers, the vertices have ${posed.length}`);
    out.set(posed);
    return out;
  }

  jointMatrices() {
    return guard(() => rawOf(this).joint_matrices());
  }

  coefficients() {
    return guard(() => rawOf(this).coefficients());
  }

  bounds() {
    return guard(() => rawOf(this).bounds());
  }

  boxes(level) {
    check.natural(level, "level");
    return guard(() => {
      const found = rawOf(this).boxes(level);
      try {
        return { boxes: found.boxes(), computed: found.computed() };
      } finally {
        found.free();
      }
    });
  }

  get memoryBytes() {
    return guard(() => rawOf(this).memory_bytes());
  }
}

export function skinningOf(name = "linear") {
  if (!SKINNINGS.includes(name)) throw new SuppleError(`skinning must be one of ${SKINNINGS.join(", ")}, it is ${String(name)}`);
  return name;
}

function placeOf(place) {
  if (place === undefined || place === null) return NO_MATRIX;
  if (typeof place !== "object") throw new SuppleError(`a place is an object like { place: [x, y, z], turn: [x, y, z, w] }, it is a ${typeof place}`);
  const where = place.place === undefined ? [0, 0, 0] : check.vector(place.place, 3, "place");
  const turn = place.turn === undefined ? [0, 0, 0, 1] : check.vector(place.turn, 4, "turn");
  return Float64Array.of(...where, ...turn);
}

function matrixOf(matrix, name) {
  if (matrix === undefined) return NO_MATRIX;
  const numbers = check.vector(matrix, 16, name);
  return numbers instanceof Float64Array ? numbers : new Float64Array(numbers);
}
