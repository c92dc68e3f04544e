import type { Attribute } from "../../text/markup/scan.js";
import { positionAt, type Position } from "../../text/position.js";
import { entryOf } from "../../values.js";

/** An attribute as written in a source file. `value` has no quotes or braces. */
interface WrittenAttribute extends Attribute {
  /** Whether the value is a JavaScript expression in braces. */
  readonly isExpression?: boolean;
}

/** An opening tag as written in a source file. */
export interface WrittenTag {
  readonly name: string;
  readonly attributes: readonly WrittenAttribute[];
  readonly selfClosing: boolean;
  readonly start: number;
  /** The offset after its `>`. */
  readonly end: number;
}

/** The name given to spread attributes, `{...props}`, and to Mustache tags between attributes. */
export const SPREAD = "...";

const TAG_NAME = /<[\p{L}_$][^\s/<>{}"'=]*/uy;
const ATTRIBUTE_NAME = /[^\s/<>{}][^\s/<>{}=]*/y;
const EQUALS = /\s*=\s*/y;
/** White space, the slash before `>`, and JSX comments. */
const BETWEEN = /(?:\/\*[^]*?\*\/|\/\/[^\n]*|[\s/])*/y;
const MUSTACHE = /\{\{(?:\{[^]*?\}\}\}|[^]*?\}\})/y;
/** A brace, or something in which a brace is not code: a string or a comment. */
const CODE = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*|[{}]/g;

/**
 * Reads an opening tag of HTML, MJML or JSX, with Mustache tags between its attributes and in their values.
 *
 * @returns undefined if there is no tag at this offset, or it does not end.
 */
export function readTag(text: string, start: number): WrittenTag | undefined {
  const name = matchAt(TAG_NAME, text, start).slice(1);
  if (name === "") return undefined;
  const attributes: WrittenAttribute[] = [];
  let at = start + 1 + name.length;
  for (;;) {
    at += matchAt(BETWEEN, text, at).length;
    if (text.charAt(at) === ">")
      return { name, attributes, selfClosing: text.charAt(at - 1) === "/", start, end: at + 1 };
    const read = readAttribute(text, at);
    if (!read) return undefined;
    attributes.push(read.attribute);
    at = read.end;
  }
}

interface ReadAttribute {
  readonly attribute: WrittenAttribute;
  readonly end: number;
}

function readAttribute(text: string, start: number): ReadAttribute | undefined {
  if (text.charAt(start) === "{") return readBraces(text, SPREAD, start, start);
  const name = matchAt(ATTRIBUTE_NAME, text, start);
  if (name === "") return undefined;
  const nameEnd = start + name.length;
  const equals = matchAt(EQUALS, text, nameEnd);
  if (equals === "") return { attribute: { name, start, value: "", valueStart: nameEnd }, end: nameEnd };
  const first = text.charAt(nameEnd + equals.length);
  if (first === "{") return readBraces(text, name, start, nameEnd + equals.length);
  const quote = first === '"' || first === "'" ? first : "";
  const closing = quote || " \n\t>";
  const valueStart = nameEnd + equals.length + quote.length;
  let end = valueStart;
  while (end < text.length && !closing.includes(text.charAt(end))) end += matchAt(MUSTACHE, text, end).length || 1;
  return { attribute: { name, start, value: text.slice(valueStart, end), valueStart }, end: end + quote.length };
}

function readBraces(text: string, name: string, start: number, braces: number): ReadAttribute {
  const end = endOfBraces(text, braces);
  const value = text.slice(braces + 1, end - 1);
  return { attribute: { name, start, value, valueStart: braces + 1, isExpression: true }, end };
}

/** The offset after the brace that closes the one at `start`; the end of the text if it is never closed. */
function endOfBraces(text: string, start: number): number {
  let open = 0;
  CODE.lastIndex = start;
  for (let token = CODE.exec(text); token; token = CODE.exec(text)) {
    if (token[0] === "{") open += 1;
    else if (token[0] === "}") open -= 1;
    if (open === 0) return CODE.lastIndex;
  }
  return text.length;
}

function matchAt(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}

/**
 * Where a template uses the component that renders an element, found by the element's text: the component's tag, or one
 * of its attributes.
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
  const passed = use.attributes.find(({ name }) => name === attribute);
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
function tagAround(source: string, offset: number): WrittenTag | undefined {
  const starts = Array.from(source.slice(0, offset).matchAll(/<[A-Z]/g), ({ index }) => index);
  for (const start of starts.reverse()) {
    const tag = readTag(source, start);
    if (!tag) continue;
    const isIn = tag.end > offset;
    const isAround = !tag.selfClosing && !source.slice(tag.end, offset).includes(`</${tag.name}`);
    if (isIn || isAround) return tag;
  }
  return undefined;
}

/**
 * The attribute in the source tag that an attribute of the compiled HTML comes from: `bgcolor` comes from MJML's
 * `background-color`, `class` from JSX's `className`.
 */
export function attributeOf(tag: WrittenTag, name: string): WrittenAttribute | undefined {
  return firstOf(tag, [name, ...((isMjml(tag) ? MJML_NAMES : JSX_NAMES)[name] ?? [])]);
}

/**
 * The offset of a CSS property in a tag's style: in `style="…"`, in `style={{ … }}` or an object in the same file that
 * it names, or as an MJML attribute. Falls back to a shorthand that sets the property.
 *
 * @param text The file that contains the tag.
 */
export function styleOffset(tag: WrittenTag, text: string, property: string): number | undefined {
  const parts = property.toLowerCase().split("-");
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join("-");
    const offset = name === "" ? undefined : propertyOffset(tag, text, name);
    if (offset !== undefined) return offset;
  }
  return undefined;
}

function propertyOffset(tag: WrittenTag, text: string, property: string): number | undefined {
  if (isMjml(tag)) return firstOf(tag, [property, ...(entryOf(MJML_PROPERTIES, property) ?? [])])?.start;
  const style = firstOf(tag, ["style"]);
  if (!style) return undefined;
  const { value, valueStart, isExpression } = style;
  if (isExpression === true) return findStyleKey(text, style, property);
  const declared = new RegExp(`(?<![\\w-])${property.replaceAll(/[^\w-]/g, "\\$&")}(?=\\s*:)`, "gi");
  // A colon in a Mustache tag or a URL does not follow a property.
  const plain = blanked(value, /\{\{[^]*?\}\}\}?|url\([^)]*\)/gi);
  const last = [...plain.matchAll(declared)].at(-1);
  return last && valueStart + last.index;
}

/** Treats `className` and `class-name` as the same name. */
function firstOf({ attributes }: WrittenTag, names: readonly string[]): WrittenAttribute | undefined {
  const plain = (name: string): string => name.replaceAll(/[-:]/g, "").toLowerCase();
  return names.flatMap((wanted) => attributes.find(({ name }) => plain(name) === plain(wanted)) ?? [])[0];
}

function isMjml({ name }: WrittenTag): boolean {
  return /^mj(?:ml$|-)/i.test(name);
}

type Names = Readonly<Record<string, readonly string[]>>;

/** JSX names that differ from HTML. Tailwind turns classes into styles. */
const JSX_NAMES: Names = { class: ["className"], for: ["htmlFor"], style: ["className"] };

const BACKGROUND = ["background-color", "inner-background-color", "container-background-color", "background-url"];

/** MJML names that differ from HTML. */
const MJML_NAMES: Names = {
  class: ["css-class"],
  bgcolor: BACKGROUND.slice(0, 3),
  background: ["background-url"],
  valign: ["vertical-align"],
  src: ["background-url"],
};

/** MJML attributes that become a CSS property with a different name. */
const MJML_PROPERTIES: Names = {
  background: BACKGROUND,
  "background-color": BACKGROUND,
  "background-image": ["background-url"],
  "text-align": ["align"],
  padding: ["inner-padding", "icon-padding", "text-padding"],
  border: ["inner-border"],
  "border-radius": ["inner-border-radius"],
  // For `mj-divider`.
  "border-top": ["border-color", "border-style", "border-width"],
  "max-width": ["width"],
};

/**
 * The offset of a CSS property in the expression of a JSX style: in its own object, or in an object in the same file that
 * it names.
 */
function findStyleKey(text: string, { value, valueStart }: WrittenAttribute, property: string): number | undefined {
  const code = blanked(text, /\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*/g);
  const expression = code.slice(valueStart, valueStart + value.length);
  const own = keyOf(expression, property)?.index;
  if (own !== undefined) return valueStart + own;
  const names = blanked(expression, /"[^"\n]*"|'[^'\n]*'/g).match(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g) ?? [];
  for (const name of names.toReversed()) {
    const object = objectAt(code, name.split("."));
    const inner = object === undefined ? undefined : keyOf(membersOf(code, object), property)?.index;
    if (object !== undefined && inner !== undefined) return object + inner;
  }
  return undefined;
}

/** The last key for a CSS property: `fontSize`, `"font-size"`, `WebkitTextSizeAdjust`. */
function keyOf(code: string, property: string): RegExpExecArray | undefined {
  const name = property
    .replaceAll(/[^\w-]/g, "\\$&")
    .replace(/^-/, "")
    .replaceAll("-", "-?");
  return [...code.matchAll(new RegExp(`(?<=[{,]\\s*)(["']?)-?${name}\\1\\s*(?=[:,}])`, "gi"))].at(-1);
}

/** The offset of the object that `styles.button` refers to: `const styles = { button: { … } }`. */
function objectAt(code: string, [name = "", ...members]: readonly string[]): number | undefined {
  const escaped = name.replaceAll("$", "\\$");
  const declared = new RegExp(`\\b(?:const|let|var)\\s+${escaped}\\b[^=;{]*=\\s*(?=\\{)`).exec(code);
  let object = declared ? declared.index + declared[0].length : undefined;
  for (const member of members) {
    if (object === undefined) return undefined;
    const key = keyOf(membersOf(code, object), member);
    const valueAt: number = key ? code.indexOf(":", object + key.index) + 1 : -1;
    const blanks = /^\s*(?=\{)/.exec(code.slice(valueAt))?.[0].length;
    object = key && blanks !== undefined ? valueAt + blanks : undefined;
  }
  return object;
}

/** An object whose nested objects are replaced with spaces, so that offsets stay the same. */
function membersOf(code: string, start: number): string {
  return `{${blanked(code.slice(start + 1, endOfBraces(code, start)), /\{[^{}]*\}/g)}`;
}

function blanked(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (found) => " ".repeat(found.length));
}
