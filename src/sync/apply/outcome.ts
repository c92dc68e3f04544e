import type { StoredTemplate } from "../../api/contract/v4/templates.js";
import { readMarker } from "../../text/marker.js";
import { type Content, type ContentField, isBeginningOf, isSameText } from "../content.js";
import type { Operation } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";
import {
  AbortedError,
  type CallError,
  ContractError,
  isForbidden,
  isNotFound,
  isRateLimited,
  isUnauthorized,
  ServiceError,
  TimeoutError,
  UnreachableError,
} from "../../api/errors.js";
import { LettershopError } from "../../errors.js";
import type { CallOptions } from "../../api/calls/caller.js";

/** A field whose stored value differs from what was sent. */
export interface StoredDifference {
  readonly field: ContentField;
  readonly sent: string;
  readonly stored: string;
  /** Where the two begin to differ, in UTF-16 units. */
  readonly at: number;
}

/** How an operation ended. */
export type OperationEnding =
  | {
      /** The service has the desired content, even if another sync brought it there. */
      readonly result: "applied";
      /** The service's current template; absent for a delete. */
      readonly template?: StoredTemplate;
      /** Hash of its content, if it differs from the target's because the service stores it differently. */
      readonly stored?: string;
      readonly differs: readonly StoredDifference[];
      /**
       * Fields that were not sent but have changed since just before: someone else changed the template at the very
       * moment of our write. The next plan shows this as drift; their changes to the fields that were sent are lost.
       */
      readonly touched: readonly ContentField[];
      /** The service already had it, so nothing was written. */
      readonly unwritten?: true;
    }
  | {
      /** The template on the service has changed since the plan was made, so it was left alone. */
      readonly result: "moved";
      /** The service's template; absent if there is none with that name. */
      readonly template?: StoredTemplate;
    }
  | {
      /** It definitely had no effect, unless `stored` is set. */
      readonly result: "failed";
      readonly error: Error;
      /** Hash of the service's content, if it accepted the write but did not store all of it. */
      readonly stored?: string;
    }
  /** It may have taken effect: there was no answer, and the effect could not be looked up. */
  | { readonly result: "unknown"; readonly error: Error }
  | { readonly result: "notAttempted" };

/** It was applied, and then changed by someone else: another sync, or a user of the dashboard. */
export interface Overtaken {
  readonly result: "overtaken";
  /** The service's current template; absent if no template has that name now. */
  readonly template?: StoredTemplate;
}

export type Outcome = (OperationEnding | Overtaken) & { readonly operation: Operation };

export function applied(
  operation: Operation,
  template: RemoteTemplate | undefined,
  differs: readonly StoredDifference[] = [],
): Extract<OperationEnding, { result: "applied" }> {
  if (operation.kind === "delete" || template === undefined) return { result: "applied", differs, touched: [] };
  const { hash, stored } = template;
  const storedHash = hash === operation.target.hash ? {} : { stored: hash };
  return { result: "applied", template: stored, ...storedHash, differs, touched: [] };
}

/** The service already has it, without a write of this run. */
export function unwritten(operation: Operation, template: RemoteTemplate | undefined): OperationEnding {
  return { ...applied(operation, template), unwritten: true };
}

export function moved(template: RemoteTemplate | undefined): OperationEnding {
  return { result: "moved", ...(template === undefined ? {} : { template: template.stored }) };
}

export function overtaken(template: RemoteTemplate | undefined): Overtaken {
  return { result: "overtaken", ...(template === undefined ? {} : { template: template.stored }) };
}

/**
 * Whether the service has not stored the whole marker: then only the lock can distinguish edits from what was applied.
 */
export function hasPartialMarker({
  operation,
  template,
  stored,
}: {
  readonly operation: Operation;
  readonly template?: Pick<StoredTemplate, "description">;
  readonly stored?: string;
}): boolean {
  if (operation.kind === "delete" || operation.target.marker === undefined || template === undefined) return false;
  const { marker } = readMarker(template.description);
  return marker === undefined || (stored !== undefined && marker.stored !== stored);
}

/** Whether a write may have taken effect although it failed. */
export function isLost(error: unknown): error is CallError {
  if (error instanceof ContractError) return true;
  if (error instanceof ServiceError) return error.status >= 500;
  if (error instanceof UnreachableError || error instanceof TimeoutError || error instanceof AbortedError)
    return error.requestSent;
  return false;
}

/** Whether a request definitely never reached the service because of the network. */
export function isUnreached(error: unknown): error is CallError {
  return (error instanceof UnreachableError || error instanceof TimeoutError) && !error.requestSent;
}

/** Whether a request failed because of the service, whatever it was about. */
export function isServiceFailure(error: unknown): boolean {
  return isLost(error) || isUnreached(error) || isRateLimited(error) || error instanceof CutContentError;
}

/**
 * Whether everything else would fail in the same way: because of the key, the plan, the domain (a 404 of the whole
 * collection), an unreachable service, a lost lock, or a full disk.
 */
export function affectsAllOperations(error: unknown): boolean {
  if (error instanceof ServiceError) {
    const isCollection = error.path.endsWith("/templates");
    return isUnauthorized(error) || isForbidden(error) || (isCollection && isNotFound(error));
  }
  if (error instanceof UnreachableError || error instanceof TimeoutError) return isUnreached(error);
  return !(error instanceof ContractError);
}

/** Whether a 400 may be about the name, or about the number of templates. */
export function isNameOrCountRefused(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.status !== 400) return false;
  const fields = Object.keys(error.fieldErrors);
  return fields.length === 0 || fields.includes("name");
}

/** A field of which the service has stored only the beginning, or nothing. */
interface CutField {
  readonly field: ContentField;
  /** Number of UTF-16 units that were sent. */
  readonly sent: number;
  /** Number of UTF-16 units that the service has. */
  readonly stored: number;
}

/** The fields that recipients see. A missing description does not affect messages. */
const sentFields = ["subject", "text_body", "html_body"] as const satisfies readonly ContentField[];

/** The fields of a message that the service has stored incompletely. */
export function cutFields(sent: Content, stored: Content): CutField[] {
  return sentFields
    .filter((field) => isBeginningOf(sent[field], stored[field]) && !isSameText(sent[field], stored[field]))
    .map((field) => ({ field, sent: sent[field].length, stored: stored[field].length }));
}

/** The service accepted a write, but did not store all of it. */
export class CutContentError extends LettershopError {
  override readonly name = "CutContentError";
  readonly code = "cutContent";

  constructor(readonly fields: readonly CutField[]) {
    const list = fields.map(({ field, sent, stored }) =>
      stored === 0 ? `${field} is empty` : `${field} ends after ${stored} of ${sent} characters`,
    );
    super(`The service did not store everything that was sent: ${list.join(", ")}.`);
  }
}

/** Why a write whose turn had come was not sent. */
export class NotSent extends Error {
  constructor(readonly reason: "aborted" | "stale") {
    super(reason);
  }
}

/**
 * Options for a write that is only sent while allowed, and never aborted once it is sent: a client may delay it for a
 * minute because of a rate limit.
 *
 * @param mayLeave Called when its turn has come: whether the checked state is still recent.
 */
export function writeCallOptions(signal: AbortSignal, mayLeave: () => boolean, onLeave: () => void): CallOptions {
  const waiting = new AbortController();
  const abort = () => waiting.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return {
    signal: waiting.signal,
    // The operation handles failed tries.
    retries: 0,
    onRequest() {
      signal.removeEventListener("abort", abort);
      if (signal.aborted) throw new NotSent("aborted");
      if (!mayLeave()) throw new NotSent("stale");
      onLeave();
    },
  };
}
