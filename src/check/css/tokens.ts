import { tokenize } from "css-tree/tokenizer";

/** The kinds of tokens, in the order of css-tree's numbers. */
const KINDS = [
  "eof",
  "ident",
  "function",
  "at",
  "hash",
  "string",
  "bad-string",
  "url",
  "bad-url",
  "delim",
  "number",
  "percentage",
  "dimension",
  "space",
  "cdo",
  "cdc",
  ":",
  ";",
  ",",
  "[",
  "]",
  "(",
  ")",
  "{",
  "}",
  "comment",
] as const;

export interface CssToken {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * @example
 * cssTokens("a:1").map(({ kind }) => kind); // ["ident", ":", "number"]
 */
export function cssTokens(css: string): CssToken[] {
  const tokens: CssToken[] = [];
  tokenize(css, (type, start, end) => {
    tokens.push({ kind: KINDS[type] ?? "eof", text: css.slice(start, end), start, end });
  });
  return tokens;
}

/** Whether a token has no meaning: white space, a comment, `<!--` and `-->` around a stylesheet. */
export function isBlank({ kind }: CssToken): boolean {
  return kind === "space" || kind === "comment" || kind === "cdo" || kind === "cdc";
}
