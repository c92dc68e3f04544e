/** A text whose Mustache tags are out of the way, letter by letter as long as it was. */
export interface Masked {
  readonly text: string;
  /** Whether something stands between two places that the text does not say, a tag or an entity. */
  isOpen(start: number, end: number): boolean;
  /** Whether a section has as much open at its end as at its beginning, by what tells how much is open at a place. */
  isEven(depthAt: (offset: number) => number): boolean;
}

/** Three braces end only what three began: in `{color:{{color}}}`, the last one is CSS. */
const TAG = /\{\{(?:\{[^{}]*\}|\s*([#^/!>&=]?)[^{}]*)\}\}/g;
const COMMENT_TAG = /\{\{![^]*?\}\}/g;

/**
 * What prints something becomes a name; sections, comments and partials become blanks.
 *
 * @example
 * masked("color: {{c}}; {{#big}}font-size: 20px{{/big}}").text; // "color: _____;          font-size: 20px        "
 */
export function masked(written: string): Masked {
  if (!written.includes("{{")) return { text: written, isOpen: () => false, isEven: () => true };
  const open: { readonly start: number; readonly end: number }[] = [];
  const sections: { readonly kind: string; readonly start: number; readonly end: number }[] = [];
  const hide = (found: string, filler: string, start: number): string => {
    open.push({ start, end: start + found.length });
    return found.replaceAll(/[^\n]/g, filler);
  };
  const text = written
    .replaceAll(COMMENT_TAG, (found, offset: number) => hide(found, " ", offset))
    .replaceAll(TAG, (found, kind = "", offset: number) => {
      if (/[#^/]/.test(kind)) sections.push({ kind, start: offset, end: offset + found.length });
      return hide(found, kind === "" || kind === "&" ? "_" : " ", offset);
    });
  return {
    text,
    isOpen: (start, end) => open.some((each) => each.start < end && each.end > start),
    isEven(depthAt) {
      const begun: number[] = [];
      return sections.every(({ kind, start }) =>
        kind === "/" ? depthAt(start) === begun.pop() : begun.push(depthAt(start)) > 0,
      );
    },
  };
}

/**
 * The value of an attribute with its entities decoded, as long as it was: quotes have blanks behind them. Others than of
 * quotes and `&` are said by a tag, of which nothing is known.
 */
export function withoutEntities(value: string): string {
  if (!value.includes("&")) return value;
  return value.replaceAll(/&(#?\w+);/g, (found, name: string) => {
    const sign = SIGNS[name.toLowerCase()];
    if (sign === "&") return sign.padEnd(found.length, "_");
    return sign?.padEnd(found.length) ?? `{{${"_".repeat(Math.max(found.length - 4, 0))}}}`.slice(0, found.length);
  });
}

const SIGNS: Readonly<Record<string, string>> = { quot: '"', "#34": '"', apos: "'", "#39": "'", "#x27": "'", amp: "&" };
