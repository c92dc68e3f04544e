import { TEMPLATES_PER_DOMAIN } from "../../api/limits.js";
import type { CreateOperation, DeleteOperation, Operation, RenameOperation, UpdateOperation } from "./plan.js";

export interface Unordered {
  readonly creates: readonly CreateOperation[];
  readonly updates: readonly UpdateOperation[];
  /** Each list frees the names that the next one takes. */
  readonly renames: readonly (readonly RenameOperation[])[];
  readonly deletes: readonly DeleteOperation[];
}

/**
 * Puts operations into steps in which neither a name nor the cap of templates is in the way. What goes is deleted last,
 * after what replaces it is there; only as many as have to make room for what comes go first. Updates are in nobody's way:
 * they go beside the deletes, which have a limit of their own.
 */
export function inSteps({ creates, updates, renames, deletes }: Unordered, remoteCount: number): Operation[][] {
  const missingRoom = Math.max(0, remoteCount + creates.length - TEMPLATES_PER_DOMAIN);
  const [first = [], ...later] = renames;
  const steps: (readonly Operation[])[] = [
    deletes.slice(0, missingRoom),
    [...creates, ...first],
    ...later,
    [...updates, ...deletes.slice(missingRoom)],
  ];
  return steps.filter((step) => step.length > 0).map((step) => [...step]);
}
