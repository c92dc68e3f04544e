import { type AddressPiece, Gap, type Piece } from "./pieces.js";
import { AddressBook, isSameAddress } from "./address-book.js";
import type { TagTable } from "../../mustache/tokens.js";

const ENDS_WITH_WORD = /[\p{L}\p{M}\p{N}\uE001")\]’”]$/u;
/** An arrow that points to the address, or a symbol that is not a word: `★★`. */
const ENDS_WITH_SYMBOL = /[›»\p{S}]$/u;

/** The address of a link as written in a text; empty if it doesn't work in an email. */
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
  return text === "" ? book.addPicture(address) : !isSameAddress(text, address, book.tags) && book.add(address);
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
export function writePictures(pieces: readonly Piece[]): Piece[] {
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
