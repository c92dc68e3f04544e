import path from "node:path";
import { bundleModule } from "./bundle.js";
import type { ModuleHost, Task } from "./host.js";
import { ModuleError } from "./module-error.js";
import type { awaitReading, readDefaultExport } from "./read-default-task.js";
import { readFile } from "node:fs/promises";
import { type ESTree, loadRolldown } from "./rolldown.js";

const module = new URL("./read-default-task.js", import.meta.url);
const READ_DEFAULT: Task<typeof readDefaultExport> = { module, name: "readDefaultExport" };
const AWAIT_READING: Task<typeof awaitReading> = { module, name: "awaitReading" };

/** A module's default export, as data. */
export interface DefaultValue {
  readonly value: unknown;
  /** Own modules that it was made from, and files that these read, absolute. */
  readonly sources: readonly string[];
  /** Names of the environment variables that they read. */
  readonly environment: readonly string[];
}

/** Starts the worker while this thread still loads what `readDefault` needs. Errors are reported by `readDefault`. */
export async function prepareReading(host: ModuleHost): Promise<void> {
  await host.run(AWAIT_READING, undefined).catch(() => {});
}

/**
 * Reads a module's default export as data, for configuration files.
 *
 * @throws {ModuleError} It can't be loaded, or its export is not data (contains a function, for instance).
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function readDefault(host: ModuleHost, file: string): Promise<DefaultValue> {
  const bundle = await bundleModule(file);
  const output = await host.run(READ_DEFAULT, bundle);
  const name = path.basename(file);
  if (output.kind === "value") {
    const { environment, files } = output.reads;
    return {
      value: output.value,
      sources: [...bundle.sources, ...files],
      environment: environment.map((read) => read.name),
    };
  }
  throw new ModuleError(
    output.kind === "missing"
      ? `${name} has no default export.`
      : `${name} exports something that is not data: ${output.reason}`,
    { file },
  );
}

/** A function that returns its argument, and the module that exports it. */
interface Wrapper {
  readonly name: string;
  readonly from: string;
}

/**
 * Reads a module's default export from its source: most configurations are plain data, so running them is unnecessary.
 *
 * @example
 * // import { defineConfig } from "lettershop/config";
 * // export default defineConfig({ locale: "de-CH" });
 * await readPlainDefault(file, { name: "defineConfig", from: "lettershop/config" }); // { value: { locale: "de-CH" } }
 *
 * @returns Undefined if it is anything else; run it to get its value or its errors.
 */
export async function readPlainDefault(
  file: string,
  wrapper: Wrapper,
): Promise<Pick<DefaultValue, "value"> | undefined> {
  const code = await readFile(file, "utf8").catch(() => undefined);
  if (code === undefined) return undefined;
  const { parseSync } = await loadRolldown(`loading ${path.basename(file)}`);
  const { program, errors } = parseSync(file, code);
  const [exported, ...others] = program.body.filter(({ type }) => type !== "ImportDeclaration");
  if (errors.length > 0 || exported?.type !== "ExportDefaultDeclaration" || others.length > 0) return undefined;
  const wrapped = new Set<string>();
  for (const statement of program.body) {
    if (statement.type !== "ImportDeclaration" || statement.importKind === "type") continue;
    if (statement.source.value !== wrapper.from) return undefined;
    for (const each of statement.specifiers)
      if (each.type === "ImportSpecifier" && nameOf(each.imported) === wrapper.name) wrapped.add(each.local.name);
  }
  try {
    return { value: valueOf(unwrapped(exported.declaration, wrapped)) };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class NotPlain extends Error {}

type Node = ESTree.ExportDefaultDeclaration["declaration"] | ESTree.Expression;

function unwrapped(node: Node, wrapped: ReadonlySet<string>): Node {
  const called = withoutTypes(node);
  if (called.type !== "CallExpression") return called;
  const [argument, ...others] = called.arguments;
  if (called.callee.type !== "Identifier" || !wrapped.has(called.callee.name)) throw new NotPlain();
  if (argument === undefined || argument.type === "SpreadElement" || others.length > 0) throw new NotPlain();
  return argument;
}

/** @throws {NotPlain} The module must be run. */
function valueOf(typed: Node): unknown {
  const node = withoutTypes(typed);
  if (node.type === "Literal" && !("regex" in node) && !("bigint" in node)) return node.value;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0]?.value.cooked;
  if (node.type === "ArrayExpression") return node.elements.map(elementOf);
  if (node.type === "ObjectExpression") return Object.fromEntries(node.properties.map(entryOf));
  if (node.type === "UnaryExpression" && node.operator === "-") {
    const value = valueOf(node.argument);
    if (typeof value === "number") return -value;
  }
  throw new NotPlain();
}

function elementOf(element: ESTree.ArrayExpression["elements"][number]): unknown {
  if (element === null || element.type === "SpreadElement") throw new NotPlain();
  return valueOf(element);
}

function entryOf(property: ESTree.ObjectProperty | ESTree.SpreadElement): [string, unknown] {
  if (property.type === "SpreadElement" || property.kind !== "init" || property.computed) throw new NotPlain();
  const name = nameOf(property.key);
  if (property.method || property.shorthand || name === "__proto__") throw new NotPlain();
  return [name, valueOf(property.value)];
}

function nameOf(node: { readonly type: string }): string {
  if (node.type === "Identifier" && "name" in node) return String(node.name);
  if (node.type === "Literal" && "value" in node && typeof node.value === "string") return node.value;
  throw new NotPlain();
}

function withoutTypes(node: Node): Node {
  const hasTypes = node.type === "TSSatisfiesExpression" || node.type === "TSAsExpression";
  return hasTypes || node.type === "ParenthesizedExpression" ? withoutTypes(node.expression) : node;
}
