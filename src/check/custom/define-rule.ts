import type { Rule } from "../rule.js";

/**
 * Makes a rule of the project's own for `check.custom` of the configuration. It is run where templates are, away from
 * the keys, and what it throws becomes a finding.
 *
 * @example
 * // lettershop.config.ts
 * const noMarquee = defineRule({
 *   id: "…", // in kebab-case
 *   summary: "Text moves.",
 *   severity: "warning",
 *   checkTemplate: ({ document }) =>
 *     document.named("marquee").map((element) => ({ message: "This text moves.", at: element.at() })),
 * });
 * export default defineConfig({ check: { custom: [noMarquee] } });
 */
export function defineRule(rule: Rule): Rule {
  const { id, summary, severity, checkTemplate, checkAll } = rule;
  // A configuration is read as data: what is not enumerable stays behind then, and is found when the rule is run.
  return Object.defineProperties(
    { id, summary, severity },
    { checkTemplate: { value: checkTemplate }, checkAll: { value: checkAll } },
  );
}
