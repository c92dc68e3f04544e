import { tagName, scopeNames, type TagTable, token } from "../../mustache/tokens.js";
import type { Lists } from "../contract.js";
import { Gap, type Piece, type TagPiece, widest } from "./pieces.js";

/** A sequence of text and sections. */
export interface Sequence {
  readonly items: readonly Item[];
  /** The gap after the last item; without items, the gap that an empty section contains. */
  readonly end: Gap;
}

export type Item = Words | OutlineSection;

export interface Words {
  readonly kind: "words";
  /** The gap before it. */
  readonly gap: Gap;
  readonly text: string;
  readonly prefix: string;
}

export interface OutlineSection {
  readonly kind: "section";
  readonly gap: Gap;
  readonly opens: string;
  readonly closes: string;
  /** The number of its opening tag. */
  readonly tag: number;
  readonly name: string;
  readonly isInverted: boolean;
  readonly isList: boolean;
  readonly body: Sequence;
  /** Whether it contains whole lines, and has its tags on separate lines. */
  readonly isBlock: boolean;
}

/** Whether one section is the other's inverse, so that one of the two is shown. */
export function isChoice(section: OutlineSection, next: OutlineSection): boolean {
  return section.name === next.name && section.isInverted !== next.isInverted;
}

/** Finds the sections in pieces, and which of them contain line ends. */
export function outline(pieces: readonly Piece[], tags: TagTable, isList: Lists["isList"]): Sequence {
  let at = 0;
  return sequence(0);

  /** Up to the end of the current section. */
  function sequence(depth: number): Sequence {
    const items: Item[] = [];
    let gap: Gap = Gap.none;
    const add = (item: Item) => {
      items.push(item);
      gap = Gap.none;
    };
    for (; at < pieces.length; at += 1) {
      const piece = pieces[at];
      if (piece?.kind === "gap") gap = widest(gap, piece.size);
      else if (piece?.kind === "opens") add(section(piece, gap, depth));
      else if (piece?.kind === "text") add({ kind: "words", gap, text: piece.text, prefix: piece.prefix });
      else if (piece?.kind === "closes" && depth > 0) break;
      else if (piece?.kind === "closes") add({ kind: "words", gap, text: piece.token, prefix: "" });
    }
    return { items, end: gap };
  }

  function section({ tag, token: opens }: TagPiece, gap: Gap, depth: number): OutlineSection {
    at += 1;
    const body = sequence(depth + 1);
    const closing = pieces[at];
    const closes = closing?.kind === "closes" ? closing.token : "";
    const isBlock =
      body.end >= Gap.line ||
      body.items.some((item) => item.gap >= Gap.line || (item.kind === "section" && item.isBlock));
    const name = tagName(tags[tag]);
    const isInverted = scopeNames([tag], tags).length === 0;
    return {
      kind: "section",
      gap,
      tag,
      opens,
      closes,
      name,
      isInverted,
      isList: !isInverted && isList(tag),
      body,
      isBlock,
    };
  }
}

/** The two tags of a section that only the text has, not the HTML. */
export interface ConditionTags {
  readonly sigil: "#" | "^";
  readonly name: string;
  readonly opens: string;
  readonly closes: string;
}

/** Creates tags for sections that test the state of a list. */
export class ListTags {
  /** The HTML's tags, and the new ones. */
  readonly tags: TagTable;
  readonly #lists: Lists;

  constructor(tags: TagTable, lists: Lists) {
    this.tags = [...tags];
    this.#lists = lists;
  }

  /** Shown if a list has items; undefined if that can't be tested. */
  hasItems(list: number): ConditionTags | undefined {
    return this.#section("#", this.#lists.hasItems(list), list);
  }

  /** The same for content that must not get lost if a sender doesn't know the condition. */
  surelyHasItems(list: number): ConditionTags | undefined {
    return this.#lists.areUsed ? this.hasItems(list) : undefined;
  }

  /** Shown between the items of a list: in all but the last one. */
  isNotLast(list: number): ConditionTags | undefined {
    return this.#section("^", this.#lists.isLast(list), list);
  }

  #section(sigil: ConditionTags["sigil"], name: string | undefined, list: number): ConditionTags | undefined {
    if (name === undefined) return undefined;
    const { at } = this.tags[list] ?? {};
    const add = (text: string) => token(this.tags.push({ text, ...(at && { at }) }) - 1);
    return { sigil, name, opens: add(`{{${sigil}${name}}}`), closes: add(`{{/${name}}}`) };
  }
}
