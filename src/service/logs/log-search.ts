import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogFeed } from "../store/log-feed.js";
import { type LogSelection, statusBits } from "../store/log-filter.js";
import type { SearchedEntry } from "../store/log-rows.js";
import { Grade, gradeOf, words } from "./words.js";

/**
 * Maximum number of entries that are read before other requests get their turn; they take some hundredths of a second.
 */
const SLICE = 2_000;

/**
 * Maximum number of distinct words of a query that are searched; the longest are used, and more would not make it more
 * specific.
 */
const WORDS_MAX = 50;

export interface LogQuery {
  /** Words in any order, each of which must be in the entry, possibly with a typo. */
  readonly words?: string;
  /** A string that the subject, an address or a name must contain, case-insensitively. */
  readonly text?: string | undefined;
  /** Addresses match by a substring. */
  readonly filter: Omit<LogSelection, "between">;
  /** The time from which entries are kept. */
  readonly horizon: number;
  /** The time up to which entries are shown. */
  readonly latest: number;
  readonly order: "relevance" | "newest" | "oldest";
}

/** An entry in memory, with addresses, names and subject in lower case. */
interface IndexedEntry extends Pick<SearchedEntry, "seq" | "domainId" | "createdAt" | "transport"> {
  statuses: number;
  readonly subject: string;
  readonly sender: string;
  readonly recipient: string;
  readonly forward: string | undefined;
  /** Separated by line breaks. */
  readonly names: string;
  /** Where its words start in the list of all, where those after the subject start, and where they end. */
  readonly firstWord: number;
  readonly afterSubject: number;
  readonly end: number;
}

/**
 * Searches the log in memory. Sending writes nothing to the index; a search first reads what was added since the last
 * one.
 */
export class LogSearch {
  readonly #feed;
  /** Oldest first; entries of the same time in order of arrival. */
  #entries: IndexedEntry[] = [];
  /** The words of all entries, as numbers, which take less memory than strings. */
  #words: number[] = [];
  /** Distinct words by number, and their numbers. */
  #vocabulary: string[] = [];
  #numbers = new Map<string, number>();
  #lastEntry = 0;
  #lastEvent = 0;
  #deletedDomains: number;
  #expired = 0;
  #reading: Promise<void> | undefined;

  constructor(feed: LogFeed) {
    this.#feed = feed;
    this.#deletedDomains = feed.deletedDomains();
  }

  /** The numbers (`seq`) of the entries that match, in the requested order. */
  async find(domainId: number, query: LogQuery): Promise<number[]> {
    await this.catchUp();
    const accepts = acceptor(domainId, query);
    const relevanceOf = query.words === undefined ? () => 1 : this.#relevanceFor(query.words);
    /** By relevance, newest first. */
    const found: number[][] = [];
    for (let index = this.#entries.length - 1; index >= 0; index -= 1) {
      const entry = this.#entries[index];
      const relevance = entry && accepts(entry) ? relevanceOf(entry) : 0;
      if (entry && relevance > 0) (found[query.order === "relevance" ? relevance : 0] ??= []).push(entry.seq);
    }
    const seqs = found.reverse().flat();
    return query.order === "oldest" ? seqs.reverse() : seqs;
  }

  /** Reads new entries, in slices. */
  async catchUp(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    await this.#reading;
    // Entries that arrived after the last slice.
    this.#readSlice();
  }

  /**
   * Takes note that entries have expired. They are no longer found. When there are many, the index is rebuilt without
   * them.
   */
  forgetExpired(count: number): void {
    this.#expired += count;
    if (this.#expired > this.#entries.length / 2) this.#forgetAll();
  }

  /**
   * Returns a function for the relevance of an entry, which is 0 unless it contains every word in its subject or
   * mailboxes. Of equal matches, those in the subject count more.
   */
  #relevanceFor(query: string): (entry: IndexedEntry) => number {
    // Longer words match fewer entries and leave fewer for the shorter words.
    const wanted = [...new Set(words(query))].toSorted((a, b) => b.length - a.length).slice(0, WORDS_MAX);
    const bestGrades = wanted.map((word) => this.#bestGradeFor(word));
    return ({ firstWord, afterSubject, end }) => {
      let relevance = 0;
      for (const best of bestGrades) {
        const inSubject = best(firstWord, afterSubject);
        const inMailboxes = inSubject === Grade.whole ? Grade.none : best(afterSubject, end);
        if (inSubject === Grade.none && inMailboxes === Grade.none) return 0;
        relevance += Math.max(2 * inSubject + 1, 2 * inMailboxes);
      }
      return relevance;
    };
  }

  /** Returns a function for the best grade among the words in a range. Each distinct word is compared once. */
  #bestGradeFor(wanted: string): (from: number, to: number) => number {
    const [all, vocabulary] = [this.#words, this.#vocabulary];
    const grades = new Int8Array(vocabulary.length).fill(-1);
    return (from, to) => {
      let best = 0;
      for (let at = from; at < to; at += 1) {
        const number = all[at] ?? 0;
        let grade = grades[number] ?? 0;
        if (grade < 0) grade = grades[number] = gradeOf(wanted, vocabulary[number] ?? "");
        if (grade > best) best = grade;
      }
      return best;
    };
  }

  async #readAll(): Promise<void> {
    while (this.#readSlice()) await nextTurn();
  }

  /** Returns whether there is more to read. */
  #readSlice(): boolean {
    const deletedDomains = this.#feed.deletedDomains();
    if (deletedDomains !== this.#deletedDomains) {
      this.#deletedDomains = deletedDomains;
      this.#forgetAll();
    }
    const lastEvent = this.#feed.lastEvent();
    if (lastEvent > this.#lastEvent) {
      const added = this.#feed.statusesAfter(this.#lastEvent, this.#lastEntry);
      if (added.size > 0) for (const entry of this.#entries) entry.statuses |= added.get(entry.seq) ?? 0;
      this.#lastEvent = lastEvent;
    }
    const entries = this.#feed.entriesAfter(this.#lastEntry, SLICE);
    for (const entry of entries) this.#add(entry);
    this.#lastEntry = entries.at(-1)?.seq ?? this.#lastEntry;
    // Entries nearly always arrive in order, which makes this fast.
    if (entries.length > 0) this.#entries.sort((a, b) => a.createdAt - b.createdAt || a.seq - b.seq);
    return entries.length === SLICE;
  }

  #add({ seq, domainId, createdAt, transport, statuses, subject, sender, recipient, forward }: SearchedEntry): void {
    const names = [sender.name, recipient.name, forward?.name].flatMap((name) => name ?? []).join("\n");
    const firstWord = this.#words.length;
    this.#addWords(subject);
    const afterSubject = this.#words.length;
    this.#addWords(`${sender.email} ${recipient.email} ${forward?.email ?? ""} ${names}`);
    this.#entries.push({
      seq,
      domainId,
      createdAt,
      transport,
      statuses,
      subject: subject.toLowerCase(),
      sender: sender.email.toLowerCase(),
      recipient: recipient.email.toLowerCase(),
      forward: forward?.email.toLowerCase(),
      names: names.toLowerCase(),
      firstWord,
      afterSubject,
      end: this.#words.length,
    });
  }

  #addWords(text: string): void {
    for (const word of words(text)) {
      let number = this.#numbers.get(word);
      if (number === undefined) {
        number = this.#vocabulary.push(word) - 1;
        this.#numbers.set(word, number);
      }
      this.#words.push(number);
    }
  }

  #forgetAll(): void {
    this.#entries = [];
    this.#words = [];
    this.#vocabulary = [];
    this.#numbers.clear();
    this.#lastEntry = 0;
    this.#expired = 0;
  }
}

function acceptor(domainId: number, { text, filter, horizon, latest }: LogQuery): (entry: IndexedEntry) => boolean {
  const { from = horizon, until = Infinity } = filter.times ?? {};
  const earliest = Math.max(from, horizon);
  const [sender, recipient, forward] = [filter.sender, filter.recipient, filter.forward].map((part) =>
    part?.toLowerCase(),
  );
  const statuses = filter.status && statusBits(filter.status);
  const part = text?.toLowerCase();
  return (entry) =>
    entry.domainId === domainId &&
    entry.createdAt >= earliest &&
    entry.createdAt < until &&
    entry.createdAt <= latest &&
    (filter.transport === undefined || entry.transport === filter.transport) &&
    (statuses === undefined || (entry.statuses & statuses) !== 0) &&
    (sender === undefined || entry.sender.includes(sender)) &&
    (recipient === undefined || entry.recipient.includes(recipient)) &&
    (forward === undefined || entry.forward?.includes(forward) === true) &&
    (part === undefined || contains(entry, part));
}

function contains({ subject, sender, recipient, forward, names }: IndexedEntry, part: string): boolean {
  return [subject, sender, recipient, forward, names].some((text) => text?.includes(part));
}
