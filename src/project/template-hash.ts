import { createHash } from "node:crypto";
import type { TemplateFields } from "./template.js";

/** A compiled template's `hash`: SHA-256 over its fields, in hex. */
export function templateHash({ name, description, subject, html_body, text_body }: TemplateFields): string {
  return createHash("sha256")
    .update(JSON.stringify([name, description, subject, html_body, text_body]))
    .digest("hex");
}
