import type { CompileResult, Template } from "../project/template.js";
import { keep } from "./compile.js";
import { compileUncached } from "./compile-uncached.js";
import { compileConcurrently } from "./compile-concurrently.js";
import type { CompileContext } from "./engine.js";
import type { SitedHtml } from "./source/sites.js";

/** A result, with the source positions of its elements if they are known without a separate build. */
export interface PositionedResult extends CompileResult {
  readonly sited?: SitedHtml;
}

/**
 * Compiles templates like `compileAll`, with the source positions of elements, and without reading the cache. MJML and HTML
 * run no user code, so sites don't change their result. Use `rebuildWithPositions` for components.
 *
 * @example
 * const [{ compiled, sited }] = await compileWithPositions([template], context);
 * sited.places[0]; // { at: { file: "/app/templates/hi.mjml", line: 1, column: 1 }, note: "" }
 *
 * @returns One result for each template, in the same order.
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export async function compileWithPositions(
  templates: readonly Template[],
  context: CompileContext,
): Promise<PositionedResult[]> {
  const results = new Map<Template, PositionedResult>();
  await compileConcurrently(templates, {
    context,
    compile: (template, shared) => compileUncached(template, { ...shared, sited: template.engine !== "react" }),
    onCompiled: (template, compiled) => {
      const { sited } = compiled;
      results.set(template, { ...keep(template, context, compiled), ...(sited && { sited }) });
    },
  });
  return templates.flatMap((template) => results.get(template) ?? []);
}
