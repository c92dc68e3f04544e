import type { Rule } from "../rule.js";

/**
 * Creates a custom rule for `check.custom` in the configuration. It runs where template code runs, away from
 * the keys, and an error that it throws becomes a finding.
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
  // Configurations are read as data, so the functions are not enumerable. The worker that runs the rule finds them.
  return Object.defineProperties(
    { id, summary, severity },
    { checkTemplate: { value: checkTemplate }, checkAll: { value: checkAll } },
  );
}
