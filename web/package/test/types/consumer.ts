// A user's program, as the type checker sees it. It is not run.

import { Mesh, Raycaster, SkinnedMesh } from "three";
import type { AuditResult, RayHit } from "supple-collision";
import { Body, Model, Shape, SuppleError, audit, bruteForce, castRay, castRayAll, castRays, closestPoint, closestPoints, collide, collideAny, contacts, load, memoryBytes, ready, selfCollide, selfContacts, zoo, zooNames } from "supple-collision";
import { SuppleMesh, suppleRaycast, type SuppleIntersection } from "supple-collision/three";

export async function use(bytes: ArrayBuffer): Promise<number> {
  await ready(new URL("https://example.org/supple.wasm"));
  const man: Model = await load(bytes, { name: "man.glb" });
  const shape: Shape = man.shape();
  const a = new Body(shape);
  const b = new Body(shape, { skinning: "dual" }).pose("walk", 0.9, { place: [0.4, 0, 0], turn: [0, 0, 0, 1] });
  const pairs: Uint32Array = collide(a, b).pairs;
  const hit: RayHit | null = castRay(a, [0, 1, 5], [0, 0, -1], 10);
  const times: Float32Array = castRays(a, new Float32Array(3), new Float32Array([0, 0, -1])).times;
  const backs: Uint8Array = castRayAll(a, [0, 1, 5], [0, 0, -1]).backs;
  const result: AuditResult = audit(shape, { fps: 30, clips: ["walk"] }, (done, total) => done < total);
  const names: string[] = result.events.filter((event) => event.class === "fault").map((event) => event.name);
  const near: number = closestPoint(a, [0, 0, 0]).distance + closestPoints(a, b).distance;
  const segments: Float32Array = contacts(a, b).segments ?? selfContacts(a).segments;
  a.setMatrices(a.jointMatrices(), a.coefficients()).setVertices(a.vertices());
  bruteForce.collide(a, b);
  const again: Shape = Shape.fromBytes(shape.toBytes());
  const { boxes, computed } = a.boxes(again.levels - 1);
  // @ts-expect-error: no such skinning
  new Body(shape, { skinning: "cubic" });
  // @ts-expect-error: models are not made so
  new Model();
  // @ts-expect-error: a shape is no body
  selfCollide(shape);
  try {
    await zoo(zooNames[0] ?? "man", 1);
  } catch (error) {
    if (error instanceof SuppleError) console.log(error.message);
  }
  a.free();
  return pairs.length + times.length + backs.length + names.length + near + segments.length + boxes.length + computed.length + memoryBytes() + Number(collideAny(a, b)) + (hit?.joint ?? 0);
}

export function useThree(mesh: SkinnedMesh, other: Mesh): string | undefined {
  mesh.raycast = suppleRaycast;
  const hits = new Raycaster().intersectObject(mesh) as SuppleIntersection[];
  const supple = SuppleMesh.from(mesh).update();
  supple.boundingBox().isEmpty();
  supple.updateBoundingSphere();
  supple.collide(SuppleMesh.from(other)).pairs.at(0);
  supple.dispose();
  return hits[0]?.bone?.name;
}
