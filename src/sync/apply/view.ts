import { isSeenLater } from "../lock.js";
import type { LeaseTemplate } from "../lease-template.js";
import {
  isSameMarker,
  type ReadOptions,
  readSummaries,
  readTemplate,
  type RemoteSummary,
  type RemoteTemplate,
} from "../remote.js";

/** Maximum age of what is known about a template when it is overwritten. */
export const AGE_MAX_MS = 2_000;

interface Seen {
  readonly template: RemoteTemplate;
  /** In milliseconds of `now`. */
  readonly at: number;
  /** Number of our own writes before that. */
  readonly writes: number;
}

export interface ViewOptions extends ReadOptions {
  /** Monotonic milliseconds, on the same clock as `known`. */
  readonly now: () => number;
  /** Number of our own writes allowed after one read. With 1, nothing happens between reading and writing. */
  readonly writesPerLook: number;
  /** Called with the leases in each list. */
  readonly onLeases?: (leases: readonly LeaseTemplate[]) => void;
}

/** The known state of the service, and its age. */
export class RemoteView {
  readonly #seen: Map<string, Seen>;
  #writes = 0;
  #listing: Promise<ReadonlyMap<string, RemoteSummary>> | undefined;

  /** @param known Templates that were read before, with their age in `askedAt`. */
  constructor(
    known: readonly RemoteTemplate[],
    private readonly options: ViewOptions,
  ) {
    // All but the last of several templates have had requests after them.
    const writes = known.length === 1 ? 0 : -options.writesPerLook;
    this.#seen = new Map(known.map((template) => [template.name, { template, at: template.askedAt, writes }]));
  }

  /** The current template: the one that is known, if the list shows that it has not changed. */
  async look(name: string): Promise<RemoteTemplate | undefined> {
    if (this.#seen.has(name) && !this.#isFresh(name)) {
      const summaries = await this.list();
      if (!summaries.has(name)) return undefined;
    }
    return this.#isFresh(name) ? this.#seen.get(name)?.template : this.read(name);
  }

  /** Whether it was read too long ago. */
  isOld(name: string): boolean {
    const seen = this.#seen.get(name);
    return seen === undefined || this.options.now() - seen.at > AGE_MAX_MS;
  }

  /** Whether too many of our own writes were sent since it was read. */
  isOvertaken(name: string): boolean {
    const seen = this.#seen.get(name);
    return seen === undefined || this.#writes - seen.writes >= this.options.writesPerLook;
  }

  #isFresh(name: string): boolean {
    return !this.isOld(name) && !this.isOvertaken(name);
  }

  /** Always reads it. */
  async read(name: string): Promise<RemoteTemplate | undefined> {
    return this.#read(name, this.options);
  }

  /** The same, even after an abort, because the effect of a write must be found out. */
  async readToEnd(name: string): Promise<RemoteTemplate | undefined> {
    const { signal: _ended, ...options } = this.options;
    return this.#read(name, options);
  }

  /**
   * The current templates by name, in one request for all concurrent callers. Templates that the list shows to be
   * unchanged are fresh again.
   *
   * @throws The client's errors; here a 404 is about the domain.
   */
  async list(): Promise<ReadonlyMap<string, RemoteSummary>> {
    this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
    return this.#listing;
  }

  /** Records the service's latest answer. */
  note(template: RemoteTemplate): void {
    this.#seen.set(template.name, { template, at: this.options.now(), writes: this.#writes });
  }

  /** Counts a write that is sent: everything else that is known becomes older. */
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
      if (summary === undefined || hasChanged(template, summary)) this.#seen.delete(name);
      else if (isSeenLater(template)) this.note(template);
    }
    return summaries;
  }
}

/** Whether it has changed since, so that no write may rely on the known state. */
function hasChanged(template: RemoteTemplate, summary: RemoteSummary): boolean {
  return template.updatedAt !== summary.updatedAt || !isSameMarker(template, summary);
}
