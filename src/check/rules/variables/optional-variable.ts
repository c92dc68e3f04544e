import { scan } from "../../../mustache/scan.js";
import type { EmailElement, EmailText } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { htmlTags, subjectTags, textTags, prints, type TagInPlace } from "../../lib/variables.js";
import { accessibleName } from "../../lib/texts.js";
import { preheaderOf } from "../subject/preheader.js";

export const optionalVariable: BuiltInRule = {
  id: "optional-variable",
  severity: "warning",
  summary: "A variable that may be absent is printed without a section around it, which leaves a gap.",
  details:
    "A variable that may be absent is printed without a section around it, which leaves a gap; or a string is " +
    "printed in a section that is only shown if the string is empty.",
  why:
    "An absent variable prints nothing ([Mustache, " +
    'variables](https://mustache.github.io/mustache.5.html#Variables)): "Hi {{name}}," becomes "Hi ,", and a ' +
    "link without its URL leads nowhere. A variable may be absent if the schema says so, or if a fixture lacks it. " +
    "The rule also reports what is empty without the variable: a link, a button, a heading, the title, the " +
    "preheader, an `aria-label` and, as a note, the `alt` of an image. It accepts a variable whose line reads " +
    "well without it: alone in its element, at the end of the line, or in a row of variables such as the parts of " +
    "a postal address.",
  fix:
    "Put the variable and the words around it into a section:\n\n" +
    "```html\n" +
    "{{#name is-present}}Hi {{name}},{{/name}}{{^name is-present}}Hello,{{/name}}\n" +
    "```\n\n" +
    'Or make it required in the schema, or give it a default: `z.string().default("there")`.',
  examples: {
    wrong: [
      {
        "order/order.html": "<p>Hi ‸{{name}},</p>",
        "order/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string().optional() });`,
        "order/fixtures/default.json": '{ "name": "Ada" }',
      },
    ],
    right: [
      {
        "order/order.html": "<p>{{#name is-present}}Hi {{name}},{{/name}}{{^name is-present}}Hello,{{/name}}</p>",
        "order/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string().optional() });`,
        "order/fixtures/default.json": '{ "name": "Ada" }',
      },
    ],
  },
  checkTemplate(checked) {
    const { compiled, template } = checked;
    return [
      ...htmlTags(checked).flatMap((tag) => checkHtmlTag(tag, checked) ?? []),
      // A subject from the title of the body is checked in the HTML.
      ...(template.metadata.subject === undefined ? [] : checkPlainText(compiled.subject, subjectTags(checked))),
      ...checkPlainText(compiled.text_body, textTags(checked)),
    ];
  },
};

function checkHtmlTag(tag: TagInPlace, checked: CheckedTemplate): Finding | undefined {
  const { where } = tag;
  if (isInOppositeSection(tag)) return oppositeFinding(tag);
  if (!where || !isUnguarded(tag)) return undefined;
  if (where.kind === "attribute") return checkAttribute(tag, where.element, where.attribute);
  return where.kind === "text" ? checkTextNode(tag, where.node, checked) : undefined;
}

const URL_ATTRIBUTES: readonly string[] = ["href", "src", "background", "action"];
/** What screen readers announce instead of the element. */
const NAME_ATTRIBUTES: readonly string[] = ["alt", "aria-label"];

function checkAttribute(tag: TagInPlace, element: EmailElement, attribute: string): Finding | undefined {
  if (URL_ATTRIBUTES.includes(attribute) && element.name !== "link")
    return finding(tag, `the ${attribute} of <${element.name}> leads nowhere`);
  // MJML repeats the title on the body.
  if (!NAME_ATTRIBUTES.includes(attribute) || element.hasWritten(attribute) === false) return undefined;
  const value = element.attribute(attribute) ?? "";
  const gap = gapIn(value, tag);
  if (gap !== undefined) return finding(tag, `its ${attribute} is "${gap}"`);
  if (value.trim() !== tag.text) return undefined;
  const named = namedBy(tag, element);
  if (named) return finding(tag, `<${named.name}> has no text`);
  // An image with an empty alt is decoration.
  return finding(tag, `the ${attribute} of <${element.name}> is empty`, attribute === "alt");
}

function checkTextNode(
  tag: TagInPlace,
  { parent }: EmailText,
  { document, template }: CheckedTemplate,
): Finding | undefined {
  if (parent.name === "style" || parent.name === "script") return undefined;
  const isAlone = parent.text.trim() === tag.text;
  if (parent.name === "title" && (isAlone || template.metadata.subject !== undefined))
    return isAlone ? finding(tag, "the email has no title") : undefined;
  const named = namedBy(tag, parent);
  if (named) return finding(tag, `<${named.name}> has no text`);
  const preheader = preheaderOf(document);
  if (preheader?.text === tag.text && [parent, ...parent.ancestors].includes(preheader.element))
    return finding(tag, "there is no preheader, so inboxes show the first words of the body");
  const gap = gapIn(textAround(parent), tag);
  return gap === undefined ? undefined : finding(tag, `it leaves "${gap}"`);
}

/** The link, button or heading that has nothing but this tag to say. */
function namedBy({ text }: TagInPlace, element: EmailElement): EmailElement | undefined {
  const named = [element, ...element.ancestors].find(({ name }) => /^(?:a|button|h[1-6])$/.test(name));
  return named && !named.attributes.has("aria-label") && accessibleName(named) === text ? named : undefined;
}

function gapIn(text: string, { text: tag }: TagInPlace): string | undefined {
  for (let start = text.indexOf(tag); start >= 0; start = text.indexOf(tag, start + 1)) {
    const gap = gapBetween(text.slice(0, start), text.slice(start + tag.length));
    if (gap !== undefined) return gap;
  }
  return undefined;
}

const INLINE: readonly string[] = "a abbr b big cite code em font i mark q s small span strong sub sup u".split(" ");

/** The text around an element in its block, with blank lines for line breaks and images. */
function textAround(element: EmailElement): string {
  let block = element;
  while (block.parent && INLINE.includes(block.name)) block = block.parent;
  return textIn(block);
}

function textIn(element: EmailElement): string {
  const parts = element.children.map((child) => {
    if (child.kind === "element") return INLINE.includes(child.name) ? textIn(child) : "\n\n";
    return child.kind === "text" ? child.text : "";
  });
  return parts.join("");
}

/** Gaps in the subject or in a hand-written text body. */
function checkPlainText(text: string, tags: readonly TagInPlace[]): Finding[] {
  const spans = tags.some(isUnguarded) ? scan(text).tags.filter(({ kind }) => kind !== "close") : [];
  return tags.flatMap((tag, index) => {
    const span = spans[index];
    if (!span || !isUnguarded(tag)) return [];
    const lines = (part: string) => part.replaceAll("\n", "\n\n");
    const gap = gapBetween(lines(text.slice(0, span.start)), lines(text.slice(span.end)));
    return gap === undefined ? [] : [finding(tag, `it leaves "${gap}"`)];
  });
}

function finding({ found, text, name, at }: TagInPlace, effect: string, isInfo = false): Finding {
  const place = at();
  const guarded = /\.[jt]sx$/.test(place.file)
    ? `it into \`{${name} && …}\``
    : `${text} and the words around it into \`{{#${name} is-present}} … {{/${name}}}\``;
  return {
    ...(isInfo && { severity: "info" }),
    message: `"${found?.path}" may be absent, and then ${effect}.`,
    at: place,
    hint: `Put ${guarded}, or make it required in the schema, or give it a default.`,
  };
}

/** Whether a string is inside its own inverted section, also one over a condition, where it prints nothing. */
function isInOppositeSection(tag: TagInPlace): boolean {
  const { name, found, around } = tag;
  const isOwn = ({ name: section }: { readonly name: string }) =>
    section.replace(/__is_(?:truthy|present)$/, "").replaceAll(".", "_") === name.replaceAll(".", "_");
  const isText = found?.shape.kinds.every(({ type }) => type === "string" || type === "null") ?? false;
  return prints(tag) && isText && around.some((section) => section.inverted && isOwn(section));
}

function oppositeFinding({ text, name, at }: TagInPlace): Finding {
  return {
    message: `${text} prints nothing here: the section around it is only shown if "${name}" is empty.`,
    at: at(),
    hint: `Open the section with {{#${name} …}} instead of {{^${name} …}}, or remove the tag.`,
  };
}

/** Whether no section around the tag may be a test for the variable. A section over a list only repeats. */
function isUnguarded(tag: TagInPlace): boolean {
  return (
    prints(tag) &&
    tag.name !== "." &&
    tag.found?.mayBeAbsent === true &&
    tag.around.every(({ found, inverted }) => !inverted && found?.shape.kinds.some(({ type }) => type === "array"))
  );
}

/** Punctuation that needs something before it, or a sentence that continues. */
const AFTER = /^\s*[,;:.!?)\]”’»%]/;
const CONTINUES = /^\s+\p{Ll}/u;
/** Punctuation or a word that needs something after it; so does a comma at the end of a line, as in "Thank you, ". */
const BEFORE =
  /[:([“‘«"#$€£@/–—-]\s*$|(?:^|[\s(])(?:a|an|and|as|at|by|for|from|in|of|on|our|the|to|via|with|your)\s*$/i;
const COMMA = /\p{L},\s*$/u;
const WORD = /[\p{L}\p{N}]/u;
const SECTION = /\{\{\s*[#^/][^}]*\}\}/;
const BREAK = /\n\s*\n/;

/** The most words on each side that a message quotes. */
const QUOTED_WORDS = 5;

/**
 * What is left of a line if one of its tags prints nothing; undefined if the line still reads well.
 *
 * @example
 * gapBetween("Hi ", ","); // "Hi ,"
 * gapBetween("Thank you ", ""); // undefined
 *
 * @param textBefore Only what follows the last blank line or section tag counts: what a section shows is unknown.
 */
function gapBetween(textBefore: string, textAfter: string): string | undefined {
  const before = textBefore.split(SECTION).at(-1)?.split(BREAK).at(-1) ?? "";
  const after = textAfter.split(SECTION)[0]?.split(BREAK)[0] ?? "";
  if (!isGap(before, after)) return undefined;
  const [left = [], right = []] = [before, after].map((text) => text.split(/(?<=\s)(?=\S)/));
  const words = `${left.slice(-QUOTED_WORDS).join("")}${right.slice(0, QUOTED_WORDS).join("")}`
    .replaceAll(/\s/g, " ")
    .trim();
  return `${left.length > QUOTED_WORDS ? "…" : ""}${words}${right.length > QUOTED_WORDS ? "…" : ""}`;
}

function isGap(before: string, after: string): boolean {
  if (AFTER.test(after) || BEFORE.test(before)) return true;
  if (COMMA.test(before) && after.trim() === "") return true;
  if (before.trim() === "" && CONTINUES.test(after)) return true;
  // Several variables in a row, such as the parts of a name, read well without one.
  const isInRow = /\}\}\s*$/.test(before) && /^\s*\{\{/.test(after);
  return WORD.test(before) && WORD.test(after) && !isInRow;
}
