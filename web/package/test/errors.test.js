// Whatever is given, errors are SuppleErrors in words.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import * as supple from "../src/index.js";
import { assetFolder, bytesOf, filesBelow } from "./support/assets.js";

const { Body, Model, Shape, SuppleError } = supple;

/** It throws a SuppleError that says so. */
function refuses(call, words) {
  assert.throws(call, (error) => error instanceof SuppleError && words.test(error.message) && !/unreachable/.test(error.message) ? true : assert.fail(`${error}`));
}

test("before the WebAssembly is there", () => {
  refuses(() => Model.fromArrays({ positions: new Float32Array(9), triangles: Uint32Array.of(0, 1, 2) }), /await ready\(\)/);
});

test("wrong arguments", async () => {
  const man = await supple.zoo("man");
  const shape = man.shape();
  const [a, b] = [new Body(shape), new Body(shape)];
  refuses(() => new Model(), /load\(\)/);
  refuses(() => new Shape(), /model\.shape\(\)/);
  refuses(() => new Body(man), /must be a Shape, it is Model/);
  refuses(() => new Body(shape, { skinning: "cubic" }), /linear, dual, spherical/);
  refuses(() => a.pose("wlak", 0), /walk/);
  refuses(() => a.pose(3, 0), /clip must be a string/);
  refuses(() => a.pose("walk", NaN), /seconds must be a finite number/);
  refuses(() => a.pose("walk", 0, 7), /a place is an object/);
  refuses(() => a.pose("walk", 0, { place: [1, 2] }), /place must have 3 numbers/);
  refuses(() => a.pose("walk", 0, { place: [1, 2, Infinity] }), /place\[2\] must be a finite number/);
  refuses(() => a.rest({ turn: [0, 0, 0, 0] }), /quaternion of length 1/);
  refuses(() => a.setMatrices(new Float32Array(16)), /27 joints need 432/);
  refuses(() => a.setMatrices(new Float32Array(432).fill(NaN)), /joint 0/);
  refuses(() => a.setMatrices("no"), /array of numbers/);
  refuses(() => a.setMatrices(new Float32Array(432), [1]), /coefficient/);
  refuses(() => a.setMatrices(new Float32Array(432), [], { before: [1] }), /before must have 16 numbers/);
  refuses(() => a.setVertices(new Float32Array(9)), /vertices|positions/);
  refuses(() => a.setVertices(new Float32Array(10)), /three per vertex/);
  refuses(() => a.setVertices(new Float32Array(3 * man.vertexCount).fill(NaN)), /finite/);
  refuses(() => a.vertices(new Float32Array(3)), /out has 3 numbers/);
  refuses(() => a.vertices([]), /out must be a Float32Array/);
  refuses(() => a.boxes(-1), /whole number/);
  refuses(() => a.boxes(1.5), /whole number/);
  refuses(() => supple.collide(a, a), /two different bodies/);
  refuses(() => supple.collide(a, shape), /second body must be a Body/);
  refuses(() => supple.collideAny(a, a), /two different/);
  refuses(() => supple.contacts(b, b), /two different/);
  refuses(() => supple.closestPoints(a, a), /two different/);
  refuses(() => supple.bruteForce.collide(a, a), /two different/);
  refuses(() => supple.selfCollide(null), /body must be a Body, it is null/);
  refuses(() => supple.castRay(a, [0, 0], [0, 0, 1]), /origin must have 3/);
  refuses(() => supple.castRay(a, [0, 0, NaN], [0, 0, 1]), /origin\[2\]/);
  refuses(() => supple.castRay(a, [0, 0, 0], [0, 0, 0]), /direction/);
  refuses(() => supple.castRay(a, [0, 0, 0], [1e300, 0, 0]), /direction/);
  refuses(() => supple.castRay(a, [0, 0, 0], [0, 0, 1], -1), /greatest time/);
  refuses(() => supple.castRay(a, [0, 0, 0], [0, 0, 1], NaN), /greatest time/);
  refuses(() => supple.castRays(a, new Float32Array(6), Float32Array.of(0, 0, 1)), /2 origins and 1 directions/);
  refuses(() => supple.castRays(a, new Float32Array(6), new Float32Array(6)), /ray 0: the direction/);
  refuses(() => supple.closestPoint(a, [0, 0, "x"]), /point\[2\]/);
  refuses(() => supple.closestPoint(a, [0, 0, 1e300]), /finite/);
  refuses(() => supple.audit(shape, { fps: 0 }), /frame rate/);
  refuses(() => supple.audit(shape, { clips: ["nope"] }), /nope/);
  refuses(() => supple.audit(shape, { clips: "walk" }), /array of names/);
  refuses(() => supple.audit(shape, {}, 5), /function/);
  refuses(() => supple.audit(shape, { fps: 3 }, () => { throw new Error("of the user's"); }), /of the user's/);
  refuses(() => man.weightsOf(man.vertexCount), /vertex/);
  refuses(() => Shape.fromBytes(Uint8Array.of(1, 2, 3)), /./);
  const bytes = shape.toBytes();
  for (let i = 0; i < 40; i++) {
    const damaged = bytes.slice();
    damaged[Math.floor((bytes.length * i) / 40)] ^= 0x55;
    refuses(() => Shape.fromBytes(damaged), /./);
  }
  // The bodies still work.
  assert.ok(supple.castRay(a, [0, 1.2, 5], [0, 0, -1]).time > 4);
});

test("wrong arrays", () => {
  const good = { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) };
  const arrays = (changes) => () => Model.fromArrays({ ...good, ...changes });
  arrays({})();
  refuses(() => Model.fromArrays(null), /object/);
  refuses(arrays({ positions: undefined }), /positions must be an array/);
  refuses(arrays({ positions: new Float32Array(8) }), /three per vertex/);
  refuses(arrays({ positions: Float32Array.of(0, 0, NaN, 1, 0, 0, 0, 1, 0) }), /vertex 0|position 0|finite/);
  refuses(arrays({ triangles: Uint32Array.of(0, 1) }), /three per triangle/);
  refuses(arrays({ triangles: Uint32Array.of(0, 1, 3) }), /3/);
  refuses(arrays({ triangles: new Uint32Array() }), /triangle/);
  refuses(arrays({ triangles: [0, 1, -2] }), /triangles\[2\]/);
  refuses(arrays({ skinIndices: new Uint16Array(12) }), /skinWeights/);
  refuses(arrays({ skinIndices: new Uint16Array(8), skinWeights: new Float32Array(8).fill(1) }), /skinIndices has 8/);
  refuses(arrays({ skinIndices: new Uint16Array(12).fill(9), skinWeights: new Float32Array(12).fill(1), jointCount: 2 }), /joint 9/);
  refuses(arrays({ skinIndices: new Uint16Array(12), skinWeights: new Float32Array(12).fill(NaN) }), /weight/);
  refuses(arrays({ morphs: [new Float32Array(3)] }), /morphs\[0\] has 3 numbers/);
  refuses(arrays({ morphs: [new Float32Array(9).fill(Infinity)] }), /not finite/);
  refuses(arrays({ morphs: 3 }), /morphs must be an array/);
});

test("files that are no models, and models that are broken", async () => {
  const refusesFile = (bytes, words, options) =>
    assert.rejects(supple.load(bytes, options), (error) => error instanceof SuppleError && words.test(error.message) ? true : assert.fail(`${error}`));
  await refusesFile("no bytes", /ArrayBuffer or a Uint8Array/);
  await refusesFile(new Uint8Array(), /./);
  await refusesFile(new TextEncoder().encode("<html></html>"), /./);
  await refusesFile(new TextEncoder().encode("{}"), /./, { name: "x.gltf" });
  await refusesFile(new TextEncoder().encode("Kaydara FBX Binary  \0"), /FBX/);
  const folder = `${assetFolder("SUPPLE_ASSETS")}/khronos`;
  const [file] = filesBelow(folder, ["CesiumMan.glb"]);
  const whole = bytesOf(file);
  await refusesFile(whole.slice(0, whole.length / 2), /man\.glb/, { name: "man.glb" });
  let refused = 0;
  for (let i = 0; i < 200; i++) {
    const damaged = whole.slice();
    for (let k = 0; k < 4; k++) damaged[(7919 * (i + 1) * (k + 1)) % 20000] ^= 1 << (i % 8);
    try {
      (await supple.load(damaged)).free();
    } catch (error) {
      assert.ok(error instanceof SuppleError && !/panic|unreachable/.test(error.message), `${error}`);
      refused += 1;
    }
  }
  assert.ok(refused > 20, `${refused} of 200`);
  await assert.rejects(supple.zoo("unicorn"), /there is no "unicorn" in the zoo/);
  await assert.rejects(supple.zoo("man", 30), /limit/);
  await assert.rejects(supple.zoo("man", -1), /whole number/);
});

test("the shared models load: GLB, VRM, Draco, meshopt", { timeout: 600_000 }, async () => {
  const folders = [assetFolder("SUPPLE_ASSETS"), assetFolder("SUPPLE_MORE_ASSETS")];
  const files = folders.flatMap((folder) => filesBelow(folder, [".glb", ".vrm"]));
  assert.ok(files.length > 10, `${files.length} files`);
  for (const file of files) {
    const model = await supple.load(bytesOf(file), { name: file }).catch((error) => assert.fail(`${file}: ${error}`));
    assert.ok(model.triangleCount > 0, file);
    model.free();
  }
});

test("a panic is an error in words, and nothing goes on after it", async () => {
  const program = `
    import * as supple from "${new URL("../src/index.js", import.meta.url)}";
    import { guard } from "${new URL("../src/error.js", import.meta.url)}";
    import { exports } from "${new URL("../src/module.js", import.meta.url)}";
    await supple.ready();
    for (const call of [() => guard(() => exports().panic_for_test()), () => supple.Model.fromArrays({ positions: [], triangles: [] })]) {
      try { call(); } catch (error) { console.log(error.name + ": " + error.message.split("\\n").join(" ")); }
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  const [first, second] = stdout.split("\n");
  assert.match(first, /^SuppleError: a mistake in supple itself, please report it: panic: .*asked to by a test/);
  assert.match(second, /^SuppleError: supple cannot go on after an earlier failure: panic: /);
});
