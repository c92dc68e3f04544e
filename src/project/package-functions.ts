import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PackageExpression } from "../mustache/expression/expression.js";
import { packageKey, packagesIn } from "../mustache/expression/packages.js";
import type { Condition } from "../mustache/variables.js";
import { bundleModule } from "../process/bundle.js";
import { ModuleError } from "../process/module-error.js";
import { createImportResolver, manifestsAbove } from "../process/resolving.js";

/** A function or an object of a package that a template needs. */
interface NeededImport {
  readonly key: string;
  /** The package's file, absolute. */
  readonly file: string;
  readonly name: string;
}

/** The imports that a template's computed values need. */
export interface NeededImports {
  /** By their keys. */
  readonly imports: ReadonlyMap<string, NeededImport>;
  /** How Node.js treats the template's modules: the default export of a CommonJS module depends on it. */
  readonly type: "module" | "commonjs";
}

/**
 * Finds what a template's computed values need of packages, where the template finds it.
 *
 * @param file The template's body.
 * @throws {ModuleError} A package can't be found.
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function neededImports(file: string, conditions: readonly Condition[]): Promise<NeededImports> {
  const packages = packagesIn(conditions);
  const [manifest] = manifestsAbove(file);
  const type = manifest?.type === "module" ? "module" : "commonjs";
  if (packages.length === 0) return { imports: new Map(), type };
  const resolve = await createImportResolver(path.dirname(file));
  const found = packages.map(async (each): Promise<NeededImport> => {
    const resolved = await resolve(each.module, file);
    if (resolved === undefined) throw notFound(each, file);
    return { key: packageKey(each), file: resolved, name: each.name };
  });
  return { imports: new Map((await Promise.all(found)).map((each) => [each.key, each])), type };
}

function notFound({ module }: PackageExpression, file: string): ModuleError {
  const hint = "Install it where the template can import it.";
  return new ModuleError(
    `"${module}" can't be found from the template, whose values are computed with it.`,
    { file },
    { hint },
  );
}

/**
 * Bundles the functions with everything that they need, without unused code, as one expression that runs in Node.js and in
 * browsers: `(Date, Intl) => functions`, as `MakeFunctions` describes it.
 *
 * @throws {ModuleError} A package can't be bundled, such as one that reads files.
 */
export async function functionsCode({ imports, type }: NeededImports): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "lettershop-functions-")));
  try {
    const entry = path.join(folder, "functions.js");
    await writeFile(path.join(folder, "package.json"), JSON.stringify({ type }));
    await writeFile(entry, entryModule(imports, folder));
    const { code } = await bundleModule(entry, { external: [], platform: "browser" });
    return `(Date, Intl) => {"use strict";${code.trim().replace(EXPORT, "return $1;")}}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const EXPORT = /export\s*\{\s*(\S+) as functions\s*\};?\s*$/;

/** A function of an object is read when it is needed, because `dayjs.extend(utc)` may have added it. */
function entryModule(needed: NeededImports["imports"], folder: string): string {
  const imports: string[] = [];
  const members: string[] = [];
  for (const [index, { key, file, name }] of [...needed.values()].entries()) {
    const from = JSON.stringify(importPath(folder, file));
    const [imported = "", ...steps] = name.split(".");
    const local = `import${index}`;
    if (imported === "") imports.push(`import ${from};`);
    else if (imported === "*") imports.push(`import * as ${local} from ${from};`);
    else imports.push(`import { ${imported} as ${local} } from ${from};`);
    const last = steps.pop();
    const object = [local, ...steps].join(".");
    if (last !== undefined) members.push(`get ${JSON.stringify(key)}() { return memberOf(${object}, "${last}"); }`);
    else if (imported !== "") members.push(`${JSON.stringify(key)}: ${local}`);
  }
  const memberOf =
    "const memberOf = (object, name) => typeof object[name] === 'function' ? (...args) => object[name](...args) : object[name];";
  return [...imports, memberOf, `export const functions = { ${members.join(", ")} };`].join("\n");
}

/** Absolute only if it is on another drive of Windows. */
function importPath(folder: string, file: string): string {
  const relative = path.relative(folder, file);
  return path.isAbsolute(relative) ? relative : `./${relative.replaceAll(path.sep, "/")}`;
}
