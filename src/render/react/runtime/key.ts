/** Under `Symbol.for` of this, rewritten modules find the runtime. Not an import: a bundle may lie anywhere. */
export const RUNTIME_KEY = "lettershop.react";

/** What rewritten code calls to get at the runtime; a module that has such a name itself puts more in front of it. */
export const RUNTIME_NAME = "__lettershop";
