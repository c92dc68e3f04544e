import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Begun, readLines } from "./journal.js";
import { JOURNAL, RUNS } from "./run-folder.js";

/** Content that runs on this machine wrote, or may have written. */
export interface Written {
  /** Hash of what was sent. */
  readonly hash: string;
  /** Hash of what the service made of it, if that was different and answered. */
  readonly stored?: string;
  /** Hash of the words of what was sent. */
  readonly words?: string;
  /** Whether the service stored only part of it, which is `stored`. */
  readonly isPartial?: true;
  /** Whether it definitely took effect; false if the run ended, or the answer was lost, before that was known. */
  readonly isKnown: boolean;
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
export async function readWritten(folder: string, target: string): Promise<ReadonlyMap<string, readonly Written[]>> {
  const contents = new Map<string, readonly Written[]>();
  const runs = path.join(folder, RUNS);
  for (const run of (await readdir(runs).catch(() => [])).toSorted(byCodeUnits)) {
    const text = await readFile(path.join(runs, run, JOURNAL), "utf8").catch(() => "");
    takeIn(text, target, contents);
  }
  return contents;
}

function takeIn(text: string, target: string, contents: Map<string, readonly Written[]>): void {
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

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
