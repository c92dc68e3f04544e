import path from "node:path";

/** A file's path as the page shows it. */
export type ShownPath = (file: string) => string;

/**
 * Paths relative to a folder, with `/` on every system.
 *
 * @example
 * shownFrom("/app")("/app/templates/hi.html"); // "templates/hi.html"
 */
export function shownFrom(folder: string): ShownPath {
  const known = new Map<string, string>();
  return (file) => {
    const shown = known.get(file) ?? path.relative(folder, file).replaceAll(path.sep, "/");
    known.set(file, shown);
    return shown;
  };
}
