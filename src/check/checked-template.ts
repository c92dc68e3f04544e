import type { PositionedHtml } from "../render/source/sites.js";
import { protect, type TagTable } from "../mustache/tokens.js";
import { readSource } from "../project/json.js";
import type { CompiledTemplate, CompileResult, Template } from "../project/template.js";
import { EmailDocument, type DocumentInput } from "./document/email-document.js";
import type { CheckedTemplate } from "./rule.js";
import type { CheckSettings } from "./settings.js";

/** Has the compiled html with the source positions of its elements, if known. */
export interface HasSitedHtml {
  readonly sited?: PositionedHtml | undefined;
}

/** Prepares a template for the rules. Without positions, findings are located by searching the sources. */
export function checkedTemplate(
  { template, compiled }: CompileResult & { readonly compiled: CompiledTemplate },
  where: HasSitedHtml | undefined,
  { settings, read = readIfText }: { readonly settings: CheckSettings; readonly read?: ReadText },
): CheckedTemplate {
  let document: EmailDocument | undefined;
  return {
    template,
    compiled,
    settings,
    get document() {
      document ??= new EmailDocument({
        ...htmlOf(compiled, where?.sited, template.metadata.verbatim),
        sources: sourcesOf(template, compiled, read),
      });
      return document;
    },
  };
}

function htmlOf(
  { html_body: html }: CompiledTemplate,
  sited: PositionedHtml | undefined,
  keepsComments = false,
): Omit<DocumentInput, "sources"> {
  if (sited) return { html: sited.text, tags: sited.tags, places: sited.places };
  const tags: TagTable = [];
  const { text } = protect(html, "", tags, { keepsComments });
  return { html: text, tags: tags.map((tag) => ({ text: tag.text })), places: [] };
}

function sourcesOf({ body, text }: Template, { sources }: CompiledTemplate, read: ReadText): Map<string, string> {
  const others = sources.filter((file) => file !== body.file && file !== text?.file);
  return new Map([[body.file, body.text], ...readSources(others, read)]);
}

/** The texts of sources by path, except those in packages and files that are not text. */
export function readSources(files: Iterable<string>, read: ReadText = readIfText): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of files) {
    const text = read(file);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

/** The text of a source; undefined if it is in a package or not text. */
export type ReadText = (file: string) => string | undefined;

/** Reads each file once for templates that are checked together, which often share files. */
export function readingOnce(): ReadText {
  const texts = new Map<string, string | undefined>();
  return (file) => {
    if (!texts.has(file)) texts.set(file, readIfText(file));
    return texts.get(file);
  };
}

function readIfText(file: string): string | undefined {
  if (/[\\/]node_modules[\\/]/.test(file)) return undefined;
  try {
    return readSource(file).text;
  } catch {
    return undefined;
  }
}
