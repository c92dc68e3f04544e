import type { Content, ContentField, LocalTemplate } from "../content.js";
import type { Marker } from "../../text/marker.js";
import type { ContractChange } from "../../mustache/contract-changes.js";
import type { Obstacle } from "./obstacles.js";
import type { EndpointRequests } from "./requests.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { Knowledge } from "./knowledge.js";

/** A field of a template that differs; a description is without its marker. */
export interface FieldChange {
  readonly field: ContentField;
  /** The service's value. */
  readonly from: string;
  readonly to: string;
}

/** What the service had when the plan was made. Apply refuses to overwrite anything else. */
export interface Base {
  /** As the service writes it: whole seconds. */
  readonly updatedAt: string;
  /** Hash of the content that was read, or that the lock proves. */
  readonly hash: string;
}

interface OperationOf<Kind extends string> {
  readonly kind: Kind;
  /** The name on the service. */
  readonly name: string;
}

/** What an operation writes. */
export interface OperationTarget {
  readonly content: Content;
  /** The content's hash, as in the marker. */
  readonly hash: string;
  /** Appended to the description; absent if markers are off. */
  readonly marker?: Marker;
  /** A restored backup: it has the service's current marker, which names a different content. */
  readonly isEdit?: true;
}

/** Why an operation would be held back if it had not been let through. */
export interface LetThrough {
  /** What was knowingly overwritten. */
  readonly overwrites?: "drift" | "conflict" | "unknown" | "foreign";
  readonly breaking?: readonly ContractChange[];
  readonly reused?: Reused;
  /** It was edited in the environment that it is promoted from. */
  readonly sourceDrifted?: true;
}

/** A name on the service that gets another template's content, because of `renamedFrom`. */
export interface Reused {
  /** The previous name of this content; absent if it is new. */
  readonly contentOf?: string;
  /** The new name of the content that had this name. */
  readonly nowNamed?: string;
}

/** Creates a template on the service. */
export interface CreateOperation extends OperationOf<"create">, Pick<LetThrough, "sourceDrifted"> {
  readonly target: OperationTarget;
  /** The template's former name, which stays on the service until it is pruned. */
  readonly renamedFrom?: string;
}

/** Changes only the fields that differ. */
export interface UpdateOperation extends OperationOf<"update">, LetThrough {
  readonly target: OperationTarget;
  /** Empty if only the marker is written, because the content is already the same. */
  readonly changes: readonly FieldChange[];
  readonly base: Base;
}

/** Renames a template in place, and changes the fields that differ. */
export interface RenameOperation extends OperationOf<"rename">, LetThrough {
  readonly to: string;
  readonly target: OperationTarget;
  readonly changes: readonly FieldChange[];
  readonly base: Base;
}

/** Deletes a template that this project applied and no longer has. */
export interface DeleteOperation extends OperationOf<"delete"> {
  /** The template's new name, if known. */
  readonly renamedTo?: string;
  readonly base: Base;
  readonly overwrites?: "drift";
}

export type Operation = CreateOperation | UpdateOperation | RenameOperation | DeleteOperation;

/** A template that is left alone until someone decides. */
export interface Held {
  readonly kind:
    /** Edited on the service since it was last applied; unchanged locally. */
    | "drifted"
    /** Changed on both sides. */
    | "conflict"
    /** Different on both sides, without a record that it was ever applied from here. */
    | "unknown"
    /** Marked as another project's or environment's. */
    | "foreign"
    /** Running applications would send blanks. */
    | "breaking"
    /** Running applications would send another template's content under this name. */
    | "reused"
    /** Edited in the environment that it is promoted from, after it was applied there. */
    | "sourceDrifted";
  readonly name: string;
  /** From the service's content to the local one; empty for a delete. */
  readonly changes: readonly FieldChange[];
  /** For `foreign`: the marker's text. */
  readonly owner?: string;
  /** For `breaking`; also for `reused` if something would be blank. */
  readonly breaking?: readonly ContractChange[];
  /** For `reused`. */
  readonly reused?: Reused;
}

/** What sync would do. */
export interface Plan {
  /**
   * The operations of an inner list may be applied in any order and concurrently; the lists must be applied in order.
   */
  readonly steps: readonly (readonly Operation[])[];
  readonly held: readonly Held[];
  /** Names whose content is the same on both sides, sorted. */
  readonly unchanged: readonly string[];
  /** Names that only the service has and that don't belong to this project, sorted. They are never touched. */
  readonly unmanaged: readonly string[];
  /** Names that this project applied and no longer has, sorted: `--prune` deletes them. */
  readonly retired: readonly string[];
  /** Templates that appear to have been renamed. */
  readonly proposals: readonly { readonly from: string; readonly to: string }[];
  /** Why the plan cannot be applied completely; empty if it can. */
  readonly obstacles: readonly Obstacle[];
  /** The requests for reading and applying, by endpoint. */
  readonly requests: readonly EndpointRequests[];
}

/** All operations, in an order in which they may be applied one by one. */
export function operationsOf({ steps }: Pick<Plan, "steps">): Operation[] {
  return steps.flat();
}

/** The template's name on the service after the operation; for a delete, its name before. */
export function targetName(operation: Operation): string {
  return operation.kind === "rename" ? operation.to : operation.name;
}

/** The user's choices for a plan. */
export interface PlanChoices {
  readonly renames: "keep" | "in-place";
  /** Whether to delete retired templates. */
  readonly prune: boolean;
  /** Whether a template, by its name on the service, is applied although it would be held back for this reason. */
  readonly letsThrough: (reason: Held["kind"], name: string) => boolean;
}

export interface PlanInput extends Knowledge {
  /** The templates to apply. */
  readonly local: readonly LocalTemplate[];
  /** The names on the service of all templates in the project, even if they are not applied. */
  readonly present: ReadonlySet<string>;
  readonly choices: PlanChoices;
  /** Whether a name that the project doesn't have belongs to this environment, by its affixes and patterns. */
  readonly isInReach: (name: string) => boolean;
  /** Whether a name matches the project's patterns of prunable templates, whoever applied it. */
  readonly isPrunable: (name: string) => boolean;
  /** Contracts of an older registry, by name on the service. */
  readonly contracts?: ReadonlyMap<string, VariablesContract>;
  /** Requests per minute of an endpoint, if known. */
  readonly limit?: (endpoint: string) => number | undefined;
}
