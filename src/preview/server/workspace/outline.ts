import { fill } from "../../../mustache/fill.js";
import { fixturesOf, type ShownBuild } from "./entry.js";
import { madeUpFixture } from "./made-up-fixture.js";
import { preview } from "./preview-text.js";

/** A message as a list of mails would show it, and its words. */
export interface Outline {
  readonly subject: string;
  readonly preheader: string;
  readonly content: string;
}

/** Filled with the first fixture, or with what is made up. */
export function outlineOf(result: ShownBuild["result"]): Outline {
  const { compiled } = result;
  try {
    const example = fixturesOf(compiled)[0] ?? madeUpFixture(result);
    const { subject, html, text } = fill(compiled, example?.variables ?? {});
    return { subject, preheader: preview(html), content: text };
  } catch {
    // What can't be filled says why where it is shown.
    return { subject: compiled.subject, preheader: "", content: compiled.text_body };
  }
}
