import type { Clock } from "../clock.js";
import { RateLimitedError } from "../errors.js";
import type { Publish } from "../events/events.js";
import { type Period, periodsAt } from "./period.js";
import type { PlanSource } from "./plan-source.js";
import type { PaceAccount, PaceStore, PlanNews, PlanUse } from "./store.js";

export interface PlanLimitsOptions {
  readonly source: PlanSource;
  readonly store: PaceStore;
  readonly account: PaceAccount;
  readonly clock: Clock;
  readonly publish: Publish;
}

/** The part of a limit from which on it is near. */
const NEAR = 0.8;
/** Others may send with the same account, and the plan may change. */
const ASK_AGAIN_MS = 60 * 60_000;
/** The sooner where nothing can be sent otherwise. */
const ASK_AGAIN_WHEN_REACHED_MS = 60_000;

/**
 * The plan's limits for the day and the month. The service is asked for them in the background, after the second send, so
 * that a process that sends one message makes one request. Until the service has answered, and where it does not, nothing
 * is limited. Each recipient counts as one mail, as in the log.
 */
export class PlanLimits {
  readonly #options: PlanLimitsOptions;
  readonly #closing = new AbortController();
  readonly #uses = new Map<string, PlanUse>();
  readonly #told = new Set<string>();
  #asked: { readonly day: string; readonly at: number } | undefined;
  #asking: Promise<void> = Promise.resolve();
  #latest = periodsAt(0);

  constructor(options: PlanLimitsOptions) {
    this.#options = options;
  }

  /** Whether so many mails are surely not more than the plan allows, by what was known a while ago. */
  hasRoom(mails: number): boolean {
    const isFar = ({ key }: Period): boolean => {
      const known = this.#uses.get(key);
      // Others count in the store, too: near the limit, it is not enough.
      return known !== undefined && !isNear(known, mails);
    };
    return this.#asked !== undefined && this.#periods().every(isFar);
  }

  /** @throws {RateLimitedError} So many mails would be more than the plan allows. */
  async check(mails: number): Promise<void> {
    const periods = this.#periods();
    await this.#note({}, periods);
    for (const period of periods) {
      const use = this.#uses.get(period.key);
      if (use === undefined || use.limit === 0 || use.sent + mails <= use.limit) continue;
      this.#tellReached(period);
      this.#ask(ASK_AGAIN_WHEN_REACHED_MS);
      throw new RateLimitedError(period.endsAt.getTime() - this.#options.clock.time(), {
        limit: period.kind,
        until: period.endsAt,
      });
    }
  }

  /** Counts mails that have left. */
  async sent(mails: number): Promise<void> {
    await this.#note({ sent: mails });
    const isFirst = this.#periods().every(({ key }) => this.#uses.get(key)?.sent === mails);
    if (!isFirst) this.#ask(ASK_AGAIN_MS);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#asking;
    await this.#options.source.close();
  }

  #periods(): readonly [Period, Period] {
    const time = this.#options.clock.time();
    const [{ beganAt, endsAt }] = this.#latest;
    if (time < beganAt.getTime() || time >= endsAt.getTime()) this.#latest = periodsAt(time);
    return this.#latest;
  }

  async #note(news: Omit<PlanNews, "period">, periods: readonly Period[] = this.#periods()): Promise<void> {
    const { store, account } = this.#options;
    const ofEach = periods.map(({ key: period }) => ({ period, ...news }));
    const uses = await store.plan(account, ofEach);
    for (const [index, use] of uses.entries()) {
      const period = periods[index];
      if (period === undefined) continue;
      this.#uses.set(period.key, use);
      this.#tell(period, use);
    }
  }

  #tell(period: Period, use: PlanUse): void {
    const { key, kind } = period;
    if (use.limit === 0) return;
    if (isNear(use) && this.#isNew(`${key} near`))
      this.#options.publish({ type: "plan-limit-near", period: kind, used: use.sent, limit: use.limit });
    if (use.sent >= use.limit) this.#tellReached(period);
  }

  #tellReached({ key, kind, endsAt }: Period): void {
    if (this.#isNew(`${key} reached`)) this.#options.publish({ type: "plan-limit-reached", period: kind, endsAt });
  }

  #isNew(what: string): boolean {
    if (this.#told.has(what)) return false;
    this.#told.add(what);
    return true;
  }

  /** Asks the service in the background, unless that was done a moment ago. */
  #ask(notWithinMs: number): void {
    const now = this.#options.clock.now();
    const [{ key: day }] = this.#periods();
    if (this.#asked !== undefined && this.#asked.day === day && now - this.#asked.at < notWithinMs) return;
    this.#asked = { day, at: now };
    this.#asking = this.#asking.then(() => this.#learn());
  }

  async #learn(): Promise<void> {
    const { source, publish } = this.#options;
    const { signal } = this.#closing;
    try {
      const limits = await source.limits(signal);
      const limited = this.#periods().filter(({ kind }) => limits[kind] > 0);
      await Promise.all(
        limited.map(async (period) => {
          const sentInAll = await source.sentSince(period.beganAt, signal);
          await this.#note({ sentInAll, limit: limits[period.kind] }, [period]);
        }),
      );
    } catch (error) {
      // What is not known limits nothing: the service refuses what is too much.
      if (!signal.aborted)
        publish({ type: "plan-limit-unknown", reason: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** One that nobody has looked for is not near. */
function isNear({ sent, limit }: PlanUse, mails = 0): boolean {
  return limit > 0 && sent + mails >= limit * NEAR;
}
