// Characters as three.js's GLTFLoader reads them, without pictures: Node has none.

import { Box3, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";

/** GLTFLoader asks for it. */
globalThis.self ??= globalThis;

const JSON_CHUNK = 0x4e4f534a;

/** The JSON of a GLB; what is before and after it. */
function splitGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK) throw new Error("a GLB begins with JSON");
  return { json: JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))), rest: bytes.subarray(20 + length) };
}

export const extensionsOf = (bytes) => splitGlb(bytes).json.extensionsUsed ?? [];

/** The same GLB whose materials have sides and nothing else. */
function withoutPictures(bytes) {
  const { json, rest } = splitGlb(bytes);
  delete json.images;
  delete json.textures;
  delete json.samplers;
  delete json.extensions;
  json.materials = json.materials?.map(({ doubleSided, name }) => ({ doubleSided, name }));
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  const out = new Uint8Array(20 + padded.length + rest.length);
  const view = new DataView(out.buffer);
  [0x46546c67, 2, out.length, padded.length, JSON_CHUNK].forEach((word, i) => view.setUint32(4 * i, word, true));
  out.set(padded, 20);
  out.set(rest, 20 + padded.length);
  return out.buffer;
}

export function loadGlb(bytes) {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  return new Promise((resolve, reject) => loader.parse(withoutPictures(bytes), "", resolve, reject));
}

/** Meshes that deform. */
export function deformingMeshes(scene) {
  const found = [];
  scene.traverse((object) => {
    if (object.isSkinnedMesh || (object.isMesh && object.geometry.morphAttributes.position)) found.push(object);
  });
  return found;
}

/** All vertices in the world, as three.js computes them. */
export function shownVertices(mesh) {
  const { count } = mesh.geometry.attributes.position;
  const [out, vertex] = [new Float64Array(3 * count), new Vector3()];
  for (let i = 0; i < count; i++) mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld).toArray(out, 3 * i);
  return out;
}

/** The longest side of the box around vertices. */
export function sizeOf(vertices) {
  const box = new Box3().setFromArray(vertices);
  const size = box.getSize(new Vector3());
  return { box, size: Math.max(size.x, size.y, size.z) };
}
