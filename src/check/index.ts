export {
  checkCompiled,
  type CheckedResult,
  type CheckOptions,
  checkTemplates,
  type KeptChecks,
  type RuleOptions,
} from "./check-templates.js";
export { defineRule } from "./rule.js";
export type { CheckedProject, CheckedTemplate, Finding, ProjectFiles, Rule } from "./rule.js";
export type { CheckSettings } from "./rule.js";
export { RULES } from "./catalogue.js";
