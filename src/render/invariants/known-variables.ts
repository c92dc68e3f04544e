import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { missingOwnName } from "../../mustache/own-names.js";
import type { Misuse } from "../../mustache/surroundings.js";
import { restore } from "../../mustache/tokens.js";
import { checkVariables } from "../../mustache/usage.js";
import { bodiesOf, type Compilation } from "../compilation.js";
import { tagAt } from "../tokenised.js";

/** Invariant 5: the tags' variables are in the schema. Fixtures are checked together with the schema. */
export function checkKnownVariables(compilation: Compilation): Diagnostic[] {
  const { contract, template } = compilation;
  const bodies = bodiesOf(compilation);
  const texts = bodies.map(({ content, as }) => restore(content.text, content.tags, as));
  const findings = new Map<string, Diagnostic>();
  for (const own of compilation.ownNames ?? []) {
    const problem = missingOwnName(own, contract);
    if (problem) findings.set(`${own.name} ${JSON.stringify(own.at)}`, toDiagnostic(problem, own.at));
  }
  for (const finding of checkVariables(texts, contract)) {
    const body = bodies[finding.textIndex];
    const tag = body && body.content.tags[tagAt(body.content, body.as, finding.offset) ?? -1];
    const at = tag?.at ?? { file: template.body.file };
    // The HTML and the text derived from it have the same tags.
    findings.set(`${finding.name} ${JSON.stringify(at)}`, toDiagnostic(finding, at));
  }
  return [...findings.values()];
}

function toDiagnostic({ message, nearName }: Misuse, at: SourcePosition): Diagnostic {
  const hint = nearName !== undefined && { hint: `Did you mean "${nearName}"?` };
  return { rule: "unknown-variable", severity: "error", message, at, ...hint };
}
