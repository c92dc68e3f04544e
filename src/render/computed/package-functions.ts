import { existsSync, statSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { packageKey, packagesIn, TEXT_OF } from "../../mustache/expression/packages.js";
import type { Condition } from "../../mustache/variables.js";
import { bundleModule } from "../../process/bundle.js";
import { ModuleError } from "../../process/module-error.js";
import { createImportResolver, manifestsAbove } from "../../process/resolving.js";

/** A function, an object or a component of a package that a template needs. */
interface NeededImport {
  readonly key: string;
  /** The package's file, absolute. */
  readonly file: string;
  readonly name: string;
  /** Whether it is a component, so that its HTML is needed. */
  readonly isComponent: boolean;
}

/** The imports that a template's computed values need. */
export interface NeededImports {
  /** By their keys. */
  readonly imports: ReadonlyMap<string, NeededImport>;
  /** How Node.js treats the template's modules: the default export of a CommonJS module depends on it. */
  readonly type: "module" | "commonjs";
  /** Whether HTML is rendered, or turned into text. */
  readonly renders: boolean;
  /** The files of the project's React, absolute, if there are components. */
  readonly react?: ReactFiles | undefined;
}

interface ReactFiles {
  readonly elements: string;
  readonly server: string;
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
  if (packages.length === 0) return { imports: new Map(), type, renders: false };
  const resolve = await createImportResolver(path.dirname(file));
  const find = async (module: string): Promise<string> => {
    const resolved = await resolve(module, file);
    if (resolved === undefined) throw notFound(module, file);
    return resolved;
  };
  const found = packages.map(async (each): Promise<NeededImport> => {
    const { module, name, isComponent = false } = each;
    const key = packageKey(each);
    return { key, file: key === packageKey(TEXT_OF) ? RENDERING : await find(module), name, isComponent };
  });
  const imports = new Map((await Promise.all(found)).map((each) => [each.key, each]));
  const hasComponents = packages.some(({ isComponent }) => isComponent);
  const renders = hasComponents || imports.has(packageKey(TEXT_OF));
  if (!hasComponents) return { imports, type, renders };
  const react = { elements: await find("react"), server: smallest(await find("react-dom/server.browser")) };
  return { imports, type, renders, react };
}

const RENDERING = fileURLToPath(new URL("./rendering-functions.js", import.meta.url));

/** Of React's server, half of the code is for streams. */
function smallest(server: string): string {
  const part = path.join(path.dirname(server), "cjs", "react-dom-server-legacy.browser.production.js");
  return existsSync(part) ? part : server;
}

function notFound(module: string, file: string): ModuleError {
  const hint = "Install it where the template can import it.";
  return new ModuleError(
    `"${module}" can't be found from the template, whose values are computed with it.`,
    { file },
    { hint },
  );
}

/** The newest last. */
const codes = new Map<string, Promise<string>>();
const MOST_CODES = 64;

/**
 * Bundles the functions with everything that they need, without unused code, as one expression that runs in Node.js and in
 * browsers: `(Date, Intl) => functions`, as `MakeFunctions` describes it. Templates often need the same.
 *
 * @throws {ModuleError} A package can't be bundled, such as one that reads files.
 */
export function functionsCode(needed: NeededImports): Promise<string> {
  const imports = Array.from(needed.imports.values(), (each) => [each, installedAt(each.file)]);
  const key = JSON.stringify([needed.type, needed.react, imports]);
  const code = codes.get(key) ?? bundled(needed);
  codes.set(key, code);
  // A package that can't be bundled may be replaced.
  code.catch(() => codes.delete(key));
  const [oldest = key] = codes.keys();
  if (codes.size > MOST_CODES) codes.delete(oldest);
  return code;
}

/** Files of packages keep the time of their publication when they are replaced. */
function installedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ctimeMs;
}

async function bundled(needed: NeededImports): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "lettershop-functions-")));
  try {
    const entry = path.join(folder, "functions.js");
    await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: needed.type }));
    await writeFile(entry, entryModule(needed, folder));
    const { code } = await bundleModule(entry, { external: [], platform: "browser" });
    return `(Date, Intl) => {"use strict";${code.trim().replace(EXPORT, "return $1;")}}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const EXPORT = /export\s*\{\s*(\S+) as functions\s*\};?\s*$/;

function entryModule({ imports, react }: NeededImports, folder: string): string {
  const statements: string[] = [];
  const importFrom = (file: string, clause = ""): void => {
    statements.push(`import ${clause}${JSON.stringify(importPath(folder, file))};`);
  };
  const members = Array.from(imports.values(), (needed, index) => {
    const [imported = ""] = needed.name.split(".");
    const local = `import${index}`;
    if (imported === "") importFrom(needed.file);
    else importFrom(needed.file, imported === "*" ? `* as ${local} from ` : `{ ${imported} as ${local} } from `);
    return memberCode(needed, local);
  });
  if (react) {
    importFrom(react.elements, "{ createElement } from ");
    importFrom(react.server, "{ renderToStaticMarkup } from ");
    importFrom(RENDERING, "{ htmlOf } from ");
  }
  const memberOf =
    "const memberOf = (object, name) => typeof object[name] === 'function' ? (...args) => object[name](...args) : object[name];";
  return [...statements, memberOf, `export const functions = { ${members.join(" ")} };`].join("\n");
}

/** A function of an object is read when it is needed, because `dayjs.extend(utc)` may have added it. */
function memberCode({ key, name, isComponent }: NeededImport, local: string): string {
  const [imported, ...steps] = name.split(".");
  const [quoted, whole] = [JSON.stringify(key), [local, ...steps].join(".")];
  if (isComponent) return `${quoted}: (props) => htmlOf(createElement(${whole}, props), renderToStaticMarkup),`;
  if (imported === "") return "";
  const last = steps.pop();
  if (last === undefined) return `${quoted}: ${local},`;
  return `get ${quoted}() { return memberOf(${[local, ...steps].join(".")}, "${last}"); },`;
}

/** Absolute only if it is on another drive of Windows. */
function importPath(folder: string, file: string): string {
  const relative = path.relative(folder, file);
  return path.isAbsolute(relative) ? relative : `./${relative.replaceAll(path.sep, "/")}`;
}
