import type { FormatCallback, HtmlToTextOptions, SelectorDefinition } from "html-to-text";
import { TOKEN, type TagTable } from "../../mustache/tokens.js";
import { tagsInText } from "./dom.js";
import { layOut } from "./lay-out.js";
import { linkFormatter } from "./links.js";
import type { IsList } from "./section-lines.js";
import { rowFormatter } from "./rows.js";

export interface DerivedText {
  /** Tokenised. */
  readonly text: string;
  /** The numbers of the tags in what a text body leaves out: the preheader, what is hidden. */
  readonly skipped: ReadonlySet<number>;
}

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

const HIDDEN = [
  '[style*="display:none"]',
  '[style*="display: none"]',
  '[style*="max-height:0"]',
  '[style*="max-height: 0"]',
  '[data-skip-in-text="true"]',
  '[class*="preheader"]',
  "[hidden]",
];

/** Runs of the invisible characters that pad a preheader. Three, because emoji join with one. */
const PADDING = /(?:(?:\u00AD|\u034F|\u200B|\u200C|\u200D|\u2007|\u2060|\uFEFF)[ \u00A0]*){3,}/g;

/**
 * The text body of tokenised html, as a person would have written it.
 *
 * @param isList Whether a section repeats; what is not known counts as not.
 */
export async function deriveText(html: string, tags: TagTable, isList: IsList): Promise<DerivedText> {
  const { htmlToText } = await import("html-to-text");
  const skipped = new Set<number>();
  const skip: FormatCallback = (element) => {
    for (const tag of tagsInText(element)) skipped.add(tag);
  };
  const options: HtmlToTextOptions = {
    wordwrap: false,
    formatters: { link: linkFormatter(tags), row: rowFormatter(tags), list: formatOrderedList, leaveOut: skip },
    selectors: SELECTORS,
  };
  const text = htmlToText(html, options)
    .replace(PADDING, "")
    .replaceAll("\u00A0", " ")
    .replace(/^ (?=\d+\. )/gm, "");
  return { text: layOut(text, tags, isList), skipped };
}

/** The text of a title: entities decoded, on one line. */
export async function titleText(title: string): Promise<string> {
  if (!title.includes("&")) return title;
  const { htmlToText } = await import("html-to-text");
  return htmlToText(title, { wordwrap: false });
}

const SELECTORS: SelectorDefinition[] = [
  ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false, leadingLineBreaks: 2 } })),
  { selector: "a", format: "link" },
  { selector: "tr", format: "row" },
  { selector: "table", format: "block", options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
  { selector: "ul", options: { itemPrefix: "- " } },
  { selector: "ol", format: "list" },
  { selector: "hr", format: "blockString", options: { string: "---", leadingLineBreaks: 2, trailingLineBreaks: 2 } },
  { selector: "img", format: "skip" },
  ...["head", "title", ...HIDDEN].map((selector) => ({ selector, format: "leaveOut" })),
];

/** A list whose items repeat can't be numbered before it is filled. */
const formatOrderedList: FormatCallback = (list, walk, builder, options) => {
  const repeats = list.children.some((child) => child.type === "text" && (child.data ?? "").search(TOKEN) >= 0);
  const format = builder.options.formatters?.[repeats ? "unorderedList" : "orderedList"];
  format?.(list, walk, builder, { ...options, itemPrefix: "- ", leadingLineBreaks: 2, trailingLineBreaks: 2 });
};
