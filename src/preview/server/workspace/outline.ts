import { fill } from "../../../mustache/fill.js";
import type { CompiledTemplate, FilledFixture } from "../../../template/template.js";
import { preview } from "./preview-text.js";

/** A message as a list of mails would show it, and its words. */
export interface Outline {
  readonly subject: string;
  readonly preheader: string;
  readonly content: string;
}

/** Filled with the first of the fixtures that are shown; where there is none, the tags print nothing. */
export function outlineOf(compiled: CompiledTemplate, [first]: readonly FilledFixture[]): Outline {
  try {
    const { subject, html, text } = fill(compiled, first?.variables ?? {});
    return { subject, preheader: preview(html), content: text };
  } catch {
    // What can't be filled says why where it is shown.
    return { subject: compiled.subject, preheader: "", content: compiled.text_body };
  }
}
