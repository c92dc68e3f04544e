import { createHash } from "node:crypto";
import type { TemplateFields } from "../template/template.js";

/** What a template says, apart from its name: the description is the author's, without a marker. */
export type Content = Omit<TemplateFields, "name">;

export type ContentField = keyof Content;

/** In the order in which people read them: what a mail says before how it looks. */
export const contentFields: readonly ContentField[] = ["subject", "description", "text_body", "html_body"];

/**
 * Names a content in 60 bits, as ten characters of base64url. Texts that differ only in what services are known to
 * change when they store them (line ends, spaces at the ends of lines and of the whole) have the same hash.
 *
 * @example
 * contentHash({ subject: "Hi", description: "", html_body: "<p>Hi</p>\r\n", text_body: "Hi" }); // "u0Yw3kq_Zb"
 */
export function contentHash(content: Content): string {
  const hash = createHash("sha256");
  for (const field of contentFields) hash.update(`${field}\0${canonical(content[field])}\0`);
  return hash.digest("base64url").slice(0, 10);
}

/** Whether two texts differ in more than a service may change when it stores them. */
export function isSameText(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

export function pickContent({ description, subject, html_body, text_body }: Content): Content {
  return { description, subject, html_body, text_body };
}

function canonical(text: string): string {
  return text
    .normalize()
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
}
