import type { FileHandle } from "node:fs/promises";
import { appendDurably, createDurably } from "./durable.js";

/** The start of an operation, on disk before its first write is sent. */
export interface Begun {
  readonly begin: number;
  readonly kind: "create" | "update" | "rename" | "delete";
  /** The name on the service. */
  readonly name: string;
  /** The new name of a rename. */
  readonly to?: string;
  /** It restores a backup. */
  readonly restores?: true;
  /** Hash of the content that it writes; absent for deletes and restored backups. */
  readonly hash?: string;
  /** Hash of that content's words. */
  readonly words?: string;
  /** Hash of the content that it overwrites. */
  readonly base?: string;
}

/** The end of the operation with that number. */
export interface Ended {
  readonly end: number;
  /** `none`: it definitely had no effect; `partial`: the service stored only part of what was sent. */
  readonly effect: "done" | "partial" | "none" | "unknown";
  /** Hash of the content in the service's answer. */
  readonly stored?: string;
}

/** The first line. */
interface Opened {
  readonly journal: 1;
  /** The service and domain. */
  readonly target: string;
  readonly started: string;
}

/** The applied content is also recorded elsewhere. */
interface Settled {
  readonly settled: true;
}

export type JournalLine = Opened | Begun | Ended | Settled;

/** The journal of one run; each line is on disk before its promise resolves. */
export class Journal {
  #waiting: string[] = [];
  #written: Promise<void> = Promise.resolve();

  private constructor(private readonly handle: FileHandle) {}

  static async create(file: string, opened: Omit<Opened, "journal">): Promise<Journal> {
    return new Journal(await createDurably(file, print({ journal: 1, ...opened })));
  }

  /** Lines that are added while the disk is busy are written together. */
  async append(line: Begun | Ended | Settled): Promise<void> {
    this.#waiting.push(print(line));
    const written = this.#written.then(() => this.#flush());
    // A failed write also fails the lines that follow it.
    this.#written = written;
    return written;
  }

  async #flush(): Promise<void> {
    const text = this.#waiting.splice(0).join("");
    if (text !== "") await appendDurably(this.handle, text);
  }

  async close(): Promise<void> {
    await this.#written.catch(() => undefined);
    await this.handle.close();
  }
}

/**
 * Parses a journal's lines. Skips invalid lines: the last one may be incomplete if the run ended while it was written.
 */
export function readLines(text: string): JournalLine[] {
  return text.split("\n").flatMap((line) => {
    try {
      const read: unknown = JSON.parse(line);
      return isLine(read) ? [read] : [];
    } catch {
      return [];
    }
  });
}

function print(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

function isLine(value: unknown): value is JournalLine {
  if (typeof value !== "object" || value === null) return false;
  return (
    ("journal" in value && value.journal === 1 && "target" in value) ||
    ("begin" in value && "name" in value && typeof value.name === "string") ||
    "end" in value ||
    "settled" in value
  );
}
