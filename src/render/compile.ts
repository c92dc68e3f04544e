import type { CacheKey } from "../cache/cache.js";
import type { Inputs } from "../cache/inputs.js";
import type { CompiledTemplate, CompileResult, Template } from "../project/template.js";
import type { UncachedResult } from "./compile-uncached.js";
import type { CompileContext } from "./engine.js";

/**
 * Compiles templates to Mustache. The errors of a template are in its own result, and don't affect others.
 *
 * @example
 * const results = await compileAll(templates, { host, folder: project.folder, locale: "en-US", timeZone: "UTC" });
 * const broken = results.filter((result) => hasErrors(result.diagnostics));
 *
 * @param mayBegin Called before each template that must be compiled: if it returns false, that one and all after it are omitted.
 * @returns One result for each template, in the same order; none for interrupted (`ModuleHost.interrupt`) or omitted ones.
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export async function compileAll(
  templates: readonly Template[],
  context: CompileContext,
  mayBegin?: (template: Template) => boolean,
): Promise<CompileResult[]> {
  const results = new Map(templates.map((template) => [template, keptResult(template, context)]));
  const together = templates.filter((template) => results.get(template) === undefined);
  if (together.length > 0) {
    const [{ compileUncached }, { compileConcurrently }] = await Promise.all([
      import("./compile-uncached.js"),
      import("./compile-concurrently.js"),
    ]);
    const onCompiled = (template: Template, compiled: UncachedResult) =>
      results.set(template, keep(template, context, compiled));
    await compileConcurrently(together, { context, compile: compileUncached, onCompiled, mayBegin });
  }
  return templates.flatMap((template) => results.get(template) ?? []);
}

/**
 * Compiles one template to Mustache, and verifies the invariants: that no tag of the source is lost, changed or moved, and
 * that the service will accept the result. If the same files were compiled before, the result comes from the context's
 * cache, and no compiler is loaded.
 *
 * @example
 * const { compiled, diagnostics } = await compileTemplate(template, context);
 *
 * @returns Without `compiled` if a diagnostic is an error.
 * @throws {MissingPeerError} Its compiler is not installed.
 */
export async function compileTemplate(template: Template, context: CompileContext): Promise<CompileResult> {
  return keptResult(template, context) ?? keep(template, context, await compileHere(template, context));
}

/** The cached result for the same files; undefined if there is none, or there were errors. */
export function keptResult(template: Template, context: CompileContext): CompileResult | undefined {
  const kept = context.cache?.read(cacheKey(template, context));
  if (!kept || !isKept(kept.value)) return undefined;
  const compiled = withBodies(kept.value.compiled, kept.separate);
  cachedAs.set(compiled, kept);
  return { name: template.name, template, compiled, diagnostics: kept.value.diagnostics };
}

/** Describes a compiled template in the cache. */
export interface KeptAs {
  /** Identifies the template and everything it was made from. */
  readonly identity: string;
  /** What it was made from, in addition to the template's own files. */
  readonly inputs: Inputs;
}

/** Undefined if the template is not in the cache. */
export function keptAs(compiled: CompiledTemplate): KeptAs | undefined {
  return cachedAs.get(compiled);
}

const cachedAs = new WeakMap<CompiledTemplate, KeptAs>();

async function compileHere(template: Template, context: CompileContext): Promise<UncachedResult> {
  const { compileUncached } = await import("./compile-uncached.js");
  return compileUncached(template, context);
}

/** Writes a compiled template to the context's cache. */
export function keep(template: Template, context: CompileContext, { result, inputs }: UncachedResult): CompileResult {
  const { compiled, diagnostics } = result;
  // Errors also depend on missing files, which are not tracked.
  if (compiled) {
    const { html_body, text_body, fixtures, ...others } = compiled;
    const value: Kept = { compiled: others, diagnostics };
    const bodies: Bodies = { html_body, text_body, fixtures };
    const identity = context.cache?.write(cacheKey(template, context), inputs, value, bodies);
    if (identity !== undefined) cachedAs.set(compiled, { identity, inputs });
  }
  return { ...result, template };
}

function cacheKey(template: Template, { folder, locale, timeZone, assets }: CompileContext): CacheKey {
  return {
    name: ["compiled", template.body.file, assets?.baseUrl ?? ""].join("\n"),
    key: [template, folder, locale, timeZone, assets ?? null],
  };
}

/** Large parts, which are not needed if nothing has changed. */
type Bodies = Pick<CompiledTemplate, "html_body" | "text_body" | "fixtures">;

interface Kept extends Pick<CompileResult, "diagnostics"> {
  readonly compiled: Omit<CompiledTemplate, keyof Bodies>;
}

/** Only this version of lettershop can have written it: the cache separates versions. */
function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "compiled" in value && "diagnostics" in value;
}

function withBodies(others: Kept["compiled"], readBodies: () => unknown): CompiledTemplate {
  let bodies: Bodies | undefined;
  // `keep` wrote it together with the other fields.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const read = (): Bodies => (bodies ??= readBodies() as Bodies);
  return {
    ...others,
    get html_body() {
      return read().html_body;
    },
    get text_body() {
      return read().text_body;
    },
    get fixtures() {
      return read().fixtures;
    },
  };
}
