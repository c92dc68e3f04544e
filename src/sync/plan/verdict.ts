import type { Standing } from "./standing.js";

/** What to do with a template that both sides have. */
export type Verdict =
  | "unchanged"
  /** The content is the same; only the marker must be written. */
  | "mark"
  | "update"
  | "drifted"
  | "conflict"
  | "unknown"
  | "foreign";

/**
 * Compares three states of one template: what was last applied, the local one, and the service's.
 *
 * @example
 * judge({ owner: "ours", stored: "B", applied: "A", isClean: false }, "A", { hasMarkers: true, isMarked: true }); // "drifted"
 */
export function judge(
  { owner, stored, applied, isClean }: Standing,
  local: string,
  { hasMarkers, isMarked }: { readonly hasMarkers: boolean; readonly isMarked: boolean },
): Verdict {
  if (owner === "others") return "foreign";
  if (stored === local || (isClean && applied === local)) return hasMarkers && !isMarked ? "mark" : "unchanged";
  if (isClean) return "update";
  if (applied === undefined) return "unknown";
  return applied === local ? "drifted" : "conflict";
}
