import { isWithin } from "../../../files.js";
import type { Template } from "../../../project/template.js";
import type { Computation, Expression } from "../runtime/expression.js";
import { DerivedVariables, type DerivedOptions, type Substitution } from "./derived-variables.js";
import type { SourceEdit } from "./edits.js";
import { usesLocalTime } from "./print-expression.js";

/** Computed values with the places where a component reads them instead of computing them. */
export interface PlacedValues {
  readonly derived: DerivedVariables;
  readonly edits: readonly SourceEdit[];
  /** The others, with the reason why. */
  readonly left: ReadonlyMap<Computation, string>;
}

/** Places all values that only need changes to the template's own files: other templates may use other modules. */
export function placeValues({ folder }: Template, { computations, ...options }: DerivedOptions): PlacedValues {
  const left = new Map<Computation, string>();
  for (;;) {
    const remaining = computations.filter((computation) => !left.has(computation));
    const derived = new DerivedVariables({ ...options, computations: remaining });
    const placed = new Map(remaining.map((computation) => [computation, derived.substitute(computation)]));
    const shared = new Set([...sharedSites(placed), ...[...left.keys()].map(siteKey)]);
    const reasonFor = (computation: Computation): string | undefined => {
      const { expression, layout, hasEffect, isOfLoop } = computation;
      const place = placed.get(computation);
      if (isObject(expression)) return "it is an object, which no variable can be";
      if (hasEffect) return "its code also changes a value that other code has";
      if (isOfLoop) return "a loop computes it item by item";
      if (layout) return "it is HTML, of which the text body has the text";
      if (usesLocalTime(expression)) return "derive would compute it in the time zone of the machine";
      if (!place) return "a derived variable can't be read there";
      if (shared.has(siteKey(computation))) return "the same code also computes with other variables";
      const isOwn = place.edits.every(({ file }) => isWithin(folder, file));
      return isOwn ? undefined : "other templates may use the module that it is in";
    };
    const reasons = remaining.flatMap((computation) => {
      const reason = reasonFor(computation);
      return reason === undefined ? [] : [[computation, reason] as const];
    });
    // Without these, others may have no place or another one.
    if (reasons.length === 0)
      return { derived, edits: [...placed.values()].flatMap((place) => place?.edits ?? []), left };
    for (const [computation, reason] of reasons) left.set(computation, reason);
  }
}

function isObject(expression: Expression): boolean {
  if (expression.kind === "change") return isObject(expression.of);
  return expression.kind === "call" && expression.isNew === true;
}

/** Code that computes with several variables, so that no single name can replace it wherever it is used. */
function sharedSites(placed: ReadonlyMap<Computation, Substitution | undefined>): Set<string> {
  const sites = new Map<string, (Substitution | undefined)[]>();
  for (const [computation, place] of placed) {
    const key = siteKey(computation);
    sites.set(key, [...(sites.get(key) ?? []), place]);
  }
  const isShared = (places: readonly (Substitution | undefined)[]): boolean =>
    new Set(places.map((place) => place?.text)).size > 1 || !isServed(places.flatMap((place) => place?.uses ?? []));
  return new Set([...sites].filter(([, places]) => isShared(places)).map(([key]) => key));
}

/** Whether a function receives exactly one result at each place where it is used. */
function isServed(uses: readonly NonNullable<Substitution["uses"]>[]): boolean {
  const served = new Map<string, string>();
  for (const [place, text] of uses.flatMap((use) => use.served)) {
    if ((served.get(place) ?? text) !== text) return false;
    served.set(place, text);
  }
  return uses.every(({ all }) => all.every((place) => served.has(place)));
}

function siteKey({ site }: Computation): string {
  return site ? `${site.file}:${site.start}:${site.end}` : "";
}
