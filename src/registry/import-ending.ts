import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/** The settings of a `tsconfig.json` that say how imports are written. */
interface CompilerOptions {
  readonly module?: unknown;
  readonly moduleResolution?: unknown;
  readonly allowImportingTsExtensions?: unknown;
  readonly rewriteRelativeImportExtensions?: unknown;
}

/**
 * What an import ends with that the project writes of one of its own TypeScript files, as its `tsconfig.json` has it:
 * `.js` where Node resolves what is built, and where nothing is said; nothing where a bundler or CommonJS resolves it; `.ts`
 * where the sources are run as they are.
 *
 * @example
 * await readImportEnding("/app/src/templates.gen.ts"); // ".js"
 *
 * @param file Absolute; the nearest `tsconfig.json` above counts.
 */
export async function readImportEnding(file: string): Promise<string> {
  const extension = path.extname(file);
  const options = await nearestOptions(path.dirname(file));
  if (options?.allowImportingTsExtensions === true || options?.rewriteRelativeImportExtensions === true)
    return extension;
  const built = extension.replace("ts", "js");
  const resolution = String(options?.moduleResolution ?? options?.module).toLowerCase();
  if (options === undefined || /^node(?:16|18|20|next)$/.test(resolution)) return built;
  // What an import may leave out is `.ts` alone.
  return extension === ".ts" ? "" : built;
}

async function nearestOptions(folder: string): Promise<CompilerOptions | undefined> {
  const options = await readOptions(path.join(folder, "tsconfig.json"));
  const parent = path.dirname(folder);
  return options ?? (parent === folder ? undefined : nearestOptions(parent));
}

/** With what the file extends. Undefined where it is not there or cannot be read, which compilers will say. */
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
    try {
      const found = require.resolve(name);
      if (found.endsWith(".json")) return found;
    } catch {
      // the next one
    }
  }
  return undefined;
}

interface TsConfig {
  readonly extends?: unknown;
  readonly compilerOptions?: CompilerOptions;
}

async function readJson(file: string): Promise<TsConfig | undefined> {
  try {
    const text = await readFile(file, "utf8");
    const content: unknown = JSON.parse(withoutComments(text));
    return typeof content === "object" && content !== null ? content : undefined;
  } catch {
    return undefined;
  }
}

/** JSON as TypeScript reads it may have comments, and commas behind the last member. */
function withoutComments(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, "$1")
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1");
}
