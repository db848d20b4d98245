// supple for three.js.

export { SuppleMesh } from "./supple-mesh.js";
export { suppleRaycast } from "./raycast.js";
export { ready } from "../module.js";
