import { type Position, positionAt } from "../../text/position.js";
import { readTag, type WrittenTag } from "./written-tag.js";

/**
 * Where a template uses the component that renders an element, found by the element's text: the component's tag, or one
 * of its attributes.
 *
 * @example
 * usePosition('<Action href="#">Pay now</Action>', "Pay now", "href"); // { line: 1, column: 9 }
 *
 * @param words The element's text, with Mustache tags as written.
 * @returns undefined unless exactly one use has this text.
 */
export function usePosition(source: string, words: string, attribute?: string): Position | undefined {
  const pattern = patternOf(words);
  const [match, another] = pattern ? [...source.matchAll(pattern)] : [];
  if (!match || another) return undefined;
  const use = tagAround(source, match.index + match[0].search(/[^\s>"'`]/));
  if (!use) return undefined;
  const passed = use.tag.attributes.find(({ name }) => name === attribute);
  return positionAt(source, passed?.start ?? use.start);
}

/** Matches the longest part between Mustache tags, because the source has expressions where the tags are. */
function patternOf(words: string): RegExp | undefined {
  const parts = words.split(/\{\{[^{}]*\}\}\}?/).map((part) => part.trim());
  const [longest = ""] = parts.toSorted((a, b) => b.length - a.length);
  if (longest.length < (parts.length > 1 ? SHORTEST_PART : 1)) return undefined;
  const written = longest
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(/['’]/g, "(?:['’]|&apos;|&rsquo;)"))
    .join("\\s+");
  return new RegExp(parts.length > 1 ? written : `[>"'\`]\\s*${written}\\s*(?=[<"'\`])`, "g");
}

/** A shorter part is likely to appear more than once. */
const SHORTEST_PART = 8;

/** The innermost component whose tag or content contains an offset. */
function tagAround(source: string, offset: number): { readonly tag: WrittenTag; readonly start: number } | undefined {
  const starts = Array.from(source.slice(0, offset).matchAll(/<[A-Z]/g), ({ index }) => index);
  for (const start of starts.reverse()) {
    const tag = readTag(source, start);
    if (!tag) continue;
    const isIn = tag.end > offset;
    const isAround = !tag.selfClosing && !source.slice(tag.end, offset).includes(`</${tag.name}`);
    if (isIn || isAround) return { tag, start };
  }
  return undefined;
}
