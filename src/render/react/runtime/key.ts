/** Under `Symbol.for` of this, rewritten modules find the runtime. Not an import: a bundle may lie anywhere. */
export const RUNTIME_KEY = "lettershop.react";
