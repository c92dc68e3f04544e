export { createModuleHost, type ModuleHost, type ModuleHostOptions } from "../modules/host.js";
export { fill, type Message } from "../mustache/fill.js";
export { loadTemplates } from "../template/load.js";
export type { CompiledTemplate, CompileResult, Fixture, Template } from "../template/template.js";
export { compileAll, compileTemplate } from "./compile.js";
export type { CompileContext } from "./engine.js";
