// The WebAssembly: which build, from where, instantiated once.

import init, * as raw from "../dist/supple.js";
import { SuppleError } from "./error.js";

/** A module whose only function makes a SIMD vector of zero and drops it: valid only where there is SIMD. */
const USES_SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, // magic, version 1
  1, 4, 1, 96, 0, 0, // a type: () -> ()
  3, 2, 1, 0, // a function of it
  10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11, // i32.const 0, i8x16.splat, drop
]);

let started = null;
let memory = null;

/** Whether this engine has 128-bit SIMD. */
export const hasSimd = () => WebAssembly.validate(USES_SIMD);

/**
 * Instantiates the WebAssembly; the first call decides from what, later ones wait for it.
 * A failure is not remembered: the next call tries again.
 */
export function ready(source) {
  started ??= start(source).catch((error) => {
    started = null;
    throw new SuppleError(`the WebAssembly of supple could not be instantiated: ${error.message}`, { cause: error });
  });
  return started;
}

async function start(source) {
  const instance = await init({ module_or_path: await found(source) });
  memory = instance.memory;
}

/** What to instantiate: bundlers understand `new URL(..., import.meta.url)`, browsers stream from addresses, Node reads files. */
async function found(source) {
  const given = source ?? (hasSimd() ? new URL("../dist/supple.wasm", import.meta.url) : new URL("../dist/supple-fallback.wasm", import.meta.url));
  if (given instanceof URL && given.protocol === "file:") {
    // By a name that bundlers do not follow.
    const files = "node:fs/promises";
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ files);
    return readFile(given);
  }
  return given;
}

/** What the WebAssembly exports. */
export function exports() {
  if (!memory) throw new SuppleError("the WebAssembly is not there yet: await ready(), load() or zoo() first");
  return raw;
}

let numbers = null;

/** Numbers in the memory of the WebAssembly, to be read at once: they move when memory grows. */
export function numbersAt(address, count) {
  // A view of memory that has grown is empty.
  if (numbers === null || numbers.length === 0) numbers = new Float64Array(memory.buffer);
  return numbers.subarray(address >>> 3, (address >>> 3) + count);
}

/** Bytes of memory that the WebAssembly has taken so far; it never gives any back. */
export const memoryBytes = () => memory?.buffer.byteLength ?? 0;
