import type { SourcePosition } from "../../../diagnostic.js";
import type { Engine } from "../../../template/template.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { Rule } from "../../rule.js";
import { preheaderOf } from "./preheader.js";

export const preheaderMissing: Rule = {
  id: "preheader-missing",
  summary: "A body does not begin with a preheader.",
  severity: "warning",
  checkTemplate({ template, document }) {
    if (preheaderOf(document)) return [];
    return [
      {
        message: "There is no preheader: inboxes will show the first words of the body beside the subject.",
        at: placeIn(document, template.engine),
        hint: HINTS[template.engine],
      },
    ];
  },
};

/** An empty preheader, else the body. */
function placeIn(document: EmailDocument, engine: Engine): SourcePosition {
  const empty = engine === "mjml" ? document.positionOf("<mj-preview") : undefined;
  if (empty?.line !== undefined) return empty;
  const at = document.body.at();
  return at.line === undefined ? document.positionOf(BODIES[engine]) : at;
}

const BODIES: Readonly<Record<Engine, string>> = { mjml: "<mj-body", react: "<Body", html: "<body" };

const HINTS: Readonly<Record<Engine, string>> = {
  mjml: "Add <mj-preview> to <mj-head>.",
  react: "Begin the body with <Preview>, which holds one sentence.",
  html: "Begin the body with a hidden element that holds one sentence.",
};
