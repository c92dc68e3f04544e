import { restore, scopeNames, type TagTable } from "../../mustache/tokens.js";
import type { Piece } from "./pieces.js";

/** An address that can be used as written; `example.com` is more likely a name. */
const IS_WHOLE = /:\/\/|[@\uE000]|^\+?[\d(]/;

/** The context of an address: the opening tags of the sections around it. */
type Place = readonly number[];

/** The addresses in a text: those that it spells out, and those printed next to a link. */
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

  /** Records that an address is to be printed here; returns false if the text already contains it whenever this place is shown. */
  add(address: string): boolean {
    const key = this.#key(address);
    if (this.#isIn(this.#spelt, key) || this.#isIn(this.#printed, key)) return false;
    add(this.#printed, key, [...this.#open]);
    return true;
  }

  /** The same for an image, which adds nothing to a link with text. */
  addPicture(address: string): boolean {
    return !this.#isIn(this.#named, this.#key(address)) && this.add(address);
  }

  #key(address: string): string {
    return comparable(restore(address, this.tags, "text"));
  }

  /** Whether an address occurs in a place that is shown whenever this one is, with the same meaning. */
  #isIn(book: ReadonlyMap<string, readonly Place[]>, key: string): boolean {
    return (book.get(key) ?? []).some(
      (place) =>
        place.every((tag, depth) => this.#open[depth] === tag) &&
        (!key.includes("{{") || scopeOf(place, this.tags) === scopeOf(this.#open, this.tags)),
    );
  }
}

/** Whether a link's text equals its address. Equal tags have different tokens. */
export function isSameAddress(label: string, address: string, tags: TagTable): boolean {
  return comparable(restore(label, tags, "text")) === comparable(restore(address, tags, "text"));
}

function comparable(address: string): string {
  const bare = address.replace(/^https?:\/\/(?:www\.)?|^www\.|\/$|\s/gi, "");
  return /^\+?[\d().-]{5,}$/.test(bare) ? bare.replace(/[().-]/g, "") : bare.includes("{{") ? bare : bare.toLowerCase();
}

/** Names mean the same if the same sections open their scopes. */
function scopeOf(place: Place, tags: TagTable): string {
  return scopeNames(place, tags).join(" ");
}

function add(book: Map<string, Place[]>, key: string, place: Place): void {
  const places = book.get(key);
  if (places) places.push(place);
  else book.set(key, [place]);
}
