import type { CallOptions } from "../../api/calls/caller.js";
import type { Client } from "../../api/client.js";
import type { StoredTemplate } from "../../api/contract/v4/templates.js";
import { type Content, type ContentField, contentFields, isSameText } from "../content.js";
import { writeMarker } from "../../text/marker.js";
import type { Operation, Target } from "../plan/plan.js";
import type { RemoteTemplate } from "../remote.js";

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

function fieldsOf({ content, marker }: Target): Content {
  const { subject, text_body, html_body } = content;
  return { subject, description: writeMarker(content.description, marker), text_body, html_body };
}

function changedFields(wanted: Content, stored: StoredTemplate | undefined): Partial<Content> {
  if (stored === undefined) return wanted;
  return Object.fromEntries(
    contentFields.flatMap((field) => (isSameText(wanted[field], stored[field]) ? [] : [[field, wanted[field]]])),
  );
}
