// The same questions natively and through WebAssembly, with SIMD and without.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** Lines `kind detail question microseconds` as a map. */
function parsed(text) {
  const lines = text.trim().split("\n").map((line) => line.match(/^(\S+ \d+) (.+) (\S+)$/));
  return new Map(lines.map(([, figure, question, us]) => [`${figure} ${question}`, Number(us)]));
}

export function compareWithNative(figures) {
  const asked = figures.flat().map(String);
  const cargo = ["run", "--quiet", "--profile", "native", "--locked", "--manifest-path", path("../../wasm/Cargo.toml"), "--example", "times", "--", ...asked];
  const native = parsed(execFileSync("cargo", cargo, { encoding: "utf8" }));
  const wasm = (file) => parsed(execFileSync(process.execPath, [path("times.js"), path(`../dist/${file}`), ...asked], { encoding: "utf8" }));
  return { native, simd: wasm("supple.wasm"), fallback: wasm("supple-fallback.wasm") };
}
