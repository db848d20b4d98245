// Memory is freed: by free(), by the collector, and freed objects say so.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import * as supple from "../src/index.js";

const { Body, SuppleError } = supple;

test("freed objects say so; what was made of them lives on", async () => {
  const model = await supple.zoo("dwarf");
  const shape = model.shape();
  const [a, b] = [new Body(shape), new Body(shape)];
  model.free();
  model.free();
  shape.free();
  assert.ok(supple.collide(a, b).pairs.length > 0);
  const freed = (call, what) => assert.throws(call, (error) => error instanceof SuppleError && error.message === `this ${what} was freed`);
  freed(() => model.positions(), "Model");
  freed(() => model.shape(), "Model");
  freed(() => shape.toBytes(), "Shape");
  freed(() => new Body(shape), "Shape");
  freed(() => supple.audit(shape), "Shape");
  b.free();
  freed(() => supple.collide(a, b), "Body");
  freed(() => b.rest(), "Body");
  freed(() => supple.castRay(b, [0, 0, 5], [0, 0, -1]), "Body");
  assert.ok(supple.selfCollide(a));
});

test("Symbol.dispose frees, where there is one", async () => {
  const model = await supple.zoo("dwarf");
  assert.equal(typeof Symbol.dispose, "symbol");
  model[Symbol.dispose]();
  assert.throws(() => model.positions(), /was freed/);
});

test("memory does not grow over many models, freed or left to the collector", { timeout: 300_000 }, async () => {
  const use = async () => {
    const model = await supple.zoo("man");
    const shape = model.shape();
    const body = new Body(shape).pose("walk", 0.3);
    supple.selfCollide(body);
    return [body, shape, model];
  };
  for (let i = 0; i < 3; i++) (await use()).forEach((handle) => handle.free());
  const before = supple.memoryBytes();
  for (let i = 0; i < 10; i++) (await use()).forEach((handle) => handle.free());
  assert.equal(supple.memoryBytes(), before, "freed");
  for (let i = 0; i < 20; i++) {
    await use();
    globalThis.gc();
    await pause(20);
  }
  assert.ok(supple.memoryBytes() <= 2.5 * before, `collected: ${before} bytes became ${supple.memoryBytes()}`);
});

test("in a worker", async () => {
  const program = `
    import { parentPort } from "node:worker_threads";
    import * as supple from "${new URL("../src/index.js", import.meta.url)}";
    const body = new supple.Body((await supple.zoo("dwarf")).shape());
    parentPort.postMessage(supple.castRay(body, [0, 0.6, 5], [0, 0, -1])?.triangle);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const triangle = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  const body = new Body((await supple.zoo("dwarf")).shape());
  assert.equal(triangle, supple.castRay(body, [0, 0.6, 5], [0, 0, -1]).triangle);
});

test("an engine without SIMD takes the fallback, others do not", async () => {
  const loaded = async (hasSimd) => {
    const program = `
      const [instantiate, validate] = [WebAssembly.instantiate, WebAssembly.validate];
      WebAssembly.instantiate = (source, imports) => {
        // Node itself instantiates modules, too.
        if (source.byteLength > 1e6) console.log(source.byteLength);
        return instantiate(source, imports);
      };
      WebAssembly.validate = (bytes) => ${hasSimd} && validate(bytes);
      const { zoo } = await import("${new URL("../src/index.js", import.meta.url)}");
      console.log((await zoo("dwarf")).triangleCount);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
    return stdout.trim().split("\n").map(Number);
  };
  const size = async (name) => (await stat(new URL(`../dist/${name}`, import.meta.url))).size;
  assert.deepEqual(await loaded(true), [await size("supple.wasm"), 1700]);
  assert.deepEqual(await loaded(false), [await size("supple-fallback.wasm"), 1700]);
});
