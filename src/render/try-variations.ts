import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult, Template } from "../template/template.js";
import type { CompileContext } from "./engine.js";
import { inLanes } from "./lanes.js";

/** Enough to keep the worker busy, and few in memory. */
const LANES = 3;

/**
 * Whether components render what their compiled bodies are filled to for variables that are like those of their fixtures,
 * and differ in what components decide by: absent ones, empty lists, other texts.
 *
 * @example
 * const [diagnostics] = await tryVariations([result], context);
 *
 * @param together Those that they were compiled with: what was bundled for that is not bundled again.
 * @returns A list for each result, in the same order. The worker is at rest then: what was rendered takes much memory.
 */
export async function tryVariations(
  results: readonly CompileResult[],
  context: CompileContext,
  together: readonly Template[] = results.map(({ template }) => template),
): Promise<Diagnostic[][]> {
  const found = new Map<CompileResult, Diagnostic[]>();
  const components = results.filter(({ template }) => template.engine === "react");
  const shared = { ...context, together };
  await inLanes(components, LANES, async (result) => {
    found.set(result, await tryOne(result, shared));
  });
  await context.host.rest();
  return results.map((result) => found.get(result) ?? []);
}

async function tryOne({ template, compiled }: CompileResult, context: CompileContext): Promise<Diagnostic[]> {
  if (!compiled || compiled.fixtures.length === 0) return [];
  const { checkVariations } = await import("./react/oracle.js");
  const input = { template, fixtures: compiled.fixtures, contract: compiled.contract, context };
  const found = await checkVariations({ ...input, html: { text: compiled.html_body, tags: [] } });
  if (found.length === 0) return found;
  // Where tags come from is known only while compiling.
  const { compileAnew } = await import("./compile-anew.js");
  const { html } = await compileAnew(template, context);
  return html ? checkVariations({ ...input, html }) : found;
}
