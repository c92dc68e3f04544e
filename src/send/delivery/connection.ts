import type { ClientOptions } from "../../api/client.js";
import type { CallOptions } from "../../api/calls/caller.js";
import type { ResponseInfo } from "../../api/calls/hooks.js";
import type { AcceptedEmail } from "../../api/contract/v4/sending.js";
import { CallError } from "../../api/errors.js";
import { createSendingClient } from "../../api/sending-client.js";
import type { Clock } from "../clock.js";
import { type DeliveryLog, deliveryLogOf } from "../tracking/delivery-log.js";
import type { SignOfLife } from "./service-probe.js";
import { type Failed, outcomeOf, wasAnswered } from "./outcome.js";
import type { Parcel } from "./parcel.js";
import { ServiceTime } from "./service-time.js";

export interface ConnectionOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly allowInsecure?: boolean | undefined;
  readonly version: "v4" | "v3";
  readonly domain: string;
  /** Milliseconds for the service to answer. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

export type Attempt = ({ readonly outcome: "accepted"; readonly accepted: AcceptedEmail } | Failed) & {
  /** Parts of the answer, if there was one. */
  readonly answer?: Pick<ResponseInfo, "status" | "rateLimit">;
};

interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The service, as far as delivering needs it. */
export interface Connection {
  /**
   * Makes one request to send an email.
   *
   * @throws What is wrong with the options or the email, such as a ConfigurationError; nothing has been sent.
   */
  send(email: Parcel["email"], options: RequestOptions): Promise<Attempt>;
  /** The delivery log, read at the pace that the service allows. */
  readonly log: DeliveryLog;
  readonly time: ServiceTime;
  /** Makes a harmless request: to the log, otherwise to the account. */
  readonly ask: (signal: AbortSignal) => Promise<SignOfLife>;
  close(): Promise<void>;
}

const ASK_TIMEOUT_MS = 10_000;

export function connect({
  url,
  apiKey,
  allowInsecure,
  version,
  domain,
  timeoutMs,
  clock,
}: ConnectionOptions): Connection {
  // Node loads its fetch on first use, which takes a while: do it now rather than when a message is noted as in
  // progress.
  void globalThis.Headers;
  const time = new ServiceTime(clock);
  const answers = new Map<number, ResponseInfo>();
  const access = { apiKey, baseUrl: url, allowInsecure, version, timeoutMs, retries: 0 };
  // The sender has its own pace and retries; the log reader keeps to the log's rate limits.
  const sender = createSendingClient({
    ...access,
    pacing: false,
    onResponse(info) {
      if (info.method === "POST") answers.set(info.call, info);
      time.observe(info);
    },
  });
  const reader = openLog({ ...access, clock, onResponse: time.observe }, domain);

  return {
    time,
    log: reader.log,
    async send(email, { timeoutMs: ownTimeout, signal }) {
      let call: number | undefined;
      const options = {
        timeoutMs: ownTimeout,
        ...(signal === undefined ? {} : { signal }),
        onRequest: (info: { readonly call: number }) => void (call = info.call),
      };
      const result = await sender.emails.send(domain, email, options).then(
        (accepted): Attempt =>
          accepted.id === "" || accepted.message_id === ""
            ? {
                outcome: "unknown",
                reason: "the service's answer has no message id",
                cause: undefined,
              }
            : { outcome: "accepted", accepted },
        (error: unknown): Attempt => {
          if (call === undefined && !(error instanceof CallError)) throw error;
          return outcomeOf(error, call !== undefined);
        },
      );
      if (call === undefined) return result;
      const answer = answers.get(call);
      answers.delete(call);
      return answer?.status === undefined ? result : { answer, ...result };
    },
    async ask(signal) {
      const options = { signal, timeoutMs: Math.min(timeoutMs, ASK_TIMEOUT_MS) };
      if (await isAnswered(reader.readOne(options))) return "log";
      return (await isAnswered(sender.account.get(options))) ? "account" : "none";
    },
    async close() {
      await Promise.all([sender.close(), reader.close()]);
    },
  };
}

/** Whether the service answered, other than with a server error. */
function isAnswered(request: Promise<unknown>): Promise<boolean> {
  return request.then(() => true, wasAnswered);
}

interface Reader {
  readonly log: DeliveryLog;
  /** Reads the smallest possible page. */
  readonly readOne: (options: CallOptions) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

function openLog(options: ClientOptions, domain: string): Reader {
  const { version = "v4" } = options;
  if (version === "v3") {
    const client = createSendingClient({ ...options, version });
    const readOne = (call: CallOptions) => client.logs.page(domain, {}, call);
    return { log: deliveryLogOf({ version, client, domain }), readOne, close: () => client.close() };
  }
  const client = createSendingClient({ ...options, version });
  const readOne = (call: CallOptions) => client.logs.page(domain, { limit: 1 }, call);
  return { log: deliveryLogOf({ version, client, domain }), readOne, close: () => client.close() };
}
