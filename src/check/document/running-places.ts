import type { SourcePosition } from "../../diagnostic.js";

/** Finds where the source has a text: the first time, or the first time after a place. */
export type Find = (written: string, after?: SourcePosition) => SourcePosition | undefined;

/**
 * Finds the parts of a text one after the other, so that what is written twice has two places. Nothing is looked for
 * before it is asked for.
 *
 * @param wanted How the source can spell each part, in their order.
 * @example
 * const placeOf = runningPlaces(find, [["p {", "p{"], ["p {", "p{"]]);
 * placeOf(0); // line 2
 * placeOf(1); // line 4
 */
export function runningPlaces(
  find: Find,
  wanted: readonly (readonly string[])[],
): (index: number) => SourcePosition | undefined {
  const places: (SourcePosition | undefined)[] = [];
  let before: SourcePosition | undefined;
  return (index) => {
    while (places.length <= index) {
      const at = findAfter(find, wanted[places.length] ?? [], before);
      before = at ?? before;
      places.push(at);
    }
    return places[index];
  };
}

function findAfter(find: Find, spellings: readonly string[], previous?: SourcePosition): SourcePosition | undefined {
  const after = previous && { ...previous, column: (previous.column ?? 0) + 1 };
  const tries = [...(after ? [after] : []), undefined];
  for (const from of tries) {
    const [first] = spellings.flatMap((written) => find(written, from) ?? []).toSorted(byPlace);
    if (first) return first;
  }
  return undefined;
}

function byPlace(a: SourcePosition, b: SourcePosition): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
