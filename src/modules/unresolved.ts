import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { nearest } from "../nearest.js";
import { packageOf } from "./package-boundary.js";

/** A message and a hint. */
type Explanation = readonly [message: string, hint?: string];

/** Why an import leads nowhere, and what to do about it. */
export function explainMissing(importer: string, specifier: string): Explanation {
  if (specifier.startsWith(".") || path.isAbsolute(specifier)) return explainMissingFile(importer, specifier);
  const name = packageOf(specifier);
  if (!/^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i.test(name)) {
    return [`"${specifier}" cannot be found.`, `If it is an alias, define it under "paths" in tsconfig.json.`];
  }
  if (isInstalled(importer, name)) return [`The package "${name}" does not export "${specifier}".`];
  return [`The package "${name}" is not installed.`, `Run: npm install ${name}`];
}

/** A file that is there and is not a module. */
export function explainUnsupported(specifier: string): Explanation {
  const message = `"${specifier}" cannot be imported: only TypeScript, JavaScript, JSON and CSS can.`;
  if (!/\.(?:png|jpe?g|gif|webp|svg|avif)$/i.test(specifier)) return [message];
  return [message, "Put images into an _assets folder, and name them in src by their relative path."];
}

function explainMissingFile(importer: string, specifier: string): Explanation {
  const target = path.resolve(path.dirname(importer), specifier);
  const folder = path.dirname(target);
  const message = `"${specifier}" cannot be found.`;
  if (!existsSync(folder)) return [message, `There is no folder ${folder}.`];
  const files = readdirSync(folder);
  const near = nearest(
    path.parse(target).name,
    files.map((file) => path.parse(file).name),
  );
  const file = files.find((each) => path.parse(each).name === near);
  return file === undefined ? [message] : [message, `Did you mean ${file}?`];
}

function isInstalled(importer: string, name: string): boolean {
  for (let folder = path.dirname(importer); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "node_modules", name, "package.json"))) return true;
    if (folder === path.dirname(folder)) return false;
  }
}
