import type { SitedHtml } from "../render/source/sites.js";
import { protect, type TagTable } from "../mustache/tokens.js";
import { readSource } from "../template/source.js";
import type { CompiledTemplate, CompileResult, Template } from "../template/template.js";
import { EmailDocument, type DocumentInput } from "./document/email-document.js";
import type { CheckedTemplate } from "./rule.js";
import type { CheckSettings } from "./settings.js";

/** What has a compiled html with where its elements were written, where that is known. */
export interface HasSitedHtml {
  readonly sited?: SitedHtml | undefined;
}

/** What rules look at. Without the places, a finding tells what can be found by the texts. */
export function checkedTemplate(
  { template, compiled }: CompileResult & { readonly compiled: CompiledTemplate },
  where: HasSitedHtml | undefined,
  settings: CheckSettings,
): CheckedTemplate {
  let document: EmailDocument | undefined;
  return {
    template,
    compiled,
    settings,
    get document() {
      document ??= new EmailDocument({ ...htmlOf(compiled, where?.sited), sources: sourcesOf(template, compiled) });
      return document;
    },
  };
}

function htmlOf({ html_body: html }: CompiledTemplate, sited: SitedHtml | undefined): Omit<DocumentInput, "sources"> {
  if (sited) return { html: sited.text, tags: sited.tags, places: sited.places };
  const tags: TagTable = [];
  const { text } = protect(html, "", tags);
  return { html: text, tags: tags.map((tag) => ({ text: tag.text })), places: [] };
}

function sourcesOf({ body, text }: Template, { sources }: CompiledTemplate): Map<string, string> {
  const others = sources.filter((file) => file !== body.file && file !== text?.file);
  return new Map([[body.file, body.text], ...readTexts(others)]);
}

/** The texts of sources by their paths, but for those of packages, which nobody mends, and what is no text. */
export function readTexts(files: Iterable<string>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of files) {
    const source = IN_PACKAGE.test(file) ? undefined : attempt(() => readSource(file));
    if (source) texts.set(file, source.text);
  }
  return texts;
}

const IN_PACKAGE = /[\\/]node_modules[\\/]/;

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
