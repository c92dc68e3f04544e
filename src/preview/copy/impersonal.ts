import { pathToFileURL } from "node:url";

/**
 * Takes the folders of the machine out of a finding's texts: who is shown a copy learns nothing of where it was made.
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

/** The folder, and what follows it within; neither a part of an address nor a folder whose name begins alike. */
function folderIn(spelling: string): RegExp {
  return new RegExp(`(?<![\\w./-])${escaped(spelling)}([\\\\/]|(?![\\w.-]))`, "g");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
