import type { EmailElement, EmailText } from "../../document/nodes.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { htmlTags, subjectTags, type TagInPlace, textTags } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";
import { nameOf } from "../structure/accessible-name.js";
import { sourceTag } from "../structure/written.js";
import { preheaderOf } from "../subject/preheader.js";
import { gapLeftBy } from "./sentence.js";

const ADDRESSES: readonly string[] = ["href", "src", "background", "action"];

export const optionalVariable: Rule = {
  id: "optional-variable",
  summary: "A variable that may be absent is printed without asking whether it is there, and leaves a gap.",
  severity: "warning",
  checkTemplate(checked) {
    const html = htmlTags(checked).flatMap((tag) => inHtml(tag, checked));
    const { compiled, template } = checked;
    return onceEach([
      ...html,
      // A title of the body is in the html, too.
      ...(template.metadata.subject === undefined ? [] : inPlain(compiled.subject, subjectTags(checked))),
      ...inPlain(compiled.text_body, textTags(checked)),
    ]);
  },
};

function inHtml(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  const { where } = tag;
  if (where && isAskedToBeEmpty(tag)) return [emptyFinding(tag)];
  if (!where || !isUnguarded(tag)) return [];
  if (where.kind === "attribute") {
    const isAddress = ADDRESSES.includes(where.attribute) && where.element.name !== "link";
    if (isAddress) return [finding(tag, `the ${where.attribute} of <${where.element.name}> leads nowhere`)];
    return NAMES.includes(where.attribute)
      ? inName(tag, where.element.tokenised.get(where.attribute) ?? "", checked)
      : [];
  }
  if (where.kind !== "text" || ["style", "script"].includes(where.node.parent.name)) return [];
  const emptied = emptiedBy(tag, where.node, checked);
  if (emptied !== undefined) return [finding(tag, emptied)];
  if (where.node.parent.name === "title" && checked.template.metadata.subject !== undefined) return [];
  const text = blockOf(where.node.parent).join("");
  const gap = gapIn(text, tag, checked);
  if (gap !== undefined) return [finding(tag, `it leaves "${gap}"`)];
  return isLabelled(tag, where.node.parent) ? [{ ...finding(tag, "its cell is empty"), severity: "info" }] : [];
}

function gapIn(text: string, tag: TagInPlace, { document }: CheckedTemplate): string | undefined {
  const writtenAs = (number: number): string => document.input.tags[number]?.text ?? "";
  return gapLeftBy(text, writtenAs, (number) => writtenAs(number) === tag.text);
}

/** What screen readers say in the place of an element. */
const NAMES: readonly string[] = ["alt", "aria-label"];

function inName(tag: TagInPlace, value: string, checked: CheckedTemplate): Finding[] {
  const { where } = tag;
  if (where?.kind !== "attribute") return [];
  // MJML says the title once more of the body.
  if (sourceTag(checked.document, where.element)?.has(where.attribute) === false) return [];
  const gap = gapIn(value, tag, checked);
  if (gap !== undefined) return [finding(tag, `its ${where.attribute} is "${gap}"`)];
  if (where.element.attribute(where.attribute)?.trim() !== tag.text) return [];
  const named = namedBy(tag, where.element);
  if (named) return [finding(tag, `<${named.name}> has no text`)];
  const empty = finding(tag, `the ${where.attribute} of <${where.element.name}> is empty`);
  // That makes a picture decoration.
  return [where.attribute === "alt" ? { ...empty, severity: "info" } : empty];
}

/** The link, button or heading of which a tag is all that it says. */
function namedBy({ text }: TagInPlace, element: EmailElement): EmailElement | undefined {
  const named = [element, ...element.ancestors].find(({ name }) => NAMED.has(name));
  return named && !named.attributes.has("aria-label") && nameOf(named) === text ? named : undefined;
}

/** What is left without a word where a tag that is all of it prints nothing. */
function emptiedBy(tag: TagInPlace, { parent }: EmailText, { document }: CheckedTemplate): string | undefined {
  const { text } = tag;
  if (parent.name === "title") return parent.text.trim() === text ? "the email has no title" : undefined;
  const named = namedBy(tag, parent);
  if (named) return `<${named.name}> has no text`;
  const preheader = preheaderOf(document);
  if (preheader?.text !== text || ![parent, ...parent.ancestors].includes(preheader.element)) return undefined;
  return "there is no preheader, and inboxes show the first words of the body";
}

const NAMED: ReadonlySet<string> = new Set(["a", "button", "h1", "h2", "h3", "h4", "h5", "h6"]);

/** Alone in a cell beside one with words; a list's rows may well have empty cells. */
function isLabelled({ text, around }: TagInPlace, cell: EmailElement): boolean {
  if (!/^t[dh]$/.test(cell.name) || cell.text.trim() !== text || around.length > 0) return false;
  return cell.parent?.elements.some((other) => other !== cell && /^[^{}]*\p{L}[^{}]*$/u.test(other.text)) ?? false;
}

/** In a subject, or in a text body that a person wrote. */
function inPlain(text: string, tags: readonly TagInPlace[]): Finding[] {
  if (!tags.some(isUnguarded)) return [];
  const written: string[] = [];
  const opening: number[] = [];
  const tokenised = text.replaceAll("\n", "\n\n").replace(/\{\{\{?[^}]*\}\}\}?/g, (tag) => {
    const number = written.push(tag) - 1;
    if (!/^\{\{\s*\//.test(tag)) opening.push(number);
    return `\uE000${number}\uE001`;
  });
  return tags.flatMap((tag, index) => {
    if (!isUnguarded(tag)) return [];
    const gap = gapLeftBy(
      tokenised,
      (number) => written[number] ?? "",
      (number) => number === opening[index],
    );
    return gap === undefined ? [] : [finding(tag, `it leaves "${gap}"`)];
  });
}

function finding({ found, text, name, at }: TagInPlace, effect: string): Finding {
  const place = at();
  const guarded = /\.[jt]sx$/.test(place.file)
    ? `it into \`{${name} && …}\``
    : `${text} with what belongs to it into \`{{#${name} is-present}} … {{/${name}}}\``;
  return {
    message: `"${found?.path}" may be absent, and then ${effect}.`,
    at: place,
    hint: `Put ${guarded}, or let the schema ask for it or give it a default.`,
  };
}

/** Within the opposite of its own section a text prints nothing. */
function isAskedToBeEmpty({ kind, name, found, around }: TagInPlace): boolean {
  if ((kind !== "variable" && kind !== "unescaped") || !found || name === ".") return false;
  const isText = found.shape.kinds.every(({ type }) => type === "string" || type === "null");
  const names = [name, ...QUESTIONS.map((question) => `${name.replaceAll(".", "_")}__${question}`)];
  return isText && around.some((section) => section.inverted && names.includes(section.name));
}

/** What the compiler calls them. */
const QUESTIONS = ["is_truthy", "is_present"];

function emptyFinding({ text, name, at }: TagInPlace): Finding {
  return {
    message: `${text} prints nothing here: the section around it is shown where "${name}" is empty.`,
    at: at(),
    hint: `Open the section with {{#${name} …}} instead of {{^${name} …}}, or take the tag out.`,
  };
}

/** Whatever a section asks, somebody thought of when it is shown; one over a list is shown for each item. */
function isUnguarded({ kind, name, found, around }: TagInPlace): boolean {
  if ((kind !== "variable" && kind !== "unescaped") || name === "." || !found?.mayBeAbsent) return false;
  return around.every(
    (section) => section.found?.shape.kinds.some(({ type }) => type === "array") && !section.inverted,
  );
}

const INLINE: readonly string[] = "a abbr b big cite code em font i mark q s small span strong sub sup u".split(" ");

/** The texts around an element's text, up to the nearest block, line break or picture. */
function blockOf(element: EmailElement): string[] {
  let block = element;
  while (block.parent && INLINE.includes(block.name)) block = block.parent;
  return textsIn(block);
}

function textsIn(element: EmailElement): string[] {
  return element.children.flatMap((child) => {
    if (child.kind === "text") return [child.tokenised];
    if (child.kind === "comment") return [];
    return INLINE.includes(child.name) ? textsIn(child) : ["\n\n"];
  });
}
