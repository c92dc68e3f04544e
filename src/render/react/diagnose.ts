import path from "node:path";
import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import type { Variables } from "../../mustache/variables.js";
import { ALL_NAMES, type EnvironmentRead } from "../../process/module-inputs.js";
import { type ESTree, loadRolldown, type Rolldown } from "../../process/rolldown.js";
import { describeIssue, type Issue } from "../../project/issues.js";
import type { SourceFile, Template } from "../../project/template.js";
import { positionAt } from "../../text/position.js";
import { readElsewhere } from "../moments.js";
import { typeMismatches, withoutNulls } from "../typed-examples.js";
import { childrenOf } from "./ast.js";
import { clockAt, isDefaultClock } from "./clocks.js";
import type { CompileOutput } from "./compile-task.js";
import type { ModuleSources } from "./component-bundles.js";
import type { KnownProps, PreviewProblem } from "./props-schema.js";
import { type Expression, indexIn, isComputedKey, type ListLoop, operandsOf } from "./runtime/expression.js";
import type { Unsupported } from "./runtime/rendering.js";
import type { SourceRange, VariableName } from "./runtime/symbolic.js";
import type { EnvironmentEffect } from "./surroundings.js";

export async function diagnose(
  output: CompileOutput,
  template: Template,
  { sources, received }: { readonly sources: ModuleSources; readonly received: KnownProps },
): Promise<Diagnostic[]> {
  const { previewProps, previewProblem: problem, reads, environmentEffects } = output;
  const clocks = output.frozenMoments.map((at) => clockAt(at, sources));
  // What is computed with a default is right without it.
  const areDefaults = clocks.length > 0 && clocks.every((at) => isDefaultClock(at, sources));
  const findings = output.findings.filter(({ moments }) => !areDefaults || !moments);
  const diagnostics = [
    ...environmentReads(reads.environment, environmentEffects, template.name),
    ...(findings.length > 0 ? [] : clocks.map((at) => frozenMoment(at, areDefaults, template.name))),
  ];
  const misfits = template.fixtures.length === 0 ? misfitsOfPreview(previewProps, received) : [];
  if (findings.length === 0 && !problem && misfits.length === 0) return diagnostics;
  const { parseSync } = await loadRolldown(template.name);
  const { name, body } = template;
  const report = ({ hint, ...what }: PreviewFinding, steps: readonly PropertyKey[]): Diagnostic => {
    const offset = offsetInPreviewProps(body, steps, parseSync);
    const at = { file: body.file, ...(offset !== undefined && positionAt(body.text, offset)) };
    return { ...what, template: name, at, hint };
  };
  return [
    ...diagnostics,
    ...withoutRepeated(findings.map((finding) => toDiagnostic(finding, { template, sources }))),
    // If there are fixtures, they are used instead.
    ...(problem && template.fixtures.length === 0 ? [report(problemOf(problem), problem.steps)] : []),
    ...misfits.map((issue) => report(misfitOf(issue), issue.path)),
  ];
}

/** Where a component's own example does not match the type of its props. */
function misfitsOfPreview(preview: Variables | undefined, { schema, isOpen }: KnownProps): Issue[] {
  return schema && isOpen && preview ? typeMismatches(withoutNulls(preview, schema), schema) : [];
}

/** Without duplicates from several documents of the same component. */
function withoutRepeated(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const known = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return [...known.values()];
}

type PreviewFinding = Pick<Diagnostic, "rule" | "severity" | "message"> & { readonly hint: string };

function problemOf({ problem }: PreviewProblem): PreviewFinding {
  return {
    rule: "react-preview-props",
    severity: "error",
    message: problem,
    hint: "Use only JSON values, dates and bigints in PreviewProps, or add fixtures to the template.",
  };
}

/** A mismatching variable is typed by the example, as without a type. */
function misfitOf(issue: Issue): PreviewFinding {
  return {
    rule: "fixture-schema",
    severity: "warning",
    message: `PreviewProps don't match the type of the component's props: ${describeIssue(issue)}`,
    hint: "The type of this variable is inferred from PreviewProps instead. Fix PreviewProps, or the type.",
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

/** Reports a date or a time of day that would be that of the build in every email. */
function frozenMoment(at: SourcePosition, isDefault: boolean, template: string): Diagnostic {
  const what = isDefault ? "The default of this variable" : "The time that is read here";
  return {
    rule: "time-in-body",
    severity: "error",
    message: `${what} is the time of the build, which is the same in every email.`,
    template,
    at,
    hint: isDefault ? "Remove the default, and always pass the variable." : "Pass it as a variable, such as sentAt.",
  };
}

/** The offset of a value in a component's `PreviewProps`, or of the nearest enclosing literal. */
function offsetInPreviewProps(
  { file, text }: SourceFile,
  steps: readonly PropertyKey[],
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

function memberOf(node: ESTree.Node, step: PropertyKey): ESTree.Node | undefined {
  if (node.type === "ArrayExpression") return node.elements[Number(step)] ?? undefined;
  if (node.type !== "ObjectExpression") return undefined;
  const property = node.properties.find((each) => each.type === "Property" && keyOf(each.key) === step);
  return property?.type === "Property" ? property.value : undefined;
}

function keyOf(key: ESTree.Node): unknown {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? key.value : undefined;
}

const MOST_SHOWN = 80;

const COMPUTE =
  "Test its variables one by one, or compute the result in derive (variables.ts), and use that in the component.";

const RESULT = "Compute it in derive (variables.ts), and use the result here.";

export interface DescribedComponent {
  readonly template: Template;
  readonly sources: ModuleSources;
}

export function toDiagnostic(finding: Unsupported, component: DescribedComponent): Diagnostic {
  const { problem, site, calls = [], variable, computation, rule, moments } = finding;
  const { template, sources } = component;
  const source = site && codeAt(site, sources);
  const name = variable ? nameOfVariable(variable) : computation && nameOfFirst(computation.expression);
  const what = source === undefined ? (name ?? "The component") : `\`${source}\``;
  const why = name === undefined ? "" : `; ${name} is only known when an email is filled`;
  // If a shared function does it, the template's line that calls the function is the place to look at.
  const call =
    site?.file === template.body.file ? undefined : calls.findLast(({ file }) => file === template.body.file);
  const within = call ? site : computation?.within;
  const where = within ? ` (${relativePlace(within, site, component)})` : "";
  const calling = call && codeAt(call, sources);
  const subject = calling === undefined ? what : `\`${calling}\` runs ${what}, which`;
  const known = finding.hint ?? (rule ? undefined : variable || computation ? RESULT : COMPUTE);
  const kind = rule
    ? ({ rule, severity: "warning" } as const)
    : ({ rule: "react-unsupported", severity: "error" } as const);
  const range = call ?? site;
  const at = range ? positionOfRange(range, sources) : { file: template.body.file };
  const clocks = moments?.map((each) => clockAt(each, sources));
  const hint = clocks && known !== undefined ? known + readElsewhere(clocks, at, template) : known;
  return {
    ...kind,
    message: `${subject} ${problem}${where}${why}.`,
    template: template.name,
    at,
    ...(hint !== undefined && { hint }),
  };
}

/** The position of code, relative to another position. */
function relativePlace(
  site: SourceRange,
  from: SourceRange | undefined,
  { template, sources }: DescribedComponent,
): string {
  const { line } = positionOfRange(site, sources);
  if (site.file === from?.file && site.file === template.body.file) return `on line ${line}`;
  const file = path.relative(path.dirname(template.body.file), site.file).split(path.sep).join("/");
  return `in ${file}:${line}`;
}

function nameOfFirst(expression: Expression): string | undefined {
  if (expression.kind === "variable") {
    const { names, loop } = expression;
    return nameOfVariable({ names, lists: listsOf(loop) });
  }
  for (const part of operandsOf(expression)) {
    const name = nameOfFirst(part);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The name of a variable; undefined for placeholders of results. */
function nameOfVariable({ names, lists }: VariableName): string | undefined {
  return [...names, ...lists.flat()].some(isComputedKey) ? undefined : nameInLists(names, lists);
}

function listsOf(loop: ListLoop | undefined): (readonly string[])[] {
  return loop ? [...listsOf(loop.list.loop), loop.list.names] : [];
}

export function positionOfRange(site: SourceRange, sources: ModuleSources): SourcePosition {
  const code = sources.get(site.file);
  return { file: site.file, ...(code !== undefined && positionAt(code, site.start)) };
}

/** Code on one line, shortened. */
export function codeAt({ file, start, end }: SourceRange, sources: ModuleSources): string | undefined {
  const code = sources.get(file)?.slice(start, end).replace(/\s+/g, " ");
  return code !== undefined && code.length > MOST_SHOWN ? `${code.slice(0, MOST_SHOWN - 1)}…` : code;
}

function nameInLists(names: readonly string[], lists: readonly (readonly string[])[]): string | undefined {
  const name = written(names);
  const list = lists.length > 0 ? written(lists.at(-1) ?? []) : undefined;
  if (list === undefined) return name || undefined;
  return name === "" ? `an item of ${list}` : `${name} of an item of ${list}`;
}

/** In JavaScript syntax: `items[0].title`, `items.at(-1).name`. */
function written(names: readonly string[]): string {
  const steps = names.map((name) => {
    const index = indexIn(name);
    if (index === undefined) return `.${name === "[length]" ? "length" : name}`;
    return index < 0 ? `.at(${index})` : name;
  });
  return steps.join("").replace(/^\./, "");
}
