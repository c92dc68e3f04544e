import { padding, seenWords } from "../../src/preview/filler.js";

/** What a list of emails shows after the subject. */
export interface FirstWords {
  /** The preheader: hidden text at the start of the body. */
  readonly preheader: string;
  /** The start of the visible body, as far as lists show it after the preheader. */
  readonly rest: string;
}

/** Maximum length that the widest list shows. */
const longest = 300;

const wordless = new Set(["HEAD", "STYLE", "SCRIPT", "TITLE", "TEMPLATE", "TEXTAREA"]);
const blocks = new Set(
  "ADDRESS ARTICLE ASIDE BLOCKQUOTE BR CENTER DD DIV DL DT FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN OL P SECTION TABLE TD TH TR UL".split(
    " ",
  ),
);

const hides =
  /display\s*:\s*none|visibility\s*:\s*hidden|max-height\s*:\s*0|opacity\s*:\s*0(?![.\d])|mso-hide\s*:\s*all|font-size\s*:\s*[01](?:px|pt)?\s*(?:;|!|$)|(?<!-)color\s*:\s*transparent/i;

/** Reads a filled HTML body. */
export const firstWordsOf = (html: string): FirstWords => {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const words = { hidden: "", seen: "" };
  const isEnough = () => words.seen.length > longest || padding.test(words.hidden + words.seen);

  const read = (node: Node, isHidden: boolean): void => {
    if (isEnough()) return;
    if (node instanceof Text) {
      // Hidden text further below is not the preheader; it belongs to the rest.
      if (isHidden && words.seen.trim() === "") words.hidden += node.data;
      else words.seen += node.data;
    } else if (node instanceof Element && !wordless.has(node.tagName)) {
      const hidden = isHidden || node.hasAttribute("hidden") || hides.test(node.getAttribute("style") ?? "");
      node.childNodes.forEach((child) => read(child, hidden));
      if (blocks.has(node.tagName)) words[hidden && words.seen.trim() === "" ? "hidden" : "seen"] += " ";
    }
  };
  read(body, false);
  const [before = "", ...after] = words.hidden.split(padding);
  const isPadded = after.length > 0;
  const rest = isPadded ? "" : seenWords(words.seen.split(padding)[0] ?? "").slice(0, longest);
  return { preheader: seenWords(before), rest };
};
