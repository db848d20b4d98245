// The same bits: native code and both WebAssemblies give the same answers to every question over the zoo.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const most = { maxBuffer: 1 << 26 };

async function native() {
  const cargo = ["run", "--quiet", "--profile", "native", "--locked", "--manifest-path", path("../../wasm/Cargo.toml"), "--example", "answers"];
  const { stdout } = await run("cargo", cargo, most);
  return stdout.trimEnd().split("\n");
}

async function inWasm(file) {
  const { stdout } = await run(process.execPath, [path("support/answers.js"), path(`../dist/${file}`)], most);
  return stdout.trimEnd().split("\n");
}

test("every query over the zoo has the same bits, native, with SIMD and without", { timeout: 1_800_000 }, async () => {
  const expected = await native();
  assert.equal(expected.length, 12 * (3 + 9 * 17) + 2);
  for (const file of ["supple.wasm", "supple-fallback.wasm"]) {
    const found = await inWasm(file);
    expected.forEach((line, i) => assert.equal(found[i], line, `${file}, line ${i + 1}`));
    assert.equal(found.length, expected.length, file);
  }
});
