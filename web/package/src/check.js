// Arguments, checked before they go to the WebAssembly.

import { SuppleError } from "./error.js";

const kind = (value) => (value === null ? "null" : typeof value === "object" ? (value.constructor?.name ?? "object") : typeof value);

/** Numbers as a Float32Array; plain arrays and other typed arrays are converted. */
export function floats(value, name) {
  return value instanceof Float32Array ? value : converted(value, name, Float32Array);
}

export function unsigned(value, name) {
  if (value instanceof Uint32Array) return value;
  const list = converted(value, name, Array);
  const wrong = list.findIndex((number) => !Number.isInteger(number) || number < 0 || number > 0xffffffff);
  if (wrong >= 0) throw new SuppleError(`${name}[${wrong}] must be a whole number that is not negative, it is ${list[wrong]}`);
  return Uint32Array.from(list);
}

function converted(value, name, Into) {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (!isList || value instanceof BigInt64Array || value instanceof BigUint64Array) {
    throw new SuppleError(`${name} must be an array of numbers, it is ${kind(value)}`);
  }
  if (Array.isArray(value)) value.forEach((number, i) => finite(number, `${name}[${i}]`));
  return Into.from(value);
}

/** Some finite numbers, e.g. three of a point. */
export function vector(value, count, name) {
  const isList = value !== null && typeof value === "object" && value.length === count;
  if (!isList) throw new SuppleError(`${name} must have ${count} numbers, it is ${kind(value)}${value?.length === undefined ? "" : ` of length ${value.length}`}`);
  for (let i = 0; i < count; i++) finite(value[i], `${name}[${i}]`);
  return value;
}

export function finite(value, name) {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new SuppleError(`${name} must be a finite number, it is ${typeof value === "number" ? value : kind(value)}`);
  }
  return value;
}

export function natural(value, name, most = 0xffffffff) {
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new SuppleError(`${name} must be a whole number from 0 to ${most}, it is ${typeof value === "number" ? value : kind(value)}`);
  }
  return value;
}

export function text(value, name) {
  if (typeof value !== "string") throw new SuppleError(`${name} must be a string, it is ${kind(value)}`);
  return value;
}

export function bytes(value, name) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new SuppleError(`${name} must be an ArrayBuffer or a Uint8Array, it is ${kind(value)}`);
}

export function instance(value, Class, name) {
  if (!(value instanceof Class)) throw new SuppleError(`${name} must be a ${Class.name}, it is ${kind(value)}`);
  return value;
}
