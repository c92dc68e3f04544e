import type { Content, ContentField } from "../content.js";
import type { Marker } from "../../marker.js";
import type { Breaking } from "./breaking.js";
import type { Obstacle } from "./obstacles.js";
import type { EndpointRequests } from "./requests.js";

/** One field of a template that differs; a description without its marker. */
export interface FieldChange {
  readonly field: ContentField;
  /** What the service has. */
  readonly from: string;
  readonly to: string;
}

/** What the service had when the plan was made. Apply refuses to overwrite anything else. */
export interface Base {
  /** As the service writes it: whole seconds. */
  readonly updatedAt: string;
  /** Of the content that was read, or of which the lock is proof. */
  readonly hash: string;
}

interface OperationOf<Kind extends string> {
  readonly kind: Kind;
  /** On the service. */
  readonly name: string;
}

/** What an operation writes. */
export interface Target {
  readonly content: Content;
  /** Names the content, as in the marker. */
  readonly hash: string;
  /** Goes behind the description; absent where markers are off. */
  readonly marker?: Marker;
  /** A restored backup: the marker is the one that the service has, and names another content. */
  readonly isEdit?: true;
}

/** Why an operation would be held back if nobody had let it through. */
export interface LetThrough {
  /** What the writer of the plan chose to overwrite. */
  readonly overwrites?: "drift" | "conflict" | "unknown" | "foreign";
  readonly breaking?: readonly Breaking[];
  readonly reused?: Reused;
  /** It was edited in the environment that it is promoted from. */
  readonly sourceDrifted?: true;
}

/** A name on the service that another template's content comes under, as `renamedFrom` has it. */
export interface Reused {
  /** The name that this content has had so far; absent where it is new. */
  readonly contentOf?: string;
  /** The name that the content of this name gets. */
  readonly nowNamed?: string;
}

/** Brings a template to the service that it doesn't have. */
export interface CreateOperation extends OperationOf<"create">, Pick<LetThrough, "sourceDrifted"> {
  readonly target: Target;
  /** The template's former name, which stays on the service until it is pruned. */
  readonly renamedFrom?: string;
}

/** Changes the fields of a template that differ, and no others. */
export interface UpdateOperation extends OperationOf<"update">, LetThrough {
  readonly target: Target;
  /** Empty where only the marker is written: the content is the same already. */
  readonly changes: readonly FieldChange[];
  readonly base: Base;
}

/** Gives a template another name, in place, and changes the fields that differ. */
export interface RenameOperation extends OperationOf<"rename">, LetThrough {
  readonly to: string;
  readonly target: Target;
  readonly changes: readonly FieldChange[];
  readonly base: Base;
}

/** Removes a template that this project applied and no longer has. */
export interface DeleteOperation extends OperationOf<"delete"> {
  /** The name that the template has now, where that is known. */
  readonly renamedTo?: string;
  readonly base: Base;
  readonly overwrites?: "drift";
}

export type Operation = CreateOperation | UpdateOperation | RenameOperation | DeleteOperation;

/** A template that is left alone until somebody decides. */
export interface Held {
  readonly kind:
    /** Edited on the service since it was last applied; unchanged here. */
    | "drifted"
    /** Changed on both sides. */
    | "conflict"
    /** On both sides, different, and nothing tells that it was ever applied from here. */
    | "unknown"
    /** Marked as another project's or environment's. */
    | "foreign"
    /** Running applications would send blanks. */
    | "breaking"
    /** Running applications would send another template's content under this name. */
    | "reused"
    /** Edited in the environment that it is promoted from, since it was applied there. */
    | "sourceDrifted";
  readonly name: string;
  /** From what the service has to what is here; for what would be deleted, empty. */
  readonly changes: readonly FieldChange[];
  /** For `foreign`: the marker's text. */
  readonly owner?: string;
  /** For `breaking`, and for `reused` where something would go blank, too. */
  readonly breaking?: readonly Breaking[];
  /** For `reused`. */
  readonly reused?: Reused;
}

/** What sync would do. */
export interface Plan {
  /** Each inner list may be applied in any order and at once; the lists one after the other. */
  readonly steps: readonly (readonly Operation[])[];
  readonly held: readonly Held[];
  /** Names whose content is the same on both sides, sorted. */
  readonly unchanged: readonly string[];
  /** Names that only the service has and that are not this project's, sorted. They are never touched. */
  readonly unmanaged: readonly string[];
  /** Names that this project applied and no longer has, sorted: `--prune` deletes them. */
  readonly retired: readonly string[];
  /** Templates that seem to have been renamed. */
  readonly proposals: readonly { readonly from: string; readonly to: string }[];
  /** Why the plan cannot be applied as a whole; empty where it can. */
  readonly obstacles: readonly Obstacle[];
  /** What reading took and what applying takes, by endpoint. */
  readonly requests: readonly EndpointRequests[];
}

/** All operations, in the order in which they may be applied one by one. */
export function operationsOf({ steps }: Pick<Plan, "steps">): Operation[] {
  return steps.flat();
}

/** The name under which the service has the template once the operation is done; of what is deleted, the name it had. */
export function targetName(operation: Operation): string {
  return operation.kind === "rename" ? operation.to : operation.name;
}
