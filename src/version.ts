/** This package's version, as its `package.json` has it; what runs bundled cannot read that file. */
export const VERSION = "0.1.0";
