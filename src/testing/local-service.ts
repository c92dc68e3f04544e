import { isRecord } from "../values.js";
import { checkNames, type OptionNames } from "../send/check-options.js";
import type { MailerOptions } from "../send/options.js";
import { type RunningService, type ServiceOptions, startService } from "../service/start.js";
import { type Inbox, openInbox } from "./inbox.js";
import { type LocalHttp, localHttp } from "./local-http.js";
import { type WebhookCatcher, WebhookCatchers, type WebhookOptions } from "./webhook-catcher.js";
import { LOCAL_PORT } from "../api/local.js";
import type { SettingsChanges, SettingsValues } from "../service/control/settings.js";
import { type IncomingEmail, RefusedError, type RefusedResponse } from "../service/inbound/incoming.js";
import type { Received } from "../service/inbound/envelope.js";
import type { Fault, PendingFault } from "../service/control/faults.js";

export interface LocalService extends RunningService {
  /** The messages that it captures, as recipients see them. */
  readonly inbox: Inbox;
  /** Starts a webhook that keeps what the service posts to it. It is closed with the service. */
  catchWebhooks(options?: WebhookOptions): Promise<WebhookCatcher>;
  /** Points a mailer here: `createMailer({ templates, from: "shop", ...service.mailerOptions })`. */
  readonly mailerOptions: Pick<MailerOptions<object>, "environment" | "url" | "domain" | "apiKey" | "sendsPerMinute">;
}

const OPTIONS: OptionNames<ServiceOptions> = {
  data: true,
  port: true,
  smtpPort: true,
  relay: true,
  allowInsecureAuth: true,
  host: true,
  project: true,
  limits: true,
  clock: true,
  assets: true,
  seed: true,
  dns: true,
  ownProcess: true,
  onError: true,
};

/**
 * Starts the local service for tests: on a free port, in memory and without rate limits, unless the options say
 * otherwise.
 *
 * @example
 * const service = await startLocalService();
 * const mailer = createMailer({ templates, from: "shop", ...service.mailerOptions });
 * await signUp("ada@example.com", { mailer });
 * const mail = await service.inbox.waitFor({ to: "ada@example.com" });
 * mail.code();
 * service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" }); // the next send's answer is lost
 * service.settings.set({ outcomes: { "bob@example.com": "hard-bounce" } });
 * service.clock.advance(60_000); // a minute later
 * await service.receive({ from: "bob@shop.example", to: "support@example.test", subject: "Help" }); // comes in
 * await service.close();
 *
 * @param options Those of `startService`; `data` is a folder that templates were synced to.
 */
export async function startLocalService(options: Partial<ServiceOptions> = {}): Promise<LocalService> {
  checkNames("startLocalService", options, OPTIONS);
  const service = await startService({ data: ":memory:", port: 0, limits: false, ...options });
  const { url, domain, apiKey, webhookSecret } = service;
  const inbox = await openInbox({ url });
  const webhooks = new WebhookCatchers(localHttp("startLocalService", url), webhookSecret);
  return {
    ...service,
    inbox,
    catchWebhooks: (webhookOptions) => webhooks.open(webhookOptions),
    mailerOptions: {
      environment: "local",
      url,
      domain,
      apiKey,
      ...(options.limits === true ? {} : { sendsPerMinute: Number.POSITIVE_INFINITY }),
    },
    async close() {
      await inbox.close();
      await service.close();
      await webhooks.close();
    },
  };
}

/** A local service that runs in another process, as far as tests can control it. */
export interface RemoteService {
  /** Its URL, without a version. */
  readonly url: string;
  /** The failures of the next calls. */
  readonly faults: {
    /** Makes the next calls of an endpoint fail. Returns all failures that are still pending. */
    add(fault: Fault): Promise<readonly PendingFault[]>;
    list(): Promise<readonly PendingFault[]>;
    clear(): Promise<void>;
  };
  /** The parts of its behaviour that tests can change. */
  readonly settings: {
    get(): Promise<SettingsValues>;
    /** Changes the settings that are passed. */
    set(changes: SettingsChanges): Promise<SettingsValues>;
    reset(): Promise<void>;
  };
  /** Its clock. */
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): Promise<number>;
    /** Moves the clock forward, and returns the new time; everything due by then has happened. */
    advance(milliseconds: number): Promise<number>;
  };
  /** The messages that it delivers from now on, as recipients see them. */
  readonly inbox: Inbox;
  /**
   * Lets it receive an email as if it had come by SMTP: what it consists of, or its source in RFC 5322 format.
   *
   * @throws {RefusedError} `refused`: the response that an SMTP client would have got, and what to do. What is not an
   * email is a `LocalServiceError`.
   */
  receive(email: IncomingEmail): Promise<Received>;
  /**
   * Starts a webhook in this process that keeps what the service posts to it. The service must run on this machine, not
   * in a container.
   */
  catchWebhooks(options?: WebhookOptions): Promise<WebhookCatcher>;
  /** Closes the inbox and the webhooks. The service keeps running. */
  close(): Promise<void>;
}

/**
 * Connects to a running local service, for end-to-end tests: run `npx lettershop service --no-limits` next to the
 * application, and call this in the tests.
 *
 * @example
 * const service = await connectLocalService();
 * await service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 500 });
 * await page.getByRole("button", { name: "Order" }).click(); // the application tries again
 * await service.inbox.waitFor({ to: "ada@example.com" });
 *
 * @param options `url`: its URL. Default: the port that it prefers, `http://127.0.0.1:4680`.
 * @throws {UnreachableError} No service runs there.
 * @throws {ContractError} Something else runs there. What the service itself refuses is a `LocalServiceError`.
 */
export async function connectLocalService(options: { readonly url?: string } = {}): Promise<RemoteService> {
  checkNames("connectLocalService", options, { url: true });
  const { url = `http://127.0.0.1:${LOCAL_PORT}` } = options;
  const http = localHttp("connectLocalService", url);

  async function faults(method: string, fault?: Fault): Promise<readonly PendingFault[]> {
    return (await http.json<{ faults: PendingFault[] }>(method, "/local/faults", fault)).faults;
  }
  async function settings(method: string, changes?: SettingsChanges): Promise<SettingsValues> {
    return (await http.json<{ settings: SettingsValues }>(method, "/local/settings", changes)).settings;
  }
  async function clock(method: string, move?: { advance: number }): Promise<number> {
    return Date.parse((await http.json<{ now: string }>(method, "/local/clock", move)).now);
  }
  const inbox = await openInbox({ url });
  const webhooks = new WebhookCatchers(http);
  return {
    url,
    faults: {
      add: (fault) => faults("POST", fault),
      list: () => faults("GET"),
      clear: async () => void (await http.bytes("DELETE", "/local/faults")),
    },
    settings: {
      get: () => settings("GET"),
      set: (changes) => settings("POST", changes),
      reset: async () => void (await http.bytes("DELETE", "/local/settings")),
    },
    clock: { now: () => clock("GET"), advance: (milliseconds) => clock("POST", { advance: milliseconds }) },
    inbox,
    async receive(email) {
      const answer = await postEmail(http, email);
      if (!("refused" in answer)) return answer;
      throw new RefusedError(answer.refused);
    },
    catchWebhooks: (webhookOptions) => webhooks.open(webhookOptions),
    async close() {
      await inbox.close();
      await webhooks.close();
    },
  };
}

type ReceiveAnswer = Received | { readonly refused: RefusedResponse };

/** Posts a source as it is, and other emails as JSON. */
async function postEmail(http: LocalHttp, email: IncomingEmail): Promise<ReceiveAnswer> {
  const path = "/local/received";
  if (isSource(email)) return await http.json("POST", path, bytesOf(email));
  if (isRecord(email) && "raw" in email && isSource(email.raw)) {
    const { raw, from, to = [] } = email;
    const query = new URLSearchParams(from === undefined ? {} : { from });
    for (const address of [to].flat()) query.append("to", address);
    return await http.json("POST", `${path}?${query.toString()}`, bytesOf(raw));
  }
  return await http.json("POST", path, withBase64(email));
}

function isSource(value: unknown): value is string | Uint8Array {
  return typeof value === "string" || value instanceof Uint8Array;
}

function bytesOf(source: string | Uint8Array): Uint8Array {
  return typeof source === "string" ? Buffer.from(source) : source;
}

/** The email with its attachments in base64. What is not an email stays as it is, for the service to refuse. */
function withBase64(email: unknown): unknown {
  if (!isRecord(email) || !Array.isArray(email["attachments"])) return email ?? null;
  const attachments = email["attachments"].map((attachment: unknown) =>
    isRecord(attachment) && attachment["content"] instanceof Uint8Array
      ? { ...attachment, content: Buffer.from(attachment["content"]).toString("base64") }
      : attachment,
  );
  return { ...email, attachments };
}
