import { z } from "zod";
import { attempt } from "../files.js";
import type { VariablesContract } from "../mustache/variables.js";
import type { RemoteSummary } from "./remote.js";
import { isRecord } from "../values.js";

/** What is known about one template on the service. */
export interface LockEntry {
  /** As the service wrote it. */
  readonly updatedAt: string;
  /** Hash of the content that was last applied. */
  readonly applied: string;
  /** Hash of the content that the service returned. */
  readonly stored: string;
  /** A time in Unix seconds that the service's clock had certainly reached while it had that content. */
  readonly seen?: number;
  /** The service did not keep the marker that was sent. */
  readonly isUnmarked?: true;
  /** The contract of the applied content. */
  readonly contract?: VariablesContract;
}

/** What is known about each environment's templates, by `environmentKey` and by name. */
export type Lock = ReadonlyMap<string, ReadonlyMap<string, LockEntry>>;

/** The file's first property; other formats have other numbers. */
const VERSION = 1;

/** Identifies an environment by its target, so that renaming it in the configuration changes nothing. */
export function environmentKey(environment: {
  readonly url: string;
  readonly domain: string;
  readonly namePrefix: string;
  readonly nameSuffix: string;
}): string {
  const { url, domain, namePrefix, nameSuffix } = environment;
  const affixes = namePrefix + nameSuffix === "" ? "" : ` ${namePrefix}*${nameSuffix}`;
  return `${url.replace(/\/+$/, "")} ${domain}${affixes}`;
}

/** Whether an entry proves, without reading the template, that the service still has what it returned. */
export function provesUnchanged(entry: LockEntry | undefined, summary: RemoteSummary, hasMarkers: boolean): boolean {
  if (entry === undefined || entry.updatedAt !== summary.updatedAt || !isSeenLater(entry)) return false;
  return !hasMarkers || isMarkedAs(entry, summary);
}

/**
 * Whether a template was seen after the second of its last change. `updated_at` has whole seconds: it may have changed
 * again within that second.
 */
export function isSeenLater({ updatedAt, seen }: Pick<LockEntry, "updatedAt" | "seen">): boolean {
  return seen !== undefined && seen > Math.floor(Date.parse(updatedAt) / 1000);
}

/** Whether the list has the marker of the entry's content, or no marker if the service keeps none. */
function isMarkedAs({ applied, isUnmarked }: LockEntry, { marker }: RemoteSummary): boolean {
  return marker === undefined ? isUnmarked === true : marker.applied === applied;
}

/**
 * Parses a lock file. An absent or damaged file, or one of another version, counts as empty: the lock only saves
 * requests.
 *
 * @example
 * const lock = parseLock(await readFile("templates.lock.json", "utf8"));
 * lock?.get(environmentKey(environment))?.get("receipt")?.applied;
 *
 * @returns Undefined if the text is not a lock file.
 */
export function parseLock(text: string): Lock | undefined {
  const lock = lockSchema.safeParse(attempt(() => JSON.parse(text))).data;
  if (lock === undefined) return undefined;
  const readable = (entries: Readonly<Record<string, unknown>>) =>
    Object.entries(entries).flatMap(([name, entry]) => {
      const { data } = entrySchema.safeParse(entry);
      return data === undefined ? [] : [[name, data] as const];
    });
  return new Map(Object.entries(lock.environments).map(([key, entries]) => [key, new Map(readable(entries))]));
}

const lockSchema = z.object({
  version: z.literal(VERSION),
  environments: z.record(z.string(), z.record(z.string(), z.unknown()).catch({})),
});

/** Fields that are not required are ignored if they are invalid. */
const entrySchema = z
  .object({
    updated_at: z.string(),
    applied: z.string(),
    stored: z.string(),
    seen: z.number().optional().catch(undefined),
    unmarked: z.literal(true).optional().catch(undefined),
    contract: z.custom<VariablesContract>(isContract).optional().catch(undefined),
  })
  .transform(({ updated_at: updatedAt, unmarked: isUnmarked, ...entry }): LockEntry => ({
    updatedAt,
    isUnmarked,
    ...entry,
  }));

function isContract(value: unknown): boolean {
  return isRecord(value) && isRecord(value["input"]) && Array.isArray(value["conditions"]);
}

/** The file's text: one line per template, so that merges are easy to read. */
export function printLock(lock: Lock): string {
  const environments = [...lock].toSorted(byKey).map(([key, entries]) => {
    const lines = [...entries]
      .toSorted(byKey)
      .map(([name, { updatedAt, applied, stored, seen, isUnmarked, contract }]) => {
        const entry = { updated_at: updatedAt, applied, stored, seen, unmarked: isUnmarked, contract };
        return `      ${JSON.stringify(name)}: ${JSON.stringify(entry)}`;
      });
    return `    ${JSON.stringify(key)}: {\n${lines.join(",\n")}\n    }`;
  });
  return `{\n  "version": ${VERSION},\n  "environments": {\n${environments.join(",\n")}\n  }\n}\n`;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}
