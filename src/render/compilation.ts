import { separateDotted } from "../mustache/usage.js";
import { restore, type Tokenised } from "../mustache/tokens.js";
import type { VariablesContract } from "../mustache/variables.js";
import type { Template, TemplateFields } from "../project/template.js";
import type { SitedOwnName } from "./engine.js";
import { restoreHtml, restoreText } from "./restore.js";

/** A compiled template whose tags are still tokens, for checking the invariants. */
export interface Compilation {
  readonly template: Template;
  readonly subject: Tokenised;
  readonly html: Tokenised;
  /** The HTML rewritten so that each section contains whole elements. */
  readonly whole: Tokenised;
  /** The body's own title, with the tags of `html`; empty if it has none. */
  readonly title: string;
  readonly text: Tokenised;
  readonly contract: VariablesContract;
  /** See `EngineOutput.expected`. */
  readonly expected?: readonly number[];
  /** See `EngineOutput.ownNames`. */
  readonly ownNames?: readonly SitedOwnName[];
  /** The numbers of tags that the derived text omits on purpose; undefined if the text is hand-written. */
  readonly skippedInText?: ReadonlySet<number>;
  /** See `DerivedText.hiding`. */
  readonly hiding?: number;
}

export interface Body {
  readonly field: "subject" | "html_body" | "text_body";
  readonly content: Tokenised;
  /** How its tags are restored. */
  readonly as: "html" | "text";
}

export function bodiesOf({ subject, html, text }: Compilation): readonly Body[] {
  return [
    { field: "subject", content: subject, as: "text" },
    { field: "html_body", content: html, as: "html" },
    { field: "text_body", content: text, as: "text" },
  ];
}

/** The fields for the service: subject and text print their variables unescaped, unless they are verbatim. */
export function restoreBodies(compilation: Compilation): Pick<TemplateFields, Body["field"]> {
  const { subject, html, text, contract, template } = compilation;
  if (template.metadata.verbatim) {
    const asWritten = (content: Tokenised): string => restore(content.text, content.tags, "html");
    return { subject: asWritten(subject), html_body: asWritten(html), text_body: asWritten(text) };
  }
  return {
    subject: separateDotted(restoreText(subject), contract),
    html_body: separateDotted(restoreHtml(html), contract),
    text_body: separateDotted(restoreText(text), contract),
  };
}
