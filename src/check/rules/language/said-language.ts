import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { CheckedTemplate } from "../../rule.js";
import { metadataPosition } from "../../source-position.js";
import { sourceTag } from "../structure/written.js";
import { withoutTags } from "./plain.js";
import { paragraphsOf } from "./wordings.js";

/** A language that a template says its body is in. */
export interface SaidLanguage {
  readonly language: string;
  /** The beginning of a sentence about it. */
  readonly said: string;
  readonly at: SourcePosition;
}

/** What the body and `template.json` say, each where it says it. */
export function saidLanguages(checked: CheckedTemplate): SaidLanguage[] {
  const { document, template } = checked;
  const { locale } = template.metadata;
  const html = document.first("html");
  const lang = html?.attribute("lang")?.trim();
  const isOwn =
    html !== undefined && (locale === undefined || lang?.toLowerCase() !== locale.toLowerCase() || says(checked));
  const inBody: SaidLanguage[] =
    html && lang !== undefined && isOwn ? [{ language: lang, said: `lang="${lang}"`, at: html.at("lang") }] : [];
  if (locale === undefined) return inBody;
  const inMetadata = { language: locale, said: `The locale is ${locale}`, at: metadataPosition(checked, "locale") };
  return [...inBody, inMetadata];
}

/** Whether the body has the language itself, rather than from template.json. */
function says({ document, template }: CheckedTemplate): boolean {
  const html = document.first("html");
  const tag = html && sourceTag(document, html);
  if (!tag) return /<(?:html|mjml)\b[^>]*\slang\s*=/i.test(template.body.text);
  const lang = html.attribute("lang")?.trim().toLowerCase();
  return tag.literals.some(({ name, value }) => name.toLowerCase() === "lang" && value.trim().toLowerCase() === lang);
}

/** The words of a body without its addresses, and without the parts that have a language of their own. */
export function textIn(document: EmailDocument, language: string): string {
  return paragraphsOf(document)
    .filter(
      ({ element }) =>
        !element.descendants.concat(element, element.ancestors).some((each) => saysOther(each, language)),
    )
    .map(({ text }) => withoutTags(text).replace(/\S*[@/]\S*|\b[\w-]+\.[a-z]{2,}\b/gi, " "))
    .join("\n");
}

function saysOther({ name, attributes }: EmailDocument["elements"][number], language: string): boolean {
  const own = attributes.get("lang")?.trim().toLowerCase();
  return name !== "html" && own !== undefined && own !== "" && own !== language.toLowerCase();
}
