import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { LettershopError } from "../../errors.js";
import { readMarker } from "../../text/marker.js";
import { type Content, pickContent } from "../content.js";
import { type JournalLine, readLines } from "./journal.js";
import { beforeFolder, JOURNAL, RUNS, templateFile } from "./run-files.js";

/** Backups, by the names of their templates on the service. */
export interface Backups {
  /** The service and domain that they come from; undefined if no journal says so. */
  readonly target: string | undefined;
  readonly names: ReadonlySet<string>;
  /** Newest first. */
  files(name: string): readonly string[];
}

/** A file that cannot be restored. */
export class BackupError extends LettershopError {
  override readonly name = "BackupError";
  readonly code = "backup";
}

const savedTemplate = z.object({
  name: z.string(),
  description: z.string(),
  subject: z.string(),
  html_body: z.string(),
  text_body: z.string(),
});

/**
 * Reads a template that a run saved.
 *
 * @param hint What to do if that fails.
 * @throws {BackupError} The file is missing or damaged.
 */
export async function readBackup(
  file: string,
  hint?: string,
): Promise<{ readonly name: string; readonly content: Content }> {
  const fail = (message: string, cause: unknown) =>
    new BackupError(message, { cause, ...(hint !== undefined && { hint }) });
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw fail(`Can't read the backup ${file}.`, cause);
  });
  try {
    const { name, ...saved } = savedTemplate.parse(JSON.parse(text));
    return { name, content: { ...pickContent(saved), description: readMarker(saved.description).description } };
  } catch (cause) {
    const [issue] = cause instanceof z.ZodError ? cause.issues : [];
    const why = issue === undefined ? "it is not valid JSON" : `${issue.path.join(".")}: ${issue.message}`;
    throw fail(`${file} is damaged or not a backup: ${why}.`, cause);
  }
}

/**
 * What the runs of an environment overwrote or deleted, except when restoring.
 *
 * @param folder The environment's folder: `.lettershop/sync/<environment>/`.
 * @param target Runs on other services or domains are ignored, unless there are no others.
 */
export async function backupsOfRuns(folder: string, target: string): Promise<Backups> {
  const runs = path.join(folder, RUNS);
  const times = (await readdir(runs).catch((): string[] => [])).toSorted().toReversed();
  const all = await Promise.all(
    times.map(async (time) => {
      const run = path.join(runs, time);
      const lines = await readJournal(run);
      return { before: beforeFolder(run), target: targetIn(lines), replaced: replacedIn(lines) };
    }),
  );
  const matching = all.some((run) => run.target === target) ? all.filter((run) => run.target === target) : all;
  return {
    target: matching[0]?.target,
    names: new Set(matching.flatMap(({ replaced }) => [...replaced])),
    files: (name) =>
      matching.filter(({ replaced }) => replaced.has(name)).map(({ before }) => path.join(before, templateFile(name))),
  };
}

/** The backups of the run that began at this time, including restores; undefined if there is none. */
export async function backupsOfRun(folder: string, time: string): Promise<Backups | undefined> {
  const runs = path.join(folder, RUNS);
  const name = time.replaceAll(":", "-");
  return (await readdir(runs).catch((): string[] => [])).includes(name) ? backupsIn(path.join(runs, name)) : undefined;
}

/**
 * The backups at a path: a file, the folder with the files, a run's folder, or an environment's folder with its runs.
 *
 * @returns Undefined if the path does not exist.
 */
export async function backupsAt(at: string, target: string): Promise<Backups | undefined> {
  const facts = await stat(at).catch(() => undefined);
  if (facts === undefined) return undefined;
  if (!facts.isDirectory()) return backupFile(at);
  const inside = await readdir(at);
  return inside.includes(RUNS) ? backupsOfRuns(at, target) : backupsIn(at);
}

async function backupFile(file: string): Promise<Backups> {
  const { name } = await readBackup(file);
  const target = targetIn(await readJournal(path.dirname(path.dirname(file))));
  return { target, names: new Set([name]), files: (wanted) => (wanted === name ? [file] : []) };
}

/** @param folder A run's folder, or the one with its files. */
async function backupsIn(folder: string): Promise<Backups> {
  const below = beforeFolder(folder);
  const isRun = (await stat(below).catch(() => undefined)) !== undefined;
  const before = isRun ? below : folder;
  const files = new Set(await readdir(before));
  const names = [...files].flatMap((file) => (/^[^_.].*\.json$/.test(file) ? [file.slice(0, -".json".length)] : []));
  return {
    target: targetIn(await readJournal(path.dirname(before))),
    names: new Set(names),
    files: (name) => (files.has(templateFile(name)) ? [path.join(before, templateFile(name))] : []),
  };
}

async function readJournal(run: string): Promise<JournalLine[]> {
  return readLines(await readFile(path.join(run, JOURNAL), "utf8").catch(() => ""));
}

function targetIn([opened]: readonly JournalLine[]): string | undefined {
  return opened !== undefined && "target" in opened ? opened.target : undefined;
}

/** A template is saved before its write is sent: if the write had no effect, it was not replaced. */
function replacedIn(lines: readonly JournalLine[]): Set<string> {
  const without = new Set(lines.flatMap((line) => ("end" in line && line.effect === "none" ? [line.end] : [])));
  return new Set(
    lines.flatMap((line) => {
      const isReplaced = "begin" in line && line.kind !== "create" && !line.restores && !without.has(line.begin);
      return isReplaced ? [line.name] : [];
    }),
  );
}
