import type { ClientOptions, ResponseInfo } from "../../api/calls/caller.js";
import { NO_RETRIES, ONCE, refusedForMs, type RequestSlot } from "../../api/calls/policy.js";
import type { AcceptedEmail } from "../../api/contract/v4/emails.js";
import {
  AbortedError,
  CallError,
  ContractError,
  ServiceError,
  TimeoutError,
  UnreachableError,
} from "../../api/errors.js";
import { createSendingClient, type VersionedClient } from "../../api/sending-client.js";
import type { Clock } from "../clock.js";
import { type DeliveryLog, deliveryLogOf } from "./delivery-log.js";
import type { SignOfLife } from "./breaker.js";
import type { Parcel } from "../parcel.js";
import { RejectedError } from "../errors.js";
import { realpath } from "node:fs/promises";
import { otherProjectsService } from "../../project/environment.js";
import { timeLimit } from "../../time-limit.js";
import type { ConfigurationError } from "../../errors.js";

export interface ConnectionOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly allowInsecure?: boolean | undefined;
  readonly version: "v4" | "v3";
  readonly domain: string;
  /** The environment's name, for hints. */
  readonly environment?: string | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

export type Attempt = { readonly outcome: "accepted"; readonly accepted: AcceptedEmail } | Failed;

interface RequestOptions {
  /** Ends with the request, unless the request is not made at all. */
  readonly slot: RequestSlot;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The service, as far as delivering needs it. */
export type Connection = ReturnType<typeof connect>;

const ASK_TIMEOUT_MS = 10_000;

export function connect({
  url,
  apiKey,
  allowInsecure,
  version,
  domain,
  environment,
  timeoutMs,
  clock,
}: ConnectionOptions) {
  // Node loads its fetch on first use, which takes a while: do it now rather than when a message is noted as in
  // progress.
  void globalThis.Headers;
  const time = new ServiceTime(clock);
  const access = { apiKey, allowInsecure, timeoutMs, onResponse: time.observe };
  const sender = createSendingClient({ ...access, baseUrl: url, version, policy: ONCE });
  let reader: ServiceClient | undefined;
  /** Opened by the first lookup: most mailers never read the log. */
  const openLog = () => {
    reader ??= openService({ ...access, url, version, domain, clock, policy: NO_RETRIES });
    return deliveryLogOf(reader);
  };

  return {
    time,
    /** Read at the pace that the service allows. */
    get log(): DeliveryLog {
      return openLog();
    },
    /**
     * Makes one request to send an email.
     *
     * @throws What is wrong with the options or the email, such as a ConfigurationError; nothing has been sent.
     */
    send(email: Parcel["email"], { slot, ...limits }: RequestOptions): Promise<Attempt> {
      let left = false;
      const options = { ...limits, policy: { slot: () => slot }, onRequest: () => void (left = true) };
      return sender.emails.send(domain, email, options).then(
        (accepted): Attempt =>
          accepted.id === "" || accepted.message_id === ""
            ? {
                outcome: "unknown",
                reason: "the service's answer has no message id",
                cause: undefined,
              }
            : { outcome: "accepted", accepted },
        (error: unknown): Attempt => {
          if (!left && !(error instanceof CallError)) throw error;
          return outcomeOf(error, left, email.template && missingTemplateHint(email.template, environment));
        },
      );
    },
    /** Makes a harmless request: to the log, otherwise to the account. */
    async ask(signal: AbortSignal): Promise<SignOfLife> {
      const options = { signal, timeoutMs: Math.min(timeoutMs, ASK_TIMEOUT_MS) };
      if (await isAnswered(openLog().latest(timeLimit(options.timeoutMs, signal)))) return "log";
      return (await isAnswered(sender.account.get(options))) ? "account" : "none";
    },
    async close(): Promise<void> {
      await Promise.all([sender.close(), reader?.client.close()]);
    },
  };
}

/** Whether the service answered, other than with a server error. */
function isAnswered(request: Promise<unknown>): Promise<boolean> {
  return request.then(() => true, wasAnswered);
}

/** The service by a client of its version, and the sender's domain. */
export type ServiceClient = VersionedClient & Pick<ConnectionOptions, "url" | "domain">;

type ServiceOptions = Omit<ClientOptions, "baseUrl" | "version"> &
  Pick<ConnectionOptions, "url" | "domain" | "version">;

export function openService({ url, domain, version, ...options }: ServiceOptions): ServiceClient {
  const settings = { ...options, baseUrl: url };
  if (version === "v3") return { version, url, domain, client: createSendingClient({ ...settings, version }) };
  return { version, url, domain, client: createSendingClient({ ...settings, version }) };
}

type Failed =
  | { readonly outcome: "rejected"; readonly error: RejectedError }
  /** The service accepts no more for now. */
  | { readonly outcome: "held"; readonly waitMs: number; readonly cause: ServiceError }
  /** It definitely did not reach the service. */
  | { readonly outcome: "not sent"; readonly reason: string; readonly cause: unknown }
  /** The caller's signal ended it before anything left. */
  | { readonly outcome: "aborted" }
  /** It may have reached the service. */
  | { readonly outcome: "unknown"; readonly reason: string; readonly cause: unknown };

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
    return { outcome: "not sent", reason: reasonNotSent(error), cause: error };
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

/** Maximum difference between the clocks while no answer has shown it. */
const UNKNOWN_SLACK_MS = 10 * 60_000;
/** The service shows whole seconds, and an answer takes a while. */
const KNOWN_SLACK_MS = 5000;

/** A time span, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** The difference between the service's clock and ours, from its answers. */
class ServiceTime {
  #offset: number | undefined;

  constructor(private readonly clock: Clock) {}

  readonly observe = ({ serviceTime }: ResponseInfo): void => {
    if (serviceTime !== undefined) this.#offset = serviceTime.getTime() - this.clock.time();
  };

  /** One of our time spans on the service's clock, with a margin: either clock may have been adjusted meanwhile. */
  toService({ from, until }: TimeSpan): TimeSpan {
    const offset = this.#offset ?? 0;
    const slack = this.#offset === undefined ? UNKNOWN_SLACK_MS : KNOWN_SLACK_MS;
    return { from: from + Math.min(0, offset) - slack, until: until + Math.max(0, offset) + slack };
  }
}

/**
 * How long an answer is valid: nobody stops one project's service, starts another's and sends a message faster than
 * this.
 */
const TRUSTED_MS = 10_000;
/** The service is on this machine. */
const TIMEOUT_MS = 2_000;

/**
 * Returns why nothing may be sent to the local service that was found at a URL: it belongs to another project.
 * Undefined if it belongs to this project, or to none.
 *
 * @param searchedFrom The folder where discovery started.
 * @throws No local service answers there.
 */
export async function refusalOfOtherProject(
  url: string,
  searchedFrom: string,
): Promise<ConfigurationError | undefined> {
  const { isShared, findOtherOwner } = await import("../../project/local-owner.js");
  const folder = await realpath(searchedFrom).catch(() => searchedFrom);
  const owner = await findOtherOwner(url, folder, AbortSignal.timeout(TIMEOUT_MS));
  if (owner === undefined || isShared(folder, owner)) return undefined;
  return otherProjectsService(url, folder, owner);
}

/**
 * Returns a check that a local service which was found belongs to this project: before the first message, and again if
 * the last check is more than ten seconds old. A service whose URL was configured is not checked.
 *
 * @param searchedFrom As in `Environment`.
 */
export function ownServiceCheck(url: string, searchedFrom: string | undefined, clock: Clock): () => Promise<void> {
  let trustedUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    if (searchedFrom === undefined || clock.now() < trustedUntil) return;
    // If nothing answers, the request itself gives a better error.
    const refusal = await refusalOfOtherProject(url, searchedFrom).catch(() => "no answer" as const);
    if (refusal === "no answer") return;
    if (refusal !== undefined) throw refusal;
    trustedUntil = clock.now() + TRUSTED_MS;
  };
}
