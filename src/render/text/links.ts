import { type AddressPiece, Gap, type Piece } from "./pieces.js";
import { restore, scopeNames, type TagTable } from "../../mustache/tokens.js";

const ENDS_WITH_WORD = /[\p{L}\p{M}\p{N}\uE001")\]’”]$/u;
/** An arrow that points to the address, or a symbol that is not a word: `★★`. */
const ENDS_WITH_SYMBOL = /[›»\p{S}]$/u;

/** The URL of a link as written in a text body; empty if it doesn't work in an email. */
export function addressOf(href: string): string {
  const address = href.trim();
  if (/^(?:[#?.]|\/(?!\/)|(?:javascript|data|about|cid):)/i.test(address)) return "";
  return address.replace(/^(?:mailto|tel|sms):(?:\/\/)?([^?]*).*$/is, "$1").replace(/\s+/g, "");
}

/**
 * Writes the addresses of links into the text as people do: `Pay now: https://…` if the link is alone on its line,
 * `our terms (https://…)` in a sentence, and each address only once where it is always shown.
 */
export function writeAddresses(pieces: readonly Piece[], tags: TagTable): Piece[] {
  const book = new AddressBook(pieces, tags);
  const output: Piece[] = [];
  const starts: number[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "label") {
      starts.push(output.length);
    } else if (piece.kind === "address") {
      const start = starts.pop() ?? output.length;
      if (needsAddress(piece, output.slice(start), book)) {
        const before = output[start - 1];
        const after = pieces[index + 1];
        output.push(
          ...written(piece, output.slice(start), {
            isAlone: isLineEmpty(output, start - 1, -1) && isLineEmpty(pieces, index + 1, 1),
            isInBrackets: textOf(before).endsWith("(") && textOf(after).startsWith(")"),
          }),
        );
        if (/^[\p{L}\p{N}\uE000]/u.test(textOf(after))) output.push({ kind: "gap", size: Gap.space });
      }
    } else {
      if (piece.kind === "opens" || piece.kind === "closes") book.pass(piece);
      output.push(piece);
    }
  }
  return output;
}

function needsAddress({ address }: AddressPiece, label: readonly Piece[], book: AddressBook): boolean {
  if (address === "") return false;
  const text = wordsOf(label);
  if (text === "") return book.addPicture(address);
  return book.keyOf(text) !== book.keyOf(address) && book.add(address);
}

interface Place {
  /** Whether nothing else is on the line. */
  readonly isAlone: boolean;
  readonly isInBrackets: boolean;
}

function written(
  { address, alternative, prefix }: AddressPiece,
  label: readonly Piece[],
  { isAlone, isInBrackets }: Place,
): Piece[] {
  const text = (words: string): Piece => ({ kind: "text", text: words, prefix });
  const words = wordsOf(label);
  const name = words === "" ? alternative : words;
  if (name === "") return [text(address)];
  const named = words === "" ? [text(name)] : [];
  if (name.endsWith(":") || (isAlone && ENDS_WITH_SYMBOL.test(name))) return [...named, text(` ${address}`)];
  if (isInBrackets && ENDS_WITH_WORD.test(name)) return [...named, text(`: ${address}`)];
  if (!isAlone) return [...named, text(` (${address})`)];
  const isOneLine = !label.some((piece) => piece.kind === "gap" && piece.size >= Gap.line);
  if (isOneLine && ENDS_WITH_WORD.test(name)) return [...named, text(`: ${address}`)];
  return [...named, { kind: "gap", size: Gap.line }, text(address)];
}

function textOf(piece: Piece | undefined): string {
  return piece?.kind === "text" ? piece.text : "";
}

function wordsOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : piece.kind === "gap" ? " " : "")).join("");
}

/** Whether no text is on the line from here on, in one direction. */
function isLineEmpty(pieces: readonly Piece[], from: number, step: 1 | -1): boolean {
  for (let index = from; ; index += step) {
    const piece = pieces[index];
    if (!piece || (piece.kind === "gap" && piece.size >= Gap.line)) return true;
    if (piece.kind === "text" || piece.kind === "address") return false;
  }
}

const GENERIC = /\b(?:avatar|banner|icon|illustration|image|logo|photo|picture|spacer)\b/i;

/** Whether an alternative text only says that there is an image. */
export function namesItself(alternative: string): boolean {
  return GENERIC.test(alternative);
}

/**
 * Writes the alternative text of images among words, where omitting it would leave a hole: `Rated 4 stars by you`. Images on
 * their own, such as logos, are omitted, as in hand-written texts.
 */
export function writeImages(pieces: readonly Piece[]): Piece[] {
  if (!pieces.some(({ kind }) => kind === "picture")) return [...pieces];
  const output: Piece[] = [];
  let start = 0;
  for (const [index, piece] of pieces.entries()) {
    const isLineEnd = piece.kind === "gap" && piece.size >= Gap.line;
    if (!isLineEnd && index < pieces.length - 1) continue;
    output.push(...writeLine(pieces.slice(start, index + 1)));
    start = index + 1;
  }
  return output;
}

function writeLine(line: readonly Piece[]): readonly Piece[] {
  if (!line.some(({ kind }) => kind === "picture")) return line;
  const words = line.map((piece) => (piece.kind === "text" ? piece.text : "")).join(" ");
  const isSentence = /[\p{L}\p{N}\uE000]/u.test(words);
  return line.flatMap((piece): Piece[] => {
    if (piece.kind !== "picture") return [piece];
    const { alternative, prefix } = piece;
    const isNeeded = isSentence && !namesItself(alternative) && !words.includes(alternative);
    return isNeeded ? [{ kind: "text", text: alternative, prefix }] : [];
  });
}

/** An address that can be used as written; `example.com` is more likely a name. */
const IS_WHOLE = /:\/\/|[@\uE000]|^\+?[\d(]/;

/** The context of an address: the opening tags of the sections around it. */
type SectionPath = readonly number[];

/** The URLs in a text body: those that it spells out, and those printed next to a link. */
class AddressBook {
  readonly #tags: TagTable;
  readonly #spelt = new Map<string, SectionPath[]>();
  readonly #named = new Map<string, SectionPath[]>();
  readonly #printed = new Map<string, SectionPath[]>();
  readonly #open: number[] = [];

  constructor(pieces: readonly Piece[], tags: TagTable) {
    this.#tags = tags;
    const addresses = new Set(pieces.flatMap((piece) => (piece.kind === "address" ? [this.keyOf(piece.address)] : [])));
    if (addresses.size === 0) return;
    let label: string | undefined;
    for (const piece of pieces) {
      if (piece.kind === "opens" || piece.kind === "closes") this.pass(piece);
      if (piece.kind === "label") label = "";
      if (piece.kind === "address") {
        if (label?.trim()) add(this.#named, this.keyOf(piece.address), [...this.#open]);
        label = undefined;
      }
      if (piece.kind !== "text") continue;
      label = label === undefined ? undefined : label + piece.text;
      for (const word of piece.text.split(/\s+/)) {
        const key = this.keyOf(word.replace(/^[("'<[]+|[)"'>\].,;:!?]+$/g, ""));
        if (addresses.has(key) && IS_WHOLE.test(word)) add(this.#spelt, key, [...this.#open]);
      }
    }
    this.#open.length = 0;
  }

  /** Enters or leaves a section. */
  pass({ kind, tag }: Extract<Piece, { tag: number }>): void {
    if (kind === "opens") this.#open.push(tag);
    else this.#open.pop();
  }

  /** Records that an address is to be printed here; returns false if the text already contains it whenever this place is shown. */
  add(address: string): boolean {
    const key = this.keyOf(address);
    if (this.#isIn(this.#spelt, key) || this.#isIn(this.#printed, key)) return false;
    add(this.#printed, key, [...this.#open]);
    return true;
  }

  /** The same for an image, which adds nothing to a link with text. */
  addPicture(address: string): boolean {
    return !this.#isIn(this.#named, this.keyOf(address)) && this.add(address);
  }

  /** Equal for the same addresses. Equal tags have different tokens. */
  keyOf(address: string): string {
    return comparable(restore(address, this.#tags, "text"));
  }

  /** Whether an address occurs in a place that is shown whenever this one is, with the same meaning. */
  #isIn(book: ReadonlyMap<string, readonly SectionPath[]>, key: string): boolean {
    return (book.get(key) ?? []).some(
      (place) =>
        place.every((tag, depth) => this.#open[depth] === tag) &&
        (!key.includes("{{") || scopeOf(place, this.#tags) === scopeOf(this.#open, this.#tags)),
    );
  }
}

function comparable(address: string): string {
  const bare = address.replace(/^https?:\/\/(?:www\.)?|^www\.|\/$|\s/gi, "");
  return /^\+?[\d().-]{5,}$/.test(bare) ? bare.replace(/[().-]/g, "") : bare.includes("{{") ? bare : bare.toLowerCase();
}

/** Names mean the same if the same sections open their scopes. */
function scopeOf(place: SectionPath, tags: TagTable): string {
  return scopeNames(place, tags).join(" ");
}

function add(book: Map<string, SectionPath[]>, key: string, place: SectionPath): void {
  const places = book.get(key);
  if (places) places.push(place);
  else book.set(key, [place]);
}
