import { scan, type ScannedTag } from "../mustache/scan.js";
import { type Tag, type TagTable } from "../mustache/tokens.js";

/** A token in a string. */
export interface TokenAt {
  /** The tag's number. */
  readonly tag: number;
  readonly offset: number;
}

const [OPENING, CLOSING] = ["\uE000", "\uE001"];
const IS_NUMBER = /^\d+$/;

export function tokensIn(text: string): TokenAt[] {
  const tokens: TokenAt[] = [];
  // Not with a regular expression: every match would allocate an object, and whole bodies are searched several times.
  for (let offset = text.indexOf(OPENING); offset >= 0; offset = text.indexOf(OPENING, offset + 1)) {
    const number = text.slice(offset + 1, Math.max(0, text.indexOf(CLOSING, offset)));
    if (IS_NUMBER.test(number)) tokens.push({ tag: Number(number), offset });
  }
  return tokens;
}

/** Cached, because each tag is looked up many times. */
const known = new WeakMap<Tag, ScannedTag>();

function scanned(tag: Tag | undefined): ScannedTag | undefined {
  const scannedTag = tag && (known.get(tag) ?? scan(tag.text).tags[0]);
  if (scannedTag) known.set(tag, scannedTag);
  return scannedTag;
}

/** What a tag does: open a section (inverted or not), close one, or print. */
export function roleOf(tag: Tag | undefined): "opens" | "closes" | "prints" {
  const kind = scanned(tag)?.kind;
  if (kind === "section" || kind === "inverted") return "opens";
  return kind === "close" ? "closes" : "prints";
}

/** Whether a tag opens an inverted section. */
export function isInverted(tag: Tag | undefined): boolean {
  return scanned(tag)?.kind === "inverted";
}

/** Whether a tag prints a value as text, with HTML escaped. */
export function printsText(tag: Tag | undefined): boolean {
  return scanned(tag)?.kind === "variable";
}

/** How many more sections are open after a string than before it. */
export function sectionsOpened(text: string, tags: TagTable): number {
  const roles = tokensIn(text).map(({ tag }) => roleOf(tags[tag]));
  return roles.filter((role) => role === "opens").length - roles.filter((role) => role === "closes").length;
}

/** The name in a tag. */
export function nameOf(tag: Tag | undefined): string {
  return scanned(tag)?.name ?? "";
}

/** The names of the sections that these tags open and that open a scope; inverted ones don't. */
export function scopeNames(opening: readonly number[], tags: TagTable): string[] {
  return opening
    .map((tag) => tags[tag])
    .filter((tag) => scanned(tag)?.kind === "section")
    .map(nameOf);
}

/** The first tag whose section isn't entirely among these tags; undefined if all sections are complete. */
export function halfSection(numbers: Iterable<number>, tags: TagTable): number | undefined {
  return halfSections(numbers, tags)[0];
}

/** The tags whose sections aren't entirely among these tags, in order. */
export function halfSections(numbers: Iterable<number>, tags: TagTable): number[] {
  const closed: number[] = [];
  const open: number[] = [];
  for (const number of numbers) {
    const role = roleOf(tags[number]);
    if (role === "opens") open.push(number);
    else if (role === "closes" && open.pop() === undefined) closed.push(number);
  }
  return [...closed, ...open];
}

/** For each tag, the sections around it, outermost first, as numbers of their opening tags. */
export function enclosingSections(
  numbers: Iterable<number>,
  tags: TagTable,
): { tag: number; around: readonly number[] }[] {
  const open: number[] = [];
  return Array.from(numbers, (tag) => {
    const role = roleOf(tags[tag]);
    if (role === "closes") open.pop();
    const around = [...open];
    if (role === "opens") open.push(tag);
    return { tag, around };
  });
}
