import { type Position, positionAt } from "../../position.js";
import { readTag, type WrittenTag } from "./written-tag.js";

/**
 * Where a template uses a component that prints an element: the tag around the words that only that use gives to it, or
 * an attribute of that tag.
 *
 * @example
 * usePosition('<Action href="#">Pay now</Action>', { words: "Pay now", attribute: "href" }); // { line: 1, column: 9 }
 *
 * @param words What the element shows, Mustache tags as written.
 * @returns undefined where no use has these words, or several have.
 */
export function usePosition(
  source: string,
  { words, attribute }: { readonly words: string; readonly attribute?: string },
): Position | undefined {
  const pattern = patternOf(words);
  const [found, another] = pattern ? [...source.matchAll(pattern)] : [];
  if (!found || another) return undefined;
  const use = tagAround(source, found.index + found[0].search(/[^\s>"'`]/));
  if (!use) return undefined;
  const given = use.tag.attributes.find(({ name }) => name === attribute);
  return positionAt(source, given?.start ?? use.start);
}

/** Of words with tags in them the longest part between these, as a component has expressions there. */
function patternOf(words: string): RegExp | undefined {
  const parts = words.split(/\{\{[^{}]*\}\}\}?/).map((part) => part.trim());
  const [longest = ""] = parts.toSorted((a, b) => b.length - a.length);
  if (longest.length < (parts.length > 1 ? FEW : 1)) return undefined;
  const written = longest
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(/['’]/g, "(?:['’]|&apos;|&rsquo;)"))
    .join("\\s+");
  return new RegExp(parts.length > 1 ? written : `[>"'\`]\\s*${written}\\s*(?=[<"'\`])`, "g");
}

/** Letters of a part that are seldom the same in another. */
const FEW = 8;

/** The component's tag nearest before an offset that is not closed there. */
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
