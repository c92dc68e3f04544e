import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../position.js";
import { deriveHint } from "./derive-hint.js";
import type { Finding } from "./runtime/rendering.js";
import type { Site } from "./runtime/symbolic.js";

/** The sources of a component's own modules, as they were when they were bundled. */
export type Sources = ReadonlyMap<string, string>;

const MOST_SHOWN = 80;

interface Component {
  /** The template's name. */
  readonly template: string;
  readonly file: string;
  readonly sources: Sources;
}

/** A finding with its place, in words. */
export function describe(
  { problem, site, variable, hint }: Finding,
  { template, file, sources }: Component,
): Diagnostic {
  const source = site && textAt(site, sources);
  const name = variable && nameOf(variable.names, variable.lists);
  const what = source === undefined ? (name ?? "The component") : `\`${shorten(source)}\``;
  const why = name === undefined ? "" : `; ${name} is known only when an email is filled`;
  const todo = hint ?? (variable && deriveHint(source ?? variable.names.join("."), variable));
  return {
    rule: "react-unsupported",
    severity: "error",
    message: `${what} ${problem}${why}.`,
    template,
    at: (site && positionOf(site, sources)) ?? { file },
    ...(todo !== undefined && { hint: todo }),
  };
}

export function positionOf(site: Site, sources: Sources): SourcePosition {
  const code = sources.get(site.file);
  return { file: site.file, ...(code !== undefined && positionAt(code, site.start)) };
}

function textAt({ file, start, end }: Site, sources: Sources): string | undefined {
  return sources.get(file)?.slice(start, end).replace(/\s+/g, " ");
}

function nameOf(names: readonly string[], lists: readonly (readonly string[])[]): string | undefined {
  const name = names.join(".");
  const list = lists.at(-1)?.join(".");
  if (list === undefined) return name || undefined;
  return name === "" ? `an item of ${list}` : `${name} of an item of ${list}`;
}

function shorten(source: string): string {
  return source.length > MOST_SHOWN ? `${source.slice(0, MOST_SHOWN - 1)}…` : source;
}
