export { createModuleHost, type ModuleHost, type ModuleHostOptions } from "../process/host.js";
export { fill, type Message } from "../mustache/fill.js";
export { loadTemplates } from "../project/load-templates.js";
export type { CompiledTemplate, CompileResult, Fixture, Template } from "../project/template.js";
export { compileAll, compileTemplate } from "./compile.js";
export type { CompileContext } from "./engine.js";
