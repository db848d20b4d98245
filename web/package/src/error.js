// Errors that users see.

/** What is wrong, in words. */
export class SuppleError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "SuppleError";
  }
}

/** Once the module has panicked or trapped, its memory cannot be trusted. */
let broken = null;

/** Calls into the WebAssembly; whatever is thrown there becomes a SuppleError. */
export function guard(call) {
  if (broken) throw new SuppleError(`supple cannot go on after an earlier failure: ${broken}`);
  try {
    return call();
  } catch (error) {
    throw asSuppleError(error);
  }
}

function asSuppleError(error) {
  if (error instanceof SuppleError) return error;
  // Errors of the library arrive as strings.
  if (typeof error === "string") return new SuppleError(error);
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith("panic: ")) {
    broken = message;
    return new SuppleError(`a mistake in supple itself, please report it: ${message}`, { cause: error });
  }
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    broken = `${message} (out of memory?)`;
    return new SuppleError(`supple stopped: ${broken}`, { cause: error });
  }
  return new SuppleError(message, { cause: error });
}
