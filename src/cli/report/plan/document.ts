import type { ContentField } from "../../../sync/content.js";
import type { Hunk } from "../../../sync/diff/hunks.js";
import type { Held, LetThrough, Operation, Plan } from "../../../sync/plan/plan.js";

/** A plan as plain data, for `--json` and all other formats. Its schema is `docs/sync-output.schema.json`. */
export interface PlanDocument {
  readonly version: 1;
  readonly environment?: { readonly name: string; readonly domain: string };
  /** The commit that is compared with instead of an environment, as the user named it. */
  readonly base?: string;
  /** The templates that `templates restore` restores, and their backup files relative to the project. */
  readonly restored?: readonly { readonly name: string; readonly backup: string }[];
  readonly counts: PlanCounts;
  /** In the order in which they are applied. */
  readonly operations: readonly OperationEntry[];
  /** The changes of all operations and of templates held back; changes in most templates come first. */
  readonly changes: readonly ChangeEntry[];
  readonly held: readonly HeldEntry[];
  readonly retired: readonly string[];
  readonly proposals: readonly Proposal[];
  readonly obstacles: Plan["obstacles"];
  /** The number of requests that applying needs, by endpoint. */
  readonly requests: Plan["requests"];
  /** The minimum duration of applying because of rate limits. */
  readonly seconds: number;
  readonly unchanged: readonly string[];
  readonly unmanaged: readonly string[];
  /** Errors of templates that do not compile and so are not in the plan; absent if all compile. */
  readonly errors?: readonly ErrorEntry[];
  /** Present after applying. */
  readonly result?: ResultEntry;
}

/** A template that looks renamed. */
export interface Proposal {
  /** The old and the new name on the service. */
  readonly from: string;
  readonly to: string;
  /** The template whose `template.json` would get `renamedFrom`. */
  readonly template: string;
  /** The line to add. */
  readonly line: string;
}

export interface ErrorEntry {
  readonly message: string;
  /** File, line and column, relative to the project: "templates/receipt/receipt.html:3:7". */
  readonly place?: string;
  /** Names in the project. */
  readonly templates: readonly string[];
}

/** The number of templates per kind of change. */
export interface PlanCounts {
  readonly create: number;
  readonly update: number;
  /** Only the marker is written; the content is already the same. */
  readonly mark: number;
  readonly rename: number;
  readonly delete: number;
  readonly held: number;
  readonly retired: number;
  readonly unchanged: number;
  readonly unmanaged: number;
}

export interface OperationEntry extends LetThrough {
  readonly kind: Operation["kind"];
  readonly name: string;
  /** The new name of a rename. */
  readonly to?: string;
  /** The previous name of a created template; the old template stays. */
  readonly renamedFrom?: string;
  /** The current name of a deleted template that was renamed. */
  readonly renamedTo?: string;
  /** The subject of a created template. */
  readonly subject?: string;
  /** The fields that differ; empty for an update that only writes the marker. */
  readonly fields: readonly ContentField[];
}

export interface HeldEntry {
  readonly kind: Held["kind"];
  readonly name: string;
  readonly owner?: string;
  readonly breaking?: Held["breaking"];
  readonly reused?: Held["reused"];
  readonly fields: readonly ContentField[];
  /** The flag that applies it anyway. */
  readonly flag: string;
}

export interface HunkEntry extends Hunk {
  /** The project's files that most likely caused the change, likeliest first. */
  readonly sources: readonly string[];
}

export interface DifferenceEntry {
  readonly templates: readonly string[];
  readonly hunks: readonly HunkEntry[];
}

export interface ChangeEntry extends DifferenceEntry {
  /** Why the change is held back; absent if it is applied. */
  readonly held?: Held["kind"];
  readonly variants: readonly DifferenceEntry[];
}

/** Facts about a run in addition to its operations. */
export interface RunFacts {
  /** The folder with backups of what was overwritten or deleted, as a path to show; absent if there are none. */
  readonly backups?: string;
  /** Whether Ctrl-C ended the run. */
  readonly interrupted: boolean;
}

/** Identifies an operation. */
export type Ref = Pick<OperationEntry, "kind" | "name" | "to">;

/** The results of a plan's operations, in the plan's order. */
export interface ResultEntry extends RunFacts {
  readonly applied: readonly Ref[];
  /** Applied operations that needed no write, because the service already had the content. */
  readonly unwritten: readonly Ref[];
  /** Applied templates that the service stored differently from what was sent. */
  readonly differs: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** Applied templates whose marker the service did not store completely. */
  readonly unmarked: readonly string[];
  /** Applied templates of which someone else changed fields, which were not sent, during the write. */
  readonly touched: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** Failed operations, with the service's error message. */
  readonly failed: readonly (Ref & { readonly message: string })[];
  /** Operations that were sent without a response, so it is unknown whether they were applied. */
  readonly unknown: readonly (Ref & { readonly message: string })[];
  /** Operations that were skipped, because the template on the service has changed since the plan was made. */
  readonly moved: readonly Ref[];
  /** Applied operations whose template someone else has changed since: another sync, or a user of the dashboard. */
  readonly overtaken: readonly Ref[];
  readonly notAttempted: readonly Ref[];
  /** Why the remaining operations were not started. */
  readonly stopped?: string;
  /** Why it could not be checked whether someone else has overwritten what was applied. */
  readonly unseen?: string;
  /** Why this run could not prevent other machines from writing at the same time. */
  readonly unleased?: string;
  /** The command that continues the run; absent if it is complete. */
  readonly next?: string;
}
