export { defineRule } from "./custom/define-rule.js";
export {
  checkCompiled,
  type CheckedResult,
  type CheckOptions,
  checkTemplates,
  type KeptChecks,
  type RuleOptions,
} from "./check-templates.js";
export type { CheckedProject, CheckedTemplate, Finding, ProjectFiles, Rule } from "./rule.js";
export type { CheckSettings } from "./settings.js";
export { RULES } from "./catalogue.js";
