/** A string whose Mustache tags are replaced with fillers of the same length, so that offsets stay valid. */
export interface Masked {
  readonly text: string;
  /** Whether the range overlaps a tag or an entity, so that its content is unknown. */
  isOpen(start: number, end: number): boolean;
  /** Whether each section ends at the nesting depth at which it starts; `depthAt` counts the open blocks at an offset. */
  isEven(depthAt: (offset: number) => number): boolean;
}

/** `}}}` ends a tag only if `{{{` starts it: in `{color:{{color}}}`, the last brace is CSS. */
const TAG = /\{\{(?:\{[^{}]*\}|\s*([#^/!>&=]?)[^{}]*)\}\}/g;
const COMMENT_TAG = /\{\{![^]*?\}\}/g;

/**
 * Replaces the tags of variables with underscores, and those of sections, comments and partials with spaces.
 *
 * @example
 * masked("color: {{c}}; {{#big}}font-size: 20px{{/big}}").text; // "color: _____;          font-size: 20px        "
 */
export function masked(written: string): Masked {
  if (!written.includes("{{")) return { text: written, isOpen: () => false, isEven: () => true };
  const tags: { readonly start: number; readonly end: number }[] = [];
  const sections: { readonly kind: string; readonly start: number; readonly end: number }[] = [];
  const hide = (tag: string, filler: string, start: number): string => {
    tags.push({ start, end: start + tag.length });
    return tag.replaceAll(/[^\n]/g, filler);
  };
  const text = written
    .replaceAll(COMMENT_TAG, (tag, offset: number) => hide(tag, " ", offset))
    .replaceAll(TAG, (tag, kind = "", offset: number) => {
      if (/[#^/]/.test(kind)) sections.push({ kind, start: offset, end: offset + tag.length });
      return hide(tag, kind === "" || kind === "&" ? "_" : " ", offset);
    });
  return {
    text,
    isOpen: (start, end) => tags.some((each) => each.start < end && each.end > start),
    isEven(depthAt) {
      const depths: number[] = [];
      return sections.every(({ kind, start }) =>
        kind === "/" ? depthAt(start) === depths.pop() : depths.push(depthAt(start)) > 0,
      );
    },
  };
}

/**
 * Decodes the entities for quotes and `&` in an attribute's value without changing its length: fillers follow each decoded
 * character. Other entities become Mustache tags, so that their content counts as unknown.
 */
export function withoutEntities(value: string): string {
  if (!value.includes("&")) return value;
  return value.replaceAll(/&(#?\w+);/g, (entity, name: string) => {
    const character = CHARACTERS[name.toLowerCase()];
    if (character === "&") return character.padEnd(entity.length, "_");
    return (
      character?.padEnd(entity.length) ?? `{{${"_".repeat(Math.max(entity.length - 4, 0))}}}`.slice(0, entity.length)
    );
  });
}

const CHARACTERS: Readonly<Record<string, string>> = {
  quot: '"',
  "#34": '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
  amp: "&",
};
