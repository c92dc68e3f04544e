import { table } from "../../report/table.js";
import type { Adopted } from "./adopt-folder.js";

/** What became of each file of a folder that was taken over: a template, a part, or nothing, and why. */
export function adoptionTable({ templates, parts, notUnderstood, left }: Adopted): string {
  const images = parts.filter(({ place }) => place.startsWith("_assets/"));
  const others = parts.filter((part) => !images.includes(part));
  return table([
    ["FILE", "BECOMES", "NOTE"],
    ...templates.map(({ file, name, notes }) => [file, `template ${name}`, notes.join("; ")]),
    ...others.map(({ file, place, why }) => [file, `part ${place}`, why]),
    ...(images.length > 0 ? [[counted(images.length, "image"), "_assets", ""]] : []),
    ...notUnderstood.map(({ file, why }) => [file, "not understood", why]),
    ...left.slice(0, LEFT_MAX).map(({ file, why }) => [file, "not taken", why]),
    ...(left.length > LEFT_MAX ? [[counted(left.length - LEFT_MAX, "more file"), "not taken", ""]] : []),
  ]);
}

/** Files that say nothing about emails: more than these are counted. */
const LEFT_MAX = 10;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
