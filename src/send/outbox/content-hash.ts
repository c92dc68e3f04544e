import { createHash } from "node:crypto";
import { Base64Content } from "../../api/calls/base64-content.js";

/**
 * A hash of values as JSON, regardless of field order; bytes are hashed by content.
 *
 * @param secret Unknown to anyone who might guess contents.
 */
export function contentHash(value: unknown, secret: string): string {
  return createHash("sha256")
    .update(`${JSON.stringify(secret)}${ordered(value)}`)
    .digest("base64url");
}

/** JSON with sorted fields, and a hash in place of bytes. */
function ordered(value: unknown): string {
  if (value instanceof Base64Content) return ordered(value.bytes);
  if (value instanceof Uint8Array) return `bytes ${createHash("sha256").update(value).digest("base64url")}`;
  if (typeof value === "bigint") return `${value}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if ("toJSON" in value && typeof value.toJSON === "function") return ordered(value.toJSON());
  if (Array.isArray(value)) return `[${value.map(ordered).join()}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${ordered(field)}`).join()}}`;
}
