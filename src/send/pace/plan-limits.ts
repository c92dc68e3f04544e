import type { Clock } from "../clock.js";
import { RateLimitedError } from "../errors.js";
import { messageOf, type Publish } from "../events.js";
import type { PaceAccount, PaceStore, PlanUpdate, PlanUse } from "../store/pace.js";
import type { SendingClient, SendingClientV3 } from "../../api/sending-client.js";

/** The fraction of a limit from which it counts as near. */
const NEAR = 0.8;
/** Other software may send with the same account, and the plan may change. */
const ASK_AGAIN_MS = 60 * 60_000;
/** Sooner, because nothing can be sent meanwhile. */
const ASK_AGAIN_WHEN_REACHED_MS = 60_000;

/**
 * The plan's limits for the day and the month. They are requested in the background after the second send, so that a
 * process that sends one message makes only one request. Until they are known, and if they are not available, nothing
 * is limited. Each recipient counts as one email, as in the log.
 */
export class PlanLimits {
  readonly #closing = new AbortController();
  readonly #uses = new Map<string, PlanUse>();
  readonly #published = new Set<string>();
  #requested: { readonly day: string; readonly at: number } | undefined;
  #asking: Promise<void> = Promise.resolve();
  #latest = periodsAt(0);

  constructor(
    private readonly source: PlanSource,
    private readonly store: PaceStore,
    private readonly account: PaceAccount,
    private readonly clock: Clock,
    private readonly publish: Publish,
  ) {}

  /** Whether the plan definitely allows this many emails, according to recent knowledge. */
  hasRoom(mails: number): boolean {
    const isFar = ({ key }: Period): boolean => {
      const known = this.#uses.get(key);
      // Other processes count in the same store, so near the limit this is not enough.
      return known !== undefined && !isNear(known, mails);
    };
    return this.#requested !== undefined && this.#periods().every(isFar);
  }

  /** @throws {RateLimitedError} The plan does not allow this many emails. */
  async check(mails: number): Promise<void> {
    const periods = this.#periods();
    await this.#note({}, periods);
    for (const period of periods) {
      const use = this.#uses.get(period.key);
      if (use === undefined || use.limit === 0 || use.sent + mails <= use.limit) continue;
      this.#publishReached(period);
      this.#ask(ASK_AGAIN_WHEN_REACHED_MS);
      throw new RateLimitedError(period.endsAt.getTime() - this.clock.time(), {
        limit: period.kind,
        until: period.endsAt,
      });
    }
  }

  async sent(mails: number): Promise<void> {
    await this.#note({ sent: mails });
    const isFirst = this.#periods().every(({ key }) => this.#uses.get(key)?.sent === mails);
    if (!isFirst) this.#ask(ASK_AGAIN_MS);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#asking;
    await this.source.close();
  }

  #periods(): readonly [Period, Period] {
    const time = this.clock.time();
    const [{ beganAt, endsAt }] = this.#latest;
    if (time < beganAt.getTime() || time >= endsAt.getTime()) this.#latest = periodsAt(time);
    return this.#latest;
  }

  async #note(news: Omit<PlanUpdate, "period">, periods: readonly Period[] = this.#periods()): Promise<void> {
    const { store, account } = this;
    const ofEach = periods.map(({ key: period }) => ({ period, ...news }));
    const uses = await store.plan(account, ofEach);
    for (const [index, use] of uses.entries()) {
      const period = periods[index];
      if (period === undefined) continue;
      this.#uses.set(period.key, use);
      this.#publishUse(period, use);
    }
  }

  #publishUse(period: Period, use: PlanUse): void {
    const { key, kind } = period;
    if (use.limit === 0) return;
    if (isNear(use) && this.#isNew(`${key} near`))
      this.publish({ type: "plan-limit-near", period: kind, used: use.sent, limit: use.limit });
    if (use.sent >= use.limit) this.#publishReached(period);
  }

  #publishReached({ key, kind, endsAt }: Period): void {
    if (this.#isNew(`${key} reached`)) this.publish({ type: "plan-limit-reached", period: kind, endsAt });
  }

  #isNew(what: string): boolean {
    if (this.#published.has(what)) return false;
    this.#published.add(what);
    return true;
  }

  /** Requests the limits in the background, unless that was done recently. */
  #ask(notWithinMs: number): void {
    const now = this.clock.now();
    const [{ key: day }] = this.#periods();
    if (this.#requested !== undefined && this.#requested.day === day && now - this.#requested.at < notWithinMs) return;
    this.#requested = { day, at: now };
    this.#asking = this.#asking.then(() => this.#learn());
  }

  async #learn(): Promise<void> {
    const { source, publish } = this;
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
      // Unknown limits are not enforced here: the service refuses what exceeds them.
      if (!signal.aborted) publish({ type: "plan-limit-unknown", reason: messageOf(error) });
    }
  }
}

/** A limit that has not been requested yet is not near. */
function isNear({ sent, limit }: PlanUse, mails = 0): boolean {
  return limit > 0 && sent + mails >= limit * NEAR;
}

/** A UTC day or month: the service's documentation does not define the time zone of its limits. */
interface Period {
  readonly kind: "day" | "month";
  /** `2027-01-15` or `2027-01`. */
  readonly key: string;
  readonly beganAt: Date;
  readonly endsAt: Date;
}

/** @param time Milliseconds since 1970. */
function periodsAt(time: number): readonly [Period, Period] {
  const now = new Date(time);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const text = now.toISOString();
  return [
    {
      kind: "day",
      key: text.slice(0, "2027-01-15".length),
      beganAt: new Date(Date.UTC(year, month, day)),
      endsAt: new Date(Date.UTC(year, month, day + 1)),
    },
    {
      kind: "month",
      key: text.slice(0, "2027-01".length),
      beganAt: new Date(Date.UTC(year, month)),
      endsAt: new Date(Date.UTC(year, month + 1)),
    },
  ];
}

export interface PlanSource {
  /** Emails allowed per day and per month; zero if unknown. */
  limits(signal: AbortSignal): Promise<{ readonly day: number; readonly month: number }>;
  /** Emails sent since a time, as far as is known. */
  sentSince(time: Date, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

/**
 * The plan from the service's account. Version 3 has no monthly limit. The log is per domain, so email from other
 * domains of the account is not seen; then the service itself refuses.
 *
 * @param client Not shared: it is closed with the pace.
 */
export function planSource(
  client: SendingClient | SendingClientV3,
  domain: string,
  transport: "api" | "smtp" = "api",
): PlanSource {
  return {
    async limits(signal) {
      const account = await client.account.get({ signal });
      return "limits" in account
        ? { day: account.limits.daily_send, month: 0 }
        : { day: account.plan.daily_send_limit, month: account.plan.monthly_send_limit };
    },
    sentSince: (after, signal) => client.logs.count(domain, { transport, after }, { signal }),
    close: () => client.close(),
  };
}
