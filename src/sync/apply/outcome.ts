import type { StoredTemplate } from "../../api/contract/v4/templates.js";
import { readMarker } from "../../marker.js";
import type { ContentField } from "../content.js";
import type { Operation } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";

/** A field that the service stores otherwise than it was sent. */
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
      /** The service has what it was to have; also where another sync had brought it there. */
      readonly result: "applied";
      /** As the service has it now; absent for what was deleted. */
      readonly template?: StoredTemplate;
      /** Hash of its content, where that is not the target's: the service stores it otherwise. */
      readonly stored?: string;
      readonly differs: readonly Difference[];
      /**
       * Fields that were not sent and are others now than just before: somebody else changed the template at the very
       * moment of our write. The next plan shows it as drift; what they wrote into the fields that were sent is lost.
       */
      readonly touched: readonly ContentField[];
      /** The service had it already, so that nothing was written. */
      readonly unwritten?: true;
    }
  | {
      /** The service has something else by now than what the plan was made from, so it was left alone. */
      readonly result: "moved";
      /** What it has; absent where there is nothing of that name. */
      readonly template?: StoredTemplate;
    }
  | {
      /** It surely had no effect, unless `stored` says what it left. */
      readonly result: "failed";
      readonly error: Error;
      /** Hash of what the service has, where it took the write and did not store all of it. */
      readonly stored?: string;
    }
  /** It may have had its effect: no answer came, and nothing could be looked up. */
  | { readonly result: "unknown"; readonly error: Error }
  | { readonly result: "notAttempted" };

/** It was applied, and has been changed since by somebody else: another sync, or a person at the dashboard. */
export interface Overtaken {
  readonly result: "overtaken";
  /** What the service has now; absent where there is nothing of that name any more. */
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
  const storedOtherwise = hash === operation.target.hash ? {} : { stored: hash };
  return { result: "applied", template: stored, ...storedOtherwise, differs, touched: [] };
}

/** The service has it already, and not by a write of this run. */
export function unwritten(operation: Operation, template: RemoteTemplate | undefined): Ending {
  return { ...applied(operation, template), unwritten: true };
}

export function moved(template: RemoteTemplate | undefined): Ending {
  return { result: "moved", ...(template === undefined ? {} : { template: template.stored }) };
}

export function overtaken(template: RemoteTemplate | undefined): Overtaken {
  return { result: "overtaken", ...(template === undefined ? {} : { template: template.stored }) };
}

/** Whether the service has not stored all of the marker: then only the lock can tell edits from what was applied. */
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
