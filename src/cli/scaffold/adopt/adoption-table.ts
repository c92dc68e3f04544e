import { table } from "../../report/table.js";
import type { Adopted } from "./adopt-folder.js";

/** What became of each file of a folder that was taken over: a template, a part, or nothing, and why. */
export function adoptionTable({ templates, parts, notUnderstood, notTaken }: Adopted): string {
  const images = parts.filter(({ place }) => place.startsWith("_assets/"));
  const others = parts.filter((part) => !images.includes(part));
  return table([
    ["FILE", "BECOMES", "NOTE"],
    ...templates.map(({ file, name, notes }) => [file, `template ${name}`, notes.join("; ")]),
    ...others.map(({ file, place, why }) => [file, `part ${place}`, why]),
    ...(images.length > 0 ? [[counted(images.length, "image"), "_assets", ""]] : []),
    ...notUnderstood.map(({ file, why }) => [file, "not understood", why]),
    ...notTaken.slice(0, NOT_TAKEN_MAX).map(({ file, why }) => [file, "not taken", why]),
    ...(notTaken.length > NOT_TAKEN_MAX
      ? [[counted(notTaken.length - NOT_TAKEN_MAX, "more file"), "not taken", ""]]
      : []),
  ]);
}

/** Files that say nothing about emails: more than these are counted. */
const NOT_TAKEN_MAX = 10;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
