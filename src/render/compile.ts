import type { CacheKey } from "../cache/cache.js";
import type { Inputs } from "../cache/inputs.js";
import type { CompiledTemplate, CompileResult, Template } from "../project/template.js";
import type { UncachedResult } from "./compile-uncached.js";
import type { CompileContext } from "./engine.js";
import { Interruption } from "../process/host.js";
import { inLanes } from "./lanes.js";

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
  const cached = new Map(templates.map((template) => [template, cachedResult(template, context)]));
  const others = templates.filter((template) => cached.get(template) === undefined);
  const compile = async (template: Template, shared: CompileContext) =>
    store(template, context, await compileUncached(template, shared));
  const compiled = await compileConcurrently(others, { context, compile, mayBegin });
  return templates.flatMap((template) => cached.get(template) ?? compiled.get(template) ?? []);
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
  return cachedResult(template, context) ?? store(template, context, await compileUncached(template, context));
}

/** The cached result for the same files; undefined if there is none, or there were errors. */
export function cachedResult(template: Template, context: CompileContext): CompileResult | undefined {
  const cached = context.cache?.read(cacheKey(template, context));
  if (!cached || !isCached(cached.value)) return undefined;
  const compiled = withBodies(cached.value.compiled, cached.separate);
  cacheEntries.set(compiled, cached);
  return { name: template.name, template, compiled, diagnostics: cached.value.diagnostics };
}

/** Describes a compiled template in the cache. */
export interface CacheEntry {
  /** Identifies the template and everything it was made from. */
  readonly identity: string;
  /** What it was made from, in addition to the template's own files. */
  readonly inputs: Inputs;
}

/** Undefined if the template is not in the cache. */
export function cacheEntryOf(compiled: CompiledTemplate): CacheEntry | undefined {
  return cacheEntries.get(compiled);
}

const cacheEntries = new WeakMap<CompiledTemplate, CacheEntry>();

/** Loads the compiler only when a template needs it. */
async function compileUncached(template: Template, context: CompileContext): Promise<UncachedResult> {
  const uncached = await import("./compile-uncached.js");
  return uncached.compileUncached(template, context);
}

/** Writes a compiled template to the context's cache. */
function store(template: Template, context: CompileContext, uncached: UncachedResult): CompileResult {
  const { inputs, html: _html, sited: _sited, ...result } = uncached;
  const { compiled, diagnostics } = result;
  // Errors also depend on missing files, which are not tracked.
  if (compiled) {
    const { html_body, text_body, fixtures, ...others } = compiled;
    const value: CachedValue = { compiled: others, diagnostics };
    const bodies: Bodies = { html_body, text_body, fixtures };
    const identity = context.cache?.write(cacheKey(template, context), inputs, value, bodies);
    if (identity !== undefined) cacheEntries.set(compiled, { identity, inputs });
  }
  return result;
}

function cacheKey(template: Template, { folder, locale, timeZone, assets }: CompileContext): CacheKey {
  return {
    name: ["compiled", template.body.file, assets?.baseUrl ?? ""].join("\n"),
    key: [template, folder, locale, timeZone, assets ?? null],
  };
}

/** Large parts, which are not needed if nothing has changed. */
type Bodies = Pick<CompiledTemplate, "html_body" | "text_body" | "fixtures">;

interface CachedValue extends Pick<CompileResult, "diagnostics"> {
  readonly compiled: Omit<CompiledTemplate, keyof Bodies>;
}

/** Only this version of lettershop can have written it: the cache separates versions. */
function isCached(value: unknown): value is CachedValue {
  return typeof value === "object" && value !== null && "compiled" in value && "diagnostics" in value;
}

function withBodies(others: CachedValue["compiled"], readBodies: () => unknown): CompiledTemplate {
  let bodies: Bodies | undefined;
  // `store` wrote it together with the other fields.
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

interface ConcurrencyOptions<Compiled> {
  readonly context: CompileContext;
  readonly compile: (template: Template, context: CompileContext) => Promise<Compiled>;
  /** Whether to begin this one; if not, none is begun after it. */
  readonly mayBegin?: ((template: Template) => boolean) | undefined;
}

/**
 * Compiles templates that are not in the cache, several at a time.
 *
 * @returns The results by template, without those that were interrupted or not begun.
 * @throws {MissingPeerError} The compiler of one of them is not installed.
 */
export async function compileConcurrently<Compiled>(
  templates: readonly Template[],
  { context, compile, mayBegin }: ConcurrencyOptions<Compiled>,
): Promise<ReadonlyMap<Template, Compiled>> {
  const results = new Map<Template, Compiled>();
  const isMjml = templates.some(({ engine }) => engine === "mjml");
  const mjml = isMjml ? (await import("./mjml/render-thread.js")).renderThreadFor(templates, context) : undefined;
  const shared = { ...context, together: templates, ...(mjml && { mjml }) };
  const one = async (template: Template): Promise<void> => {
    try {
      results.set(template, await compile(template, shared));
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
    }
  };
  const components = templates.filter(({ engine }) => engine === "react");
  const others = templates.filter(({ engine }) => engine !== "react");
  if (components.length > 0) {
    const { prepareComponents } = await import("./react/component-bundles.js");
    // Bundling calls back into this thread at every import. After it, the worker is busy from the start.
    await prepareComponents(components, shared);
  }
  try {
    // Components mostly wait for the worker, so this thread can compile others meanwhile.
    await Promise.all([
      inLanes(takeWhile(components, mayBegin), LANES.waiting, one),
      inLanes(takeWhile(others, mayBegin), mjml ? LANES.waiting : mayBegin ? 1 : LANES.here, one),
    ]);
  } finally {
    await mjml?.close();
  }
  return results;
}

/**
 * How many templates are compiled at a time: enough to keep a worker or a thread busy, and few in memory. If `mayBegin` is
 * set, something urgent may come up, so other templates are compiled one by one.
 */
const LANES = { waiting: 6, here: 3 };

function* takeWhile<Item>(items: readonly Item[], isTaken?: (item: Item) => boolean): Iterable<Item> {
  for (const item of items) {
    if (isTaken?.(item) === false) return;
    yield item;
  }
}

/** A result, with the source positions of its elements if they are known without a separate build. */
export type PositionedResult = CompileResult & Pick<UncachedResult, "sited">;

/**
 * Compiles templates like `compileAll`, with the source positions of elements, and without reading the cache. MJML and HTML
 * run no user code, so sites don't change their result. Use `rebuildWithPositions` for components.
 *
 * @returns One result for each template, in the same order.
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export async function compileWithPositions(
  templates: readonly Template[],
  context: CompileContext,
): Promise<PositionedResult[]> {
  const compile = async (template: Template, shared: CompileContext): Promise<PositionedResult> => {
    const uncached = await compileUncached(template, { ...shared, sited: template.engine !== "react" });
    const { sited } = uncached;
    return { ...store(template, context, uncached), ...(sited && { sited }) };
  };
  const compiled = await compileConcurrently(templates, { context, compile });
  return templates.flatMap((template) => compiled.get(template) ?? []);
}
