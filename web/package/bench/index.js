// `npm run bench`: all comparisons in one run; prints tables and writes them to docs/results/web.md.

import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { character } from "./character.js";
import { collisions } from "./collisions.js";
import { digits, table, time } from "./measure.js";
import { compareWithNative } from "./native.js";
import { rays } from "./rays.js";

const FIGURES = [["hand", 0], ["man", 0], ["creature", 1], ["creature", 2]];
const COUNTS = [1, 10, 100, 1000];
const version = (name) => JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url))).version;
const thousands = (number) => number.toLocaleString("en");
/** How many times as long; bold where supple takes longer. */
const ratio = (theirs, ours) => (theirs >= ours ? digits(theirs / ours) : `**${digits(theirs / ours)}**`);

const sections = [];
const say = (title, text) => {
  console.log(`\n${title}\n\n${text}`);
  sections.push(`## ${title}\n\n${text}\n`);
};

const figures = [];
for (const [kind, detail] of FIGURES) figures.push(await character(kind, detail));

const rayRows = [];
for (const figure of figures) {
  const { times, same, hits, asked } = rays(figure, COUNTS);
  if (same < asked - 1 || hits < 4) throw new Error(`${figure.kind} ${figure.detail}: the same triangle in ${same} of ${asked} rays, ${hits} hits`);
  COUNTS.forEach((count, i) => {
    const own = times.supple[i];
    const theirs = Object.keys(times).filter((name) => name !== "supple").map((name) => `${time(times[name][i])}, ${ratio(times[name][i], own)}`);
    rayRows.push([thousands(figure.triangles), count, time(own), ...theirs, `${same}/${asked}`]);
  });
}
say(
  "Rays",
  `A new pose in every frame, then some rays for the first hit of each. Time per frame, and how many times as long as supple; **bold** where supple takes longer.
three.js does the same work for every ray: one was measured and multiplied. *Same*: rays for which all four name the same triangle.

${table(["triangles", "rays", "supple", "three.js", "three-mesh-bvh, skinned refit", "three-mesh-bvh, vertices baked", "same"], rayRows)}`,
);

const collisionRows = [];
for (const figure of figures) {
  for (const [name, share] of [["apart", 1.5], ["deep", 0.3]]) {
    const { times, counts } = collisions(figure, share);
    const pairs = Object.values(counts);
    if (Math.abs(pairs[0] - pairs[1]) > 0.02 * Math.max(...pairs)) throw new Error(`${figure.kind} ${figure.detail} ${name}: ${JSON.stringify(counts)} pairs`);
    collisionRows.push([thousands(figure.triangles), name, time(times.supple), time(times["three-mesh-bvh"]), ratio(times["three-mesh-bvh"], times.supple), pairs.map(thousands).join(", ")]);
  }
}
say(
  "Collisions",
  `Two characters with new poses in every frame: all pairs of triangles that touch. three-mesh-bvh: vertices baked by three.js, two refits, \`bvhcast\`. *Pairs*: of three frames,
supple's (exact) and three-mesh-bvh's (with its tolerance).

${table(["triangles each", "", "supple", "three-mesh-bvh", "times as long", "pairs"], collisionRows)}`,
);

const { native, simd, fallback } = compareWithNative(FIGURES);
const nativeRows = [...native].map(([question, us]) => [question, time(us), ratioOf(simd), ratioOf(fallback)].map((cell) => (typeof cell === "function" ? cell(question, us) : cell)));
function ratioOf(times) {
  return (question, us) => `${time(times.get(question))}, ${digits(times.get(question) / us)}`;
}
say(
  "WebAssembly and native",
  `A pose of a clip and a question per frame; two poses for \`collide\`. Time, and how many times as long as native (which has AVX2 where the processor has it).

${table(["character, detail, question", "native", "WebAssembly with SIMD", "without"], nativeRows)}`,
);

const sizes = ["supple.wasm", "supple-fallback.wasm", "supple.js"].map((name) => {
  const bytes = readFileSync(new URL(`../dist/${name}`, import.meta.url));
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return [name, bytes.length, gzipSync(bytes, { level: 9 }).length, brotli.length].map((cell) => (typeof cell === "number" ? thousands(cell) : cell));
});
say("Sizes", `Bytes. A page loads one of the two .wasm files.\n\n${table(["file", "raw", "gzip", "brotli"], sizes)}`);

// Others may use the machine: medians of short times suffer little, ratios less.
const { user, system } = process.cpuUsage();
const share = `This process had ${(0.1 * (user + system) / performance.now()).toFixed(0)} % of a core on average, waiting for the native programs included.`;
const about = `three.js ${version("three")}, three-mesh-bvh ${version("three-mesh-bvh")}, Node ${process.versions.node}, ${os.cpus()[0].model.trim()}, ${os.cpus().length} cores, one used. Medians of up to 60 frames. ${share}`;
writeFileSync(
  new URL("../../../docs/results/web.md", import.meta.url),
  `# In the browser's engine\n\nPrinted by \`npm run bench\` in \`web/package\`, in one run. ${about}\n\n${sections.join("\n")}`,
);
