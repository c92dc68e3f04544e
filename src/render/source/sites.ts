import { isConditionalComment, scanMarkup, SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import type { Tokenised } from "../../mustache/tokens.js";
import { chainNote, type MappedText, MappedTextBuilder } from "./mapped-text.js";
import type { SourcePosition } from "../../diagnostic.js";

/** Tokenised HTML with the source positions of its elements. */
export interface PositionedHtml extends Tokenised {
  /** The positions that the numbers in its sites refer to. */
  readonly places: readonly NotedPosition[];
}

const SITES = new RegExp(` ${SITE_ATTRIBUTE}="\\d+"`, "g");

/** The HTML without the attributes of a sited compile. */
export function withoutSites(html: string): string {
  return html.includes(SITE_ATTRIBUTE) ? html.replace(SITES, "") : html;
}

/** A site as an attribute, with a space before it. */
export function siteAttribute(site: string): string {
  return ` ${SITE_ATTRIBUTE}="${site}"`;
}

/**
 * Numbers the source positions of a sited compile.
 *
 * @example
 * const sites = new SiteTable();
 * sites.mark("<p>Hi</p>", mapped, 7); // '<p data-lettershop-at="0">Hi</p>'
 * sites.places; // [{ at: { file: "/app/templates/hi.html", line: 2, column: 3 }, note: "" }]
 */
export class SiteTable {
  readonly places: NotedPosition[] = [];

  /** Adds the source position at an offset of a mapped text, and returns its number. */
  siteOf(mapped: MappedText, offset: number): string {
    return String(this.places.push({ at: mapped.positionAt(offset), note: chainNote(mapped.chainAt(offset)) }) - 1);
  }

  /**
   * Adds a site to every open tag in a part of a mapped text, including tags in conditional comments that only Outlook
   * reads.
   *
   * @param start The offset of the part.
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

  /** The same for a whole mapped text. */
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

/** The beginning of each open tag, and the end of its name. */
function* openTags(html: string, from = 0): Generator<{ readonly start: number; readonly end: number }> {
  for (const piece of scanMarkup(html).pieces) {
    const start = from + piece.start;
    if (piece.kind === "open") yield { start, end: start + 1 + piece.name.length };
    if (piece.kind !== "comment") continue;
    const [, opening = "", inner = ""] = BLOCK.exec(html.slice(piece.start, piece.end)) ?? [];
    if (isConditionalComment(opening)) yield* openTags(inner, start + opening.length);
  }
}

/** A conditional comment that contains all of its content. */
const BLOCK = /^(<!--\[if[^\]]*\]>)(?!<!--)([^]*)<!\[endif\]-->$/;

/** A position in one of a template's files. */
export interface NotedPosition {
  readonly at: SourcePosition;
  /** A note on how the file came to be included, for the end of a message; empty for the template's body. */
  readonly note: string;
}

/** Finds the source position of a string that compiling has not changed. */
export type Locate = (written: string) => NotedPosition | undefined;

export function locator(texts: readonly MappedText[]): Locate {
  return (written) => {
    const source = texts.find(({ text }) => text.includes(written));
    if (!source) return undefined;
    const offset = source.text.indexOf(written);
    return { at: source.positionAt(offset), note: chainNote(source.chainAt(offset)) };
  };
}
