import type { Diagnostic } from "../../diagnostic.js";
import { checkVariables } from "../../mustache/infer.js";
import { restore } from "../../mustache/tokens.js";
import { bodiesOf, type Compilation } from "../compilation.js";
import { tagAt } from "../tokenised.js";

/** Invariant 5: the tags' variables are in the schema. That every fixture fits it is checked with the schema. */
export function checkKnownVariables(compilation: Compilation): Diagnostic[] {
  const { contract, template } = compilation;
  const bodies = bodiesOf(compilation);
  const texts = bodies.map(({ content, as }) => restore(content.text, content.tags, as));
  const findings = new Map<string, Diagnostic>();
  for (const finding of checkVariables(texts, contract.input, contract.derived, contract.conditions)) {
    const body = bodies[finding.textIndex];
    const tag = body && body.content.tags[tagAt(body.content, body.as, finding.offset) ?? -1];
    const at = tag?.at ?? { file: template.body.file };
    const { nearName } = finding;
    // The html and the text that is derived from it have the same tags.
    findings.set(`${finding.name} ${JSON.stringify(at)}`, {
      rule: "unknown-variable",
      severity: "error",
      message: finding.message,
      at,
      ...(nearName !== undefined && { hint: `Did you mean "${nearName}"?` }),
    });
  }
  return [...findings.values()];
}
