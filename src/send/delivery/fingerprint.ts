import { createHash, hash } from "node:crypto";
import type { Parcel } from "./parcel.js";
import type { People } from "./recipients.js";

/**
 * A hash of everything that makes two messages the same: sender, recipients, content and files. Order and case of
 * addresses, and display names, don't matter.
 *
 * @param target The service and the domain.
 */
export function fingerprintOf(email: Parcel["email"], people: People, target: string): string {
  const { from, attachments, template, variables, subject, html, text } = email;
  const content = { template, variables, subject, html, text };
  const files = attachments?.map(({ content: file, ...facts }) => ({ ...facts, file: hashOfFile(file) }));
  return hash("sha256", JSON.stringify([target, from.toLowerCase(), people, content, files]), "base64url");
}

/** A hash of what the delivery log shows of a message. */
export function likenessOf(sender: string, recipients: readonly string[], subject: string, target: string): string {
  return hash("sha256", JSON.stringify([target, sender.toLowerCase(), recipients, subject]), "base64url");
}

function hashOfFile(content: string | { readonly bytes: Uint8Array }): string {
  const bytes = typeof content === "string" ? Buffer.from(content, "base64") : content.bytes;
  return createHash("sha256").update(bytes).digest("base64url");
}
