import type { ClientOptions } from "../../api/calls/caller.js";
import { ONCE, refusedForMs } from "../../api/calls/policy.js";
import {
  AbortedError,
  CallError,
  ContractError,
  ServiceError,
  TimeoutError,
  UnreachableError,
} from "../../api/errors.js";
import { createSendingClient } from "../../api/sending-client.js";
import { timeLimit } from "../../time-limit.js";
import { RejectedError } from "../errors.js";
import type { SignOfLife } from "./breaker.js";
import type { ConnectionOptions } from "./connection.js";
import type { DeliveryLog } from "./delivery-log.js";
import type { Attempt, Transport } from "./transport.js";

type ApiTransportOptions = Pick<ConnectionOptions, "url" | "domain" | "version" | "environment"> &
  Pick<ClientOptions, "apiKey" | "allowInsecure" | "onResponse"> & {
    readonly timeoutMs: number;
    readonly log: () => DeliveryLog;
  };

const PROBE_TIMEOUT_MS = 10_000;
const RISK_MS = 90 * 60_000;

/** Sends through the service's API. */
export function apiTransport({
  url,
  domain,
  version,
  environment,
  timeoutMs,
  log,
  ...access
}: ApiTransportOptions): Transport {
  // Node loads its fetch on first use, which takes a while: do it now rather than when a message is noted as in
  // progress.
  void globalThis.Headers;
  const sender = createSendingClient({ ...access, timeoutMs, baseUrl: url, version, policy: ONCE });

  const deliver: Transport["deliver"] = ({ email }, { slot, ...limits }) => {
    let left = false;
    const options = { ...limits, policy: { slot: () => slot }, onRequest: () => void (left = true) };
    return sender.emails.send(domain, email, options).then(
      ({ id, message_id: messageId }): Attempt =>
        id === "" || messageId === ""
          ? { outcome: "unknown", reason: "the service's answer has no message id", cause: undefined }
          : { outcome: "accepted", id, messageId },
      (error: unknown): Attempt => {
        if (!left && !(error instanceof CallError)) throw error;
        return outcomeOf(error, left, email.template && missingTemplateHint(email.template, environment));
      },
    );
  };

  return {
    url,
    risk: { firstMs: RISK_MS, longestMs: RISK_MS },
    deliver,
    /** Makes a harmless request: to the log, otherwise to the account. Then sends an email that is empty and therefore refused. */
    async probe(signal, sendingSlot): Promise<SignOfLife> {
      const options = { signal, timeoutMs: Math.min(timeoutMs, PROBE_TIMEOUT_MS) };
      const limited = timeLimit(options.timeoutMs, signal);
      if (!(await isAnswered(log().latest(limited))))
        return (await isAnswered(sender.account.get(options))) ? "account" : "none";
      const slot = await sendingSlot?.();
      if (slot === undefined) return "log";
      const empty = { messageId: "", email: { from: "", to: [] } };
      const { outcome } = await deliver(empty, { slot, timeoutMs, signal });
      return outcome === "rejected" || outcome === "accepted" ? "sending" : "log";
    },
    close: () => sender.close(),
  };
}

/** Whether the service answered, other than with a server error. */
function isAnswered(request: Promise<unknown>): Promise<boolean> {
  return request.then(() => true, wasAnswered);
}

type Failed = Exclude<Attempt, { readonly outcome: "accepted" }>;

/**
 * Statuses from proxies that waited for the rest of a request or gave up on an answer: request timeout, and what load
 * balancers log when a client disconnects. The service may have received the request.
 */
const SAYS_NOTHING = new Set([408, 460, 499]);

/**
 * @param left Whether the request may have been made when it failed with an error that is not from the client.
 * @param templateHint What to do if the template is missing.
 */
function outcomeOf(error: unknown, left: boolean, templateHint: string | undefined): Failed {
  if (error instanceof ServiceError) return outcomeOfRefusal(error, templateHint);
  if (error instanceof AbortedError && !error.requestSent) return { outcome: "aborted" };
  if (isNotAnswered(error) ? !error.requestSent : !left)
    return {
      outcome: "not sent",
      reason: reasonNotSent(error),
      detail: error instanceof UnreachableError ? error.reason : undefined,
      cause: error,
    };
  return { outcome: "unknown", reason: reasonUnknown(error), cause: error };
}

function outcomeOfRefusal(error: ServiceError, templateHint: string | undefined): Failed {
  const { status, serviceMessage, fieldErrors } = error;
  if (status === 429) return { outcome: "held", waitMs: refusedForMs(error), cause: error };
  if (status >= 500 || SAYS_NOTHING.has(status))
    return { outcome: "unknown", reason: `the service answered ${status}`, cause: error };
  const hint = status === 404 && !isAboutDomain(serviceMessage) ? (templateHint ?? error.hint) : error.hint;
  const options = { cause: error, ...(hint === undefined ? {} : { hint }) };
  return { outcome: "rejected", error: new RejectedError(status, serviceMessage, fieldErrors, options) };
}

/** @param environment Its name; one that only variables describe has no name for `--env`. */
function missingTemplateHint(template: string, environment: string | undefined): string {
  const flag = environment === undefined || environment === "custom" ? "" : ` --env ${environment}`;
  return `The template "${template}" is not on the service. Run: templates sync${flag}`;
}

/** A 404 may also be about a domain that is not in the account. */
function isAboutDomain(serviceMessage: string): boolean {
  return /domain/i.test(serviceMessage) && !/template/i.test(serviceMessage);
}

type NotAnswered = AbortedError | TimeoutError | UnreachableError;

function isNotAnswered(error: unknown): error is NotAnswered {
  return error instanceof AbortedError || error instanceof TimeoutError || error instanceof UnreachableError;
}

function reasonNotSent(error: unknown): string {
  if (error instanceof TimeoutError) return `there was no connection to the service within ${error.timeoutMs / 1000} s`;
  return "the service could not be reached";
}

function reasonUnknown(error: unknown): string {
  if (error instanceof TimeoutError) return `the service did not answer within ${error.timeoutMs / 1000} s`;
  if (error instanceof AbortedError) return "it was aborted while the request was in progress";
  if (error instanceof UnreachableError) return "the connection broke before the answer was complete";
  if (error instanceof ContractError)
    return `the service's answer (${error.status}) could not be read: ${error.problem}`;
  return "the service's answer could not be read";
}

/** Whether a failed request was still answered by a working service, so that there is no outage. */
export function wasAnswered(error: unknown): boolean {
  return error instanceof ServiceError ? error.status < 500 : error instanceof ContractError && error.status < 300;
}
