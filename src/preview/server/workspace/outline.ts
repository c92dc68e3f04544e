import { fill } from "../../../mustache/fill.js";
import type { CompiledTemplate, FilledFixture } from "../../../template/template.js";
import { preview } from "./preview-text.js";

/** A message as a list of emails would show it, and its text. */
export interface Outline {
  readonly subject: string;
  readonly preheader: string;
  readonly content: string;
}

/** Filled with the first of the fixtures that are shown. Without one, tags are empty. */
export function outlineOf(compiled: CompiledTemplate, [first]: readonly FilledFixture[]): Outline {
  try {
    const { subject, html, text } = fill(compiled, first?.variables ?? {});
    return { subject, preheader: preview(html), content: text };
  } catch {
    // If filling fails, the reason is shown with the email.
    return { subject: compiled.subject, preheader: "", content: compiled.text_body };
  }
}
