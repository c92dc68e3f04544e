import { createClient } from "../api/client.js";
import type { AcceptedEmail, OutboundEmail } from "../api/contract/v4/emails.js";
import { SENDS_PER_MINUTE } from "../api/limits.js";
import { type Environment, remoteName, resolveEnvironment } from "../config/environment.js";
import { ConfigurationError } from "../errors.js";
import type { Registry, RegistryEntry } from "../template/registry.js";
import { type Clock, systemClock } from "./clock.js";
import { deliver } from "./delivery/deliver.js";
import type { Delivery, MessageOptions, SendOptions } from "./message/envelope.js";
import { limiterFor } from "./pace/pace.js";
import { recipientsPolicy } from "./message/recipients.js";
import { type Preparation, preparePlainEmail, prepareTemplateEmail } from "./message/prepare.js";

export interface MailerOptions<Types extends object> {
  /** What `templates types` generated. Without it only messages without a template can be sent. */
  readonly templates?: Registry<Types>;
  /** An environment of the configuration, or `local`. Default: `LETTERSHOP_ENV`, else the configuration's default. */
  readonly environment?: string;
  /** Wins over `LETTERSHOP_URL` and the environment's. */
  readonly url?: string;
  /** Wins over `LETTERSHOP_DOMAIN` and the environment's. */
  readonly domain?: string;
  /** Wins over `LETTERSHOP_API_KEY` or the variable that the environment names. */
  readonly apiKey?: string;
  /** The local part of the sender's address, for messages that don't name their own. */
  readonly from?: string;
  /** Milliseconds that a send may wait for its turn and between tries, in all. Default 10,000. */
  readonly maxWait?: number;
  /** Milliseconds for the service to answer. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * Messages in any 60 seconds, over all mailers of this process with the same key. Default 10, the service's limit;
   * more only where the service is known to take more, as a local one without limits.
   */
  readonly sendsPerMinute?: number;
  /** For `derive`: BCP 47. Default: the registry's, which is the configuration's. */
  readonly locale?: string;
  /** For `derive`: IANA name. Default: the registry's. */
  readonly timeZone?: string;
  /** The time that sends are paced by. Default: the machine's. */
  readonly clock?: Clock;
}

/** The service has the message; what became of it is in the delivery log. */
export interface Sent {
  readonly outcome: "accepted";
  /** The id of a log entry. There is one for each recipient; they share the message id. */
  readonly id: string;
  /** The Message-ID (RFC 5322). */
  readonly messageId: string;
}

/** Sends messages; `Types` maps each template's name to the variables that it takes. */
export interface Mailer<Types extends object> {
  /**
   * Sends a message made from a template, and resolves when the service has accepted it.
   *
   * @example
   * const { messageId } = await mailer.send("receipt", { order }, { to: { name: user.name, email: user.email } });
   *
   * @throws {InvalidMessageError} `invalid_message`: nothing has left; all problems at once.
   * @throws {InvalidVariablesError} `invalid_variables`: nothing has left.
   * @throws {RejectedError} `rejected`: the service refused it.
   * @throws {RateLimitedError} `rate_limited`: its turn would come later than `maxWait` allows; nothing has left.
   * @throws {UnknownOutcomeError} `unknown_outcome`: it may have been sent; it is not tried again.
   * @throws {SendUnreachableError} `unreachable`: nothing has left, in several tries.
   * @throws {SendAbortedError} `aborted`: nothing has left.
   */
  send<Name extends keyof Types & string>(template: Name, variables: Types[Name], options: SendOptions): Promise<Sent>;
  /**
   * Sends a message that has no template. Throws as `send` does.
   *
   * @example
   * await mailer.sendMessage({ to: "ops@example.com", subject: "Nightly export", text: "Done." });
   */
  sendMessage(message: MessageOptions): Promise<Sent>;
  /** Ends what is waiting, lets the requests under way finish, and closes the connections. */
  close(): Promise<void>;
}

const MAX_WAIT_MS = 10_000;

/**
 * A mailer: typed by the registry, checked before anything leaves, paced at the service's 10 messages a minute, and
 * never sending anything twice. Make one for the application and keep it.
 *
 * @example
 * import { createMailer } from "lettershop/send";
 * import { templates } from "./templates.gen.js";
 *
 * const mailer = createMailer({ templates, environment: "production", from: "receipts" });
 * const sent = await mailer.send("receipt", { order }, { to: "ada@example.com" });
 *
 * @throws {ConfigurationError} No such environment, or its key is missing; while developing (`NODE_ENV` is `development`
 * or `test`) the local service takes the place of one whose key is missing.
 */
export function createMailer<Types extends object>(options: MailerOptions<Types>): Mailer<Types> {
  const { sendsPerMinute = SENDS_PER_MINUTE, clock = systemClock, maxWait = MAX_WAIT_MS } = options;
  const environment = environmentOf(options);
  const { url, domain, apiKey, version, recipients } = environment;
  checkMaxWait(maxWait);
  const client = createClient({
    apiKey,
    baseUrl: url,
    version,
    // Sending has a pace and tries of its own.
    pacing: false,
    retries: 0,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  const closing = new AbortController();
  const limiter = () => limiterFor({ url, apiKey, sendsPerMinute, clock });
  const preparation: Preparation = {
    templates: new Map(Object.entries<RegistryEntry>(options.templates?.templates ?? {})),
    sender: {
      domain,
      from: options.from,
      recipients: recipients && recipientsPolicy(recipients, environment.name),
    },
    context: {
      locale: options.locale ?? options.templates?.locale ?? "en-US",
      timeZone: options.timeZone ?? options.templates?.timeZone ?? "UTC",
    },
    remoteName: (name) => remoteName(environment, name),
  };

  async function dispatch(email: OutboundEmail, delivery: Delivery): Promise<Sent> {
    const { maxWait: wait = maxWait, timeoutMs, signal } = delivery;
    checkMaxWait(wait);
    const accepted = await deliver(
      email,
      { client, domain, url, clock, limiter },
      { maxWait: wait, timeoutMs, signal, closing: closing.signal },
    );
    return toSent(accepted);
  }

  return {
    send: async (template, variables, delivery) =>
      dispatch(await prepareTemplateEmail(template, variables, delivery, preparation), delivery),
    sendMessage: async (message) => dispatch(await preparePlainEmail(message, preparation), message),
    async close() {
      closing.abort(new Error("The mailer is closed."));
      await client.close();
    },
  };
}

function environmentOf({ templates, environment, url, domain, apiKey }: MailerOptions<object>): Environment {
  return resolveEnvironment({
    caller: "mailer",
    environments: templates?.environments ?? {},
    ...(environment === undefined ? {} : { name: environment }),
    ...(templates?.defaultEnvironment === undefined ? {} : { defaultEnvironment: templates.defaultEnvironment }),
    options: {
      ...(url === undefined ? {} : { url }),
      ...(domain === undefined ? {} : { domain }),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
  });
}

function checkMaxWait(maxWait: number): void {
  if (!(maxWait >= 0)) throw new ConfigurationError(`maxWait is ${maxWait}; it takes milliseconds from 0.`);
}

function toSent({ id, message_id }: AcceptedEmail): Sent {
  return { outcome: "accepted", id, messageId: message_id };
}
