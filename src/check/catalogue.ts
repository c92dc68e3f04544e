import { ruleSummary } from "./rule-page.js";
import type { Rule } from "./rule.js";

/** What is known about a rule besides its code. */
export type RuleInfo = Pick<Rule, "id" | "summary" | "severity">;

/** Ids of diagnostics from loading, compiling and rebuilding, by their usual severity. */
const OTHERS = {
  error: (
    "asset-missing compile-failed fixture-json fixture-kinds fixture-object fixture-schema inline-styles markup-lost " +
    "markup-unbalanced markup-unclosed metadata-json metadata-unknown-key metadata-value mjml-attribute-tag " +
    "mjml-lost-text mjml-section mjml-structure mjml-unclosed mjml-unknown-attribute mjml-unknown-element module " +
    "mustache-name mustache-syntax not-reproducible output-residue part-cycle part-missing part-outside " +
    "react-component react-fixture react-oracle react-preview-props react-undefined react-unsupported rule-failed " +
    "tag-lost tag-moved template-duplicate template-file template-link template-name template-no-body " +
    "template-two-bodies templates-root text-tag-lost too-long unknown-variable variables-derive variables-module " +
    "variables-schema"
  ).split(" "),
  warning: (
    "environment-read mjml-attribute-value mjml-column-width react-literal-tag template-flat time-in-body " +
    "unused-silence"
  ).split(" "),
};

/**
 * Every id that a diagnostic of `check` can have.
 *
 * @example
 * catalogue([...RULES, ...custom]).map(({ id }) => id); // ["asset-missing", …, "variables-schema"]
 */
export function catalogue(rules: readonly RuleInfo[]): RuleInfo[] {
  const others = (["error", "warning"] as const).flatMap((severity) =>
    OTHERS[severity].map((id) => ({
      id,
      severity,
      // Read only when needed, because decompressing the pages takes a moment.
      get summary() {
        return ruleSummary(id);
      },
    })),
  );
  return [...rules, ...others].toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}
