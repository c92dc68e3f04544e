export { compareRegistry, type RegistryChange, type RegistryComparison, type VariableChange } from "./compare.js";
export { describeChange } from "./describe-change.js";
export { type GenerateOptions, generateRegistry } from "./generate.js";
