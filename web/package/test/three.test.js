// What three.js shows and what supple computes agree.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as THREE from "three";
import { bruteForce } from "../src/index.js";
import { SuppleMesh, ready, suppleRaycast } from "../src/three/index.js";
import { assetFolder, bytesOf, filesBelow } from "./support/assets.js";
import { deformingMeshes, extensionsOf, loadGlb, shownVertices, sizeOf } from "./support/gltf.js";

before(() => ready());

/** Rays from around a box through it: directions of a Fibonacci lattice. */
function rayAt(box, i, count) {
  const [center, size] = [box.getCenter(new THREE.Vector3()), box.getSize(new THREE.Vector3())];
  const height = 1 - (2 * (i + 0.5)) / count;
  const turn = i * Math.PI * (3 - Math.sqrt(5));
  const out = new THREE.Vector3(Math.cos(turn) * Math.sqrt(1 - height * height), height, Math.sin(turn) * Math.sqrt(1 - height * height));
  const aim = center.clone().add(new THREE.Vector3(Math.sin(5 * i), Math.sin(11 * i), Math.cos(7 * i)).multiply(size).multiplyScalar(0.3));
  const origin = center.clone().addScaledVector(out, 2 * size.length());
  return new THREE.Ray(origin, aim.sub(origin).normalize());
}

const near = (found, expected, tolerance, what) => {
  assert.ok(found.distanceTo(expected) <= tolerance, `${what}: ${JSON.stringify(found)} is not ${JSON.stringify(expected)} within ${tolerance}`);
};

/** Compares the intersections of one ray; counts hits. Where they differ, a triangle is hit at its rim or seen from its edge. */
function compareRay(mesh, ray, size, what, change = () => {}) {
  const raycaster = new THREE.Raycaster(ray.origin, ray.direction);
  change(raycaster);
  const [expected, found] = [[], []];
  Object.getPrototypeOf(mesh).raycast.call(mesh, raycaster, expected);
  suppleRaycast.call(mesh, raycaster, found);
  const keyOf = (hit) => `${hit.faceIndex} ${hit.face.materialIndex}`;
  const byKey = new Map(found.map((hit) => [keyOf(hit), hit]));
  const isDoubtful = (hit) => {
    const { x, y, z } = hit.barycoord;
    const { a, b, c, normal } = hit.face;
    const corners = [a, b, c].map((vertex) => mesh.getVertexPosition(vertex, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld));
    const area = new THREE.Triangle(...corners).getArea();
    const isSliver = area < 1e-5 * Math.max(...corners.map((p, i) => p.distanceToSquared(corners[(i + 1) % 3])));
    const inWorld = normal.clone().applyNormalMatrix(new THREE.Matrix3().getNormalMatrix(mesh.matrixWorld));
    return Math.min(x, y, z) < 2e-3 || Math.abs(inWorld.dot(ray.direction)) < 5e-2 || isSliver || Math.abs(hit.distance - raycaster.near) < 1e-4 * size || Math.abs(hit.distance - raycaster.far) < 1e-4 * size;
  };
  let same = 0;
  for (const hit of expected) {
    const own = byKey.get(keyOf(hit));
    if (!own) {
      assert.ok(isDoubtful(hit), `${what}: supple misses ${JSON.stringify([hit.faceIndex, hit.distance, hit.barycoord])}`);
      continue;
    }
    byKey.delete(keyOf(hit));
    const where = `${what}, face ${hit.faceIndex}`;
    if (isDoubtful(hit)) continue;
    near(own.point, hit.point, 2e-5 * size, `${where}: point`);
    assert.ok(Math.abs(own.distance - hit.distance) <= 2e-5 * size, where);
    assert.deepEqual([own.object, own.face.a, own.face.b, own.face.c, own.face.materialIndex], [hit.object, hit.face.a, hit.face.b, hit.face.c, hit.face.materialIndex], where);
    near(own.face.normal, hit.face.normal, 2e-2, `${where}: normal of the face`);
    near(own.barycoord, hit.barycoord, 2e-2, `${where}: barycoord`);
    for (const name of ["uv", "uv1", "normal"]) {
      assert.equal(own[name] === undefined, hit[name] === undefined, `${where}: ${name}`);
      if (hit[name]) near(own[name], hit[name], 2e-2 * (1 + hit[name].length()), `${where}: ${name}`);
    }
    assert.equal(own.bone === null, !mesh.isSkinnedMesh, where);
    same += 1;
  }
  for (const hit of byKey.values()) assert.ok(isDoubtful(hit), `${what}: three.js misses ${JSON.stringify([hit.faceIndex, hit.distance, hit.barycoord])}`);
  return same;
}

function compareVertices(mesh, what) {
  const supple = SuppleMesh.from(mesh).update();
  const [shown, computed] = [shownVertices(mesh), supple.body.vertices()];
  const { size } = sizeOf(shown);
  for (let i = 0; i < shown.length; i += 3) {
    const apart = Math.hypot(shown[i] - computed[i], shown[i + 1] - computed[i + 1], shown[i + 2] - computed[i + 2]);
    assert.ok(apart <= 1e-5 * size, `${what}: vertex ${i / 3} is ${apart / size} of the size away`);
  }
  const used = mesh.geometry.index ? Array.from({ length: mesh.geometry.index.count }, (_, i) => mesh.geometry.index.getX(i)) : Array.from({ length: shown.length / 3 }, (_, i) => i);
  const exact = new THREE.Box3().setFromPoints(used.map((vertex) => new THREE.Vector3().fromArray(shown, 3 * vertex)));
  const box = supple.boundingBox();
  near(box.min, exact.min, 1e-5 * size, `${what}: box`);
  near(box.max, exact.max, 1e-5 * size, `${what}: box`);
  return { box: exact, size };
}

const files = filesBelow(assetFolder("SUPPLE_ASSETS"), [".glb", ".vrm"]);
for (const file of files) {
  const bytes = bytesOf(file);
  // Draco needs a decoder of its own in three.js; supple's own reader has one.
  if (extensionsOf(bytes).includes("KHR_draco_mesh_compression")) continue;
  test(`${file.slice(assetFolder("SUPPLE_ASSETS").length + 1)}`, { timeout: 300_000 }, async () => {
    const { scene, animations } = await loadGlb(bytes);
    const mixer = new THREE.AnimationMixer(scene);
    const clip = animations[0];
    if (clip) mixer.clipAction(clip).play();
    scene.position.set(0.3, -0.1, 0.2);
    scene.rotation.set(0.1, 0.5, -0.2);
    const meshes = deformingMeshes(scene);
    let hits = 0;
    for (const time of clip ? [0, 0.37 * clip.duration] : [0]) {
      mixer.setTime(time);
      scene.updateMatrixWorld(true);
      for (const mesh of meshes) {
        mesh.boundingSphere = null;
        const what = `${mesh.name} at ${time}`;
        const { box, size } = compareVertices(mesh, what);
        const rays = mesh.geometry.attributes.position.count > 20_000 ? 3 : 12;
        for (let i = 0; i < rays; i++) hits += compareRay(mesh, rayAt(box, i, rays), size, what);
      }
    }
    assert.ok(meshes.length === 0 || hits > 0, "no ray hit anything");
    meshes.forEach((mesh) => SuppleMesh.from(mesh).dispose());
  });
}

test("the assets have skinned and morphed meshes", async () => {
  assert.ok(files.length > 10, `${files.length} files`);
});

/** A tube of two bones, with groups, morphs and whatever is asked for. */
function tube({ indexed = true, relative = true, materials = [THREE.DoubleSide] } = {}) {
  let geometry = new THREE.CylinderGeometry(0.5, 0.5, 4, 12, 8, true);
  if (!indexed) geometry = geometry.toNonIndexed();
  const { position } = geometry.attributes;
  const [skinIndex, skinWeight, morph] = [[], [], []];
  for (let i = 0; i < position.count; i++) {
    const upper = THREE.MathUtils.clamp((position.getY(i) + 1) / 2, 0, 1);
    skinIndex.push(0, 1, 0, 0);
    skinWeight.push(1 - upper, upper, 0, 0);
    const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)];
    morph.push(...(relative ? [x, 0, z] : [2 * x, y, 2 * z]));
  }
  geometry.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(skinIndex, 4));
  geometry.setAttribute("skinWeight", new THREE.Float32BufferAttribute(skinWeight, 4));
  geometry.morphAttributes.position = [new THREE.Float32BufferAttribute(morph, 3)];
  geometry.morphTargetsRelative = relative;
  const made = materials.map((side) => new THREE.MeshBasicMaterial({ side }));
  if (materials.length > 1) {
    const count = indexed ? geometry.index.count : position.count;
    const third = 3 * Math.floor(count / 9);
    geometry.clearGroups();
    geometry.addGroup(0, third, 1);
    geometry.addGroup(third, third, 0);
    geometry.addGroup(2 * third, count - 2 * third, 0);
  }
  const mesh = new THREE.SkinnedMesh(geometry, made.length > 1 ? made : made[0]);
  const [root, tip] = [new THREE.Bone(), new THREE.Bone()];
  root.position.y = -2;
  tip.position.y = 2;
  root.add(tip);
  mesh.add(root);
  mesh.updateMatrixWorld(true);
  mesh.bind(new THREE.Skeleton([root, tip]));
  tip.rotation.set(0.3, 0.2, 0.9);
  mesh.morphTargetInfluences[0] = 0.4;
  return mesh;
}

const boxOfTube = () => new THREE.Box3(new THREE.Vector3(-1, -2, -1), new THREE.Vector3(1, 2, 1));

function compareTube(mesh, what, change) {
  const { box, size } = compareVertices(mesh, what);
  mesh.boundingSphere = null;
  let hits = 0;
  for (let i = 0; i < 60; i++) hits += compareRay(mesh, rayAt(box, i, 60), size, what, change);
  return hits;
}

for (const options of [{}, { indexed: false }, { relative: false }, { materials: [THREE.FrontSide] }, { materials: [THREE.BackSide] }, { materials: [THREE.FrontSide, THREE.BackSide] }, { indexed: false, materials: [THREE.DoubleSide, THREE.BackSide] }]) {
  test(`a tube: ${JSON.stringify(options)}`, () => {
    const scales = [[1, 1, 1], [2, 0.5, 1.5], [-1, 1, 1]];
    for (const scale of scales) {
      for (const bindMode of [THREE.AttachedBindMode, THREE.DetachedBindMode]) {
        const mesh = tube(options);
        mesh.bindMode = bindMode;
        mesh.scale.set(...scale);
        mesh.position.set(1, 2, 3);
        mesh.rotation.set(0.4, 0.5, 0.6);
        mesh.updateMatrixWorld(true);
        const what = `${scale} ${bindMode}`;
        assert.ok(compareTube(mesh, what) > 5, what);
        mesh.geometry.drawRange.start = 30;
        mesh.geometry.drawRange.count = 120;
        compareTube(mesh, `${what}, part of it`);
        const reach = mesh.position.length() + 10;
        mesh.geometry.setDrawRange(0, Infinity);
        compareTube(mesh, `${what}, not from near`, (raycaster) => {
          raycaster.near = reach * 0.5;
          raycaster.far = reach * 1.5;
        });
        SuppleMesh.from(mesh).dispose();
        mesh.geometry.dispose();
      }
    }
  });
}

test("interleaved and normalized attributes", () => {
  const mesh = tube();
  const { position, skinWeight } = mesh.geometry.attributes;
  const data = new Float32Array(position.count * 5);
  for (let i = 0; i < position.count; i++) data.set([7, position.getX(i), position.getY(i), position.getZ(i), 9], 5 * i);
  mesh.geometry.setAttribute("position", new THREE.InterleavedBufferAttribute(new THREE.InterleavedBuffer(data, 5), 3, 1));
  const bytes = new Uint8Array(skinWeight.count * 4);
  for (let i = 0; i < skinWeight.count; i++) {
    bytes[4 * i + 1] = Math.round(255 * skinWeight.getY(i));
    bytes[4 * i] = 255 - bytes[4 * i + 1];
  }
  mesh.geometry.setAttribute("skinWeight", new THREE.Uint8BufferAttribute(bytes, 4, true));
  mesh.updateMatrixWorld(true);
  assert.ok(compareTube(mesh, "stored otherwise") > 5);
});

test("a morphed mesh without bones, and a plain one", () => {
  const { geometry, material } = tube();
  const mesh = new THREE.Mesh(geometry, material);
  mesh.morphTargetInfluences[0] = 0.7;
  mesh.position.x = 4;
  mesh.updateMatrixWorld(true);
  compareVertices(mesh, "morphed");
  geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 10);
  const { box, size } = compareVertices(mesh, "morphed");
  assert.ok(compareRay(mesh, rayAt(box, 20, 60), size, "morphed") > 0);
  const plain = new THREE.Mesh(new THREE.TorusKnotGeometry(), material);
  plain.updateMatrixWorld(true);
  assert.ok(compareRay(plain, rayAt(compareVertices(plain, "plain").box, 31, 60), 3, "plain") > 0);
});

test("a drop-in for Raycaster: follows the pose, sorts, and stops at the first", () => {
  const mesh = tube();
  mesh.raycast = suppleRaycast;
  mesh.updateMatrixWorld(true);
  const raycaster = new THREE.Raycaster();
  const { origin, direction } = rayAt(boxOfTube(), 30, 60);
  raycaster.set(origin, direction);
  const all = raycaster.intersectObject(mesh);
  assert.ok(all.length >= 2 && all[0].distance <= all[1].distance);
  assert.ok(mesh.skeleton.bones.includes(all[0].bone));
  raycaster.firstHitOnly = true;
  const first = raycaster.intersectObject(mesh);
  assert.equal(first.length, 1);
  assert.deepEqual([first[0].faceIndex, first[0].distance], [all[0].faceIndex, all[0].distance]);
  mesh.position.x = 100;
  mesh.updateMatrixWorld(true);
  assert.equal(raycaster.intersectObject(mesh).length, 0);
  const supple = SuppleMesh.from(mesh);
  supple.autoUpdate = false;
  mesh.position.x = 0;
  mesh.updateMatrixWorld(true);
  assert.equal(raycaster.intersectObject(mesh).length, 0, "not before update()");
  supple.update();
  assert.equal(raycaster.intersectObject(mesh).length, 1);
});

test("one shape for all meshes of a geometry; built again when attributes change; freed when it is disposed", () => {
  const mesh = tube();
  const other = mesh.clone();
  other.position.x = 0.3;
  for (const one of [mesh, other]) one.updateMatrixWorld(true);
  const [a, b] = [SuppleMesh.from(mesh), SuppleMesh.from(other)];
  assert.equal(SuppleMesh.from(mesh), a);
  assert.equal(a.body.shape, b.body.shape);
  assert.ok(a.collideAny(b) && a.collide(b).pairs.length > 0);
  assert.deepEqual(a.selfCollide().pairs, bruteForce.selfCollide(a.body));
  assert.throws(() => a.collide(a), /two different bodies/);
  const { shape } = a.body;
  mesh.geometry.attributes.position.setY(0, 7);
  mesh.geometry.attributes.position.needsUpdate = true;
  compareVertices(mesh, "changed");
  assert.notEqual(a.body.shape, shape);
  assert.throws(() => shape.toBytes(), /was freed/);
  const last = a.body.shape;
  a.dispose();
  assert.throws(() => a.boundingBox(), /was disposed/);
  assert.ok(last.toBytes().length > 0);
  mesh.geometry.dispose();
  assert.throws(() => last.toBytes(), /was freed/);
});

test("the bounding sphere for culling contains what is shown", () => {
  const mesh = tube();
  mesh.position.set(5, 0, 0);
  mesh.scale.set(1, 2, 1);
  mesh.updateMatrixWorld(true);
  const sphere = SuppleMesh.from(mesh).updateBoundingSphere().clone().applyMatrix4(mesh.matrixWorld);
  const shown = shownVertices(mesh);
  for (let i = 0; i < shown.length; i += 3) assert.ok(sphere.distanceToPoint(new THREE.Vector3().fromArray(shown, i)) < 1e-4);
  assert.ok(sphere.radius < 2 * sizeOf(shown).size);
});

test("what cannot be done is said in words", () => {
  assert.throws(() => SuppleMesh.from(new THREE.Object3D()), /needs a three\.js Mesh/);
  assert.throws(() => SuppleMesh.from(new THREE.InstancedMesh(new THREE.BoxGeometry(), undefined, 2)), /instanced/);
  assert.throws(() => SuppleMesh.from(new THREE.Mesh(new THREE.BufferGeometry())), /without positions/);
  const heavy = tube();
  heavy.geometry.attributes.skinWeight.setX(0, 5);
  heavy.geometry.attributes.skinWeight.needsUpdate = true;
  assert.throws(() => SuppleMesh.from(heavy), /vertex 0 sum to .* normalizeSkinWeights/);
  const poor = tube();
  poor.skeleton.bones.pop();
  assert.throws(() => SuppleMesh.from(poor), /names bone 1, the skeleton has 1 bones/);
  const lost = tube();
  lost.geometry.attributes.position.setX(3, NaN);
  assert.throws(() => SuppleMesh.from(lost), /vertex 3 .* not finite/);
});
