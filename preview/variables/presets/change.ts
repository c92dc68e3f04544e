import type { Path } from "../path.js";

/** Member names. All items of a list share one place. */
export type Place = readonly string[];

/** One change that a preset makes, in all items of a list alike. */
export interface Change {
  readonly kind: "text" | "count" | "absence";
  readonly place: Place;
}

export function keyOfChange({ kind, place }: Change): string {
  return JSON.stringify([kind, ...place]);
}

export function placeOf(path: Path): Place {
  return path.map((step) => (typeof step === "number" ? "*" : step));
}

/**
 * The changes that may have caused a problem at a place: those at the place itself, otherwise inside it, otherwise
 * around it.
 */
export function changesAt(place: Place, changes: readonly Change[]): readonly Change[] {
  const own = changes.filter((change) => change.place.length === place.length && begins(change.place, place));
  if (own.length > 0) return own;
  const within = changes.filter((change) => begins(change.place, place));
  if (within.length > 0) return within;
  const around = changes.filter((change) => begins(place, change.place));
  const nearest = Math.max(...around.map((change) => change.place.length));
  return around.filter((change) => change.place.length === nearest);
}

function begins(place: Place, beginning: Place): boolean {
  return beginning.every((step, index) => place[index] === step);
}
