import { fill } from "../../../mustache/fill.js";
import type { CompiledTemplate, FilledFixture } from "../../../project/template.js";
import { Parser } from "htmlparser2";
import { padding, seenWords } from "../../filler.js";

/** A message as a list of emails would show it, and its text. */
export interface Outline {
  readonly subject: string;
  readonly preheader: string;
  readonly content: string;
}

/** Filled with the first of the fixtures that are shown. Without one, tags are empty. */
export function outlineOf(compiled: CompiledTemplate, [first]: readonly FilledFixture[]): Outline {
  try {
    const { subject, html, text } = fill(compiled, first?.variables ?? {});
    return { subject, preheader: preview(html), content: text };
  } catch {
    // If filling fails, the reason is shown with the email.
    return { subject: compiled.subject, preheader: "", content: compiled.text_body };
  }
}

/** Maximum length that the widest list of emails shows. */
const LONGEST = 200;

/** Elements whose content is never shown as text. */
const WORDLESS: ReadonlySet<string> = new Set(["head", "style", "script", "title", "template", "textarea"]);

/**
 * The text that an inbox shows after the subject: the beginning of a filled body, including hidden text, up to any
 * padding.
 *
 * @example
 * preview('<body><div style="display:none">Your receipt</div><h1>Thanks</h1>'); // "Your receipt Thanks"
 */
export function preview(html: string): string {
  let words = "";
  const wordless: string[] = [];
  const parser = new Parser({
    onopentagname(name) {
      if (WORDLESS.has(name)) wordless.push(name);
    },
    onclosetag(name) {
      if (wordless.at(-1) === name) wordless.pop();
      if (BLOCKS.has(name)) words += " ";
    },
    ontext(text) {
      if (wordless.length === 0) words += text;
    },
  });
  // Parsed in parts, because the first words are near the beginning.
  for (let from = 0; from < html.length && !isEnough(words); from += PART) parser.write(html.slice(from, from + PART));
  if (!isEnough(words)) parser.end();
  return shownWords(words).slice(0, LONGEST);
}

const PART = 4000;
const BLOCKS: ReadonlySet<string> = new Set("div p td th tr table h1 h2 h3 h4 h5 h6 li br section center".split(" "));

function isEnough(words: string): boolean {
  return padding.test(words.trimStart()) || shownWords(words).length > LONGEST;
}

function shownWords(words: string): string {
  const [before = ""] = words.trimStart().split(padding);
  return seenWords(before);
}
