import type { StoredTemplate } from "../../api/contract/v4/templates.js";
import { readMarker } from "../../text/marker.js";
import type { ContentField } from "../content.js";
import type { Operation } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";

/** A field whose stored value differs from what was sent. */
export interface Difference {
  readonly field: ContentField;
  readonly sent: string;
  readonly stored: string;
  /** Where the two begin to differ, in UTF-16 units. */
  readonly at: number;
}

/** How an operation ended. */
export type Ending =
  | {
      /** The service has the desired content, even if another sync brought it there. */
      readonly result: "applied";
      /** The service's current template; absent for a delete. */
      readonly template?: StoredTemplate;
      /** Hash of its content, if it differs from the target's because the service stores it differently. */
      readonly stored?: string;
      readonly differs: readonly Difference[];
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

export type Outcome = (Ending | Overtaken) & { readonly operation: Operation };

export function applied(
  operation: Operation,
  template: RemoteTemplate | undefined,
  differs: readonly Difference[] = [],
): Extract<Ending, { result: "applied" }> {
  if (operation.kind === "delete" || template === undefined) return { result: "applied", differs, touched: [] };
  const { hash, stored } = template;
  const storedHash = hash === operation.target.hash ? {} : { stored: hash };
  return { result: "applied", template: stored, ...storedHash, differs, touched: [] };
}

/** The service already has it, without a write of this run. */
export function unwritten(operation: Operation, template: RemoteTemplate | undefined): Ending {
  return { ...applied(operation, template), unwritten: true };
}

export function moved(template: RemoteTemplate | undefined): Ending {
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
