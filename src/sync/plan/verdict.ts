import type { Standing } from "./standing.js";

/** What is to happen to a template that both sides have. */
export type Verdict =
  | "unchanged"
  /** The content is the same; only the marker has to be written. */
  | "mark"
  | "update"
  | "drifted"
  | "conflict"
  | "unknown"
  | "foreign";

/**
 * Compares three states of one template: what was last applied, what is here, and what the service has.
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
