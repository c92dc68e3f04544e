import type { EmailElement } from "../../document/nodes.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { htmlTags, subjectTags, type TagInPlace, textTags } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";
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
    return isAddress ? [finding(tag, `the ${where.attribute} of <${where.element.name}> leads nowhere`)] : [];
  }
  if (where.kind !== "text" || ["style", "script"].includes(where.node.parent.name)) return [];
  if (where.node.parent.name === "title" && checked.template.metadata.subject !== undefined) return [];
  const text = blockOf(where.node.parent).join("");
  const writtenAs = (number: number): string => checked.document.input.tags[number]?.text ?? "";
  const gap = gapLeftBy(text, writtenAs, (number) => writtenAs(number) === tag.text);
  if (gap !== undefined) return [finding(tag, `it leaves "${gap}"`)];
  return isLabelled(tag, where.node.parent) ? [{ ...finding(tag, "its cell is empty"), severity: "info" }] : [];
}

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
  return {
    message: `"${found?.path}" may be absent, and then ${effect}.`,
    at: at(),
    hint: `Put ${text} with what belongs to it into {{#${name} is-present}} … {{/${name}}}, or let the schema ask for it or give it a default.`,
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
