import { existsSync, readdirSync, readFileSync } from "node:fs";
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
  const near = nearest(name, dependenciesOf(importer));
  const install = `npm install ${name}`;
  return [
    `The package "${name}" is not installed.`,
    near === undefined || near === name ? `Run: ${install}` : `Did you mean "${near}"? If not, run: ${install}`,
  ];
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

/** The packages that the manifests above a file name. */
function dependenciesOf(importer: string): string[] {
  return foldersAbove(importer).flatMap((folder) => {
    try {
      const manifest: Manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
      return KINDS.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
    } catch {
      // There is none, or none that can be read, which is for others to say.
      return [];
    }
  });
}

const KINDS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;
type Manifest = { readonly [Kind in (typeof KINDS)[number]]?: object };

function isInstalled(importer: string, name: string): boolean {
  return foldersAbove(importer).some((folder) => existsSync(path.join(folder, "node_modules", name, "package.json")));
}

/** From the innermost to the root. */
function foldersAbove(file: string): string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}
