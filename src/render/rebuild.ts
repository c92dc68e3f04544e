import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import type { Tokenised } from "../mustache/tokens.js";
import type { CompileResult, Template, TemplateFields } from "../project/template.js";
import { readBodies, restoreBody } from "./bodies.js";
import { compileConcurrently } from "./compile.js";
import { type CompileContext, engineOf } from "./engine.js";
import { Findings } from "./findings.js";
import { readVariables } from "./contract.js";
import { type PositionedHtml, removeSites } from "./source/mapped-text.js";
import { inLanes } from "./lanes.js";

/** A template compiled again, up to its HTML and its subject: the text body is derived from these. */
export interface Rebuild {
  /** The HTML body, with the source positions of its elements if requested; otherwise there are no `places`. */
  readonly html: PositionedHtml;
  readonly subject: Tokenised;
  /**
   * The fields for the service, without sites, and without `separateDotted`, which needs to know the variables. Undefined if
   * there is an `error`.
   */
  readonly fields?: Pick<TemplateFields, "subject" | "html_body">;
  readonly error?: string;
  /** Where the template's own code reads the time or random numbers. */
  readonly moments: readonly SourcePosition[];
}

/** Whether templates' code sees the current time, or a clock that is more than a year ahead. */
export type BuildClock = "now" | "later";

/**
 * Compiles templates from scratch, with the source positions of elements: without the cache, and with user code in a
 * separate worker. Only what may differ between builds is repeated: there are no checks, no text body and no
 * contract.
 *
 * @param templates Templates that compile: errors in a template are in its result.
 * @returns One for each template, in the same order.
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export function rebuildWithPositions(
  templates: readonly Template[],
  context: CompileContext,
  clock: BuildClock,
): Promise<Rebuild[]> {
  return rebuildAll(templates, { ...context, sited: true }, clock);
}

/** The same without sites, unless the context asks for them. */
export async function rebuildAll(
  templates: readonly Template[],
  context: CompileContext,
  clock: BuildClock,
): Promise<Rebuild[]> {
  const host = context.host.another({ later: clock === "later" });
  try {
    const rebuilds = await compileConcurrently(templates, { context: { ...context, host }, compile: rebuild });
    return templates.flatMap((template) => rebuilds.get(template) ?? []);
  } finally {
    await host.close();
  }
}

async function rebuild(template: Template, context: CompileContext): Promise<Rebuild> {
  const findings = new Findings();
  const compile = await engineOf(template);
  const output = await compile(template, context, () => readVariables(template, context));
  findings.add(output.diagnostics);
  const { subject, html } = readBodies(template, output, { context, findings });
  const { places = [], moments = [] } = output;
  const error = findings.diagnostics.find(({ severity }) => severity === "error")?.message;
  const unsited = { text: removeSites(html.text), tags: html.tags };
  const fields = { subject: restoreBody(subject, "text", template), html_body: restoreBody(unsited, "html", template) };
  return {
    html: { ...html, places },
    subject,
    moments,
    ...(error === undefined ? { fields } : { error }),
  };
}

/** Enough to keep the worker busy, with few templates in memory. */
const LANES = 3;

/**
 * Checks that components render the same as their filled bodies for variations of their fixtures in which values that
 * components decide by differ: absent values, empty lists, other strings.
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
