import type { ConditionNames } from "../../mustache/condition-names.js";
import { TEXT_OF } from "../../mustache/expression/packages.js";
import { type Tag, type TagTable, tagName, token, TOKEN, type Tokenised } from "../../mustache/tokens.js";
import type { ComputedSource } from "../../project/computed-source.js";

/**
 * HTML for deriving a text body: in the place of computed HTML, its text, which is another computed value.
 *
 * @example
 * // {{{note__4k2x1}}}
 * withTexts(html, names, computed); // {{#note_9u3fa__is_truthy}}<h1>{{{note__9u3fa}}}</h1>{{/note_9u3fa__is_truthy}}
 *
 * @param computed Receives the texts.
 */
export function withTexts(html: Tokenised, names: ConditionNames, computed: ComputedSource[]): Tokenised {
  const tags: TagTable = [...html.tags];
  const written = new Map<number, string>();
  for (const [number, tag] of html.tags.entries()) {
    const text = tag.layout && nameText(tag, names);
    if (text === undefined) continue;
    const { name, shown } = text;
    const sourceOf = (value: string): ComputedSource | undefined => computed.find((each) => each.name === value);
    const source = sourceOf(tagName(tag));
    if (source && !sourceOf(name)) computed.push({ ...source, name, source: `${source.source} as text` });
    const add = (code: string): string => token(tags.push({ ...tag, text: code }) - 1);
    // Like a heading, it is apart from the text around it, and makes a cell of a table a part of the page.
    const part = tag.layout === "block" ? `<h1>${add(`{{{${name}}}}`)}</h1>` : add(`{{{${name}}}}`);
    written.set(number, add(`{{#${shown}}}`) + part + add(`{{/${shown}}}`));
  }
  if (written.size === 0) return html;
  return { tags, text: html.text.replace(TOKEN, (whole, number: string) => written.get(Number(number)) ?? whole) };
}

/** The name of the text of the HTML that a tag prints, and of the condition that there is any. */
function nameText(tag: Tag, names: ConditionNames): { readonly name: string; readonly shown: string } | undefined {
  const { within = [], test } = names.list.find(({ name }) => name === tagName(tag)) ?? {};
  if (test?.kind !== "computed") return undefined;
  const expression = { kind: "call", callee: TEXT_OF, args: [test.expression] } as const;
  const name = names.nameFor({ within, path: ".", test: { kind: "computed", expression } });
  return { name, shown: names.nameFor({ within, path: name, test: { kind: "truthy" } }) };
}
