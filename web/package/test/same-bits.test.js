// The same bits: native code and both WebAssemblies give the same answers to every question over the zoo.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const most = { maxBuffer: 1 << 26 };

async function native(folder) {
  const cargo = ["run", "--quiet", "--profile", "native", "--locked", "--manifest-path", path("../../wasm/Cargo.toml"), "--example", "answers", "--", folder];
  const { stdout } = await run("cargo", cargo, most);
  return stdout.trimEnd().split("\n");
}

async function inWasm(file, folder) {
  const { stdout } = await run(process.execPath, [path("support/answers.js"), path(`../dist/${file}`), folder], most);
  return stdout.trimEnd().split("\n");
}

test("every query over the zoo has the same bits, native, with SIMD and without", { timeout: 1_800_000 }, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "supple-shapes-"));
  context.after(() => rm(folder, { recursive: true }));
  const expected = await native(folder);
  assert.equal(expected.length, 12 * (2 + 9 * 17) + 2);
  for (const file of ["supple.wasm", "supple-fallback.wasm"]) {
    const found = await inWasm(file, folder);
    expected.forEach((line, i) => assert.equal(found[i], line, `${file}, line ${i + 1}`));
    assert.equal(found.length, expected.length, file);
  }
});
