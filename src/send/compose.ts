import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { SENDS_PER_MINUTE } from "../api/limits.js";
import { type Environment, remoteName } from "../project/environment.js";
import { ConfigurationError } from "../errors.js";
import type { AssetsConfig } from "../project/config.js";
import type { RegistryEntry } from "../project/registry-types.js";
import { checkOptions } from "./check-options.js";
import type { Clock } from "./clock.js";
import type { Courier } from "./delivery/courier.js";
import { type Sent, RecentSends } from "./parcel.js";
import { SendAbortedError } from "./errors.js";
import { inSpan, publish } from "./events.js";
import type { Mailer } from "./mailer.js";
import type { Delivery, Keyed } from "./message/options.js";
import type { CheckedMessage, PrepareContext } from "./message/prepare.js";
import { isRecord } from "../values.js";
import type { MailerOptions } from "./options.js";
import { lateWorker } from "./outbox/late-worker.js";
import type { OutboxOperations, Queued } from "./outbox/outbox.js";
import type { Pace } from "./pace/pace.js";
import type { MailStore } from "./store/store.js";
import type { Tracking, TrackingParts } from "./tracking/tracking.js";
import type { Bounce, BouncesOptions } from "./tracking/bounces.js";

/** What a mailer is built on: the service, or its replacement in a test. */
export interface MailerParts extends TrackingParts {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Whether `openStore` returns a store with an outbox, as far as is known before it is opened. */
  readonly hasOutbox: boolean;
  /** Called once, when the store is first needed. */
  openStore(): Promise<MailStore>;
  /** Called once, when the first message is sent. */
  createRoute(store: MailStore): Promise<Route>;
  /** Called for each message once it is checked and has an id, before it is sent or queued. */
  noteCall?(id: string, call: TemplateCall): void;
}

export interface Route {
  readonly courier: Courier;
  readonly pace: Pick<Pace, "expectedWait" | "close">;
}

export interface TemplateCall {
  readonly template?: string;
  readonly variables?: unknown;
}

const MAX_WAIT_MS = 10_000;
export const TIMEOUT_MS = 30_000;
export const LOG_DELAY_MS = 60_000;

/** Builds a mailer from its parts. Parts that a mailer doesn't use are not loaded. */
export function composeMailer<Types extends object, WithoutSubject extends keyof Types = never>(
  options: MailerOptions<Types, WithoutSubject>,
  parts: MailerParts,
): Mailer<Types, WithoutSubject> {
  checkOptions(options, parts.environment);
  const { maxWait = MAX_WAIT_MS, timeoutMs = TIMEOUT_MS, suppressHardBounces = false } = options;
  const { environment, clock } = parts;
  const closing = new AbortController();
  // Every message in progress listens; Node would warn above ten.
  setMaxListeners(0, closing.signal);
  const checkOpen = (): void => {
    if (closing.signal.aborted) throw new SendAbortedError({ cause: closing.signal.reason });
  };
  const recent = new RecentSends();
  const underWay = new Set<Promise<unknown>>();

  const store = once(() => parts.openStore(), checkOpen);
  const route = once(async () => {
    const { courier, pace } = await parts.createRoute(await store());
    const traced: Courier = {
      ...courier,
      deliver: (parcel, by) => inSpan("send", parcel, () => courier.deliver(parcel, by)),
    };
    return { courier: traced, pace };
  }, checkOpen);
  const outbox = once(async () => {
    const { outbox: outboxStore } = await store();
    if (outboxStore === undefined) throw noOutbox();
    const { createOutbox } = await import("./outbox/outbox.js");
    return createOutbox({
      ...options.outbox,
      ...(await route()),
      store: outboxStore,
      clock,
      publish,
      url: environment.smtp?.url ?? environment.url,
      domain: environment.domain,
      sendsPerMinute: options.sendsPerMinute ?? SENDS_PER_MINUTE,
      ...(suppressHardBounces && {
        check: async (email) => {
          const { checkEmail } = await import("./tracking/suppressed.js");
          return checkEmail(email, (await store()).suppressions);
        },
      }),
    });
  }, checkOpen);
  const tracking = once(async (): Promise<Tracking> => {
    const { createTracking } = await import("./tracking/tracking.js");
    return createTracking({
      ...parts,
      closing: closing.signal,
      publish,
      recent,
      store,
      suppress: suppressHardBounces,
      logDelayMs: options.reconcile?.logDelayMs ?? LOG_DELAY_MS,
      correlation: options.reconcile?.correlation,
    });
  }, checkOpen);

  const suppressions = once(async () => {
    const { suppressionsOf } = await import("./tracking/suppressed.js");
    return suppressionsOf((await store()).suppressions, clock);
  }, checkOpen);

  const prepare = once(async () => {
    const { preparePlainMessage, prepareTemplateMessage, recipientsPolicy } = await import("./sending.js");
    const preparation: PrepareContext = {
      templates: new Map(Object.entries<RegistryEntry>(options.templates?.templates ?? {})),
      sender: {
        domain: environment.domain,
        from: options.from,
        recipients: environment.recipients && recipientsPolicy(environment.recipients, environment.name),
        ...(suppressHardBounces && {
          check: async (recipients) => {
            await (await tracking()).look();
            const { checkSuppressed } = await import("./tracking/suppressed.js");
            return checkSuppressed(recipients, (await store()).suppressions);
          },
        }),
      },
      context: {
        locale: options.locale ?? options.templates?.locale ?? "en-US",
        timeZone: options.timeZone ?? options.templates?.timeZone ?? "UTC",
      },
      clock,
      publish,
      timeoutMs,
      bySmtp: environment.smtp !== undefined,
      render: options.render,
      assets: assetsOf(environment, options.templates?.assets),
      remoteName: (name) => remoteName(environment, name),
    };
    return { prepareTemplateMessage, preparePlainMessage, preparation };
  }, checkOpen);

  /** `close` waits for this work to finish. */
  async function untilClosed<Result>(work: Promise<Result>): Promise<Result> {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }

  async function dispatch(message: CheckedMessage, call: TemplateCall, delivery: Delivery): Promise<Sent> {
    const id = randomUUID();
    const { key } = message;
    parts.noteCall?.(id, call);
    const by = {
      maxWait: delivery.maxWait ?? maxWait,
      timeoutMs: delivery.timeoutMs ?? timeoutMs,
      signal: delivery.signal,
      closing: closing.signal,
    };
    const sending =
      key === undefined
        ? (await route()).courier.deliver({ id, ...message }, { ...by, isNew: true })
        : (await outbox()).send({ ...message, id, key }, by);
    const sent = await untilClosed(sending);
    recent.note(sent, message.email, clock.time());
    return sent;
  }

  async function enqueue(message: CheckedMessage, call: TemplateCall): Promise<Queued> {
    const id = randomUUID();
    parts.noteCall?.(id, call);
    const queueing = inSpan("queue", { ...message, id }, async () => (await outbox()).queue({ ...message, id }));
    return untilClosed(queueing);
  }

  const checkOutbox = (): void => {
    if (!parts.hasOutbox) throw noOutbox();
  };
  const checkKey = (delivery: Partial<Keyed> | undefined): void => {
    if (delivery?.key !== undefined && !parts.hasOutbox) throw noStoreFor("A `key` needs a store that remembers it.");
  };

  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    closing.abort(new Error("The mailer is closed."));
    await (await outbox.made())?.close();
    await Promise.allSettled(underWay);
    const opened = await route.made();
    await opened?.courier.close();
    await opened?.pace.close();
    await (await tracking.made())?.close();
    await (await store.made())?.close();
  }

  return {
    async send(template, variables, delivery) {
      holdStreams(delivery?.attachments);
      checkKey(delivery);
      const { prepareTemplateMessage, preparation } = await prepare();
      const message = await prepareTemplateMessage(template, variables, delivery, "send", preparation);
      return dispatch(message, { template, variables }, delivery);
    },
    async sendMessage(message) {
      holdStreams(message?.attachments);
      checkKey(message);
      const { preparePlainMessage, preparation } = await prepare();
      return dispatch(await preparePlainMessage(message, "send", preparation), {}, message);
    },
    async queue(template, variables, delivery) {
      holdStreams(delivery?.attachments);
      checkOutbox();
      const { prepareTemplateMessage, preparation } = await prepare();
      const message = await prepareTemplateMessage(template, variables, delivery, "queue", preparation);
      return enqueue(message, { template, variables });
    },
    async queueMessage(message) {
      holdStreams(message?.attachments);
      checkOutbox();
      const { preparePlainMessage, preparation } = await prepare();
      return enqueue(await preparePlainMessage(message, "queue", preparation), {});
    },
    work(work) {
      checkOutbox();
      checkOpen();
      return lateWorker(work, { open: outbox, clock, publish, closing: closing.signal });
    },
    outbox: operationsOf(outbox),
    status: async (id, by) => (await tracking()).status(id, by),
    waitFor: async (id, status, by) => (await tracking()).waitFor(id, status, by),
    bounces: (by) => bouncesOf(tracking, by),
    suppressions: {
      list: async () => (await suppressions()).list(),
      add: async (email, reason) => (await suppressions()).add(email, reason),
      remove: async (email) => (await suppressions()).remove(email),
    },
    verify: async (by) =>
      (await tracking()).verify(options.render === "local" || environment.smtp ? undefined : options.templates, by),
    close: () => (closed ??= close()),
  };
}

/**
 * The base URL of an environment's images, the same as for `templates sync`: a message looks the same however it is
 * sent.
 *
 * @param project The project's setting, for an environment that is not in the registry.
 */
export function assetsOf(
  { name, url, assets }: Pick<Environment, "name" | "url" | "assets">,
  project: AssetsConfig | undefined,
): string | undefined {
  if (assets !== undefined) return assets.baseUrl;
  return name === "local" ? `${url}/assets` : project?.baseUrl;
}

function noOutbox(): ConfigurationError {
  return noStoreFor("The mailer has no store for an outbox.");
}

function noStoreFor(message: string): ConfigurationError {
  return new ConfigurationError(message, {
    hint: 'Pass a store to createMailer, such as store: "data/mail.db", or set LETTERSHOP_STORE to a file path.',
  });
}

function operationsOf(outbox: () => Promise<OutboxOperations>): OutboxOperations {
  return {
    list: async (filter) => (await outbox()).list(filter),
    get: async (id) => (await outbox()).get(id),
    byKey: async (key) => (await outbox()).byKey(key),
    retry: async (which, how) => (await outbox()).retry(which, how),
    discard: async (which, how) => (await outbox()).discard(which, how),
    stats: async () => (await outbox()).stats(),
  };
}

/** New bounces since the call, even though the code that finds them is only loaded when iteration starts. */
export function bouncesOf(open: () => Promise<Tracking>, options: BouncesOptions = {}): AsyncIterable<Bounce> {
  const calledAt = performance.now();
  return {
    async *[Symbol.asyncIterator]() {
      yield* (await open()).bounces(options, calledAt);
    },
  };
}

interface Once<Value> {
  (): Promise<Value>;
  /** The value if it was created, for cleaning up: undefined if it wasn't, or if creating it failed. */
  made(): Promise<Value | undefined>;
}

/**
 * Creates a value once. If that fails, the next use tries again.
 *
 * @param check Throws if the value must no longer be used.
 */
export function once<Value>(make: () => Promise<Value>, check: () => void): Once<Value> {
  let making: Promise<Value> | undefined;
  const use = async (): Promise<Value> => {
    check();
    making ??= make().catch((error: unknown) => {
      making = undefined;
      throw error;
    });
    return await making;
  };
  return Object.assign(use, { made: async () => making?.catch(() => undefined) });
}

/**
 * Keeps streams among attachments from crashing the process: a missing file fails immediately, and an error event
 * without a listener is thrown as an uncaught exception. Must be called before anything is awaited; reading the stream
 * reports its error.
 */
export function holdStreams(attachments: unknown): void {
  if (!Array.isArray(attachments)) return;
  for (const attachment of attachments as readonly unknown[]) {
    const content: unknown = isRecord(attachment) ? attachment["content"] : undefined;
    if (isRecord(content) && typeof content["on"] === "function")
      Reflect.apply(content["on"], content, ["error", ignore]);
  }
}

function ignore(): void {
  // Reading the stream reports the error.
}
