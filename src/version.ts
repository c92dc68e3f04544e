/** This package's version, as in its `package.json`, which bundled code can't read. */
export const VERSION = "0.1.0";
