import { type Tag, TOKEN } from "../../../mustache/tokens.js";
import { textsIn } from "../../../markup/texts.js";
import type { EmailDocument } from "../../document/email-document.js";
import { onceEach } from "../../once-each.js";
import type { Rule } from "../../rule.js";
import { htmlTags, type TagInPlace } from "../../variables/tags.js";
import { prints } from "./examples.js";

export const variableInMarkup: Rule = {
  id: "variable-in-markup",
  summary: "A variable is printed as part of an html tag itself, outside of the quotes of an attribute.",
  severity: "error",
  checkTemplate(checked) {
    const tags = htmlTags(checked);
    const behindSign = tagsBehindSign(checked.document);
    const names = tags.filter((each) => prints(each) && behindSign.has(each.tag));
    return onceEach([
      ...tags.filter(isInMarkup).map(({ text, at }) => ({
        message: `${text} prints into an html tag, where its text becomes attributes, or breaks the tag.`,
        at: at(),
        hint: 'Print it between the quotes of an attribute, or choose with a section: `<td {{#wide}}colspan="2"{{/wide}}>`.',
      })),
      ...names.map(({ text, at }) => ({
        message: `${text} stands right behind a <: its text becomes the name of an html tag, and no reader sees it.`,
        at: at(),
        hint: "Write `&lt;` for a sign that readers see; choose an element with a section: `{{#big}}<h1>…</h1>{{/big}}`.",
      })),
    ]);
  },
};

/** What stands behind `<` or `</` in a text: the `<` of a text is `&lt;`. */
function tagsBehindSign({ input: { html, tags } }: EmailDocument): Set<Tag> {
  const found = new Set<Tag>();
  if (!/<\/?\uE000/.test(html)) return found;
  for (const { start, end } of textsIn(html))
    for (const [run] of html.slice(start, end).matchAll(BEHIND_SIGN))
      for (const [, number] of run.matchAll(TOKEN)) {
        const tag = tags[Number(number)];
        if (tag) found.add(tag);
      }
  return found;
}

const BEHIND_SIGN = /<\/?(?:\uE000\d+\uE001)+/g;

/** Sections may choose attributes; what prints would be one. */
export function isInMarkup(tag: TagInPlace): boolean {
  return prints(tag) && tag.where?.kind === "name";
}
