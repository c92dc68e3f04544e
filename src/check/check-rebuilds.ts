import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import type { PositionedResult } from "../render/compile.js";
import type { CompileContext } from "../render/engine.js";
import { readElsewhere } from "../render/moments.js";
import { type Rebuild, rebuildAll, rebuildWithPositions } from "../render/rebuild.js";
import type { HasPositionedHtml } from "./checked-template.js";
import type { CompileResult, Template } from "../project/template.js";
import { SITE_ATTRIBUTE } from "../text/markup/scan.js";
import { separateDotted } from "../mustache/check-variables.js";
import { restore } from "../mustache/tokens.js";

/** Rebuilds templates with the present or a later clock and the source positions of elements, in the same order. */
type Build = (templates: readonly Template[], clock: "now" | "later") => Promise<readonly Rebuild[]>;

/** Builds with the source positions of elements. */
export function positionedBuild(context: CompileContext): Build {
  return (templates, clock) => rebuildWithPositions(templates, context, clock);
}

/** The result of rebuilding a template, without source positions if recording these changes the HTML. */
export interface CheckedRebuild extends HasPositionedHtml {
  readonly findings: readonly Diagnostic[];
}

/**
 * Rebuilds templates with a clock more than a year ahead and reports differences. The rebuild also records where elements
 * were written. If that is known already, no user code ran, and no rebuild is needed.
 *
 * @param build Builds with positions.
 * @returns One for each result, in the same order.
 */
export async function checkRebuilds(
  results: readonly PositionedResult[],
  context: CompileContext,
  build: Build = positionedBuild(context),
): Promise<CheckedRebuild[]> {
  const checked = new Map<CompileResult, CheckedRebuild>();
  for (const result of results) if (result.sited) checked.set(result, { findings: [], sited: result.sited });
  const ran = results.filter(({ compiled, sited }) => compiled && !sited);
  const later = await compare(ran, build, "later");
  for (const { result, rebuild, difference } of later)
    if (!difference) checked.set(result, { findings: [], sited: rebuild.html });

  const now = await compare(differing(later), build, "now");
  for (const { result, rebuild, difference } of now)
    if (!difference) checked.set(result, { findings: timeFindings(result, later, rebuild), sited: rebuild.html });

  // Perhaps only recording the positions made a difference.
  const plain: Build = (templates, clock) => rebuildAll(templates, context, clock);
  const plainLater = await compare(differing(now), plain, "later");
  for (const { result, rebuild, difference } of await compare(differing(plainLater), plain, "now"))
    checked.set(result, {
      findings: difference ? [notReproducible(result, difference, rebuild)] : timeFindings(result, plainLater),
    });
  return results.map((result) => checked.get(result) ?? { findings: [] });
}

interface Compared {
  readonly result: CompileResult;
  readonly rebuild: Rebuild;
  /** Undefined if both builds are the same. */
  readonly difference: FieldDifference | undefined;
}

async function compare(results: readonly CompileResult[], build: Build, clock: "now" | "later"): Promise<Compared[]> {
  if (results.length === 0) return [];
  const rebuilds = await build(
    results.map(({ template }) => template),
    clock,
  );
  return rebuilds.flatMap((rebuild, index) => {
    const result = results[index];
    return result ? [{ result, rebuild, difference: differenceOf(result, rebuild) }] : [];
  });
}

function differing(compared: readonly Compared[]): CompileResult[] {
  return compared.flatMap(({ result, difference }) => (difference ? [result] : []));
}

function timeFindings(result: CompileResult, later: readonly Compared[], now?: Rebuild): Diagnostic[] {
  const { rebuild, difference } = later.find((each) => each.result === result) ?? {};
  return rebuild && difference ? [timeInBody(result, difference, rebuild, now)] : [];
}

/** For more templates, a second worker takes memory and saves no time. */
const FEW = 3;

/**
 * Starts rebuilding a few components with a later clock while they are compiled, when a second processor is idle.
 *
 * @returns Works like `build`, but uses what was built ahead; undefined if nothing was started.
 */
export function buildAhead(templates: readonly Template[], build: Build): Build | undefined {
  const components = templates.filter(({ engine }) => engine === "react");
  if (components.length === 0 || components.length > FEW) return undefined;
  const built = build(components, "later").then(
    (rebuilds) => new Map<Template, Rebuild | undefined>(components.map((each, index) => [each, rebuilds[index]])),
    // Errors are reported when the templates are compiled, or rebuilt without this.
    () => undefined,
  );
  return async (wanted, clock) => {
    const known = clock === "later" ? await built : undefined;
    const rebuilds = wanted.flatMap((template) => known?.get(template) ?? []);
    return rebuilds.length === wanted.length ? rebuilds : build(wanted, clock);
  };
}

// The text body is derived from the html, or written by hand.
const FIELDS = ["subject", "html_body"] as const;

/** A field that differs between two builds. */
interface FieldDifference {
  readonly field: string;
  /** The text around the first difference. */
  readonly first: string;
  readonly second: string;
}

/** The first difference between two builds; undefined if they are identical, or the first one failed. */
function differenceOf(
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
function notReproducible(
  { template }: CompileResult,
  { field, first, second }: FieldDifference,
  { moments }: Rebuild,
): Diagnostic {
  const at = moments[0] ?? { file: template.body.file };
  return {
    rule: "not-reproducible",
    severity: "error",
    message: `The ${field} differs between two builds: \`${first}\`, then \`${second}\`.`,
    template: template.name,
    at,
    hint: `A template's output must not depend on the time, on random values or on timing. Pass the time as a variable, such as sentAt.${readElsewhere(moments, at, template)}`,
  };
}

/**
 * Reports output that is the same in all builds of today, but not in later ones.
 *
 * @param later The build with a later clock.
 * @param now A build of today with positions, if there is one.
 */
function timeInBody(
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
    hint: `Let the application pass it as a variable, such as sentAt.${readElsewhere(later.moments, at, template)}`,
  };
}

const SITE = new RegExp(` ${SITE_ATTRIBUTE}="(\\d+)"`, "g");

/** The element that contains the difference, or the one before it in its parent. */
function printedAt(now: Rebuild, later: Rebuild): SourcePosition | undefined {
  const html = restore(now.html.text, now.html.tags, "html");
  const before = html.slice(0, firstDifference(html, restore(later.html.text, later.html.tags, "html")));
  const site = Array.from(before.matchAll(SITE)).at(-1)?.[1];
  return now.html.places[Number(site)]?.at;
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
