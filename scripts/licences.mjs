// The licences of bundled packages must be distributed with them.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The folders of the packages that contain these modules. */
export function packagesOf(moduleIds) {
  const folders = moduleIds.map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

/** Packages whose licences differ only in the copyright holder share one copy of the text, which follows their names. */
export async function licencesOf(folders) {
  const licences = new Map();
  for (const folder of [...new Set(folders)].toSorted((a, b) => (a < b ? -1 : 1))) {
    const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? "" : await readFile(path.join(folder, file), "utf8");
    const isHolder = (line) => /^\s*(?:copyright\b(?! (?:notice|holders?)\b)|\(c\)|©)/i.test(line);
    const isTitle = (line) => /^\s*\(?(?:the )?mit license(?: \(mit\))?\)?\s*$/i.test(line);
    const lines = text.trim().split(/\r?\n/);
    const terms = lines
      .filter((line) => !isHolder(line) && !isTitle(line))
      .join("\n")
      .trim();
    const key = terms.replace(/\s+/g, " ");
    const licence = licences.get(key) ?? { terms, packages: [] };
    licence.packages.push([
      `${name} ${version} (${license})`,
      ...lines.filter(isHolder).map((line) => `  ${line.trim()}`),
    ]);
    licences.set(key, licence);
  }
  const parts = [...licences.values()].map(({ terms, packages }) => `${packages.flat().join("\n")}\n\n${terms}\n`);
  return parts.join(`\n${"-".repeat(80)}\n\n`);
}
