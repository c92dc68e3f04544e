import type { CallOptions } from "../../api/calls/caller.js";
import type { Client } from "../../api/client.js";
import type { StoredTemplate } from "../../api/contract/v4/templates.js";
import { type Content, type ContentField, contentFields, isSameText } from "../content.js";
import { writeMarker } from "../../text/marker.js";
import type { Operation, RenameOperation, OperationTarget, UpdateOperation } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";
import type { PatienceOptions } from "../patience.js";
import type { Outage } from "./outage.js";
import type { Run } from "./run.js";
import type { RemoteView } from "./view.js";

export type TemplateWriter = Pick<Client["templates"], "create" | "update" | "delete">;

/** The only request of an operation. */
export interface WriteRequest {
  /** The fields that it sends. */
  readonly sends: ReadonlySet<ContentField>;
  /** Resolves to the service's answer; to undefined for a delete. */
  readonly send: (writer: TemplateWriter, domain: string, options: CallOptions) => Promise<StoredTemplate | undefined>;
}

/**
 * The request that brings the service from its current to the desired state; an update sends only fields that differ.
 *
 * @returns Undefined if nothing differs.
 */
export function requestOf(operation: Operation, current: RemoteTemplate | undefined): WriteRequest | undefined {
  const { name } = operation;
  if (operation.kind === "delete") {
    return {
      sends: new Set(),
      send: async (writer, domain, options) => {
        await writer.delete(domain, name, options);
        return undefined;
      },
    };
  }
  const fields = fieldsOf(operation.target);
  const changes = changedFields(fields, current?.stored);
  const sends = new Set(contentFields.filter((field) => field in changes));
  if (operation.kind === "create")
    return { sends, send: (writer, domain, options) => writer.create(domain, { name, ...fields }, options) };
  if (operation.kind === "update" && sends.size === 0) return undefined;
  const renamed = operation.kind === "rename" ? { name: operation.to } : {};
  return { sends, send: (writer, domain, options) => writer.update(domain, name, { ...renamed, ...changes }, options) };
}

function fieldsOf({ content, marker }: OperationTarget): Content {
  const { subject, text_body, html_body } = content;
  return { subject, description: writeMarker(content.description, marker), text_body, html_body };
}

function changedFields(wanted: Content, stored: StoredTemplate | undefined): Partial<Content> {
  if (stored === undefined) return wanted;
  return Object.fromEntries(
    contentFields.flatMap((field) => (isSameText(wanted[field], stored[field]) ? [] : [[field, wanted[field]]])),
  );
}

/** What is left to do for an operation, according to what the service has. */
export type RemainingWork =
  /** The current template; absent if one is to be created. */
  | { readonly is: "todo"; readonly current?: RemoteTemplate }
  | { readonly is: "done"; readonly current?: RemoteTemplate }
  | { readonly is: "moved"; readonly current?: RemoteTemplate };

interface Inspection {
  /** Reads the template with that name, or returns it from memory. */
  readonly find: (name: string) => Promise<RemoteTemplate | undefined>;
  /**
   * Whether a write of ours may have taken effect: then a marker proves it, whatever the service made of the content.
   */
  readonly isWritten: boolean;
}

/** Compares the service's template with the state that the operation was planned from, and with its target. */
export async function inspect(operation: Operation, { find, isWritten }: Inspection): Promise<RemainingWork> {
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

function isTarget({ hash, marker }: RemoteTemplate, target: OperationTarget, isWritten: boolean): boolean {
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

/** What all operations share while a plan is applied. */
export interface ApplyContext extends PatienceOptions {
  readonly signal: AbortSignal;
  readonly view: RemoteView;
  readonly run: Pick<Run, "begin" | "end" | "save">;
  readonly outage: Outage;
  /**
   * Sends a write. Once it is sent, the signal no longer ends it.
   *
   * @param mayLeave Called right before the client sends it; false prevents that.
   * @throws NotSent; the client's errors.
   */
  readonly send: (request: WriteRequest["send"], mayLeave: () => boolean) => Promise<RemoteTemplate | undefined>;
  /** Duration in ms of the slowest write that was answered. */
  readonly slowestWrite: () => number;
  /** Stops further operations from starting. */
  readonly halt: (error: Error) => void;
  /** Waits, even if the signal has aborted. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}
