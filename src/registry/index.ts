export { compareRegistry, type RegistryChange, type RegistryComparison, type VariableChange } from "./compare.js";
export { changeInWords } from "./change-in-words.js";
export { type GenerateOptions, generateRegistry } from "./generate.js";
