import { tokenize, tokenNames } from "css-tree/tokenizer";

export interface CssToken {
  /** css-tree's name of the token type, without `-token`: `ident`, `string`, `colon`, `{`. */
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * @example
 * cssTokens("a:1").map(({ kind }) => kind); // ["ident", "colon", "number"]
 */
export function cssTokens(css: string): CssToken[] {
  const tokens: CssToken[] = [];
  tokenize(css, (type, start, end) => {
    tokens.push({ kind: KINDS[type] ?? "", text: css.slice(start, end), start, end });
  });
  return tokens;
}

const KINDS = tokenNames.map((name) => name.replace(/-token$/, ""));

/** Whether a token has no meaning: white space, a comment, `<!--` and `-->` around a stylesheet. */
export function isBlank({ kind }: CssToken): boolean {
  return /^(?:whitespace|comment|CDO|CDC)$/.test(kind);
}
