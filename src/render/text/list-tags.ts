import { token, type TagTable } from "../../mustache/tokens.js";
import type { Lists } from "../lists.js";

/** The two tags of a section that only the text has, not the HTML. */
export interface SectionTags {
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
  hasItems(list: number): SectionTags | undefined {
    return this.#section("#", this.#lists.hasItems(list), list);
  }

  /** The same for content that must not get lost if a sender doesn't know the condition. */
  surelyHasItems(list: number): SectionTags | undefined {
    return this.#lists.areUsed ? this.hasItems(list) : undefined;
  }

  /** Shown between the items of a list: in all but the last one. */
  isNotLast(list: number): SectionTags | undefined {
    return this.#section("^", this.#lists.isLast(list), list);
  }

  #section(sigil: SectionTags["sigil"], name: string | undefined, list: number): SectionTags | undefined {
    if (name === undefined) return undefined;
    const { at } = this.tags[list] ?? {};
    const add = (text: string) => token(this.tags.push({ text, ...(at && { at }) }) - 1);
    return { sigil, name, opens: add(`{{${sigil}${name}}}`), closes: add(`{{/${name}}}`) };
  }
}
