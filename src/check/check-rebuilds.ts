import type { Diagnostic } from "../diagnostic.js";
import type { PositionedResult } from "../render/compile.js";
import type { Rebuild } from "../render/rebuild.js";
import type { PositionedHtml } from "../render/source/sites.js";
import type { CompileResult, Template } from "../project/template.js";
import { differenceOf, type FieldDifference, notReproducible, timeInBody } from "./reproducible.js";

/** Rebuilds templates with the present or a later clock, in the same order. */
export type Build = (templates: readonly Template[], clock: "now" | "later") => Promise<readonly Rebuild[]>;

export interface RebuildOptions {
  /** Rebuilds templates with the source positions of elements: `rebuildWithPositions` with its context. */
  readonly rebuildWithPositions: Build;
  /** Rebuilds templates without positions: `rebuildAll` with its context. */
  readonly recompile: Build;
}

/** The result of rebuilding a template. */
export interface CheckedRebuild {
  readonly findings: readonly Diagnostic[];
  /** The html with source positions; absent if recording these changes the html. */
  readonly sited?: PositionedHtml;
}

/**
 * Rebuilds templates with a clock more than a year ahead and reports differences. The rebuild also records where elements
 * were written. If that is known already, no user code ran, and no rebuild is needed.
 *
 * @returns One for each result, in the same order.
 */
export async function checkRebuilds(
  results: readonly PositionedResult[],
  { rebuildWithPositions, recompile }: RebuildOptions,
): Promise<CheckedRebuild[]> {
  const checked = new Map<CompileResult, CheckedRebuild>();
  for (const result of results) if (result.sited) checked.set(result, { findings: [], sited: result.sited });
  const ran = results.filter(({ compiled, sited }) => compiled && !sited);
  const later = await compare(ran, rebuildWithPositions, "later");
  for (const { result, rebuild, difference } of later)
    if (!difference) checked.set(result, { findings: [], sited: sitedHtml(rebuild) });

  const now = await compare(differing(later), rebuildWithPositions, "now");
  for (const { result, rebuild, difference } of now)
    if (!difference) checked.set(result, { findings: timeFindings(result, later, rebuild), sited: sitedHtml(rebuild) });

  // Perhaps only recording the positions made a difference.
  const plainLater = await compare(differing(now), recompile, "later");
  for (const { result, rebuild, difference } of await compare(differing(plainLater), recompile, "now"))
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

function sitedHtml({ html, places }: Rebuild): PositionedHtml {
  return { ...html, places };
}
