import type { Condition, VariablesContract } from "../mustache/variables.js";

/** Bounds what a registry collects that is regenerated for many versions, because each of them costs every email time. */
const MOST = 32;

/** As many versions of a template that computes much are kept whole. */
const WHOLE_VERSIONS = 4;

/**
 * The conditions and computed values of earlier versions of a template, which the new version lacks. Applications with the
 * new registry add them too, so that the template that is still deployed stays complete until the new one is synced. They
 * stay in the registry, the newest first; an entry that was not changed keeps those it has.
 *
 * @param before The template's contract in the current registry.
 */
export function formerConditions(
  { conditions }: VariablesContract,
  before: VariablesContract | undefined,
): readonly Condition[] {
  if (!before) return [];
  const known = new Set(conditions.map(placeOf));
  const { conditions: replaced, former = [] } = before;
  return [...replaced, ...former]
    .filter((condition) => known.size < known.add(placeOf(condition)).size)
    .slice(0, Math.max(MOST, WHOLE_VERSIONS * replaced.length, former.length));
}

/** Two values of one name can't be in the same place: the new version's wins. */
function placeOf({ name, within }: Condition): string {
  return JSON.stringify([name, within]);
}
