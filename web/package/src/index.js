// supple-collision: exact collision detection of skinned and morphed meshes.

export { SuppleError } from "./error.js";
export { memoryBytes, ready } from "./module.js";
export { Model, Shape, load, zoo, zooNames } from "./model.js";
export { Body } from "./body.js";
export { audit, bruteForce, castRay, castRayAll, castRays, closestPoint, closestPoints, collide, collideAny, contacts, selfCollide, selfContacts } from "./queries.js";
