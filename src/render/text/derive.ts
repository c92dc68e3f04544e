import type { TagTable } from "../../mustache/tokens.js";
import type { Lists } from "../lists.js";
import { Hidden } from "./hidden.js";
import { findHiding } from "./hiding.js";
import { layOut } from "./lay-out.js";
import { asLines } from "./lines.js";
import { ListTags } from "./list-tags.js";
import { writeAddresses } from "./links.js";
import { closeRows } from "./lone-rows.js";
import { outline } from "./outline.js";
import { writePictures } from "./pictures.js";
import { withoutIdleRules, withoutIdleSections } from "./idle.js";
import { parseHtml, textIn } from "./tree.js";
import { Walker } from "./walk.js";

export interface DerivedText {
  /** Tokenised. */
  readonly text: string;
  /** The HTML's tags, and additional ones of the text. */
  readonly tags: TagTable;
  /** The numbers of the tags that the text body omits: in the preheader, and in hidden elements. */
  readonly skipped: ReadonlySet<number>;
  /** The opening tag of a section that decides whether something around it is hidden, which a text can't express. */
  readonly hiding: number | undefined;
}

/** Derives the text body from tokenised HTML, formatted as if it were hand-written. */
export async function deriveText(html: string, tags: TagTable, lists: Lists): Promise<DerivedText> {
  const document = await parseHtml(html);
  const hidden = new Hidden(document, tags);
  const written = writeAddresses(writePictures(new Walker(tags).read(hidden.shown(document))), tags);
  const skipped = new Set(hidden.tags);
  const pieces = closeRows(withoutIdleSections(withoutIdleRules(written), skipped));
  const own = new ListTags(tags, lists);
  const text = layOut(asLines(outline(pieces, tags, lists.isList), own), own);
  return { text, tags: own.tags, skipped, hiding: await findHiding(html, tags, lists, hidden.halves) };
}

/** The text of a title: entities decoded, on one line. */
export async function titleText(title: string): Promise<string> {
  if (!title.includes("&")) return title;
  return textIn(await parseHtml(title))
    .replace(/\s+/g, " ")
    .trim();
}
