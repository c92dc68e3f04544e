import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../position.js";
import { deriveHint } from "./derive-hint.js";
import type { Rolldown } from "../../modules/rolldown.js";
import type { Template } from "../../template/template.js";
import type { Finding, VariableName } from "./runtime/rendering.js";
import type { Site } from "./runtime/symbolic.js";

/** The sources of a component's own modules, as they were when they were bundled. */
export type Sources = ReadonlyMap<string, string>;

const MOST_SHOWN = 80;

/** Where no line for `derive` can be made of what is written. */
const COMPUTE =
  "Ask the variables that it is made of, one by one; or compute what is wanted in derive (variables.ts), and let the component take that.";

export interface Component {
  readonly template: Template;
  readonly sources: Sources;
  /** The names of what it receives. */
  readonly received: readonly string[];
  /** What the findings' hints let `derive` compute, by its name. */
  readonly taken: Map<string, string>;
  readonly parseSync: Rolldown["parseSync"];
}

/** A finding with its place, in words. */
export function describe({ problem, site, variable, hint, rule }: Finding, component: Component): Diagnostic {
  const { template, sources } = component;
  const source = site && textAt(site, sources);
  const name = variable && nameOf(variable.names, variable.lists);
  const what = source === undefined ? (name ?? "The component") : `\`${shorten(source)}\``;
  const why = name === undefined ? "" : `; ${name} is known only when an email is filled`;
  const todo = hint ?? (site && variable && hintFor(site, variable, component)) ?? (rule ? undefined : COMPUTE);
  const kind = rule
    ? ({ rule, severity: "warning" } as const)
    : ({ rule: "react-unsupported", severity: "error" } as const);
  return {
    ...kind,
    message: `${what} ${problem}${why}.`,
    template: template.name,
    at: (site && positionOf(site, sources)) ?? { file: template.body.file },
    ...(todo !== undefined && { hint: todo }),
  };
}

function hintFor(
  site: Site,
  variable: VariableName,
  { template, sources, received, taken, parseSync }: Component,
): string | undefined {
  const code = sources.get(site.file);
  const hasFile = template.variablesFile !== undefined;
  return code === undefined ? undefined : deriveHint({ site, variable, code, received, hasFile, taken, parseSync });
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

/** As JavaScript has it: `items[0].title`, `items.at(-1).name`. */
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
