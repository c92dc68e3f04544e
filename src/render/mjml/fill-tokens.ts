import { isInverted, roleOf, type TagTable, TOKEN } from "../../mustache/tokens.js";

/** How to fill the tags of a value: what its variables print, and whether its sections are shown. */
export interface Filling {
  readonly variable: string;
  readonly isShown: boolean;
}

/** A string with some of its tags filled. */
export function fillTokens(text: string, fillings: ReadonlyMap<number, Filling>, tags: TagTable): string {
  const open: boolean[] = [];
  let filled = "";
  let from = 0;
  const append = (part: string): void => {
    if (!open.includes(false)) filled += part;
  };
  for (const { 0: written, 1: number, index } of text.matchAll(TOKEN)) {
    const filling = fillings.get(Number(number));
    if (!filling) continue;
    append(text.slice(from, index));
    from = index + written.length;
    const tag = tags[Number(number)];
    const role = roleOf(tag);
    if (role === "opens") open.push(filling.isShown !== isInverted(tag));
    else if (role === "closes") open.pop();
    else append(filling.variable);
  }
  append(text.slice(from));
  return filled;
}
