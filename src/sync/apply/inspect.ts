import type { Operation, RenameOperation, Target, UpdateOperation } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";

/** What is left to do for an operation, according to what the service has. */
export type State =
  /** The current template; absent if one is to be created. */
  | { readonly is: "todo"; readonly current?: RemoteTemplate }
  | { readonly is: "done"; readonly current?: RemoteTemplate }
  | { readonly is: "moved"; readonly current?: RemoteTemplate };

export interface Inspection {
  /** Reads the template with that name, or returns it from memory. */
  readonly find: (name: string) => Promise<RemoteTemplate | undefined>;
  /**
   * Whether a write of ours may have taken effect: then a marker proves it, whatever the service made of the content.
   */
  readonly isWritten: boolean;
}

/** Compares the service's template with the state that the operation was planned from, and with its target. */
export async function inspect(operation: Operation, { find, isWritten }: Inspection): Promise<State> {
  const current = await find(operation.name);
  if (operation.kind === "delete") {
    if (current === undefined) return { is: "done" };
    return { is: current.hash === operation.base.hash ? "todo" : "moved", current };
  }
  const { target } = operation;
  if (operation.kind === "create") {
    if (current === undefined) return { is: "todo" };
    return { is: isTarget(current, target, isWritten) ? "done" : "moved", current };
  }
  if (operation.kind === "rename" && current === undefined) {
    const renamed = await find(operation.to);
    if (renamed === undefined) return { is: "moved" };
    return { is: isTarget(renamed, target, isWritten) ? "done" : "moved", current: renamed };
  }
  if (current === undefined) return { is: "moved" };
  if (operation.kind === "update" && isTarget(current, target, isWritten)) return { is: "done", current };
  return { is: isBase(current, operation) ? "todo" : "moved", current };
}

function isTarget({ hash, marker }: RemoteTemplate, target: Target, isWritten: boolean): boolean {
  // If the marker stays the same, or there is none, only the content tells.
  if (target.marker === undefined || target.isEdit) return hash === target.hash;
  const { text, applied, contract, stored = marker?.stored } = target.marker;
  if (marker?.text !== text || marker.applied !== applied || marker.contract !== contract) return false;
  if (marker.stored !== stored) return false;
  // Marked content that differs was edited, unless it was just written and the service itself altered it.
  return hash === target.hash || hash === stored || isWritten;
}

/** Whether nobody has edited it: it has its base or its target content, and belongs to nobody else. */
function isBase({ hash, marker }: RemoteTemplate, operation: UpdateOperation | RenameOperation): boolean {
  const { base, target } = operation;
  if (hash !== base.hash && hash !== target.hash) return false;
  const isForeign = marker !== undefined && target.marker !== undefined && marker.text !== target.marker.text;
  return !isForeign || (operation.kind === "update" && operation.overwrites === "foreign");
}
