import { isObject } from "../../state/json.js";

const LONGEST = 60;

/** A short summary of a value: `Tea · 2 · €4.00`. */
export function summaryOf(value: unknown): string {
  const words = wordsIn(value).filter((word) => word !== "");
  const text = words.slice(0, 4).join(" · ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value))
    return value.length === 0 ? [] : [`${value.length} ${value.length === 1 ? "item" : "items"}`];
  return isObject(value) ? Object.values(value).flatMap((member) => (isObject(member) ? [] : wordsIn(member))) : [];
}
