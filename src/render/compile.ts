import type { CacheKey } from "../cache/cache.js";
import type { CompileResult, Template } from "../template/template.js";
import type { CompileContext } from "./engine.js";

/**
 * Compiles templates to Mustache. What is wrong with one is in its own result, and hides no other.
 *
 * @example
 * const results = await compileAll(templates, { host, folder: project.folder, locale: "en-US", timeZone: "UTC" });
 * const broken = results.filter((result) => hasErrors(result.diagnostics));
 *
 * @returns One result for each template, in the same order.
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export async function compileAll(templates: readonly Template[], context: CompileContext): Promise<CompileResult[]> {
  const results = templates.map((template) => keptResult(template, context));
  const together = templates.filter((_, index) => results[index] === undefined);
  const compiled = await compileTogether(together, { ...context, together });
  return templates.flatMap((template, index) => results[index] ?? compiled.get(template) ?? []);
}

async function compileTogether(
  templates: readonly Template[],
  context: CompileContext,
): Promise<ReadonlyMap<Template, CompileResult>> {
  const results = new Map<Template, CompileResult>();
  const waiting = templates.values();
  const lane = async (): Promise<void> => {
    for (const template of waiting) results.set(template, await compileAndKeep(template, context));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

/** As many templates are compiled at a time: enough to keep the worker and the bundler busy, and few in memory. */
const LANES = 4;

/**
 * Compiles one template to Mustache, and holds the outcome to the invariants: that no tag of the source is lost,
 * changed or moved, and that the service will take it. What was compiled before, from the same files, is taken from the
 * context's cache, and no compiler is loaded for it.
 *
 * @example
 * const { compiled, diagnostics } = await compileTemplate(template, context);
 *
 * @returns Without `compiled` where a diagnostic is an error.
 * @throws {MissingPeerError} Its compiler is not installed.
 */
export async function compileTemplate(template: Template, context: CompileContext): Promise<CompileResult> {
  return keptResult(template, context) ?? compileAndKeep(template, context);
}

function keptResult(template: Template, context: CompileContext): CompileResult | undefined {
  const kept = context.cache?.read(cacheKey(template, context));
  return isKept(kept) ? { name: template.name, template, ...kept } : undefined;
}

async function compileAndKeep(template: Template, context: CompileContext): Promise<CompileResult> {
  const { compileAnew } = await import("./compile-anew.js");
  const { result, inputs } = await compileAnew(template, context);
  const { compiled, diagnostics } = result;
  // What an error says depends on files that are not there, too.
  if (compiled) context.cache?.write(cacheKey(template, context), inputs, { compiled, diagnostics });
  return result;
}

function cacheKey(template: Template, { folder, locale, timeZone, assets }: CompileContext): CacheKey {
  return {
    name: ["compiled", template.body.file, assets?.baseUrl ?? ""].join("\n"),
    key: [template, folder, locale, timeZone, assets ?? null],
  };
}

type Kept = Required<Pick<CompileResult, "compiled" | "diagnostics">>;

/** What this version of lettershop wrote itself: the cache tells versions apart. */
function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "compiled" in value && "diagnostics" in value;
}
