// Models and shapes.

import * as check from "./check.js";
import { SuppleError, guard } from "./error.js";
import { Handle, rawOf } from "./handle.js";
import { exports, ready } from "./module.js";

/** What supple's zoo has; a test compares it with the WebAssembly. */
export const zooNames = Object.freeze(["man", "creature", "dwarf", "human", "hand", "blob", "dolphin", "face", "chair", "fish", "bridge", "curtain"]);

/** Only this file makes models and shapes of what is behind them. */
const INSIDE = Symbol("inside");

export class Model extends Handle {
  constructor(inside, raw) {
    if (inside !== INSIDE) throw new SuppleError("models come from load(), zoo() and Model.fromArrays()");
    super(raw);
    this.vertexCount = raw.vertex_count();
    this.triangleCount = raw.triangle_count();
    this.joints = Object.freeze(raw.joints());
    this.jointParents = raw.joint_parents();
    this.morphs = Object.freeze(raw.morphs());
    const durations = raw.clip_durations();
    this.clips = Object.freeze(raw.clip_names().map((name, i) => Object.freeze({ name, duration: durations[i] })));
    this.notes = Object.freeze(raw.notes());
  }

  static fromArrays(parts) {
    if (parts === null || typeof parts !== "object") throw new SuppleError("Model.fromArrays needs an object with positions and triangles");
    const positions = check.floats(parts.positions, "positions");
    const triangles = check.unsigned(parts.triangles, "triangles");
    const hasSkin = parts.skinIndices !== undefined || parts.skinWeights !== undefined;
    const indices = hasSkin ? check.unsigned(parts.skinIndices, "skinIndices") : new Uint32Array();
    const weights = hasSkin ? check.floats(parts.skinWeights, "skinWeights") : new Float32Array();
    if (hasSkin && indices.length === 0) throw new SuppleError("skinIndices is empty");
    const perVertex = check.natural(parts.jointsPerVertex ?? 4, "jointsPerVertex", 256);
    const jointCount = check.natural(parts.jointCount ?? highest(indices) + 1, "jointCount", 0xffffff);
    const displacements = joined(parts.morphs ?? [], positions.length);
    return guard(() => new Model(INSIDE, exports().RawModel.from_arrays(positions, triangles, indices, weights, perVertex, jointCount, displacements)));
  }

  positions() {
    return guard(() => rawOf(this).positions());
  }

  triangles() {
    return guard(() => rawOf(this).triangles());
  }

  weightsOf(vertex) {
    check.natural(vertex, "vertex");
    const flat = guard(() => rawOf(this).weights_of(vertex));
    return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
  }

  shape() {
    return guard(() => new Shape(INSIDE, exports().RawShape.build(rawOf(this)), this));
  }
}

export class Shape extends Handle {
  constructor(inside, raw, model) {
    if (inside !== INSIDE) throw new SuppleError("shapes come from model.shape() and Shape.fromBytes()");
    super(raw);
    this.model = model;
    this.levels = raw.levels();
  }

  static fromBytes(bytes) {
    const checked = check.bytes(bytes, "bytes");
    return guard(() => {
      const raw = exports().RawShape.from_bytes(checked);
      return new Shape(INSIDE, raw, new Model(INSIDE, raw.model()));
    });
  }

  toBytes() {
    return guard(() => rawOf(this).to_bytes());
  }
}

export async function load(bytes, options = {}) {
  const checked = check.bytes(bytes, "bytes");
  const name = check.text(options?.name ?? "the file", "name");
  await ready();
  return guard(() => new Model(INSIDE, exports().RawModel.load(name, checked)));
}

export async function zoo(name, detail = 0) {
  check.text(name, "name");
  check.natural(detail, "detail");
  await ready();
  return guard(() => new Model(INSIDE, exports().RawModel.zoo(name, detail)));
}

/** The highest number; there may be too many for Math.max(...). */
const highest = (numbers) => numbers.reduce((most, number) => Math.max(most, number), 0);

function joined(morphs, length) {
  if (!Array.isArray(morphs)) throw new SuppleError("morphs must be an array of Float32Arrays");
  const all = new Float32Array(morphs.length * length);
  morphs.forEach((morph, i) => {
    const numbers = check.floats(morph, `morphs[${i}]`);
    if (numbers.length !== length) throw new SuppleError(`morphs[${i}] has ${numbers.length} numbers, positions has ${length}`);
    all.set(numbers, i * length);
  });
  return all;
}
