import { asFixtureName } from "../../src/preview/fixture-name.js";

/** An unused fixture name for a copy. */
export function freeName(of: string | undefined, taken: readonly string[]): string {
  const stem = asFixtureName(of ?? "").replace(/-\d+$/, "") || "default";
  if (of === undefined && !taken.includes(stem)) return stem;
  let count = 2;
  while (taken.includes(`${stem}-${count}`)) count += 1;
  return `${stem}-${count}`;
}
