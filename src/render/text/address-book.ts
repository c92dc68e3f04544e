import { restore, type TagTable } from "../../mustache/tokens.js";
import { scopeNames } from "../sections.js";
import type { Piece } from "./pieces.js";

/** An address that can be used as it is written: `example.com` is rather a name. */
const IS_WHOLE = /:\/\/|[@\uE000]|^\+?[\d(]/;

/** Where an address is printed: the opening tags of the sections around. */
type Place = readonly number[];

/** The addresses of a text: those that it spells out, and those that have been printed beside a link. */
export class AddressBook {
  readonly tags: TagTable;
  readonly #spelt = new Map<string, Place[]>();
  readonly #named = new Map<string, Place[]>();
  readonly #printed = new Map<string, Place[]>();
  readonly #open: number[] = [];

  constructor(pieces: readonly Piece[], tags: TagTable) {
    this.tags = tags;
    const addresses = new Set(pieces.flatMap((piece) => (piece.kind === "address" ? [this.#key(piece.address)] : [])));
    if (addresses.size === 0) return;
    let label: string | undefined;
    for (const piece of pieces) {
      if (piece.kind === "opens" || piece.kind === "closes") this.pass(piece);
      if (piece.kind === "label") label = "";
      if (piece.kind === "address") {
        if (label?.trim()) add(this.#named, this.#key(piece.address), [...this.#open]);
        label = undefined;
      }
      if (piece.kind !== "text") continue;
      label = label === undefined ? undefined : label + piece.text;
      for (const word of piece.text.split(/\s+/)) {
        const key = this.#key(word.replace(/^[("'<[]+|[)"'>\].,;:!?]+$/g, ""));
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

  /** Notes that an address is to be printed here; false where a reader has it already, or will. */
  add(address: string): boolean {
    const key = this.#key(address);
    if (this.#isIn(this.#spelt, key) || this.#isIn(this.#printed, key)) return false;
    add(this.#printed, key, [...this.#open]);
    return true;
  }

  /** The same for a picture, which adds nothing to a link that has words. */
  addPicture(address: string): boolean {
    return !this.#isIn(this.#named, this.#key(address)) && this.add(address);
  }

  #key(address: string): string {
    return comparable(restore(address, this.tags, "text"));
  }

  /** Whether an address is in places that are shown whenever this one is, and means the same there. */
  #isIn(book: ReadonlyMap<string, readonly Place[]>, key: string): boolean {
    return (book.get(key) ?? []).some(
      (place) =>
        place.every((tag, depth) => this.#open[depth] === tag) &&
        (!key.includes("{{") || scopeOf(place, this.tags) === scopeOf(this.#open, this.tags)),
    );
  }
}

/** Whether a link's text is its address. Equal tags have different tokens. */
export function isSameAddress(label: string, address: string, tags: TagTable): boolean {
  return comparable(restore(label, tags, "text")) === comparable(restore(address, tags, "text"));
}

function comparable(address: string): string {
  const bare = address.replace(/^https?:\/\/(?:www\.)?|^www\.|\/$|\s/gi, "");
  return /^\+?[\d().-]{5,}$/.test(bare) ? bare.replace(/[().-]/g, "") : bare.includes("{{") ? bare : bare.toLowerCase();
}

/** Names mean the same where the same sections change them. */
function scopeOf(place: Place, tags: TagTable): string {
  return scopeNames(place, tags).join(" ");
}

function add(book: Map<string, Place[]>, key: string, place: Place): void {
  const places = book.get(key);
  if (places) places.push(place);
  else book.set(key, [place]);
}
