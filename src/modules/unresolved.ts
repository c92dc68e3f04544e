import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { nearest } from "../text/nearest.js";
import { packageOf } from "./package-boundary.js";

/** A message and a hint. */
type Explanation = readonly [message: string, hint?: string];

/** Why an import doesn't resolve, and how to fix it. */
export function explainMissing(importer: string, specifier: string): Explanation {
  if (specifier.startsWith(".") || path.isAbsolute(specifier)) return explainMissingFile(importer, specifier);
  const name = packageOf(specifier);
  if (!/^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i.test(name)) {
    return [`"${specifier}" can't be found.`, `If it is an alias, define it under "paths" in tsconfig.json.`];
  }
  const folder = installedFolder(importer, name);
  if (folder !== undefined) return explainMissingExport(folder, name, specifier);
  const near = nearest(name, dependenciesOf(importer));
  const install = `npm install ${name}`;
  return [
    `The package "${name}" is not installed.`,
    near === undefined || near === name ? `Run: ${install}` : `Did you mean "${near}"? If not, run: ${install}`,
  ];
}

/** A file that exists but is not a module. */
export function explainUnsupported(specifier: string): Explanation {
  const message = `"${specifier}" can't be imported. Only TypeScript, JavaScript, JSON and CSS can.`;
  if (!/\.(?:png|jpe?g|gif|webp|svg|avif)$/i.test(specifier)) return [message];
  return [message, "Put images into an _assets folder, and use their relative path in src."];
}

function explainMissingFile(importer: string, specifier: string): Explanation {
  const target = path.resolve(path.dirname(importer), specifier);
  const folder = path.dirname(target);
  const message = `"${specifier}" can't be found.`;
  if (!existsSync(folder)) return [message, `The folder ${folder} doesn't exist.`];
  const files = readdirSync(folder);
  const near = nearest(
    path.parse(target).name,
    files.map((file) => path.parse(file).name),
  );
  const file = files.find((each) => path.parse(each).name === near);
  return file === undefined ? [message] : [message, `Did you mean ${file}?`];
}

function explainMissingExport(folder: string, name: string, specifier: string): Explanation {
  const target = exportedFile(folder, `.${specifier.slice(name.length)}`);
  if (target === undefined || existsSync(path.join(folder, target)))
    return [`The package "${name}" does not export "${specifier}".`];
  return [
    `The package "${name}" exports "${specifier}" as ${target}, but that file does not exist.`,
    "If it is a package in your workspace, build it first.",
  ];
}

/** The file that a package.json maps `.` or `./path` to. */
function exportedFile(folder: string, subpath: string): string | undefined {
  const { exports, main } = manifestIn(folder) ?? {};
  if (exports === undefined) return subpath === "." ? main : undefined;
  const entries = typeof exports === "object" && exports !== null ? Object.entries(exports) : [];
  const isMap = entries.some(([key]) => key.startsWith("."));
  for (const [key, target] of isMap ? entries : [[".", exports] as const]) {
    const [start = "", end] = key.split("*");
    const isMatch = end === undefined ? key === subpath : subpath.startsWith(start) && subpath.endsWith(end);
    const file = isMatch ? firstFile(target) : undefined;
    if (file !== undefined) return file.replace("*", subpath.slice(start.length, subpath.length - (end ?? "").length));
  }
  return undefined;
}

/** The first file in a conditional export: `{ "types": …, "import": "./dist/index.js" }`. */
function firstFile(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (typeof target !== "object" || target === null) return undefined;
  const conditions = Object.entries(target).filter(([condition]) => condition !== "types");
  return conditions.map(([, each]) => firstFile(each)).find((file) => file !== undefined);
}

/** The packages listed in the package.json files above a file. */
function dependenciesOf(importer: string): string[] {
  return foldersAbove(importer).flatMap((folder) => {
    const manifest = manifestIn(folder);
    return manifest ? KINDS.flatMap((kind) => Object.keys(manifest[kind] ?? {})) : [];
  });
}

/** Undefined if there is no readable package.json. */
function manifestIn(folder: string): Manifest | undefined {
  try {
    const manifest: Manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    return manifest;
  } catch {
    return undefined;
  }
}

const KINDS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;
type Manifest = { readonly [Kind in (typeof KINDS)[number]]?: object } & {
  readonly main?: string;
  readonly exports?: unknown;
};

function installedFolder(importer: string, name: string): string | undefined {
  return foldersAbove(importer)
    .map((folder) => path.join(folder, "node_modules", name))
    .find((folder) => existsSync(path.join(folder, "package.json")));
}

/** From the innermost to the root. */
function foldersAbove(file: string): string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}
