// Objects that hold memory of the WebAssembly. It is freed by free(), by `using`, or when the object is collected:
// the object behind it has a finalizer.

import { SuppleError } from "./error.js";

/** The object behind a handle; set through rawOf so that subclasses stay small. */
const behind = new WeakMap();

export class Handle {
  constructor(raw) {
    behind.set(this, raw);
  }

  /** Frees memory; the second time it does nothing. Other objects that were made of this one stay as they are. */
  free() {
    const raw = behind.get(this);
    behind.set(this, null);
    raw?.free();
  }
}
if (Symbol.dispose) {
  Handle.prototype[Symbol.dispose] = function () {
    this.free();
  };
}

export function rawOf(handle) {
  const raw = behind.get(handle);
  if (!raw) throw new SuppleError(`this ${handle.constructor.name} was freed`);
  return raw;
}
