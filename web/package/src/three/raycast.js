// Rays as three.js's Raycaster wants them.

import { BackSide, FrontSide, Matrix4, Triangle, Vector2, Vector3 } from "three";
import { HIT_NUMBERS, firstHit, hitRows } from "../queries.js";
import { SuppleMesh } from "./supple-mesh.js";

const local = new Vector3();
const inverse = new Matrix4();
const origin = new Float64Array(3);
const direction = new Float64Array(3);

/**
 * `mesh.raycast = suppleRaycast`: what three.js's own gives, of the pose of now, and the bone that was hit. Honours
 * `raycaster.firstHitOnly` as three-mesh-bvh knows it.
 */
export function suppleRaycast(raycaster, intersects) {
  const { material } = this;
  if (material === undefined) return;
  const supple = SuppleMesh.from(this);
  const body = supple.posed();
  raycaster.ray.origin.toArray(origin);
  raycaster.ray.direction.toArray(direction);
  const length = raycaster.ray.direction.length();
  // Rounded up: what is exactly at the end is decided below.
  const maxTime = (raycaster.far / length) * (1 + 1e-6);
  const isMirrored = this.matrixWorld.determinant() < 0;

  if (raycaster.firstHitOnly === true && raycaster.near === 0 && isPlain(this, isMirrored)) {
    const hit = firstHit(body, origin, direction, maxTime, material.side === FrontSide);
    const found = hit && intersectionOf(this, raycaster, hit, 0, isMirrored, length, material, 0);
    if (found) intersects.push(found);
    return;
  }
  const rows = hitRows(body, origin, direction, maxTime);
  for (let at = 0; at < rows.length; at += HIT_NUMBERS) {
    for (const [own, number] of materialsOf(this, rows[at])) {
      const found = intersectionOf(this, raycaster, rows, at, isMirrored, length, own, number);
      if (!found) continue;
      intersects.push(found);
      if (raycaster.firstHitOnly === true) return;
    }
  }
}

/** Whether the first hit of the surface is the first hit of the mesh. */
function isPlain(mesh, isMirrored) {
  const { drawRange } = mesh.geometry;
  const isWhole = drawRange.start === 0 && drawRange.count === Infinity;
  const isBackOnly = mesh.material.side === BackSide || (mesh.material.side === FrontSide && isMirrored);
  return isWhole && !Array.isArray(mesh.material) && !isBackOnly;
}

/** Materials, with their numbers, with which a triangle is drawn. */
function materialsOf(mesh, triangle) {
  const { drawRange, groups } = mesh.geometry;
  const first = 3 * triangle;
  const isIn = ({ start, count }) => first >= start && first < start + count;
  if (!isIn(drawRange)) return [];
  if (!Array.isArray(mesh.material)) return [[mesh.material, 0]];
  const drawn = groups.filter((group) => isIn(group) && mesh.material[group.materialIndex]);
  return drawn.map((group) => [mesh.material[group.materialIndex], group.materialIndex]);
}

function intersectionOf(mesh, raycaster, numbers, at, isMirrored, length, material, materialIndex) {
  const { ray, near, far } = raycaster;
  // three.js looks at triangles before the world mirrors them.
  const isBack = (numbers[at + 5] === 1) !== isMirrored;
  if ((material.side === FrontSide && isBack) || (material.side === BackSide && !isBack)) return null;
  const distance = numbers[at + 1] * length;
  if (distance < near || distance > far) return null;
  const { geometry, matrixWorld } = mesh;
  const { uv, uv1, normal } = geometry.attributes;
  const triangle = numbers[at];
  const { index } = geometry;
  const corner = (k) => (index ? index.getX(3 * triangle + k) : 3 * triangle + k);
  const a = corner(0);
  const b = corner(1);
  const c = corner(2);
  const barycoord = new Vector3(numbers[at + 2], numbers[at + 3], numbers[at + 4]);
  const found = { distance, point: ray.at(numbers[at + 1], new Vector3()), object: mesh };
  const interpolated = (attribute, target) => Triangle.getInterpolatedAttribute(attribute, a, b, c, barycoord, target);
  if (uv) found.uv = interpolated(uv, new Vector2());
  if (uv1) found.uv1 = interpolated(uv1, new Vector2());
  if (normal) {
    found.normal = interpolated(normal, new Vector3());
    local.copy(ray.direction).transformDirection(inverse.copy(matrixWorld).invert());
    if (found.normal.dot(local) > 0) found.normal.multiplyScalar(-1);
  }
  const faceNormal = localNormal(matrixWorld.elements, numbers, at + 10).multiplyScalar(isMirrored ? -1 : 1);
  found.face = { a, b, c, normal: faceNormal, materialIndex };
  found.barycoord = barycoord;
  found.faceIndex = triangle;
  found.bone = mesh.isSkinnedMesh ? mesh.skeleton.bones[numbers[at + 6]] : null;
  return found;
}

/** A normal of the world in the space of the mesh: times the transposed matrix. */
function localNormal(m, numbers, at) {
  const x = numbers[at];
  const y = numbers[at + 1];
  const z = numbers[at + 2];
  return new Vector3(m[0] * x + m[1] * y + m[2] * z, m[4] * x + m[5] * y + m[6] * z, m[8] * x + m[9] * y + m[10] * z).normalize();
}
