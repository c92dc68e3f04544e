import { isConditionalComment, scanMarkup, SITE_ATTRIBUTE } from "../../markup/scan.js";
import type { Tokenised } from "../tokenised.js";
import { chainNote } from "./chain.js";
import type { Place } from "./locate.js";
import { type MappedText, MappedTextBuilder } from "./mapped-text.js";

/** A tokenised html of which it is known where its elements were written. */
export interface SitedHtml extends Tokenised {
  /** What the numbers in its sites stand for. */
  readonly places: readonly Place[];
}

const SITES = new RegExp(` ${SITE_ATTRIBUTE}="\\d+"`, "g");

/** Html as it would be had it not been compiled sited. */
export function withoutSites(html: string): string {
  return html.includes(SITE_ATTRIBUTE) ? html.replace(SITES, "") : html;
}

/** A site as it stands in an open tag, after something that is not white space. */
export function siteAttribute(site: string): string {
  return ` ${SITE_ATTRIBUTE}="${site}"`;
}

/**
 * Numbers the places of a sited compile.
 *
 * @example
 * const sites = new SiteTable();
 * sites.mark("<p>Hi</p>", mapped, 7); // '<p data-lettershop-at="0">Hi</p>'
 * sites.places; // [{ at: { file: "/app/templates/hi.html", line: 2, column: 3 }, note: "" }]
 */
export class SiteTable {
  readonly places: Place[] = [];

  /** The number of the place of what was written at an offset of a mapped text. */
  siteOf(mapped: MappedText, offset: number): string {
    return String(this.places.push({ at: mapped.positionAt(offset), note: chainNote(mapped.chainAt(offset)) }) - 1);
  }

  /**
   * Gives every open tag of a part of a mapped text its site: also those that Outlook alone sees, in conditional
   * comments.
   *
   * @param start Where the part begins.
   */
  mark(html: string, mapped: MappedText, start: number): string {
    let marked = "";
    let from = 0;
    for (const tag of openTags(html)) {
      marked += html.slice(from, tag.end) + siteAttribute(this.siteOf(mapped, start + tag.start));
      from = tag.end;
    }
    return marked + html.slice(from);
  }

  /** The same for the whole of a mapped text. */
  markAll(mapped: MappedText): MappedText {
    const builder = new MappedTextBuilder();
    let from = 0;
    for (const { start, end } of openTags(mapped.text)) {
      builder.appendPart(mapped, from, end);
      builder.appendWritten(siteAttribute(this.siteOf(mapped, start)), mapped, start);
      from = end;
    }
    builder.appendPart(mapped, from);
    return builder.build();
  }
}

/** Where each open tag begins, and where its name ends. */
function* openTags(html: string, from = 0): Generator<{ readonly start: number; readonly end: number }> {
  for (const piece of scanMarkup(html).pieces) {
    const start = from + piece.start;
    if (piece.kind === "open") yield { start, end: start + 1 + piece.name.length };
    if (piece.kind !== "comment") continue;
    const [, opening = "", inner = ""] = BLOCK.exec(html.slice(piece.start, piece.end)) ?? [];
    if (isConditionalComment(opening)) yield* openTags(inner, start + opening.length);
  }
}

/** A conditional comment that has all of what it is about in itself. */
const BLOCK = /^(<!--\[if[^\]]*\]>)(?!<!--)([^]*)<!\[endif\]-->$/;
