import type { Diagnostic } from "../diagnostic.js";
import type { PlacedResult } from "../render/compile-placed.js";
import type { SitedHtml } from "../render/source/sites.js";
import type { CompileResult, Template } from "../template/template.js";
import { differenceOf, type FieldDifference, notReproducible, type Rebuild, timeInBody } from "./reproducible.js";

/** Compiles templates once more, with what clock: one for each, in the same order. */
export type Build = (templates: readonly Template[], clock: "now" | "later") => Promise<readonly Rebuild[]>;

export interface RebuildOptions {
  /** Compiles templates once more, so that elements tell where they were written: `compileSited` with its context. */
  readonly compileSited: Build;
  /** Compiles templates once more: `recompile` with its context. */
  readonly recompile: Build;
}

/** What building a template once more tells. */
export interface CheckedRebuild {
  readonly findings: readonly Diagnostic[];
  /** The same html, with where its elements were written; absent where a build that tells that gives another one. */
  readonly sited?: SitedHtml;
}

/**
 * Builds templates once more, more than a year later, and reports what differs; the same build tells where elements
 * were written. Where that is known already, no code of a user was run, and there is nothing to build.
 *
 * @returns One for each result, in the same order.
 */
export async function checkRebuilds(
  results: readonly PlacedResult[],
  { compileSited, recompile }: RebuildOptions,
): Promise<CheckedRebuild[]> {
  const checked = new Map<CompileResult, CheckedRebuild>();
  for (const result of results) if (result.sited) checked.set(result, { findings: [], sited: result.sited });
  const ran = results.filter(({ compiled, sited }) => compiled && !sited);
  const later = await compare(ran, compileSited, "later");
  for (const { result, rebuild } of later.same) checked.set(result, { findings: [], sited: sitedHtml(rebuild) });

  const now = await compare(resultsOf(later.other), compileSited, "now");
  for (const { result, rebuild } of now.same) {
    const findings = later.other.flatMap((found) => (found.result === result ? timeOf(found, rebuild) : []));
    checked.set(result, { findings, sited: sitedHtml(rebuild) });
  }

  // Nothing may be wrong but that telling where elements were written made a difference.
  const plainLater = await compare(resultsOf(now.other), recompile, "later");
  const plainNow = await compare(resultsOf(plainLater.other), recompile, "now");
  const inTime = new Set(plainNow.same.map(({ result }) => result));
  for (const found of plainLater.other)
    if (inTime.has(found.result)) checked.set(found.result, { findings: timeOf(found) });
  for (const { result, rebuild, difference } of plainNow.other)
    checked.set(result, { findings: [notReproducible(result, difference, rebuild)] });
  return results.map((result) => checked.get(result) ?? { findings: [] });
}

interface Same {
  readonly result: CompileResult;
  readonly rebuild: Rebuild;
}

interface Other extends Same {
  readonly difference: FieldDifference;
}

async function compare(
  results: readonly CompileResult[],
  build: Build,
  clock: "now" | "later",
): Promise<{ same: Same[]; other: Other[] }> {
  const same: Same[] = [];
  const other: Other[] = [];
  const templates = results.map(({ template }) => template);
  const rebuilds = templates.length > 0 ? await build(templates, clock) : [];
  for (const [index, rebuild] of rebuilds.entries()) {
    const result = results[index];
    const difference = result && differenceOf(result, rebuild);
    if (difference) other.push({ result, rebuild, difference });
    else if (result) same.push({ result, rebuild });
  }
  return { same, other };
}

function resultsOf(compared: readonly Same[]): CompileResult[] {
  return compared.map(({ result }) => result);
}

function timeOf({ result, rebuild, difference }: Other, now?: Rebuild): Diagnostic[] {
  return [timeInBody(result, difference, rebuild, now)];
}

function sitedHtml({ html, places }: Rebuild): SitedHtml {
  return { ...html, places };
}
