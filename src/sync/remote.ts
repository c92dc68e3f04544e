import type { Client } from "../api/client.js";
import type { StoredTemplate, StoredTemplateSummary } from "../api/contract/v4/templates.js";
import { isNotFound } from "../api/errors.js";
import { type Content, contentHash, pickContent } from "./content.js";
import { type LeaseTemplate, readLease } from "./lease-template.js";
import { type Marker, nameMark, readMarker, writeMarker } from "../text/marker.js";
import { pacedOptions, type PatienceOptions, readWithRetries } from "./patience.js";

/** A template on the service, as in the list. */
export interface RemoteSummary {
  readonly name: string;
  readonly marker?: Marker;
  /** As the service writes it: whole seconds. */
  readonly updatedAt: string;
}

/** A complete template on the service. */
export interface RemoteTemplate extends RemoteSummary {
  readonly content: Content;
  readonly hash: string;
  /** The service's answer. */
  readonly stored: StoredTemplate;
  /** When it was requested, in milliseconds of `performance.now()`. */
  readonly askedAt: number;
  /** Unix seconds that the service's clock had reached before the request, if known. */
  readonly seen?: number;
}

/** What the service has, as far as it was read. */
export interface RemoteState {
  readonly summaries: ReadonlyMap<string, RemoteSummary>;
  /** The templates that were read. */
  readonly templates: ReadonlyMap<string, RemoteTemplate>;
  /** The leases of runs that are in progress, or were killed; not in the other members. */
  readonly leases: readonly LeaseTemplate[];
  /** When the list was requested, in milliseconds of `performance.now()`. */
  readonly askedAt: number;
}

export interface ReadOptions extends PatienceOptions {
  readonly client: { readonly templates: Pick<Client["templates"], "list" | "get"> };
  readonly domain: string;
  /** A time in Unix seconds that the service's clock has certainly reached. */
  readonly reached?: () => number | undefined;
}

/** Concurrent reads: enough to hide the service's latency. */
const READERS = 8;

/**
 * Reads the domain's list, and the bodies that `wanted` selects from it. Waits out rate limits.
 *
 * @throws The client's errors: `refused` (a 403 or 404 here means the domain or the permission), `unreachable`,
 * `timeout`, `contract`, and `aborted` when the signal aborts.
 */
export async function readRemote(
  options: ReadOptions & {
    readonly wanted: (summaries: RemoteState["summaries"]) => Iterable<string> | Promise<Iterable<string>>;
  },
): Promise<RemoteState> {
  const { summaries, leases, askedAt } = await readSummaries(options);
  const names = [...(await options.wanted(summaries))];
  const templates = new Map<string, RemoteTemplate>();
  let done = 0;

  // The readers share one queue. If one fails, the others stop too, even during a wait.
  const queue = names.values();
  const failure = new AbortController();
  const stop = options.signal === undefined ? failure.signal : AbortSignal.any([options.signal, failure.signal]);
  const read = async () => {
    for (const name of queue) {
      const template = await readTemplate(name, { ...options, signal: stop, hasAnswered: true }, summaries);
      if (template === undefined) summaries.delete(name);
      else templates.set(name, template);
      done += 1;
      options.onEvent?.({ kind: "read", name, done, total: names.length });
    }
  };
  try {
    await Promise.all(Array.from({ length: READERS }, read));
  } finally {
    failure.abort();
  }
  return { summaries, templates, leases, askedAt };
}

/** The domain's templates without their bodies, in one request. */
export async function readSummaries({ client, domain, ...patience }: ReadOptions): Promise<{
  readonly summaries: Map<string, RemoteSummary>;
  readonly leases: readonly LeaseTemplate[];
  readonly askedAt: number;
}> {
  const askedAt = performance.now();
  const { signal } = patience;
  const options = { signal, ...pacedOptions(patience) };
  const list = await readWithRetries(() => client.templates.list(domain, options), patience);
  const templates = list.filter((summary) => readLease(summary) === undefined);
  return {
    summaries: new Map(templates.map((summary) => [summary.name, summaryOf(summary)])),
    leases: list.flatMap((summary) => readLease(summary) ?? []),
    askedAt,
  };
}

/** Undefined if there is no template with that name. */
export async function readTemplate(
  name: string,
  { client, domain, reached, ...patience }: ReadOptions,
  summaries: RemoteState["summaries"] = new Map(),
): Promise<RemoteTemplate | undefined> {
  const options = { signal: patience.signal, ...pacedOptions(patience) };
  try {
    return await readWithRetries(async () => {
      // If the service's clock is unknown, it has at least reached its latest write.
      const seen = reached?.() ?? latest(summaries);
      const askedAt = performance.now();
      return remoteTemplate(await client.templates.get(domain, name, options), { askedAt, seen });
    }, patience);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A template from an answer. */
export function remoteTemplate(
  stored: StoredTemplate,
  { askedAt, seen }: { readonly askedAt: number; readonly seen: number | undefined },
): RemoteTemplate {
  const content = { ...pickContent(stored), description: readMarker(stored.description).description };
  return {
    ...summaryOf(stored),
    content,
    hash: contentHash(content),
    stored,
    askedAt,
    ...(seen === undefined ? {} : { seen }),
  };
}

/** Whether both have the same marker, or neither has one. */
export function isSameMarker(one: Pick<RemoteSummary, "marker">, other: Pick<RemoteSummary, "marker">): boolean {
  return writeMarker("", one.marker) === writeMarker("", other.marker);
}

/**
 * Whether one of the templates, as it was read, has what was sent when it was applied: then the service stores what it
 * answers.
 */
export function provesStoring(templates: Iterable<Pick<RemoteTemplate, "hash" | "marker">>): boolean {
  return [...templates].some(({ hash, marker }) => marker?.applied === hash);
}

/** Whether one of the templates shows that the service stored something different from what was sent. */
export function showsAlteredContent(templates: Iterable<Pick<RemoteSummary, "marker">>): boolean {
  return [...templates].some(({ marker }) => marker?.stored !== undefined && marker.stored !== marker.applied);
}

function summaryOf({ name, description, updated_at: updatedAt }: StoredTemplateSummary): RemoteSummary {
  const { marker } = readMarker(description);
  const isOwnMarker = marker !== undefined && (marker.of === undefined || marker.of === nameMark(name));
  return { name, updatedAt, ...(isOwnMarker && { marker }) };
}

/** Unix seconds of the latest change. */
export function latest(summaries: RemoteState["summaries"]): number | undefined {
  const seconds = [...summaries.values()].map(({ updatedAt }) => Date.parse(updatedAt) / 1000);
  return seconds.length === 0 ? undefined : Math.floor(Math.max(...seconds));
}
