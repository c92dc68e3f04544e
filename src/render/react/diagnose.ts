import { readFile } from "node:fs/promises";
import type { Diagnostic } from "../../diagnostic.js";
import { closeSchema } from "../../mustache/close-schema.js";
import { inferSchema } from "../../mustache/infer.js";
import { restore } from "../../mustache/tokens.js";
import type { VariablesSchema } from "../../mustache/variables.js";
import { type ESTree, loadRolldown, type Rolldown } from "../../process/rolldown.js";
import { positionAt } from "../../text/position.js";
import type { SourceFile, Template } from "../../project/template.js";
import type { CompileOutput } from "./compile-task.js";
import { describeIssue, type Issue } from "../../project/issues.js";
import { misfitsOf, withoutNulls } from "../typed-examples.js";
import { describe } from "./describe.js";
import { deriveHints } from "./derive/derive-hints.js";
import type { PreviewProblem, PreviewProps } from "./preview-props.js";
import type { ReceivedVariables } from "./received.js";
import type { Sources } from "./component-bundles.js";
import { isKey } from "./runtime/computations.js";
import { ALL_NAMES, type EnvironmentRead } from "../../process/reads.js";
import type { EnvironmentEffect } from "./environment-effects.js";
import type { Steps } from "./leaves.js";
import { childrenOf } from "./rewrite/nodes.js";

/** The diagnostics of a component that was rendered with symbolic variables. */
export async function diagnose(
  output: CompileOutput,
  template: Template,
  { sources, received }: { readonly sources: Sources; readonly received: ReceivedVariables },
): Promise<Diagnostic[]> {
  const { findings, previewProps, reads, environmentEffects } = output;
  const problem = previewProps && "problem" in previewProps ? previewProps : undefined;
  const diagnostics = environmentReads(reads.environment, environmentEffects, template.name);
  const misfits = template.fixtures.length === 0 ? misfitsOfPreview(previewProps, received) : [];
  if (findings.length === 0 && !problem && misfits.length === 0) return diagnostics;
  const { parseSync } = await loadRolldown(template.name);
  const example = previewProps && "variables" in previewProps ? previewProps.variables : undefined;
  const { variablesFile } = template;
  const { hintFor, summary } = deriveHints({
    template,
    variablesCode: variablesFile === undefined ? undefined : await readFile(variablesFile, "utf8").catch(() => ""),
    sources,
    findings,
    received: namesReceived(received),
    schema: passedSchema(received, output, template),
    example,
    parseSync,
  });
  return [
    ...diagnostics,
    ...withoutRepeated(findings.map((finding) => describe(finding, { template, sources, hintFor }))),
    ...(summary ? [summary] : []),
    // If there are fixtures, they are used instead.
    ...(problem && template.fixtures.length === 0 ? [previewDiagnostic(problem, template, parseSync)] : []),
    ...misfits.map((issue) => misfitDiagnostic(issue, template, parseSync)),
  ];
}

/** Where a component's own example does not match the type of its props. */
function misfitsOfPreview(preview: PreviewProps, { schema, isOpen }: ReceivedVariables): Issue[] {
  if (!schema || !isOpen || !preview || !("variables" in preview)) return [];
  return misfitsOf(withoutNulls(preview.variables, schema), schema);
}

/** A mismatching variable is typed by the example, as without a type. */
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
    message: `PreviewProps don't match the type of the component's props: ${describeIssue(issue)}`,
    template: name,
    at: { file: body.file, ...(offset !== undefined && positionAt(body.text, offset)) },
    hint: "The type of this variable is inferred from PreviewProps instead. Fix PreviewProps, or the type.",
  };
}

/** Without duplicates from several documents of the same component. */
function withoutRepeated(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const known = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return [...known.values()];
}

/** The type of the variables that the application passes; fixtures and tags complete it. */
function passedSchema(
  { schema, isOpen }: ReceivedVariables,
  { html, title, tags, conditions, ownNames, previewProps }: CompileOutput,
  { fixtures, metadata }: Template,
): VariablesSchema {
  if (schema && !isOpen) return schema;
  const preview = previewProps && "variables" in previewProps ? [previewProps.variables] : [];
  const examples = fixtures.length > 0 ? fixtures.map(({ variables }) => variables) : preview;
  const texts = [restore(html, tags, "html"), restore(title, tags, "text"), metadata.subject ?? ""];
  const shown = schema
    ? closeSchema(schema, { texts, examples, conditions, ownNames })
    : inferSchema(texts, examples, conditions, ownNames);
  return withoutComputed(shown);
}

/** A schema without the placeholders of computed results. */
function withoutComputed(schema: VariablesSchema): VariablesSchema {
  const { properties, items, anyOf, required } = schema;
  const named = Object.entries(properties ?? {}).filter(([name]) => !isKey(name));
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(named.map(([name, each]) => [name, withoutComputed(each)])) }),
    ...(required && { required: required.filter((name) => !isKey(name)) }),
    ...(typeof items === "object" && { items: withoutComputed(items) }),
    ...(anyOf && { anyOf: anyOf.map(withoutComputed) }),
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
    hint: "Use only JSON values in PreviewProps, or add fixtures to the template.",
  };
}

/** Reports environment variables that a component's own modules read and that change the body: their values stay in it. */
function environmentReads(
  reads: readonly EnvironmentRead[],
  effects: readonly EnvironmentEffect[],
  template: string,
): Diagnostic[] {
  return reads.flatMap(({ name, isSet, at }): Diagnostic[] => {
    const effect = effects.find((each) => each.name === name);
    if (!at || (!effect && name !== ALL_NAMES)) return [];
    const base = { rule: "environment-read", template, at, hint: HINT };
    return effect?.isPrintedUndefined && !isSet
      ? [{ ...base, severity: "error", message: `${name} is not set, and the compiled HTML contains "undefined".` }]
      : [{ ...base, severity: "warning", message: warningOf(name, isSet) }];
  });
}

const HINT = "Write the value into the template, or pass it as a variable. For image URLs, set assets.baseUrl.";

function warningOf(name: string, isSet: boolean): string {
  const unset = isSet ? "" : ", where it is not set";
  if (name === ALL_NAMES)
    return "The names of environment variables are listed at compile time, so the body contains those of this machine.";
  return `${name} is read at compile time, so the body contains its value on this machine${unset}.`;
}

/** The offset of a value in a component's `PreviewProps`, or of the nearest enclosing literal. */
function offsetInPreviewProps(
  { file, text }: SourceFile,
  steps: Steps,
  parseSync: Rolldown["parseSync"],
): number | undefined {
  const { program, errors } = parseSync(file, text, { preserveParens: false });
  let node = errors.length > 0 ? undefined : assigned(program);
  for (const step of node ? steps : []) {
    const inner = node && memberOf(withoutTypes(node), step);
    if (!inner) break;
    node = inner;
  }
  return node?.start;
}

/** The value of `Email.PreviewProps = …`, or of a class's static member. */
function assigned(node: ESTree.Node): ESTree.Node | undefined {
  if (node.type === "AssignmentExpression" && isNamed(node.left)) return node.right;
  if (node.type === "PropertyDefinition" && node.key.type === "Identifier" && node.key.name === "PreviewProps") {
    return node.value ?? undefined;
  }
  for (const child of childrenOf(node)) {
    const value = assigned(child);
    if (value) return value;
  }
  return undefined;
}

function isNamed(node: ESTree.Node): boolean {
  if (node.type.startsWith("TS")) return childrenOf(node).some(isNamed);
  return (
    node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === "PreviewProps"
  );
}

function withoutTypes(node: ESTree.Node): ESTree.Node {
  const [inner] = node.type.startsWith("TS") ? childrenOf(node) : [];
  return inner ? withoutTypes(inner) : node;
}

function memberOf(node: ESTree.Node, step: string | number): ESTree.Node | undefined {
  if (node.type === "ArrayExpression") return node.elements[Number(step)] ?? undefined;
  if (node.type !== "ObjectExpression") return undefined;
  const property = node.properties.find((each) => each.type === "Property" && keyOf(each.key) === step);
  return property?.type === "Property" ? property.value : undefined;
}

function keyOf(key: ESTree.Node): unknown {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? key.value : undefined;
}
