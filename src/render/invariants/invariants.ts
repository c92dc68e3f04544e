import { type Diagnostic, hasErrors, type SourcePosition } from "../../diagnostic.js";
import type { FilledFixture, TemplateFields } from "../../template/template.js";
import type { Compilation } from "../compilation.js";
import type { CompileContext } from "../engine.js";
import { checkBalanced } from "./balanced.js";
import { checkKnownVariables } from "./known-variables.js";
import { checkLengths } from "./lengths.js";
import { checkResidue } from "./residue.js";
import { checkTagsKept } from "./tags-kept.js";
import { checkTextTags } from "./text-tags.js";

export interface InvariantInput {
  readonly compilation: Compilation;
  readonly fields: TemplateFields;
  readonly fixtures: readonly FilledFixture[];
  readonly context: CompileContext;
  /** Where the template's own code reads the time or random numbers. */
  readonly moments?: readonly SourcePosition[];
}

/** All invariants of a compiled template, except reproducibility, which `check` verifies. */
export async function checkInvariants({
  compilation,
  fields,
  fixtures,
  context,
  moments = [],
}: InvariantInput): Promise<Diagnostic[]> {
  const { template, html, contract } = compilation;
  // Without a schema or an example, the variables' types are guessed from the tags, so tags can't contradict them.
  const typeIsKnown = template.variablesFile !== undefined || fixtures.length > 0;
  const residue = checkResidue(compilation);
  const diagnostics = [
    ...checkTagsKept(compilation),
    ...checkTextTags(compilation),
    ...residue,
    ...checkBalanced(compilation),
    ...(typeIsKnown && residue.length === 0 ? checkKnownVariables(compilation) : []),
    ...checkLengths(compilation, fields),
  ];
  if (template.engine !== "react" || hasErrors(diagnostics)) return diagnostics;
  const { checkOracle } = await import("../react/oracle.js");
  return [...diagnostics, ...(await checkOracle({ template, html, fixtures, contract, context, moments }))];
}
