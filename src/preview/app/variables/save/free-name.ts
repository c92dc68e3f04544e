import { asFixtureName } from "../../../fixture-name.js";

/** A name for a copy that no fixture has. */
export function freeName(of: string | undefined, taken: readonly string[]): string {
  const stem = asFixtureName(of ?? "").replace(/-\d+$/, "") || "default";
  if (of === undefined && !taken.includes(stem)) return stem;
  let count = 2;
  while (taken.includes(`${stem}-${count}`)) count += 1;
  return `${stem}-${count}`;
}
