// How large the sources are: files, lines, files under 40 lines, and files that only one other file imports.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const SMALL = 40;

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "src", "preview"], {
  cwd: root,
  encoding: "utf8",
});
const files = listed.split("\n").filter((file) => /\.(tsx?|mts|css|html)$/.test(file));
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), "utf8")]));

/** @type {Map<string, Set<string>>} */
const importers = new Map(files.map((file) => [file, new Set()]));
for (const [file, text] of texts) {
  for (const [, specifier = ""] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
    const target = path.posix.join(path.posix.dirname(file), specifier).replace(/\.jsx?$/, "");
    const imported = [target, `${target}.ts`, `${target}.tsx`].find((each) => importers.has(each));
    importers.get(imported ?? "")?.add(file);
  }
}

const linesOf = (text) => text.split("\n").length - 1;
/** @type {Map<string, string[]>} */
const areas = new Map();
for (const file of files) {
  const area = file.startsWith("preview/") ? "preview" : file.split("/").slice(0, 2).join("/");
  areas.set(area, [...(areas.get(area) ?? []), file]);
}

const row = (name, members) => ({
  folder: name,
  files: members.length,
  lines: members.reduce((sum, file) => sum + linesOf(texts.get(file) ?? ""), 0),
  [`under ${SMALL} lines`]: members.filter((file) => linesOf(texts.get(file) ?? "") < SMALL).length,
  "one importer": members.filter((file) => importers.get(file)?.size === 1).length,
});
console.table([...[...areas].map(([area, members]) => row(area, members)), row("total", files)]);
