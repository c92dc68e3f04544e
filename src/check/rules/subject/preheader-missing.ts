import type { SourcePosition } from "../../../diagnostic.js";
import type { Engine } from "../../../template/template.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";
import { preheaderOf } from "./preheader.js";
import { visibleText } from "./visible-text.js";

export const preheaderMissing: Rule = {
  id: "preheader-missing",
  summary: "A body does not begin with a preheader.",
  severity: "warning",
  checkTemplate(checked) {
    const { template, document } = checked;
    const preheader = preheaderOf(document);
    if (preheader && IN_BROWSER.test(preheader.text.trim()))
      return [
        {
          severity: "info",
          message: `The preheader is "${preheader.text.trim()}", which says nothing of the mail.`,
          at: preheader.at(),
          hint: "Let a sentence about the mail stand before it.",
        },
      ];
    const blank = (text: string): boolean => visibleText(text) === "";
    const found = preheader && TruthTable.of(checked).blank({ text: preheader.written }, blank);
    if (preheader && !found) return [];
    return [
      {
        message: `${found ? `With ${inWords(found.variables)} there` : "There"} is no preheader: inboxes will show the first words of the body beside the subject.`,
        at: preheader?.at() ?? placeIn(document, template.engine),
        hint: found ? "Say something in it for that case, too." : HINTS[template.engine],
      },
    ];
  },
};

const IN_BROWSER =
  /^(?:(?:view|see|read|open) (?:this |the )?(?:e-?mail|message|it)? ?(?:online|in (?:your|a|the) (?:web ?)?browser)|(?:can['’]t|cannot) (?:see|view|read) this e-?mail\??|(?:diese e-?mail )?im browser (?:ansehen|anzeigen|öffnen))[.!]?$/i;

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
