import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { attempt, upwards } from "../files.js";
import { isRecord } from "../values.js";

/** The `tsconfig.json` settings that affect how imports are written. */
interface CompilerOptions {
  readonly module?: unknown;
  readonly moduleResolution?: unknown;
  readonly allowImportingTsExtensions?: unknown;
  readonly rewriteRelativeImportExtensions?: unknown;
}

/**
 * The ending of imports of the project's own TypeScript files, according to its `tsconfig.json`: `.js` if Node resolves the
 * build output, and by default; none if a bundler or CommonJS resolves them; `.ts` if the sources run
 * directly.
 *
 * @param file Absolute; the nearest `tsconfig.json` above it counts.
 */
export async function readImportEnding(file: string): Promise<string> {
  const extension = path.extname(file);
  const options = await nearestOptions(path.dirname(file));
  if (options?.allowImportingTsExtensions === true || options?.rewriteRelativeImportExtensions === true)
    return extension;
  const builtExtension = extension.replace("ts", "js");
  const resolution = String(options?.moduleResolution ?? options?.module).toLowerCase();
  if (options === undefined || /^node(?:16|18|20|next)$/.test(resolution)) return builtExtension;
  // Only `.ts` may be omitted in imports.
  return extension === ".ts" ? "" : builtExtension;
}

async function nearestOptions(start: string): Promise<CompilerOptions | undefined> {
  for (const folder of upwards(start)) {
    const options = await readOptions(path.join(folder, "tsconfig.json"));
    if (options) return options;
  }
  return undefined;
}

/** Includes the settings that the file extends. Undefined if it doesn't exist or can't be read; compilers report that. */
async function readOptions(file: string, seen: readonly string[] = []): Promise<CompilerOptions | undefined> {
  const content = seen.includes(file) ? undefined : await readJson(file);
  if (content === undefined) return undefined;
  const { extends: base, compilerOptions } = content;
  const bases = [base].flat().filter((each) => typeof each === "string");
  const inherited = await Promise.all(
    bases.map((each) => readOptions(resolveBase(each, file) ?? file, [...seen, file])),
  );
  return Object.assign({}, ...inherited, compilerOptions);
}

function resolveBase(base: string, from: string): string | undefined {
  const require = createRequire(from);
  for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    const resolved = attempt(() => require.resolve(name));
    if (resolved?.endsWith(".json")) return resolved;
  }
  return undefined;
}

interface TsConfig {
  readonly extends?: unknown;
  readonly compilerOptions?: CompilerOptions;
}

async function readJson(file: string): Promise<TsConfig | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const content: unknown = attempt(() => JSON.parse(withoutComments(text)));
  return isRecord(content) ? content : undefined;
}

/** TypeScript's JSON allows comments and trailing commas. */
function withoutComments(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, "$1")
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1");
}
