import type { SourcePosition } from "../diagnostic.js";
import { restore, type TagTable, TOKEN } from "../mustache/tokens.js";
import { tokensIn } from "./sections.js";

/** A string with tokens instead of tags, and the tags. */
export interface Tokenised {
  readonly text: string;
  readonly tags: TagTable;
}

/** The source position of a place in the text: that of the tag there, or of the nearest one before it. */
export function positionNear({ text, tags }: Tokenised, offset: number): SourcePosition | undefined {
  const near = tokensIn(text).findLast((token) => token.offset <= offset && tags[token.tag]?.at);
  return tags[near?.tag ?? -1]?.at;
}

/** Finds the tag that begins at an offset of the restored text. */
export function tagAt({ text, tags }: Tokenised, as: "html" | "text", offset: number): number | undefined {
  let restored = 0;
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    restored += match.index - from;
    if (restored >= offset) return Number(match[1]);
    restored += restore(match[0], tags, as).length;
    from = match.index + match[0].length;
  }
  return undefined;
}
