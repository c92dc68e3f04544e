import type { StoredTemplate } from "../../../api/contract/v4/templates.js";
import { hasPartialMarker } from "../../../sync/apply/outcome.js";
import type { Operation } from "../../../sync/plan/plan.js";
import type { PlanDocument, Ref, ResultEntry, RunFacts } from "./document.js";
import { describeOperation } from "./plan-document.js";

/** The part of an apply result that is reported. */
export interface ApplyReport {
  readonly outcomes: readonly ApplyOutcome[];
  /** Why the remaining operations were not started. */
  readonly stopped?: Error;
  /** Why it could not be checked whether someone else has overwritten what was applied. */
  readonly unseen?: Error;
  /** Why this run could not prevent other machines from writing at the same time. */
  readonly unleased?: string;
}

type ApplyOutcome = { readonly operation: Operation } & (
  | {
      readonly result: "applied";
      readonly template?: Pick<StoredTemplate, "description">;
      readonly stored?: string;
      readonly differs: readonly { readonly field: string }[];
      readonly touched: readonly string[];
      readonly unwritten?: true;
    }
  | { readonly result: "failed" | "unknown"; readonly error: Error }
  | { readonly result: "moved" | "overtaken" | "notAttempted" }
);

/** Adds the result to the document of an applied plan. */
export function withResult(
  document: PlanDocument,
  { outcomes, stopped, unseen, unleased }: ApplyReport,
  { again, ...facts }: RunFacts & { readonly again: string },
): PlanDocument {
  const refs = (result: ApplyOutcome["result"]): Ref[] =>
    outcomes.filter((outcome) => outcome.result === result).map(({ operation }) => refOf(operation));
  const errors = (result: "failed" | "unknown"): ResultEntry["failed"] =>
    outcomes.flatMap((outcome) =>
      outcome.result === result && "error" in outcome
        ? [{ ...refOf(outcome.operation), message: outcome.error.message }]
        : [],
    );
  const applied = refs("applied");
  return {
    ...document,
    result: {
      applied,
      unwritten: outcomes.flatMap((outcome) =>
        outcome.result === "applied" && outcome.unwritten ? [refOf(outcome.operation)] : [],
      ),
      differs: outcomes.flatMap((outcome) =>
        outcome.result === "applied" && outcome.differs.length > 0
          ? [{ name: refOf(outcome.operation).name, fields: outcome.differs.map(({ field }) => field) }]
          : [],
      ),
      unmarked: outcomes.flatMap((outcome) =>
        outcome.result === "applied" && hasPartialMarker(outcome) ? [refOf(outcome.operation).name] : [],
      ),
      touched: outcomes.flatMap((outcome) =>
        outcome.result === "applied" && outcome.touched.length > 0
          ? [{ name: refOf(outcome.operation).name, fields: outcome.touched }]
          : [],
      ),
      failed: errors("failed"),
      unknown: errors("unknown"),
      moved: refs("moved"),
      overtaken: refs("overtaken"),
      notAttempted: refs("notAttempted"),
      ...(stopped !== undefined && { stopped: stopped.message }),
      ...(unseen !== undefined && { unseen: unseen.message }),
      ...(unleased !== undefined && { unleased }),
      ...facts,
      ...(applied.length < outcomes.length && { next: again }),
    },
  };
}

function refOf(operation: Operation): Ref {
  const { kind, name, to } = describeOperation(operation);
  return { kind, name, ...(to !== undefined && { to }) };
}
