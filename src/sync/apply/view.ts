import type { LeaseTemplate } from "../lease-template.js";
import {
  isSameMarker,
  type ReadOptions,
  readSummaries,
  readTemplate,
  type RemoteSummary,
  type RemoteTemplate,
} from "../remote.js";

/** How old what is known may be when it is overwritten. */
export const AGE_MAX_MS = 2_000;

interface Seen {
  readonly template: RemoteTemplate;
  /** In milliseconds of `now`. */
  readonly at: number;
  /** Our own writes before that. */
  readonly writes: number;
}

export interface ViewOptions extends ReadOptions {
  /** Milliseconds that never run backwards; as in `known`. */
  readonly now: () => number;
  /** Our own writes that may leave after one look. With 1, nothing lies between looking and writing. */
  readonly writesPerLook: number;
  /** Is told which leases each list has. */
  readonly onLeases?: (leases: readonly LeaseTemplate[]) => void;
}

/** What the service has, as far as it is known, and how old that is. */
export class RemoteView {
  readonly #seen: Map<string, Seen>;
  #writes = 0;
  #listing: Promise<ReadonlyMap<string, RemoteSummary>> | undefined;

  /** @param known What was read before, each as old as its `askedAt` says. */
  constructor(
    known: readonly RemoteTemplate[],
    private readonly options: ViewOptions,
  ) {
    // Of several, all but the one that was read last have other requests behind them.
    const writes = known.length === 1 ? 0 : -options.writesPerLook;
    this.#seen = new Map(known.map((template) => [template.name, { template, at: template.askedAt, writes }]));
  }

  /** The template as it is now: as it was, where the list says that nobody has changed it since. */
  async look(name: string): Promise<RemoteTemplate | undefined> {
    if (this.#seen.has(name) && !this.#isFresh(name)) {
      const summaries = await this.list();
      if (!summaries.has(name)) return undefined;
    }
    return this.#isFresh(name) ? this.#seen.get(name)?.template : this.read(name);
  }

  /** Whether it was looked at too long ago. */
  isOld(name: string): boolean {
    const seen = this.#seen.get(name);
    return seen === undefined || this.options.now() - seen.at > AGE_MAX_MS;
  }

  /** Whether too many of our own writes have left since it was looked at. */
  isOvertaken(name: string): boolean {
    const seen = this.#seen.get(name);
    return seen === undefined || this.#writes - seen.writes >= this.options.writesPerLook;
  }

  #isFresh(name: string): boolean {
    return !this.isOld(name) && !this.isOvertaken(name);
  }

  /** Reads it in any case. */
  async read(name: string): Promise<RemoteTemplate | undefined> {
    return this.#read(name, this.options);
  }

  /** The same, also where nothing is to begin any more: what became of a write has to be found out. */
  async readToEnd(name: string): Promise<RemoteTemplate | undefined> {
    const { signal: _ended, ...options } = this.options;
    return this.#read(name, options);
  }

  /**
   * What there is by name, in one request for all who ask at once. What the list shows to be as it was is fresh again.
   *
   * @throws the client's errors; here a 404 is about the domain.
   */
  async list(): Promise<ReadonlyMap<string, RemoteSummary>> {
    this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
    return this.#listing;
  }

  /** What the service has just answered. */
  note(template: RemoteTemplate): void {
    this.#seen.set(template.name, { template, at: this.options.now(), writes: this.#writes });
  }

  /** A write leaves: everything else grows older by it. */
  countWrite(): void {
    this.#writes += 1;
  }

  forget(name: string): void {
    this.#seen.delete(name);
  }

  async #read(name: string, options: ReadOptions): Promise<RemoteTemplate | undefined> {
    const template = await readTemplate(name, options);
    if (template === undefined) this.#seen.delete(name);
    else this.note(template);
    return template;
  }

  async #list(): Promise<ReadonlyMap<string, RemoteSummary>> {
    const { summaries, leases } = await readSummaries(this.options);
    this.options.onLeases?.(leases);
    for (const [name, { template }] of this.#seen) {
      const summary = summaries.get(name);
      if (summary === undefined || isAnother(template, summary)) this.#seen.delete(name);
      else if (isAsItWas(template, summary)) this.note(template);
    }
    return summaries;
  }
}

/** Whether it was changed since: no write may leave any more that goes by what it was. */
function isAnother(template: RemoteTemplate, summary: RemoteSummary): boolean {
  return template.updatedAt !== summary.updatedAt || !isSameMarker(template, summary);
}

/**
 * `updated_at` has whole seconds: of a template that was read in the very second of its last change nobody knows whether
 * it was changed once more in that second.
 */
function isAsItWas(template: RemoteTemplate, summary: RemoteSummary): boolean {
  const { updatedAt, seen } = template;
  if (isAnother(template, summary)) return false;
  return seen !== undefined && seen > Math.floor(Date.parse(updatedAt) / 1000);
}
