import { storeFile } from "../config/store-file.js";
import { type Environment, resolveEnvironment } from "../config/environment.js";
import type { RegistryEntry } from "../template/registry.js";
import { systemClock, wholeClock } from "./clock.js";
import { composeMailer } from "./compose.js";
import type { Sent } from "./delivery/parcel.js";
import { divertible } from "./diversion.js";
import type { MessageOptions, QueuedMessageOptions, QueueOptionsOf, SendOptionsOf } from "./message/options.js";
import { checkOptionNames } from "./option-names.js";
import type { MailerOptions } from "./options.js";
import type { OutboxOperations, Queued, Worker, WorkOptions } from "./outbox/outbox.js";
import { serviceParts } from "./service-parts.js";
import type { Bounce, BouncesOptions } from "./tracking/bounces.js";
import type { MessageStatus } from "./tracking/message-status.js";
import type { Suppressions } from "./tracking/suppressed.js";
import type { LogStatus, WaitForOptions } from "./tracking/wait-for.js";
import type { Verification } from "./tracking/verify.js";

/**
 * Sends messages. `Types` maps each template's name to the variables that it takes; `WithoutSubject` names the templates
 * that bring no subject of their own.
 */
export interface Mailer<Types extends object, WithoutSubject extends keyof Types = never> {
  /** Never set: carries the types. */
  readonly types?: Types;
  /**
   * Sends a message made from a template, and resolves when the service has accepted it. With a `key`, the call is safe to
   * repeat: the message is sent at most once, and a call that is repeated returns the first one's result, with `duplicate`.
   *
   * @example
   * const { messageId } = await mailer.send("receipt", { order }, { to: { name: user.name, email: user.email } });
   *
   * @example
   * // In a job that is retried:
   * await mailer.send("receipt", { order }, { to: order.email, key: `receipt-${order.number}` });
   *
   * @throws {InvalidMessageError} `invalid_message`: nothing has left; all problems at once; also for a key that another
   * message has.
   * @throws {InvalidVariablesError} `invalid_variables`: nothing has left.
   * @throws {RejectedError} `rejected`: the service refused it.
   * @throws {RateLimitedError} `rate_limited`: its turn would come later than `maxWait` allows; nothing has left.
   * @throws {ExpiredError} `expired`: its time was over before its turn came; nothing has left.
   * @throws {InDoubtError} `in_doubt`: the same message, or one with the same key, is under way and undecided; nothing of this one
   * has left.
   * @throws {UnknownOutcomeError} `unknown_outcome`: it may have been sent, and the log does not tell. With a key, the next call
   * looks it up again.
   * @throws {SendUnreachableError} `unreachable`: nothing has left, in several tries.
   * @throws {SendAbortedError} `aborted`: nothing has left.
   * @throws {StoreError} `store`: the store cannot be read or written; nothing has left.
   * @throws {ConfigurationError} There is a key, and the mailer has no store with an outbox; or the local service that was found
   * belongs to another project. Nothing has left.
   */
  send<Name extends keyof Types & string>(
    template: Name,
    variables: Types[Name],
    options: SendOptionsOf<Types, WithoutSubject>[Name],
  ): Promise<Sent>;
  /**
   * Sends a message that has no template. Throws as `send` does.
   *
   * @example
   * await mailer.sendMessage({ to: "ops@example.com", subject: "Nightly export", text: "Done." });
   */
  sendMessage(message: MessageOptions): Promise<Sent>;
  /**
   * Puts a message made from a template into the outbox, and resolves when it is durable there. What is stored is what will
   * be sent; a worker sends it when its turn comes.
   *
   * @example
   * await mailer.queue("receipt", { order }, { to: user.email, key: `receipt-${order.id}` });
   *
   * @throws {InvalidMessageError} `invalid_message`: nothing is queued; also for a key that another message has.
   * @throws {InvalidVariablesError} `invalid_variables`: nothing is queued.
   * @throws {ConfigurationError} The mailer has no store with an outbox.
   * @throws {SendAbortedError} `aborted`: the mailer is closed; nothing is queued.
   * @throws {StoreError} `store`: the store cannot be read or written; nothing is queued.
   */
  queue<Name extends keyof Types & string>(
    template: Name,
    variables: Types[Name],
    options: QueueOptionsOf<Types, WithoutSubject>[Name],
  ): Promise<Queued>;
  /** Puts a message that has no template into the outbox. Throws as `queue` does. */
  queueMessage(message: QueuedMessageOptions): Promise<Queued>;
  /**
   * Sends what is in the outbox, at the service's pace, until it is stopped. Several processes of a machine may work at
   * once; what one leaves behind when it is killed, another finds out about and goes on with.
   *
   * @example
   * const worker = mailer.work();
   * process.once("SIGTERM", () => worker.stop());
   *
   * @throws {ConfigurationError} The mailer has no store with an outbox.
   */
  work(options?: WorkOptions): Worker;
  /** The outbox, for an operator and for health checks. */
  readonly outbox: OutboxOperations;
  /**
   * What became of a message, for each of its recipients: by the id of `Sent`, a Message-ID or an id of the outbox.
   *
   * @throws {MessageNotFoundError} `message_not_found`: neither the outbox nor the delivery log has it.
   */
  status(id: string, options?: { readonly signal?: AbortSignal }): Promise<MessageStatus>;
  /**
   * Waits until a message has come so far.
   *
   * @example
   * await mailer.waitFor(sent.id, "DELIVERED", { timeoutMs: 60_000 });
   *
   * @throws {NotDeliveredError} `not_delivered`: it ended otherwise.
   * @throws {DeliveryTimeoutError} `delivery_timeout`: it had not come so far in time.
   */
  waitFor(id: string, status: LogStatus, options?: WaitForOptions): Promise<MessageStatus>;
  /**
   * New bounces as they come, soft ones too, each once, until the signal ends it.
   *
   * @example
   * for await (const { email, state } of mailer.bounces({ signal }))
   *   if (state === "HARD-BOUNCE") await users.markUnreachable(email);
   */
  bounces(options?: BouncesOptions): AsyncIterable<Bounce>;
  /** Addresses that get no more mail. They are heeded with `suppressHardBounces`. */
  readonly suppressions: Suppressions;
  /**
   * Whether the mailer could send: key, plan, domain, and that the registry's templates are on the service with variables
   * that fit.
   *
   * @example
   * const { ok, checks } = await mailer.verify();
   * if (!ok) console.error(checks.filter((check) => !check.ok));
   */
  verify(options?: { readonly signal?: AbortSignal }): Promise<Verification>;
  /**
   * Ends what waits, and workers; lets the requests under way finish, for as long as they may take; puts the rest back into
   * the outbox; then closes connections and store.
   */
  close(): Promise<void>;
}

/**
 * A mailer: typed by the registry, checked before anything leaves, paced at the service's 10 messages a minute, and
 * never sending anything twice. Make one for the application and keep it.
 *
 * @example
 * import { createMailer } from "lettershop/send";
 * import { templates } from "./templates.gen.js";
 *
 * const mailer = createMailer({ templates, environment: "production", from: "receipts", store: "data/mail.db" });
 * const sent = await mailer.send("receipt", { order }, { to: "ada@example.com" });
 *
 * @throws {ConfigurationError} An option that there is none of or that cannot be used; no such environment, or its key is missing; while developing (`NODE_ENV` is `development`
 * or `test`) the local service takes the place of one whose key is missing, or that nothing names.
 */
export function createMailer<Types extends object, WithoutSubject extends keyof Types = never>(
  options: MailerOptions<Types, WithoutSubject>,
): Mailer<Types, WithoutSubject> {
  checkOptionNames("createMailer", options);
  const environment = environmentOf(options);
  const { sendsPerMinute, timeoutMs, reconcile, store = storeFile(), clock = systemClock } = options;
  const templates = new Map(Object.entries<RegistryEntry>(options.templates?.templates ?? {}));
  const parts = serviceParts(
    { templates, store, clock: wholeClock(clock), sendsPerMinute, timeoutMs, reconcile },
    environment,
  );
  return divertible(composeMailer(options, parts), { options, environment });
}

function environmentOf<Types extends object, WithoutSubject extends keyof Types>({
  templates,
  environment,
  url,
  domain,
  apiKey,
  allowInsecure,
}: MailerOptions<Types, WithoutSubject>): Environment {
  return resolveEnvironment({
    caller: "mailer",
    environments: templates?.environments ?? {},
    ...(environment === undefined ? {} : { name: environment }),
    ...(templates?.defaultEnvironment === undefined ? {} : { defaultEnvironment: templates.defaultEnvironment }),
    options: {
      ...(url === undefined ? {} : { url }),
      ...(domain === undefined ? {} : { domain }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(allowInsecure === undefined ? {} : { allowInsecure }),
    },
  });
}
