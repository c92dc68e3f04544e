import type { Diagnostic } from "../../diagnostic.js";
import { loadRolldown } from "../../modules/rolldown.js";
import { positionAt } from "../../position.js";
import type { Template } from "../../template/template.js";
import type { CompileOutput } from "./compile-task.js";
import { describeIssue, type Issue } from "../../template/issue.js";
import { misfitsOf, withoutNulls } from "../typed-examples.js";
import { describe, type Sources } from "./describe.js";
import { environmentReads } from "./environment-reads.js";
import { offsetInPreviewProps } from "./preview-position.js";
import type { PreviewProblem, PreviewProps } from "./preview-props.js";
import type { ReceivedVariables } from "./received.js";

/** What is wrong with a component that was rendered with symbolic variables. */
export async function diagnose(
  { findings, previewProps, reads, environmentEffects }: CompileOutput,
  template: Template,
  { sources, received }: { readonly sources: Sources; readonly received: ReceivedVariables },
): Promise<Diagnostic[]> {
  const problem = previewProps && "problem" in previewProps ? previewProps : undefined;
  const diagnostics = environmentReads(reads.environment, environmentEffects, template.name);
  const misfits = template.fixtures.length === 0 ? misfitsOfPreview(previewProps, received) : [];
  if (findings.length === 0 && !problem && misfits.length === 0) return diagnostics;
  const { parseSync } = await loadRolldown(template.name);
  const component = {
    template,
    sources,
    received: namesReceived(received),
    taken: new Map<string, string>(),
    parseSync,
  };
  return [
    ...diagnostics,
    ...findings.map((finding) => describe(finding, component)),
    // Fixtures are used instead, where there are any.
    ...(problem && template.fixtures.length === 0 ? [previewDiagnostic(problem, template, parseSync)] : []),
    ...misfits.map((issue) => misfitDiagnostic(issue, template, parseSync)),
  ];
}

/** What of a component's own example does not fit the type of its props. */
function misfitsOfPreview(preview: PreviewProps, { schema, isOpen }: ReceivedVariables): Issue[] {
  if (!schema || !isOpen || !preview || !("variables" in preview)) return [];
  return misfitsOf(withoutNulls(preview.variables, schema), schema);
}

/** Where it does not fit, the example says what is passed, as it does without a type. */
function misfitDiagnostic(
  issue: Issue,
  { name, body }: Template,
  parseSync: Parameters<typeof offsetInPreviewProps>[2],
): Diagnostic {
  const steps = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  const offset = offsetInPreviewProps(body, steps, parseSync);
  return {
    rule: "fixture-schema",
    severity: "warning",
    message: `PreviewProps do not fit the type of the component's props: ${describeIssue(issue)}`,
    template: name,
    at: { file: body.file, ...(offset !== undefined && positionAt(body.text, offset)) },
    hint: "The type of this variable is inferred from PreviewProps instead. Fix them, or the type.",
  };
}

function namesReceived({ schema, examples }: ReceivedVariables): string[] {
  const shown = examples.flatMap((example) => Object.keys(example));
  return [...new Set([...Object.keys(schema?.properties ?? {}), ...shown])];
}

function previewDiagnostic(
  { problem, steps }: PreviewProblem,
  { name, body }: Template,
  parseSync: Parameters<typeof offsetInPreviewProps>[2],
): Diagnostic {
  const offset = offsetInPreviewProps(body, steps, parseSync);
  return {
    rule: "react-preview-props",
    severity: "error",
    message: problem,
    template: name,
    at: { file: body.file, ...(offset !== undefined && positionAt(body.text, offset)) },
    hint: "Give the template fixtures, or PreviewProps that JSON can hold.",
  };
}
