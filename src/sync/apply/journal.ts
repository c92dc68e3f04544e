import type { FileHandle } from "node:fs/promises";
import { appendDurably, createDurably } from "./durable.js";

/** How an operation began: on the disk before its first write leaves. */
export interface Begun {
  readonly begin: number;
  readonly kind: "create" | "update" | "rename" | "delete";
  /** On the service. */
  readonly name: string;
  /** The new name of a rename. */
  readonly to?: string;
  /** It restores a backup. */
  readonly restores?: true;
  /** Hash of the content that it writes; absent for a delete and for what is restored. */
  readonly hash?: string;
  /** Hash of that content's words. */
  readonly words?: string;
  /** Hash of the content that it overwrites. */
  readonly base?: string;
}

/** How the operation of that number ended. */
export interface Ended {
  readonly end: number;
  /** `none`: it surely had no effect; `partial`: the service stored only a part of what it was sent. */
  readonly effect: "done" | "partial" | "none" | "unknown";
  /** Hash of the content that the service answered. */
  readonly stored?: string;
}

/** The first line. */
interface Opened {
  readonly journal: 1;
  /** The service and domain that it is about. */
  readonly target: string;
  readonly started: string;
}

/** What was applied is noted elsewhere, too. */
interface Settled {
  readonly settled: true;
}

export type JournalLine = Opened | Begun | Ended | Settled;

/** The lines of one run, each on the disk before its promise resolves. */
export class Journal {
  #waiting: string[] = [];
  #written: Promise<void> = Promise.resolve();

  private constructor(private readonly handle: FileHandle) {}

  static async create(file: string, opened: Omit<Opened, "journal">): Promise<Journal> {
    return new Journal(await createDurably(file, print({ journal: 1, ...opened })));
  }

  /** Lines that come while the disk is busy are written together. */
  async append(line: Begun | Ended | Settled): Promise<void> {
    this.#waiting.push(print(line));
    const written = this.#written.then(() => this.#flush());
    // A line that could not be written fails those that follow it, too.
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

/** A journal's lines. What is no line is left out: the last one, where a run ended while it was written. */
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
