import type { CacheKey } from "../cache/cache.js";
import type { CompileResult, Template } from "../template/template.js";
import type { CompiledAnew } from "./compile-anew.js";
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
  const results = new Map(templates.map((template) => [template, keptResult(template, context)]));
  const together = templates.filter((template) => results.get(template) === undefined);
  if (together.length > 0) {
    const [{ compileAnew }, { compileTogether }] = await Promise.all([
      import("./compile-anew.js"),
      import("./compile-together.js"),
    ]);
    const onCompiled = (template: Template, compiled: CompiledAnew) =>
      results.set(template, keep(template, context, compiled));
    await compileTogether(together, { context, compile: compileAnew, onCompiled });
  }
  return templates.flatMap((template) => results.get(template) ?? []);
}

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
  return keptResult(template, context) ?? keep(template, context, await compileHere(template, context));
}

/** What was compiled before from the same files; undefined where nothing was, or errors stood in the way. */
export function keptResult(template: Template, context: CompileContext): CompileResult | undefined {
  const kept = context.cache?.read(cacheKey(template, context));
  return isKept(kept) ? { name: template.name, template, ...kept } : undefined;
}

async function compileHere(template: Template, context: CompileContext): Promise<CompiledAnew> {
  const { compileAnew } = await import("./compile-anew.js");
  return compileAnew(template, context);
}

/** Writes what was compiled into the context's cache. */
export function keep(template: Template, context: CompileContext, { result, inputs }: CompiledAnew): CompileResult {
  const { compiled, diagnostics } = result;
  // What an error says depends on files that are not there, too.
  if (compiled) context.cache?.write(cacheKey(template, context), inputs, { compiled, diagnostics });
  return { ...result, template };
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
