/** Rewritten modules find the runtime under `Symbol.for` of this key. Not an import, because a bundle may be anywhere. */
export const RUNTIME_KEY = "lettershop.react";

/** The function that rewritten code calls to get the runtime; prefixed with more underscores if a module uses the name. */
export const RUNTIME_NAME = "__lettershop";
