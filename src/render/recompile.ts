import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult, Template } from "../template/template.js";
import type { CompiledAnew } from "./compile-anew.js";
import type { CompileContext } from "./engine.js";

/**
 * Compiles templates once more, with nothing left from before: without the cache, and in a worker of its own.
 *
 * @example
 * const [again] = await recompile([template], context, "later");
 *
 * @param clock Whether the templates' own code sees the present, or a clock that is more than a year ahead.
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export async function recompile(
  templates: readonly Template[],
  context: CompileContext,
  clock: "now" | "later",
): Promise<CompiledAnew[]> {
  const { compileTogether } = await import("./compile-together.js");
  const host = context.host.another({ later: clock === "later" });
  const compiled = new Map<Template, CompiledAnew>();
  try {
    await compileTogether(templates, { ...context, host, together: templates }, (template, anew) =>
      compiled.set(template, anew),
    );
    return templates.flatMap((template) => compiled.get(template) ?? []);
  } finally {
    await host.close();
  }
}

/**
 * Whether a component renders what its compiled body is filled to for variables that are like those of its fixtures,
 * and differ in what components decide by: absent ones, empty lists, other texts.
 *
 * @example
 * const diagnostics = await tryVariations(result, context);
 */
export async function tryVariations(
  { template, compiled }: CompileResult,
  context: CompileContext,
): Promise<Diagnostic[]> {
  if (!compiled || template.engine !== "react" || compiled.fixtures.length === 0) return [];
  const { checkVariations } = await import("./react/oracle.js");
  const input = { template, fixtures: compiled.fixtures, contract: compiled.contract, context };
  const found = await checkVariations({ ...input, html: { text: compiled.html_body, tags: [] } });
  if (found.length === 0) return found;
  // Where tags come from is known only while compiling.
  const { compileAnew } = await import("./compile-anew.js");
  const { html } = await compileAnew(template, context);
  return html ? checkVariations({ ...input, html }) : found;
}
