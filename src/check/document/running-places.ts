import type { SourcePosition } from "../../diagnostic.js";

/** Finds where the source has a text: the first time, or the first time after a place. */
export type Find = (written: string, after?: SourcePosition) => SourcePosition | undefined;

/**
 * Finds the parts of a text one after the other, so that what is written twice has two places. Nothing is looked for
 * before it is asked for.
 *
 * @example
 * const next = runningPlaces(find);
 * const light = next(["p {", "p{"]); // line 2
 * const dark = next(["p {", "p{"]); // line 4
 */
export function runningPlaces(find: Find): (spellings: readonly string[]) => () => SourcePosition | undefined {
  const wanted: (readonly string[])[] = [];
  const places: (SourcePosition | undefined)[] = [];
  let before: SourcePosition | undefined;
  return (spellings) => {
    const index = wanted.push(spellings) - 1;
    return () => {
      while (places.length <= index) {
        const at = findAfter(find, wanted[places.length] ?? [], before);
        before = at ?? before;
        places.push(at);
      }
      return places[index];
    };
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
