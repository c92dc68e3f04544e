import { pathToFileURL } from "node:url";

/**
 * Removes local folders from a finding's text, so that a copy does not reveal where it was made.
 *
 * @example
 * impersonal({ "/home/ada/shop": "", "/home/ada": "~" })("/home/ada/shop/templates/receipt has no body");
 * // "templates/receipt has no body"
 */
export function impersonal(folders: Readonly<Record<string, string>>): (text: string) => string {
  const replacements = Object.entries(folders)
    .flatMap(([folder, name]) => spellings(folder).map((spelling) => [folderIn(spelling), name] as const))
    .toSorted(([one], [other]) => other.source.length - one.source.length);
  return (text) =>
    replacements.reduce(
      (cleaned, [folder, name]) =>
        cleaned.replace(folder, (_whole, slash: string) => (name === "" ? (slash === "" ? "." : "") : name + slash)),
      text,
    );
}

function spellings(folder: string): string[] {
  return [...new Set([pathToFileURL(folder).href, folder, folder.replaceAll("\\", "/")])];
}

/** Matches the folder and the separator after it, but not inside a URL or a longer folder name. */
function folderIn(spelling: string): RegExp {
  return new RegExp(`(?<![\\w./-])${escaped(spelling)}([\\\\/]|(?![\\w.-]))`, "g");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
