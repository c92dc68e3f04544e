import path from "node:path";
import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../text/position.js";
import type { Template } from "../../project/template.js";
import { isKey } from "./runtime/computations.js";
import { type Expression, type ListLoop, partsOf } from "./runtime/expression.js";
import type { Finding, VariableName } from "./runtime/rendering.js";
import type { Site } from "./runtime/symbolic.js";
import type { Sources } from "./component-bundles.js";

const MOST_SHOWN = 80;

/** Used if no line for `derive` can be generated. */
const COMPUTE =
  "Test its variables one by one, or compute the result in derive (variables.ts), and use that in the component.";

const RESULT = "Compute it in derive (variables.ts), and use the result here.";

export interface Component {
  readonly template: Template;
  readonly sources: Sources;
  /** How to fix something that `derive` can compute. */
  readonly hintFor: (finding: Finding) => string | undefined;
}

/** Turns a finding into a diagnostic with a position. */
export function describe(finding: Finding, component: Component): Diagnostic {
  const { problem, site, calls = [], variable, computation, rule } = finding;
  const { template, sources } = component;
  const source = site && textAt(site, sources);
  const name = variable ? nameOfVariable(variable) : computation && nameOfFirst(computation.expression);
  const what = source === undefined ? (name ?? "The component") : `\`${shorten(source)}\``;
  const why = name === undefined ? "" : `; ${name} is only known when an email is filled`;
  // If a shared function does it, the template's line that calls the function is the place to look at.
  const call =
    site?.file === template.body.file ? undefined : calls.findLast(({ file }) => file === template.body.file);
  const within = call ? site : computation?.within;
  const where = within ? ` (${placeOf(within, site, component)})` : "";
  const calling = call && textAt(call, sources);
  const subject = calling === undefined ? what : `\`${shorten(calling)}\` runs ${what}, which`;
  const hint = finding.hint ?? component.hintFor(finding) ?? (rule ? undefined : variable ? RESULT : COMPUTE);
  const kind = rule
    ? ({ rule, severity: "warning" } as const)
    : ({ rule: "react-unsupported", severity: "error" } as const);
  const at = call ?? site;
  return {
    ...kind,
    message: `${subject} ${problem}${where}${why}.`,
    template: template.name,
    at: (at && positionOf(at, sources)) ?? { file: template.body.file },
    ...(hint !== undefined && { hint: hint }),
  };
}

/** The position of code, relative to another position. */
function placeOf(site: Site, from: Site | undefined, { template, sources }: Component): string {
  const { line } = positionOf(site, sources);
  if (site.file === from?.file && site.file === template.body.file) return `on line ${line}`;
  const file = path.relative(path.dirname(template.body.file), site.file).split(path.sep).join("/");
  return `in ${file}:${line}`;
}

/** The first variable in a computation. */
function nameOfFirst(expression: Expression): string | undefined {
  if (expression.kind === "variable") {
    const { names, loop } = expression;
    return nameOfVariable({ names, lists: listsOf(loop) });
  }
  for (const part of partsOf(expression)) {
    const name = nameOfFirst(part);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The name of a variable; undefined for placeholders of results. */
function nameOfVariable({ names, lists }: VariableName): string | undefined {
  return [...names, ...lists.flat()].some(isKey) ? undefined : nameOf(names, lists);
}

function listsOf(loop: ListLoop | undefined): (readonly string[])[] {
  return loop ? [...listsOf(loop.list.loop), loop.list.names] : [];
}

export function positionOf(site: Site, sources: Sources): SourcePosition {
  const code = sources.get(site.file);
  return { file: site.file, ...(code !== undefined && positionAt(code, site.start)) };
}

function textAt({ file, start, end }: Site, sources: Sources): string | undefined {
  return sources.get(file)?.slice(start, end).replace(/\s+/g, " ");
}

function nameOf(names: readonly string[], lists: readonly (readonly string[])[]): string | undefined {
  const name = written(names);
  const list = lists.length > 0 ? written(lists.at(-1) ?? []) : undefined;
  if (list === undefined) return name || undefined;
  return name === "" ? `an item of ${list}` : `${name} of an item of ${list}`;
}

/** In JavaScript syntax: `items[0].title`, `items.at(-1).name`. */
function written(names: readonly string[]): string {
  return names
    .map((name) =>
      name.startsWith("[-") ? `.at(${name.slice(1, -1)})` : /^\[\d/.test(name) ? name : `.${unbracketed(name)}`,
    )
    .join("")
    .replace(/^\./, "");
}

/** `[length]` */
function unbracketed(name: string): string {
  return name.replace(/^\[|\]$/g, "");
}

function shorten(source: string): string {
  return source.length > MOST_SHOWN ? `${source.slice(0, MOST_SHOWN - 1)}…` : source;
}
