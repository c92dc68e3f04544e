import { isIterable } from "./types.js";

/** What React prints for a child, before it escapes HTML. */
export function childText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (isIterable(value)) return Array.from(value, childText).join("");
  if (typeof value === "object" && value !== null) throw new TypeError("Objects are not valid as a React child");
  return "";
}
