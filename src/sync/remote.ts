import type { Client } from "../api/client.js";
import type { StoredTemplate } from "../api/contract/v4/templates.js";
import { isNotFound } from "../api/errors.js";
import type { TemplateFields } from "../template/template.js";
import { type PatienceOptions, waitOutRateLimit } from "./patience.js";

/** What the service has, as far as sync needs it. */
export interface RemoteState {
  /** Every name on the domain. */
  readonly names: readonly string[];
  /** The templates that exist on both sides, by name, with their bodies. */
  readonly templates: ReadonlyMap<string, Pick<StoredTemplate, keyof TemplateFields>>;
}

export interface ReadRemoteOptions extends PatienceOptions {
  readonly client: { readonly templates: Pick<Client["templates"], "list" | "get"> };
  readonly domain: string;
  /** Only the names count: what has no local counterpart is not read. */
  readonly local: readonly Pick<TemplateFields, "name">[];
}

/** Reads under way at once. */
const READERS = 4;

/**
 * Reads the domain's templates: the list, and the bodies of those that exist on both sides. A rate limit is waited out.
 *
 * @throws the client's errors: `refused` (a 403 or 404 here means the domain or the permission), `unreachable`,
 * `timeout`, `contract`, and `aborted` when the signal aborts.
 */
export async function readRemote({ client, domain, local, ...patience }: ReadRemoteOptions): Promise<RemoteState> {
  const { signal, onEvent } = patience;
  const summaries = await waitOutRateLimit(() => client.templates.list(domain, { signal }), patience);
  const names = new Set(summaries.map(({ name }) => name));
  const shared = [...new Set(local.map(({ name }) => name))].filter((name) => names.has(name));
  const templates = new Map<string, StoredTemplate>();
  let done = 0;

  // The readers take from one queue. Where one fails, the others stop too, even in a wait.
  const queue = shared.values();
  const failure = new AbortController();
  const stop = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  const read = async () => {
    for (const name of queue) {
      try {
        const get = () => client.templates.get(domain, name, { signal: stop });
        templates.set(name, await waitOutRateLimit(get, { ...patience, signal: stop }));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // Deleted since the list was read.
        names.delete(name);
      }
      done += 1;
      onEvent?.({ kind: "read", name, done, total: shared.length });
    }
  };
  try {
    await Promise.all(Array.from({ length: READERS }, read));
  } finally {
    failure.abort();
  }
  return { names: [...names], templates };
}
