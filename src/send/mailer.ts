import { ConfigurationError } from "../errors.js";
import {
  type Environment,
  noTransport,
  POSTGRES_ADDRESS,
  resolveEnvironment,
  storeSetting,
} from "../project/environment.js";
import type { RegistryEntry } from "../project/registry-types.js";
import { systemClock, millisecondClock } from "./clock.js";
import { composeMailer, LOG_DELAY_MS, type MailerParts, TIMEOUT_MS } from "./compose.js";
import type { Sent } from "./parcel.js";
import type { MessageOptions, QueuedMessageOptions, QueueOptionsOf, SendOptionsOf } from "./message/options.js";
import { checkOptionNames, isMailTransport } from "./check-options.js";
import type { MailerOptions } from "./options.js";
import type { OutboxOperations, Queued, Worker, WorkOptions } from "./outbox/outbox.js";
import type { Bounce, BouncesOptions } from "./tracking/bounces.js";
import type { MessageStatus } from "./tracking/message-status.js";
import type { Suppressions } from "./tracking/suppressed.js";
import type { LogStatus, WaitForOptions } from "./tracking/wait-for.js";
import type { Verification } from "./tracking/verify.js";
import { SENDS_PER_MINUTE } from "../api/limits.js";
import { publish } from "./events.js";

/**
 * Sends messages. `Types` maps each template's name to the variables that it takes; `WithoutSubject` names the
 * templates that have no subject of their own.
 */
export interface Mailer<Types extends object, WithoutSubject extends keyof Types = never> {
  /** Never set: carries the types. */
  readonly types?: Types;
  /**
   * Sends a message made from a template, and resolves when the service has accepted it. With a `key`, the call is safe
   * to repeat: the message is sent at most once, and a repeated call returns the first one's result, with `duplicate`
   * set.
   *
   * @example
   * const { messageId } = await mailer.send("receipt", { order }, { to: { name: user.name, email: user.email } });
   *
   * @example
   * // In a job that is retried:
   * await mailer.send("receipt", { order }, { to: order.email, key: `receipt-${order.number}` });
   *
   * @throws {InvalidMessageError} `invalid_message`: nothing was sent; lists all problems at once. Also thrown if a
   * different message already has the key.
   * @throws {InvalidVariablesError} `invalid_variables`: nothing was sent.
   * @throws {RejectedError} `rejected`: the service refused it.
   * @throws {RateLimitedError} `rate_limited`: waiting would take longer than `maxWait` allows; nothing was sent.
   * @throws {ExpiredError} `expired`: it expired before it could be sent; nothing was sent.
   * @throws {InDoubtError} `in_doubt`: the same message, or one with the same key, is being sent and its outcome is not
   * known yet; this one was not sent.
   * @throws {UnknownOutcomeError} `unknown_outcome`: it may have been sent, and the delivery log doesn't say. With a
   * key, the next call looks it up again.
   * @throws {SendUnreachableError} `unreachable`: nothing was sent, after several tries.
   * @throws {SendAbortedError} `aborted`: nothing was sent.
   * @throws {StoreError} `store`: the store cannot be read or written; nothing was sent.
   * @throws {ConfigurationError} A key was passed, and the mailer has no store with an outbox; or the local service
   * that was found belongs to another project. Nothing was sent.
   */
  send<Name extends keyof Types & string>(
    template: Name,
    variables: Types[Name],
    options: SendOptionsOf<Types, WithoutSubject>[Name],
  ): Promise<Sent>;
  /**
   * Sends a message that has no template. Throws the same errors as `send`.
   *
   * @example
   * await mailer.sendMessage({ to: "ops@example.com", subject: "Nightly export", text: "Done." });
   */
  sendMessage(message: MessageOptions): Promise<Sent>;
  /**
   * Puts a message made from a template into the outbox, and resolves when it is durable there; with `transaction`,
   * once that is committed. The message is stored exactly as it will be sent; a worker sends it when its turn comes.
   *
   * @example
   * await mailer.queue("receipt", { order }, { to: user.email, key: `receipt-${order.id}` });
   *
   * @throws {InvalidMessageError} `invalid_message`: nothing is queued. Also thrown if a different message already has
   * the key.
   * @throws {InvalidVariablesError} `invalid_variables`: nothing is queued.
   * @throws {ConfigurationError} The mailer has no store with an outbox; or `transaction` is not an open transaction of
   * the store's database.
   * @throws {SendAbortedError} `aborted`: the mailer is closed; nothing is queued.
   * @throws {StoreError} `store`: the store cannot be read or written; nothing is queued.
   */
  queue<Name extends keyof Types & string>(
    template: Name,
    variables: Types[Name],
    options: QueueOptionsOf<Types, WithoutSubject>[Name],
  ): Promise<Queued>;
  /** Puts a message that has no template into the outbox. Throws the same errors as `queue`. */
  queueMessage(message: QueuedMessageOptions): Promise<Queued>;
  /**
   * Sends what is in the outbox, at the service's pace, until it is stopped. Several processes on one machine may work
   * at the same time; if one is killed, another takes over its messages.
   *
   * @example
   * const worker = mailer.work();
   * process.once("SIGTERM", () => worker.stop());
   *
   * @throws {ConfigurationError} The mailer has no store with an outbox.
   */
  work(options?: WorkOptions): Worker;
  /** The outbox, for operators and health checks. */
  readonly outbox: OutboxOperations;
  /**
   * What happened to a message, for each recipient: by the id of `Sent`, a Message-ID or an id of the outbox.
   *
   * @throws {MessageNotFoundError} `message_not_found`: neither the outbox nor the delivery log has it.
   */
  status(id: string, options?: { readonly signal?: AbortSignal }): Promise<MessageStatus>;
  /**
   * Waits until a message has reached a status.
   *
   * @example
   * await mailer.waitFor(sent.id, "DELIVERED", { timeoutMs: 60_000 });
   *
   * @throws {NotDeliveredError} `not_delivered`: it ended with another status.
   * @throws {DeliveryTimeoutError} `delivery_timeout`: it did not reach the status in time.
   */
  waitFor(id: string, status: LogStatus, options?: WaitForOptions): Promise<MessageStatus>;
  /**
   * Yields new bounces as they arrive, soft ones included, each once, until the signal ends it.
   *
   * @example
   * for await (const { email, state } of mailer.bounces({ signal }))
   *   if (state === "HARD-BOUNCE") await users.markUnreachable(email);
   */
  bounces(options?: BouncesOptions): AsyncIterable<Bounce>;
  /** Addresses that get no more mail. They take effect with `suppressHardBounces`. */
  readonly suppressions: Suppressions;
  /**
   * Checks whether the mailer can send: key, plan, domain, and that the service has the registry's templates with
   * matching variables.
   *
   * @example
   * const { ok, checks } = await mailer.verify();
   * if (!ok) console.error(checks.filter((check) => !check.ok));
   */
  verify(options?: { readonly signal?: AbortSignal }): Promise<Verification>;
  /**
   * Stops workers and everything that waits, lets requests in progress finish, however long they take, puts the rest
   * back into the outbox, then closes connections and store.
   */
  close(): Promise<void>;
}

/**
 * A mailer: typed by the registry, checks messages before anything is sent, keeps to the service's 10 messages a
 * minute, and never sends a message twice. Create one for the application and reuse it.
 *
 * @example
 * import { createMailer } from "lettershop/send";
 * import { templates } from "./templates.gen.js";
 *
 * const mailer = createMailer({ templates, environment: "production", from: "receipts", store: "data/mail.db" });
 * const sent = await mailer.send("receipt", { order }, { to: "ada@example.com" });
 *
 * @throws {ConfigurationError} An option is unknown or has an unusable value; the environment does not exist, or its
 * key is missing. During development (`NODE_ENV` is `development` or `test`), the local service is used instead if the
 * key is missing or no environment is named.
 */
export function createMailer<Types extends object, WithoutSubject extends keyof Types = never>(
  options: MailerOptions<Types, WithoutSubject>,
): Mailer<Types, WithoutSubject> {
  checkOptionNames("createMailer", options);
  const environment = environmentOf(options);
  return divertible(composeMailer(options, serviceParts(options, environment)), { options, environment });
}

function environmentOf<Types extends object, WithoutSubject extends keyof Types>({
  templates,
  environment,
  url,
  domain,
  apiKey,
  allowInsecure,
  transport,
}: MailerOptions<Types, WithoutSubject>): Environment {
  return resolveEnvironment({
    caller: "mailer",
    environments: templates?.environments ?? {},
    name: environment,
    defaultEnvironment: templates?.defaultEnvironment,
    options: { url, domain, apiKey, allowInsecure, transport },
  });
}

function serviceParts<Types extends object, WithoutSubject extends keyof Types>(
  options: MailerOptions<Types, WithoutSubject>,
  environment: Environment,
): MailerParts {
  const { store = storeSetting(), sendsPerMinute = SENDS_PER_MINUTE, timeoutMs = TIMEOUT_MS, reconcile } = options;
  if (typeof store === "string" && POSTGRES_ADDRESS.test(store))
    throw new ConfigurationError("For a store in Postgres, pass `store: postgresStore()` of lettershop/postgres.");
  const clock = millisecondClock(options.clock ?? systemClock);
  const templates = new Map(Object.entries<RegistryEntry>(options.templates?.templates ?? {}));
  const { smtp: server, ...service } = environment;
  const { url, apiKey, allowInsecure, domain, version, name } = environment;
  const openSmtp =
    server &&
    (() => {
      const transport = options.transport ?? options.templates?.environments[name]?.smtp;
      if (!isMailTransport(transport)) throw noTransport(name);
      return transport.open({ server, domain, allowInsecure, timeoutMs, clock });
    });
  return {
    environment,
    clock,
    ...(openSmtp && {
      async verify() {
        const check = await (await openSmtp()).verify();
        return { ok: check.ok, checks: [{ name: "service", ...check }] };
      },
    }),
    hasOutbox: typeof store === "string" || store?.outbox !== undefined,
    async openStore() {
      if (store === undefined) return (await import("./sending.js")).memoryStore(clock);
      const { guarded } = await import("./store/store.js");
      if (typeof store === "string")
        return guarded(await (await import("./store/sqlite.js")).openMailStore(store, clock));
      // A custom store is closed by its owner.
      return guarded({ ...store, close: async () => undefined });
    },
    async createRoute(opened) {
      const { accountOf, createCourier, createPace, createSendingClient, planSource } = await import("./sending.js");
      const pace = createPace({
        account: accountOf(environment),
        store: opened.pace,
        sendsPerMinute,
        clock,
        publish,
        plan:
          apiKey === ""
            ? undefined
            : planSource(
                createSendingClient({ apiKey, baseUrl: url, allowInsecure, version, clock }),
                domain,
                server ? "smtp" : "api",
              ),
      });
      const courier = createCourier({
        ...service,
        environment: name,
        smtp: await openSmtp?.(),
        sendsPerMinute,
        ledger: opened.ledger,
        pace,
        clock,
        publish,
        timeoutMs,
        logDelayMs: reconcile?.logDelayMs ?? LOG_DELAY_MS,
        correlation: reconcile?.correlation,
        subjectOf: (template) => templates.get(template)?.subject,
      });
      return { courier, pace };
    },
  };
}

/** What a mailer was created from; its replacement is created from the same. */
export interface MailerSource<Types extends object, WithoutSubject extends keyof Types> {
  readonly options: MailerOptions<Types, WithoutSubject>;
  readonly environment: Environment;
}

/** Where calls to a mailer go at the moment. */
interface Diversion<Types extends object, WithoutSubject extends keyof Types> {
  readonly source: MailerSource<Types, WithoutSubject>;
  readonly original: object;
  current: object;
}

/**
 * `lettershop/testing` may be loaded separately from the application's modules; a registered symbol is the same in
 * both.
 */
const DIVERT: unique symbol = Symbol.for("lettershop.divert");

/**
 * A mailer that can be replaced while it is in use, as a test does with one that an application module created. Its
 * methods may be detached: each call goes to whatever is in place at that moment.
 */
export function divertible<Types extends object, WithoutSubject extends keyof Types>(
  mailer: Mailer<Types, WithoutSubject>,
  source: MailerSource<Types, WithoutSubject>,
): Mailer<Types, WithoutSubject> {
  const diversion: Diversion<Types, WithoutSubject> = { source, original: mailer, current: mailer };
  const members = Object.entries(mailer).map(([name, member]): [string, PropertyDescriptor] => [
    name,
    typeof member === "function"
      ? {
          value: (...args: unknown[]) => Reflect.get(diversion.current, name)(...args),
          writable: true,
          enumerable: true,
        }
      : { get: () => Reflect.get(diversion.current, name), enumerable: true },
  ]);
  // Printing a mailer must not show what it was created from, which includes the key.
  const divertedMailer = Object.defineProperty({}, DIVERT, { value: diversion });
  // It has every member of the mailer, each forwarding to the current one.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.defineProperties(divertedMailer, Object.fromEntries(members)) as unknown as Mailer<
    Types,
    WithoutSubject
  >;
}

/** @throws {TypeError} The mailer was not created by `createMailer`. */
export function divertMailer<Types extends object, WithoutSubject extends keyof Types, Replacement extends object>(
  mailer: Mailer<Types, WithoutSubject>,
  make: (source: MailerSource<Types, WithoutSubject>) => Replacement,
): { readonly replacement: Replacement; readonly restore: () => void } {
  if (!isDivertible(mailer)) throw new TypeError("Only a mailer created by createMailer can be recorded.");
  const diversion = mailer[DIVERT];
  const replacement = make(diversion.source);
  diversion.current = replacement;
  return {
    replacement,
    restore() {
      if (diversion.current === replacement) diversion.current = diversion.original;
    },
  };
}

function isDivertible<Types extends object, WithoutSubject extends keyof Types>(
  mailer: Mailer<Types, WithoutSubject>,
): mailer is Mailer<Types, WithoutSubject> & { readonly [DIVERT]: Diversion<Types, WithoutSubject> } {
  return DIVERT in mailer;
}
