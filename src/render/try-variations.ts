import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult, Template } from "../project/template.js";
import type { CompileContext } from "./engine.js";
import { inLanes } from "./lanes.js";

/** Enough to keep the worker busy, with few templates in memory. */
const LANES = 3;

/**
 * Checks that components render the same as their filled bodies for variations of their fixtures in which values that
 * components decide by differ: absent values, empty lists, other strings.
 *
 * @example
 * const [diagnostics] = await tryVariations([result], context);
 *
 * @param together The templates that they were compiled with, to reuse their bundles.
 * @returns A list for each result, in the same order. Ends the worker, because rendering uses much memory.
 */
export async function tryVariations(
  results: readonly CompileResult[],
  context: CompileContext,
  together: readonly Template[] = results.map(({ template }) => template),
): Promise<Diagnostic[][]> {
  const diagnostics = new Map<CompileResult, Diagnostic[]>();
  const components = results.filter(({ template }) => template.engine === "react");
  const shared = { ...context, together };
  await inLanes(components, LANES, async (result) => {
    diagnostics.set(result, await tryOne(result, shared));
  });
  await context.host.rest();
  return results.map((result) => diagnostics.get(result) ?? []);
}

async function tryOne({ template, compiled }: CompileResult, context: CompileContext): Promise<Diagnostic[]> {
  if (!compiled || compiled.fixtures.length === 0) return [];
  const { checkVariations } = await import("./react/oracle/oracle.js");
  const input = { template, fixtures: compiled.fixtures, contract: compiled.contract, context };
  const diagnostics = await checkVariations({ ...input, html: { text: compiled.html_body, tags: [] } });
  if (diagnostics.length === 0) return diagnostics;
  // The positions of tags are known only while compiling.
  const { compileUncached } = await import("./compile-uncached.js");
  const { html } = await compileUncached(template, context);
  return html ? checkVariations({ ...input, html }) : diagnostics;
}
