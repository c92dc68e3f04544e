export { checkCompiled, type RuleOptions } from "./check-compiled.js";
export { defineRule } from "./custom/define-rule.js";
export { type CheckedResult, type CheckOptions, checkTemplates, type KeptChecks } from "./check-templates.js";
export type { CheckedProject, CheckedTemplate, Finding, ProjectFiles, Rule } from "./rule.js";
export type { CheckSettings } from "./settings.js";
export { RULES } from "./catalogue.js";
