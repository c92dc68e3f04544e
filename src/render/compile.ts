import type { CacheKey } from "../cache/cache.js";
import type { Inputs } from "../cache/inputs.js";
import type { CompiledTemplate, CompileResult, Template } from "../template/template.js";
import type { CompiledAnew } from "./compile-anew.js";
import type { CompileContext } from "./engine.js";

/**
 * Compiles templates to Mustache. What is wrong with one is in its own result, and hides no other.
 *
 * @example
 * const results = await compileAll(templates, { host, folder: project.folder, locale: "en-US", timeZone: "UTC" });
 * const broken = results.filter((result) => hasErrors(result.diagnostics));
 *
 * @param mayBegin Asked before each template that has to be compiled: those that it refuses, and all after it, are left out.
 * @returns One result for each template, in the same order; none for what was interrupted (`ModuleHost.interrupt`) or left out.
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
    const [{ compileAnew }, { compileTogether }] = await Promise.all([
      import("./compile-anew.js"),
      import("./compile-together.js"),
    ]);
    const onCompiled = (template: Template, compiled: CompiledAnew) =>
      results.set(template, keep(template, context, compiled));
    await compileTogether(together, { context, compile: compileAnew, onCompiled, mayBegin });
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
  if (!kept || !isKept(kept.value)) return undefined;
  const compiled = withBodies(kept.value.compiled, kept.apart);
  known.set(compiled, kept);
  return { name: template.name, template, compiled, diagnostics: kept.value.diagnostics };
}

/** A compiled template's place in the cache. */
export interface KeptAs {
  /** Tells it, with all that it was made from, from any other. */
  readonly identity: string;
  /** What it was made from, beside what the template itself holds. */
  readonly inputs: Inputs;
}

/** Undefined for what is not in the cache. */
export function keptAs(compiled: CompiledTemplate): KeptAs | undefined {
  return known.get(compiled);
}

const known = new WeakMap<CompiledTemplate, KeptAs>();

async function compileHere(template: Template, context: CompileContext): Promise<CompiledAnew> {
  const { compileAnew } = await import("./compile-anew.js");
  return compileAnew(template, context);
}

/** Writes what was compiled into the context's cache. */
export function keep(template: Template, context: CompileContext, { result, inputs }: CompiledAnew): CompileResult {
  const { compiled, diagnostics } = result;
  // What an error says depends on files that are not there, too.
  if (compiled) {
    const { html_body, text_body, fixtures, ...others } = compiled;
    const value: Kept = { compiled: others, diagnostics };
    const bodies: Bodies = { html_body, text_body, fixtures };
    const identity = context.cache?.write(cacheKey(template, context), inputs, value, bodies);
    if (identity !== undefined) known.set(compiled, { identity, inputs });
  }
  return { ...result, template };
}

function cacheKey(template: Template, { folder, locale, timeZone, assets }: CompileContext): CacheKey {
  return {
    name: ["compiled", template.body.file, assets?.baseUrl ?? ""].join("\n"),
    key: [template, folder, locale, timeZone, assets ?? null],
  };
}

/** What is large, and not asked for where nothing has changed. */
type Bodies = Pick<CompiledTemplate, "html_body" | "text_body" | "fixtures">;

interface Kept extends Pick<CompileResult, "diagnostics"> {
  readonly compiled: Omit<CompiledTemplate, keyof Bodies>;
}

/** What this version of lettershop wrote itself: the cache tells versions apart. */
function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "compiled" in value && "diagnostics" in value;
}

function withBodies(others: Kept["compiled"], readBodies: () => unknown): CompiledTemplate {
  let bodies: Bodies | undefined;
  // It was written beside the others.
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
