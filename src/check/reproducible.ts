import path from "node:path";
import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import { SITE_ATTRIBUTE } from "../text/markup/scan.js";
import { separateDotted } from "../mustache/check-variables.js";
import { restore } from "../mustache/tokens.js";
import type { Rebuild } from "../render/rebuild.js";
import type { CompileResult, Template } from "../project/template.js";

// The text body is derived from the html, or written by hand.
const FIELDS = ["subject", "html_body"] as const;

/** A field that differs between two builds. */
export interface FieldDifference {
  readonly field: string;
  /** The text around the first difference. */
  readonly first: string;
  readonly second: string;
}

/** The first difference between two builds; undefined if they are identical, or the first one failed. */
export function differenceOf(
  { compiled: first, template }: CompileResult,
  { fields, error = "an error" }: Rebuild,
): FieldDifference | undefined {
  if (!first) return undefined;
  if (!fields) return { field: "result", first: "compiled", second: error };
  const { contract } = first;
  for (const field of FIELDS) {
    const second = template.metadata.verbatim ? fields[field] : separateDotted(fields[field], contract);
    if (first[field] !== second) return { field, ...excerpts(first[field], second) };
  }
  return undefined;
}

/** Invariant 8: two builds of the same files are identical, byte for byte. */
export function notReproducible(
  { template }: CompileResult,
  { field, first, second }: FieldDifference,
  { moments }: Rebuild,
): Diagnostic {
  const at = moments[0] ?? { file: template.body.file };
  return {
    rule: "not-reproducible",
    severity: "error",
    message: `Two builds give a different ${field}: \`${first}\`, then \`${second}\`.`,
    template: template.name,
    at,
    hint: `A template's output must not depend on the time, on random values or on timing.${readElsewhere(moments, at, template)}`,
  };
}

/**
 * Reports output that is the same in all builds of today, but not in later ones.
 *
 * @param later The build with a later clock.
 * @param now A build of today with positions, if there is one.
 */
export function timeInBody(
  { template }: CompileResult,
  { field, first, second }: FieldDifference,
  later: Rebuild,
  now?: Rebuild,
): Diagnostic {
  const printed = now && field === "html_body" ? printedAt(now, later) : undefined;
  const at = printed ?? later.moments[0] ?? { file: template.body.file };
  return {
    rule: "time-in-body",
    severity: "warning",
    message: `The ${field === "subject" ? "subject" : "html body"} contains the time of the build: \`${first}\` today, \`${second}\` in a later build.`,
    template: template.name,
    at,
    hint: `Let the application pass it as a variable.${readElsewhere(later.moments, at, template)}`,
  };
}

const SITE = new RegExp(` ${SITE_ATTRIBUTE}="(\\d+)"`, "g");

/** The element that contains the difference, or the one before it in its parent. */
function printedAt(now: Rebuild, later: Rebuild): SourcePosition | undefined {
  const html = restore(now.html.text, now.html.tags, "html");
  const before = html.slice(0, firstDifference(html, restore(later.html.text, later.html.tags, "html")));
  const site = Array.from(before.matchAll(SITE)).at(-1)?.[1];
  return now.places[Number(site)]?.at;
}

/** Where else the code reads the time or a random value. */
function readElsewhere(moments: readonly SourcePosition[], at: SourcePosition, { root }: Template): string {
  const others = moments.filter(({ file, line }) => file !== at.file || line !== at.line);
  if (others.length === 0) return "";
  const places = others.map(({ file, line }) =>
    file === at.file ? `line ${line}` : `${path.relative(root, file)}:${line}`,
  );
  return ` The code reads the time or a random value in ${[...new Set(places)].join(", ")}.`;
}

/** Characters on each side of a difference. */
const AROUND = 40;

/** The text around the first difference, within its element. */
function excerpts(first: string, second: string): { readonly first: string; readonly second: string } {
  const start = firstDifference(first, second);
  const excerpt = (text: string): string => {
    const end = text.indexOf("<", start + 1);
    const from = Math.max(text.lastIndexOf(">", start - 1) + 1, start - AROUND);
    const cut = text.slice(from, Math.min(end < 0 ? text.length : end, start + AROUND));
    // Without incomplete tags at its ends.
    return cut.replace(/^[^{}]*\}\}|\{\{[^{}]*$/g, "");
  };
  return { first: excerpt(first), second: excerpt(second) };
}

function firstDifference(first: string, second: string): number {
  let start = 0;
  while (start < first.length && first[start] === second[start]) start += 1;
  return start;
}
