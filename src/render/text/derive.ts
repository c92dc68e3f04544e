import { fillSections, roleOf, type TagTable, tokensIn } from "../../mustache/tokens.js";
import type { Lists } from "../contract.js";
import { type Element, Hidden, parseHtml, textIn } from "./tree.js";
import { layOut } from "./lay-out.js";
import { ListTags, outline } from "./outline.js";
import { writeAddresses, writeImages } from "./links.js";
import { Walker } from "./walk.js";
import { Gap, type Piece, widest } from "./pieces.js";

export interface DerivedText {
  /** Tokenised. */
  readonly text: string;
  /** The HTML's tags, and additional ones of the text. */
  readonly tags: TagTable;
  /** The numbers of the tags that the text body omits: in the preheader, and in hidden elements. */
  readonly skipped: ReadonlySet<number>;
  /** The opening tag of a section that decides whether something around it is hidden, which a text can't express. */
  readonly hiding: number | undefined;
}

/** Derives the text body from tokenised HTML, formatted as if it were hand-written. */
export async function deriveText(html: string, tags: TagTable, lists: Lists): Promise<DerivedText> {
  const { halves, ...written } = writeText(await parseHtml(html), tags, lists);
  return { ...written, hiding: await findHiding(html, tags, lists, halves) };
}

interface WrittenText extends Omit<DerivedText, "hiding"> {
  /** The tags of sections with only one end in a hidden element. */
  readonly halves: ReadonlySet<number>;
}

export function writeText(document: Element, tags: TagTable, lists: Lists): WrittenText {
  const hidden = new Hidden(document, tags);
  const written = writeAddresses(writeImages(new Walker(tags).read(hidden.shown(document))), tags);
  const skipped = new Set(hidden.tags);
  const pieces = closeRows(withoutIdleSections(withoutIdleRules(written), skipped));
  const own = new ListTags(tags, lists);
  const text = layOut(outline(pieces, tags, lists.isList), own);
  return { text, tags: own.tags, skipped, halves: hidden.halves };
}

/** The text of a title: entities decoded, on one line. */
export async function titleText(title: string): Promise<string> {
  if (!title.includes("&")) return title;
  return textIn(await parseHtml(title))
    .replace(/\s+/g, " ")
    .trim();
}

/** Removes rules that separate nothing: at both ends of the text, and all but one of several in a row. */
function withoutIdleRules(pieces: readonly Piece[]): Piece[] {
  const last = pieces.findLastIndex((piece) => piece.kind === "text" && !piece.isRule);
  let isBelowWords = false;
  return pieces.filter((piece, index) => {
    if (piece.kind !== "text") return true;
    const isKept = !piece.isRule || (isBelowWords && index < last);
    isBelowWords = !piece.isRule;
    return isKept;
  });
}

/**
 * Removes sections without text, such as one around an image, and records their tags. The gaps in them are
 * kept.
 */
function withoutIdleSections(pieces: readonly Piece[], skipped: Set<number>): Piece[] {
  const output: Piece[] = [];
  const starts: number[] = [];
  for (const piece of pieces) {
    if (piece.kind === "opens") starts.push(output.length);
    output.push(piece);
    const start = piece.kind === "closes" ? starts.pop() : undefined;
    const inner = start === undefined ? [] : output.slice(start);
    if (start === undefined || inner.some(({ kind }) => kind === "text")) continue;
    for (const tag of inner) if (tag.kind === "opens" || tag.kind === "closes") skipped.add(tag.tag);
    output.splice(start, Infinity, ...inner.filter(({ kind }) => kind === "gap"));
  }
  return output;
}

/**
 * Closes the gaps between rows that each have a separate table, as MJML and React Email write them: they look like one
 * table. Gaps at the ends of a section move out of it if the repeated rows have none in between.
 */
function closeRows(pieces: readonly Piece[]): Piece[] {
  if (!pieces.some(({ kind }) => kind === "row-starts")) return [...pieces];
  const output = pieces.flatMap((piece): Piece[] => {
    return piece.kind === "opens" ? [NO_GAP, piece] : piece.kind === "closes" ? [piece, NO_GAP] : [piece];
  });
  const open: number[] = [];
  let ended = -1;
  for (let index = 0; index < output.length; index += 1) {
    const piece = output[index];
    if (piece?.kind === "text") ended = -1;
    if (piece?.kind === "row-ends") ended = index;
    if (piece?.kind === "row-starts" && ended >= 0) narrow(output, ended, index);
    if (piece?.kind === "opens") open.push(index);
    if (piece?.kind === "closes") loosen(output, open.pop() ?? index, index);
  }
  return output.filter(({ kind }) => kind !== "row-starts" && kind !== "row-ends");
}

const NO_GAP: Piece = { kind: "gap", size: Gap.none };

function narrow(pieces: Piece[], start: number, end: number): void {
  for (let index = start; index < end; index += 1) {
    if (pieces[index]?.kind === "gap") pieces[index] = { kind: "gap", size: Gap.line };
  }
}

/** Swaps the wide gaps at the ends of a section with the gaps around it, if it begins and ends with such a row. */
function loosen(pieces: Piece[], opens: number, closes: number): void {
  const first = pieces[opens + 1];
  const last = pieces[closes - 1];
  if (first?.kind !== "gap" || last?.kind !== "gap") return;
  if (pieces[opens + 2]?.kind !== "row-starts" || pieces[closes - 2]?.kind !== "row-ends") return;
  for (const [outer, inner, gap] of [
    [opens - 1, opens + 1, first],
    [closes + 1, closes - 1, last],
  ] as const) {
    const around = pieces[outer];
    if (around?.kind !== "gap") continue;
    pieces[outer] = { kind: "gap", size: widest(around.size, gap.size) };
    pieces[inner] = { kind: "gap", size: Gap.line };
  }
}

/** How often a section is shown, by the number of its opening tag. */
type Times = (opening: number) => number;

/**
 * Finds a section that decides whether something around it is hidden, and returns its opening tag. This can happen if
 * hidden elements have no end tag, such as a paragraph that ends where a table begins: the section then changes more than its content.
 *
 * @param halves The tags of sections with only one end in a hidden element.
 */
async function findHiding(
  html: string,
  tags: TagTable,
  { isList }: Lists,
  halves: ReadonlySet<number>,
): Promise<number | undefined> {
  // With elements that have no end tag, any section may decide where they end.
  const isLoose = leavesOpen(html);
  const suspects = sectionsIn(html, tags).filter(
    ([opening, closing]) => isLoose || halves.has(opening) || halves.has(closing),
  );
  if (suspects.length === 0) return undefined;
  const shown = await shownText(html, tags);
  for (const [opening] of suspects) {
    const cases: Times[] = [
      (section) => (section === opening ? 0 : 1),
      (section) => (section === opening ? 1 : 0),
      () => 0,
      ...(isList(opening) ? [(section: number) => (section === opening ? 2 : 1)] : []),
    ];
    for (const times of cases) {
      const filled = await shownText(fillSections(html, tags, times), tags);
      if (filled !== fillSections(shown, tags, times)) return opening;
    }
  }
  return undefined;
}

/** All visible text, without whitespace. */
async function shownText(html: string, tags: TagTable): Promise<string> {
  const document = await parseHtml(html);
  return textIn(new Hidden(document, tags).shown(document)).replaceAll(/\s/g, "");
}

function sectionsIn(html: string, tags: TagTable): [opening: number, closing: number][] {
  const open: number[] = [];
  return tokensIn(html).flatMap(({ tag }): [number, number][] => {
    const role = roleOf(tags[tag]);
    if (role === "opens") open.push(tag);
    const opening = role === "closes" ? open.pop() : undefined;
    return opening === undefined ? [] : [[opening, tag]];
  });
}

/** Whether opening and closing tags differ in number for elements whose end tag is optional. */
function leavesOpen(html: string): boolean {
  const counts = new Map<string, number>();
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)(p|li|dt|dd|option)(?=[\s/>])/gi)) {
    const key = name.toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + (slash === "" ? 1 : -1));
  }
  return [...counts.values()].some((count) => count !== 0);
}
