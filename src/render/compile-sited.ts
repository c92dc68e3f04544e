import type { SourcePosition } from "../diagnostic.js";
import { restore } from "../mustache/tokens.js";
import type { Template, TemplateFields } from "../template/template.js";
import { readBodies } from "./bodies.js";
import { compileTogether } from "./compile-together.js";
import type { CompileContext } from "./engine.js";
import { engineOf } from "./engines.js";
import { Findings } from "./findings.js";
import { readVariables } from "./read-variables.js";
import { restoreHtml, restoreText } from "./restore.js";
import type { Place } from "./source/locate.js";
import { withoutSites } from "./source/sites.js";
import type { Tokenised } from "./tokenised.js";

/** A template compiled once more, as far as its html and its subject: the text body is made of these. */
export interface Rebuild {
  /** The html body, tokenised; in a sited one elements have the numbers of their `places`. */
  readonly html: Tokenised;
  /** Where elements were written; empty where that was not asked for. */
  readonly places: readonly Place[];
  readonly subject: Tokenised;
  /**
   * What goes to the service, without sites; but for `separateDotted`, which needs to know the variables. Undefined where
   * `error` stood in the way.
   */
  readonly fields?: Pick<TemplateFields, "subject" | "html_body">;
  readonly error?: string;
  /** Where the template's own code asks for the time or for chance. */
  readonly moments: readonly SourcePosition[];
}

/** Whether templates' own code sees the present, or a clock that is more than a year ahead. */
export type BuildClock = "now" | "later";

/**
 * Compiles templates once more, with nothing left from before, so that elements tell where they were written: without
 * the cache, and with user code in a worker of its own. Only what may differ from build to build is done again: there
 * are no checks, no text and no contract.
 *
 * @example
 * const [rebuild] = await compileSited([template], context, "later");
 * rebuild.html.text; // '<p data-lettershop-at="0">Hi</p>'
 * rebuild.places[0]; // { at: { file: "/app/templates/hi.html", line: 1, column: 1 }, note: "" }
 *
 * @param templates Those that compile: what is wrong with a template is in its result.
 * @returns One for each template, in the same order.
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export function compileSited(
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
    await compileTogether(templates, { context: { ...context, host }, compile: rebuild, onCompiled });
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
