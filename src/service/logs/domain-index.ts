import type { LogTransport } from "../../api/contract/v4/logs.js";
import type { Mailbox } from "../mailbox.js";
import type { SearchedEntry } from "../store/log-rows.js";
import { column } from "./column.js";
import { Vocabulary } from "./vocabulary.js";
import { words } from "./split-words.js";

const transports: Readonly<Record<LogTransport, number>> = { mx: 1, smtp: 2, api: 3 };

/** A domain's log in memory, as columns. An entry's position is its place in order of arrival. */
export class DomainIndex {
  readonly vocabulary = new Vocabulary();
  readonly seq = column.float64();
  readonly createdAt = column.float64();
  readonly transport = column.uint8();
  readonly statuses = column.uint8();
  /** Numbers of addresses; 0 means none. */
  readonly sender = column.uint32();
  readonly recipient = column.uint32();
  readonly forward = column.uint32();
  /** The numbers of all entries' words, entry by entry, with the words of the subject first. */
  readonly words = column.uint32();
  /** Where each entry's words start, and where the words after its subject start. */
  readonly firstWord = column.uint32();
  readonly afterSubject = column.uint32();
  /** Addresses in lower case, by number. */
  readonly addresses: string[] = [""];
  readonly #addressNumbers = new Map<string, number>();
  readonly #addressWords: (readonly number[])[] = [[]];
  /** The earliest and the latest time of an entry. */
  oldest = Infinity;
  newest = -Infinity;
  #inOrderOfTime = true;
  #byTime: Uint32Array | undefined;

  get size(): number {
    return this.seq.length;
  }

  add(entry: SearchedEntry): void {
    const { sender, recipient, forward } = entry;
    if (this.size > 0 && entry.createdAt < (this.createdAt.values[this.size - 1] ?? 0)) this.#inOrderOfTime = false;
    this.#byTime = undefined;
    this.oldest = Math.min(this.oldest, entry.createdAt);
    this.newest = Math.max(this.newest, entry.createdAt);
    this.firstWord.push(this.words.length);
    this.#addWords(this.#wordNumbers(entry.subject));
    this.afterSubject.push(this.words.length);
    this.#addWords([sender, recipient, forward].flatMap((mailbox) => this.#mailboxWords(mailbox)));
    this.seq.push(entry.seq);
    this.createdAt.push(entry.createdAt);
    this.transport.push(transports[entry.transport]);
    this.statuses.push(entry.statuses);
    this.sender.push(this.#addressNumber(sender));
    this.recipient.push(this.#addressNumber(recipient));
    this.forward.push(forward ? this.#addressNumber(forward) : 0);
  }

  /** Adds statuses, as bits, to an indexed entry. */
  addStatuses(seq: number, statuses: number): void {
    const position = this.#positionOf(seq);
    if (this.seq.values[position] === seq)
      this.statuses.values[position] = (this.statuses.values[position] ?? 0) | statuses;
  }

  /** All positions, newest entry first. Must not be modified. */
  newestFirst(): Uint32Array {
    if (this.#byTime) return this.#byTime;
    const positions = new Uint32Array(this.size);
    for (let index = 0; index < positions.length; index += 1) positions[index] = positions.length - 1 - index;
    // Sorting is stable: entries with the same time stay in order of arrival, the last one first.
    const createdAt = this.createdAt.values;
    if (!this.#inOrderOfTime) positions.sort((a, b) => (createdAt[b] ?? 0) - (createdAt[a] ?? 0));
    this.#byTime = positions;
    return positions;
  }

  #addWords(numbers: readonly number[]): void {
    for (const number of new Set(numbers)) this.words.push(number);
  }

  #wordNumbers(text: string): number[] {
    return words(text).map((word) => this.vocabulary.numberOf(word));
  }

  #mailboxWords(mailbox: Mailbox | null): readonly number[] {
    if (!mailbox) return [];
    const ofAddress = this.#addressWords[this.#addressNumber(mailbox)] ?? [];
    return mailbox.name === null ? ofAddress : [...ofAddress, ...this.#wordNumbers(mailbox.name)];
  }

  #addressNumber({ email }: Mailbox): number {
    const address = email.toLowerCase();
    const known = this.#addressNumbers.get(address);
    if (known !== undefined) return known;
    const number = this.addresses.push(address) - 1;
    this.#addressNumbers.set(address, number);
    this.#addressWords[number] = this.#wordNumbers(address);
    return number;
  }

  /** The position of the last entry up to this one. Entries are in order of their numbers. */
  #positionOf(seq: number): number {
    const seqs = this.seq.values;
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((seqs[middle] ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The index's number of a transport. */
export function transportNumber(transport: LogTransport): number {
  return transports[transport];
}
