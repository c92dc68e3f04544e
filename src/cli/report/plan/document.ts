import type { ContentField } from "../../../sync/content.js";
import type { Hunk } from "../../../sync/diff/hunks.js";
import type { Held, LetThrough, Operation, Plan } from "../../../sync/plan/plan.js";
import type { Proposal } from "./proposals.js";

/** A plan as data: what `--json` prints and what all printers tell. Its schema is `docs/sync-output.schema.json`. */
export interface PlanDocument {
  readonly version: 1;
  readonly environment?: { readonly name: string; readonly domain: string };
  /** What is compared with instead of an environment: a commit, as it was named. */
  readonly base?: string;
  /** What `templates restore` puts back, and the file that it is in, relative to the project. */
  readonly restored?: readonly { readonly name: string; readonly backup: string }[];
  readonly counts: Counts;
  /** In the order in which they may be applied one by one. */
  readonly operations: readonly OperationEntry[];
  /** What differs, over all operations and all that is held: the most shared first. */
  readonly changes: readonly ChangeEntry[];
  readonly held: readonly HeldEntry[];
  readonly retired: readonly string[];
  readonly proposals: readonly Proposal[];
  readonly obstacles: Plan["obstacles"];
  /** What applying takes, by endpoint. */
  readonly requests: Plan["requests"];
  /** What the limits alone make applying take. */
  readonly seconds: number;
  readonly unchanged: readonly string[];
  readonly unmanaged: readonly string[];
  /** Of templates that do not compile, which are not in the plan; absent where all do. */
  readonly errors?: readonly ErrorEntry[];
  /** After apply. */
  readonly result?: ResultEntry;
}

/** An error in the project's files. */
export interface ErrorEntry {
  readonly message: string;
  /** With its line and column, relative to the project: "templates/receipt/receipt.html:3:7". */
  readonly place?: string;
  /** Names in the project. */
  readonly templates: readonly string[];
}

/** Numbers of templates. */
export interface Counts {
  readonly create: number;
  readonly update: number;
  /** Whose content is the same already: only the marker is written. */
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
  /** Of a rename. */
  readonly to?: string;
  /** Of a create: the former name, which stays. */
  readonly renamedFrom?: string;
  /** Of a delete: the name that the template has now. */
  readonly renamedTo?: string;
  /** Of a create. */
  readonly subject?: string;
  /** What differs; of an update, empty where only the marker is written. */
  readonly fields: readonly ContentField[];
}

export interface HeldEntry {
  readonly kind: Held["kind"];
  readonly name: string;
  readonly owner?: string;
  readonly breaking?: Held["breaking"];
  readonly reused?: Held["reused"];
  readonly fields: readonly ContentField[];
  /** The flag that lets it through. */
  readonly flag: string;
}

export interface HunkEntry extends Hunk {
  /** Files of the project that it most likely comes from, the likeliest first. */
  readonly sources: readonly string[];
}

export interface DifferenceEntry {
  readonly templates: readonly string[];
  readonly hunks: readonly HunkEntry[];
}

export interface ChangeEntry extends DifferenceEntry {
  /** Why it is held; absent of what is applied. */
  readonly held?: Held["kind"];
  readonly variants: readonly DifferenceEntry[];
}

/** What is told of a run besides its operations. */
export interface RunFacts {
  /** The folder with what was overwritten or deleted, as to be shown; absent where nothing was. */
  readonly backups?: string;
  /** Whether Ctrl-C ended it. */
  readonly interrupted: boolean;
}

/** Names an operation. */
export type Ref = Pick<OperationEntry, "kind" | "name" | "to">;

/** What became of a plan's operations, in the plan's order. */
export interface ResultEntry extends RunFacts {
  readonly applied: readonly Ref[];
  /** Of those applied, what the service had already, so that nothing was written. */
  readonly unwritten: readonly Ref[];
  /** Of those applied, what the service stored otherwise than it was sent. */
  readonly differs: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** Of those applied, templates whose marker the service did not store in full. */
  readonly unmarked: readonly string[];
  /** Of those applied, fields that were not sent and that somebody else changed at that very moment. */
  readonly touched: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** With the service's own words. */
  readonly failed: readonly (Ref & { readonly message: string })[];
  /** Written, but no answer told whether it arrived. */
  readonly unknown: readonly (Ref & { readonly message: string })[];
  /** Left alone: the service had something else than when the plan was made. */
  readonly moved: readonly Ref[];
  /** Applied, and changed since by somebody else: another sync, or a person at the dashboard. */
  readonly overtaken: readonly Ref[];
  readonly notAttempted: readonly Ref[];
  /** Why the rest was not begun. */
  readonly stopped?: string;
  /** Why it could not be seen whether somebody else has written over what was applied. */
  readonly unseen?: string;
  /** Why this run could not keep other machines from writing at the same time. */
  readonly unleased?: string;
  /** The command that goes on from here; absent where all is done. */
  readonly next?: string;
}
