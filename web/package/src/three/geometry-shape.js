// Shapes of three.js geometries: built once per geometry, for all meshes that share it.

import { SuppleError } from "../error.js";
import { Model } from "../model.js";

/** By geometry: its shape, how many joints it names, and what it was built from. */
const shapes = new WeakMap();

/** The shape of a mesh's geometry; built again if attributes have changed since. */
export function shapeOf(mesh) {
  const { geometry } = mesh;
  const isSkinned = mesh.isSkinnedMesh === true;
  const known = shapes.get(geometry);
  if (known && known.isSkinned === isSkinned && isCurrent(known, geometry)) return known;
  forget(geometry);
  const built = build(geometry, isSkinned, mesh.name || geometry.name || "mesh");
  shapes.set(geometry, built);
  geometry.addEventListener("dispose", built.forget);
  return built;
}

function build(geometry, isSkinned, name) {
  const parts = partsOf(geometry, isSkinned);
  const positions = vectors(geometry.attributes.position, 3, name);
  const count = positions.length / 3;
  const triangles = geometry.index ? indices(geometry.index) : Uint32Array.from({ length: count - (count % 3) }, (_, i) => i);
  const arrays = { positions, triangles: triangles.subarray(0, triangles.length - (triangles.length % 3)), morphs: morphsOf(geometry, positions, name) };
  let jointCount = 1;
  if (isSkinned) {
    arrays.skinIndices = Uint32Array.from(vectors(geometry.attributes.skinIndex, 4, name));
    arrays.skinWeights = vectors(geometry.attributes.skinWeight, 4, name);
    checkWeights(arrays.skinWeights, name);
    jointCount = 1 + arrays.skinIndices.reduce((most, joint, i) => (arrays.skinWeights[i] === 0 ? most : Math.max(most, joint)), 0);
    arrays.jointCount = jointCount;
  }
  const model = Model.fromArrays(arrays);
  const { attributes, index, morphAttributes } = geometry;
  const { position, skinIndex, skinWeight } = attributes;
  const built = { position, skinIndex, skinWeight, index, morphs: morphAttributes.position, parts, versions: parts.map(versionOf) };
  return { ...built, isSkinned, jointCount, morphCount: arrays.morphs.length, shape: model.shape(), forget: () => forget(geometry) };
}

function forget(geometry) {
  const known = shapes.get(geometry);
  if (!known) return;
  geometry.removeEventListener("dispose", known.forget);
  shapes.delete(geometry);
  known.shape.model.free();
  known.shape.free();
}

/** Asked for every ray: it allocates nothing. */
function isCurrent(known, { attributes, index, morphAttributes }) {
  const isSame = attributes.position === known.position && index === known.index && morphAttributes.position === known.morphs;
  const hasSameSkin = !known.isSkinned || (attributes.skinIndex === known.skinIndex && attributes.skinWeight === known.skinWeight);
  if (!isSame || !hasSameSkin) return false;
  for (let i = 0; i < known.parts.length; i++) {
    if (versionOf(known.parts[i]) !== known.versions[i]) return false;
  }
  return true;
}

/** What a shape is built from. */
function partsOf(geometry, isSkinned) {
  const { attributes, index, morphAttributes } = geometry;
  if (!attributes.position) throw new SuppleError("a geometry without positions has no shape");
  if (isSkinned && !(attributes.skinIndex && attributes.skinWeight)) throw new SuppleError("a SkinnedMesh needs the attributes skinIndex and skinWeight");
  const parts = [attributes.position, ...(index ? [index] : []), ...(morphAttributes.position ?? [])];
  return isSkinned ? [...parts, attributes.skinIndex, attributes.skinWeight] : parts;
}

const versionOf = (part) => (part.isInterleavedBufferAttribute ? part.data.version : part.version);

/** Numbers of an attribute, whatever it is stored as. */
function vectors(attribute, size, name) {
  const out = new Float32Array(attribute.count * size);
  const components = Math.min(size, attribute.itemSize);
  for (let i = 0; i < attribute.count; i++) {
    for (let k = 0; k < components; k++) out[size * i + k] = component(attribute, i, k);
  }
  const wrong = out.findIndex((number) => !Number.isFinite(number));
  if (wrong >= 0) throw new SuppleError(`${name}: vertex ${Math.floor(wrong / size)} of the attribute ${attribute.name || `of ${size} numbers`} is not finite`);
  return out;
}

/** Not getComponent: interleaved attributes have it only in newer versions. */
function component(attribute, i, k) {
  return k === 0 ? attribute.getX(i) : k === 1 ? attribute.getY(i) : k === 2 ? attribute.getZ(i) : attribute.getW(i);
}

const indices = (index) => Uint32Array.from({ length: index.count }, (_, i) => index.getX(i));

/** Displacements: morph targets may be that already, or whole positions. */
function morphsOf(geometry, positions, name) {
  const targets = geometry.morphAttributes.position ?? [];
  return targets.map((target) => {
    const numbers = vectors(target, 3, name);
    return geometry.morphTargetsRelative ? numbers : numbers.map((number, i) => number - positions[i]);
  });
}

/** Shaders do not normalise: other weights would be shown otherwise than computed. */
function checkWeights(weights, name) {
  for (let i = 0; i < weights.length; i += 4) {
    const sum = weights[i] + weights[i + 1] + weights[i + 2] + weights[i + 3];
    if (!(Math.abs(sum - 1) < 2e-2)) throw new SuppleError(`${name}: the weights of vertex ${i / 4} sum to ${sum}, not to 1; call normalizeSkinWeights() first`);
  }
}
