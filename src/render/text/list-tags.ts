import { token, type TagTable } from "../../mustache/tokens.js";
import type { Lists } from "../lists.js";

/** The two tags of a section that a text has and its html has not. */
export interface SectionTags {
  readonly sigil: "#" | "^";
  readonly name: string;
  readonly opens: string;
  readonly closes: string;
}

/** Makes tags of a text's own, for sections over what a list is like. */
export class ListTags {
  /** Those of the html, and the new ones. */
  readonly tags: TagTable;
  readonly #lists: Lists;

  constructor(tags: TagTable, lists: Lists) {
    this.tags = [...tags];
    this.#lists = lists;
  }

  /** Shown where a list has items; undefined where that can't be asked. */
  hasItems(list: number): SectionTags | undefined {
    return this.#section("#", this.#lists.hasItems(list), list);
  }

  /** The same around what must not get lost where a sender does not know the condition. */
  surelyHasItems(list: number): SectionTags | undefined {
    return this.#lists.areAsked ? this.hasItems(list) : undefined;
  }

  /** Shown in a list between its items: in all but the last one. */
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
