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
 * Orders operations into steps so that neither names nor the maximum number of templates gets in the way. Templates are
 * deleted last, after their replacements exist; only as many as necessary are deleted first to make room for new ones.
 * Updates conflict with nothing: they run together with the deletes, which have their own rate limit.
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
