import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { Environment } from "../../project/environment.js";
import { type Clock, sleep } from "../clock.js";
import type { Publish } from "../events.js";
import { targetOf, type RecentSends } from "../parcel.js";
import type { MailStore } from "../store/store.js";
import { type Bounce, type BouncesOptions, BounceWatch, newBounces, REACH_MS } from "./bounces.js";
import { type DeliveryLog, deliveryLogOf, type LoggedMail, noDeliveryLog } from "../delivery/delivery-log.js";
import { openService, type ServiceClient } from "../delivery/connection.js";
import { LookBudget, type TrackingContext } from "./context.js";
import type { MessageStatus } from "./message-status.js";
import { MessageView } from "./message-view.js";
import { suppressBounced } from "./suppressed.js";
import type { NamingRegistry, Verification } from "./verify.js";
import { waitForState, type WaitForOptions } from "./wait-for.js";

/** Replaces the service: in tests, and for a mailer by SMTP. */
export interface TrackingParts {
  readonly log?: DeliveryLog;
  readonly verify?: () => Promise<Verification>;
}

export interface TrackingOptions extends TrackingParts {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Ends all waiting. */
  readonly closing: AbortSignal;
  readonly publish: Publish;
  readonly recent: RecentSends;
  readonly store: () => Promise<MailStore>;
  /** Of the queued messages to find. Default: where the environment's mailers send. */
  readonly target?: string | undefined;
  /** Whether addresses that hard-bounce are suppressed. */
  readonly suppress: boolean;
  /** Maximum time until an entry appears in the log, in ms. */
  readonly logDelayMs: number;
  /** The local part of the address that gets a blind copy of each message to identify it. */
  readonly correlation?: string | undefined;
}

/** What happened to sent messages. */
export type Tracking = ReturnType<typeof createTracking>;

const LOOK_MS = 2000;
/** How long sends don't wait again after a look failed or took too long. */
const NO_LOOK_MS = 30_000;

interface SignalOption {
  readonly signal?: AbortSignal;
}

export function createTracking(options: TrackingOptions) {
  const { environment, clock, closing, publish, recent, store, suppress, logDelayMs, correlation } = options;
  const { url, apiKey, allowInsecure, domain, version, smtp } = environment;
  const budget = new LookBudget(clock);
  let serviceAhead = 0;
  let connected: ServiceClient | undefined;
  const service = () =>
    (connected ??= openService({
      url,
      apiKey,
      allowInsecure,
      domain,
      version,
      clock,
      onResponse({ endpoint, rateLimit, serviceTime }) {
        if (serviceTime !== undefined) serviceAhead = serviceTime.getTime() - clock.time();
        if (rateLimit?.limit !== undefined && endpoint.includes("/logs")) budget.learn(rateLimit.limit);
      },
    }));
  const log =
    options.log ?? (apiKey === "" ? noDeliveryLog : deliveryLogOf({ ...service(), transport: smtp ? "smtp" : "api" }));
  const note = async (mails: readonly LoggedMail[]) => {
    if (suppress) await suppressBounced(mails, (await store()).suppressions, publish);
  };
  const context: TrackingContext = {
    log,
    clock,
    recent,
    budget,
    closing,
    logDelayMs,
    note,
    serviceTime: () => clock.time() + serviceAhead,
    isCorrelation: correlation === undefined ? undefined : (email) => isOf(email, `${correlation}+`, domain),
    async outbox() {
      const { outbox } = await store();
      return outbox && { store: outbox, target: options.target ?? targetOf(smtp?.url ?? url, domain) };
    },
  };
  const hardBounces = new BounceWatch({
    log,
    clock,
    states: ["HARD-BOUNCE"],
    since: (newest = 0) => newest - REACH_MS,
  });
  let looking: Promise<boolean> | undefined;
  let noLookUntil = Number.NEGATIVE_INFINITY;

  async function lookForBounces(): Promise<boolean> {
    try {
      const news = await hardBounces.look(closing);
      await note(news.map(({ mail }) => mail));
      return true;
    } catch {
      return false;
    } finally {
      looking = undefined;
    }
  }

  return {
    status: (id: string, { signal }: SignalOption = {}): Promise<MessageStatus> =>
      new MessageView(id, context).look(signal === undefined ? closing : AbortSignal.any([closing, signal])),
    waitFor: (id: string, state: LogStatus, waiting: WaitForOptions = {}): Promise<MessageStatus> =>
      waitForState(new MessageView(id, context), state, waiting, context),
    /** @param calledAt `performance.now()` at the time of the application's call. */
    bounces: (wanted: BouncesOptions, calledAt: number): AsyncGenerator<Bounce, void, undefined> =>
      newBounces(wanted, calledAt, context),
    /**
     * If hard bounces are suppressed: reads new bounces from the log before a send. Never throws, and delays the send by
     * two seconds at most: an unreadable log must not block sending.
     */
    async look(): Promise<void> {
      if (!suppress || closing.aborted || clock.now() < noLookUntil) return;
      if (looking === undefined && !budget.take()) return;
      looking ??= lookForBounces();
      const waiting = new AbortController();
      const tooLong = sleep(clock, LOOK_MS, waiting.signal).then(
        () => false,
        () => false,
      );
      if (!(await Promise.race([looking, tooLong]))) noLookUntil = clock.now() + NO_LOOK_MS;
      waiting.abort();
    },
    async verify(registry: NamingRegistry | undefined, { signal }: SignalOption = {}): Promise<Verification> {
      if (options.verify !== undefined) return options.verify();
      const { namedTemplates, verify, verifyOwner } = await import("./verify.js");
      const owner = await verifyOwner(environment);
      return owner ?? verify(service(), namedTemplates(registry, environment), signal);
    },
    close: async (): Promise<void> => connected?.client.close(),
  };
}

function isOf(email: string, start: string, domain: string): boolean {
  const address = email.toLowerCase();
  return address.startsWith(start.toLowerCase()) && address.endsWith(`@${domain.toLowerCase()}`);
}
