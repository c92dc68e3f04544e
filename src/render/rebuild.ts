import type { SourcePosition } from "../diagnostic.js";
import { restore, type Tokenised } from "../mustache/tokens.js";
import type { Template, TemplateFields } from "../project/template.js";
import { readBodies } from "./bodies.js";
import { compileConcurrently } from "./compile-concurrently.js";
import type { CompileContext } from "./engine.js";
import { engineOf } from "./engines.js";
import { Findings } from "./findings.js";
import { readVariables } from "./read-variables.js";
import { restoreHtml, restoreText } from "./restore.js";
import type { Place } from "./source/locate.js";
import { withoutSites } from "./source/sites.js";

/** A template compiled again, up to its HTML and its subject: the text body is derived from these. */
export interface Rebuild {
  /** The HTML body, tokenised; if sited, elements have the indexes of their `places`. */
  readonly html: Tokenised;
  /** The source positions of elements; empty unless requested. */
  readonly places: readonly Place[];
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
 * @example
 * const [rebuild] = await rebuildWithPositions([template], context, "later");
 * rebuild.html.text; // '<p data-lettershop-at="0">Hi</p>'
 * rebuild.places[0]; // { at: { file: "/app/templates/hi.html", line: 1, column: 1 }, note: "" }
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

/**
 * The same without sites, unless the context asks for them.
 *
 * @example
 * const [again] = await rebuildAll([template], context, "now");
 */
export async function rebuildAll(
  templates: readonly Template[],
  context: CompileContext,
  clock: BuildClock,
): Promise<Rebuild[]> {
  const host = context.host.another({ later: clock === "later" });
  const rebuilds = new Map<Template, Rebuild>();
  const onCompiled = (template: Template, built: Rebuild) => rebuilds.set(template, built);
  try {
    await compileConcurrently(templates, { context: { ...context, host }, compile: rebuild, onCompiled });
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
  return {
    html,
    places,
    subject,
    moments,
    ...(error === undefined ? { fields: fieldsOf(subject, html, template) } : { error }),
  };
}

function fieldsOf(subject: Tokenised, html: Tokenised, { metadata }: Template): NonNullable<Rebuild["fields"]> {
  const unsited = { text: withoutSites(html.text), tags: html.tags };
  if (!metadata.verbatim) return { subject: restoreText(subject), html_body: restoreHtml(unsited) };
  return {
    subject: restore(subject.text, subject.tags, "html"),
    html_body: restore(unsited.text, unsited.tags, "html"),
  };
}
