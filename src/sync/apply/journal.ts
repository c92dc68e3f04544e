import { type FileHandle, readdir, readFile } from "node:fs/promises";
import { appendDurably, createDurably, JOURNAL, RUNS } from "./run-files.js";
import path from "node:path";
import type { WrittenContent } from "../plan/knowledge.js";

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
export interface OperationEnd {
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

export type JournalLine = Opened | Begun | OperationEnd | Settled;

/** The journal of one run; each line is on disk before its promise resolves. */
export class Journal {
  #waiting: string[] = [];
  #written: Promise<void> = Promise.resolve();

  private constructor(private readonly handle: FileHandle) {}

  static async create(file: string, opened: Omit<Opened, "journal">): Promise<Journal> {
    return new Journal(await createDurably(file, print({ journal: 1, ...opened })));
  }

  /** Lines that are added while the disk is busy are written together. */
  async append(line: Begun | OperationEnd | Settled): Promise<void> {
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

/**
 * Reads from earlier runs' journals what they wrote without recording it in the lock file: runs that ended before they
 * could, and writes whose answers were lost. A template with one of these contents was not edited by anyone else.
 *
 * @example
 * const written = await readWritten(folder, target);
 * written.get("receipt"); // [{ hash: "u0Yw3kq_Zb", isKnown: true }, { hash: "x8Kq2a0-Lm", isKnown: false }]
 *
 * @param target Journals about other targets are ignored.
 * @returns By the name on the service, oldest first: what was definitely written last, and what may have been written
 * since.
 */
export async function readWritten(
  folder: string,
  target: string,
): Promise<ReadonlyMap<string, readonly WrittenContent[]>> {
  const contents = new Map<string, readonly WrittenContent[]>();
  const runs = path.join(folder, RUNS);
  for (const run of (await readdir(runs).catch((): string[] => [])).toSorted()) {
    const text = await readFile(path.join(runs, run, JOURNAL), "utf8").catch(() => "");
    takeIn(text, target, contents);
  }
  return contents;
}

function takeIn(text: string, target: string, contents: Map<string, readonly WrittenContent[]>): void {
  const lines = readLines(text);
  const [opened] = lines;
  if (opened === undefined || !("target" in opened) || opened.target !== target) return;
  const isSettled = lines.some((line) => "settled" in line);
  const begun = new Map<number, Begun>();
  for (const line of lines) {
    if ("begin" in line) {
      begun.set(line.begin, line);
      const name = writtenName(line);
      const { hash, words } = line;
      if (hash !== undefined)
        contents.set(name, [...(contents.get(name) ?? []), { hash, ...(words && { words }), isKnown: false }]);
    } else if ("end" in line) {
      const operation = begun.get(line.end);
      if (operation === undefined || line.effect === "unknown") continue;
      const name = writtenName(operation);
      const { hash } = operation;
      if (line.effect === "none") {
        contents.set(
          name,
          (contents.get(name) ?? []).filter((each) => each.isKnown || each.hash !== hash),
        );
        continue;
      }
      // From here on, the template's content is known.
      contents.delete(operation.name);
      contents.delete(name);
      if (hash === undefined) continue;
      const stored = line.stored === undefined ? {} : { stored: line.stored };
      // The lock does not record failures.
      if (line.effect === "partial") contents.set(name, [{ hash, ...stored, isPartial: true, isKnown: true }]);
      else if (!isSettled) contents.set(name, [{ hash, ...stored, isKnown: true }]);
    }
  }
}

function writtenName({ name, to }: Begun): string {
  return to ?? name;
}
