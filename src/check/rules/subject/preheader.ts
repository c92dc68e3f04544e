import { withPlainTags } from "../../../mustache/scan.js";
import type { SourcePosition } from "../../../diagnostic.js";
import { renderMustache } from "../../../mustache/fill.js";
import type { Engine } from "../../../project/template.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement, EmailText } from "../../document/nodes.js";
import { memoizeByObject } from "../../../cache/memoize.js";
import { documentWith, type BuiltInRule, type CheckedTemplate, type Finding, type Mistake } from "../../rule.js";
import { LIGHT, PHONE } from "../../styles/matching.js";
import { isHidden } from "../../styles/computed.js";
import { formatVariables, TruthTable } from "../../truth/truth-table.js";
import { isInvisible, visibleText } from "../../lib/texts.js";

export const preheader: BuiltInRule = {
  id: "preheader",
  severity: "warning",
  summary: "The email has no preheader, or it repeats the subject, or is too short or too long.",
  details:
    "The body does not begin with a preheader, always or with some variables (`{{#eta}}It arrives on " +
    "{{eta}}.{{/eta}}`); the preheader repeats the subject; or (a note) it is too short or too long.",
  why:
    "Inboxes show the preheader next to the subject, up to about 140 characters ([measured on " +
    "devices](https://www.emailtooltester.com/en/blog/email-subject-lines-character-limit/)), followed by the body " +
    'if there is room. Without one they show the first words of the body: often "View in browser", or the name ' +
    "of the logo. One that repeats the subject tells the recipient nothing new. Under 20 characters without " +
    "invisible padding, or over 150, is a note, measured with the fixtures.",
  fix:
    "Add `<mj-preview>` (MJML) or `<Preview>` (React Email), or begin the body with a hidden element of one " +
    "sentence: 40 to 100 characters that tell recipients what they should know before they open the email.",
  examples: {
    wrong: [
      documentWith({ body: "<p>View in browser</p>" }).replace("<body>", "‸<body>"),
      documentWith({
        body: `<div style="display: none">‸Your order</div>
<p>Hello</p>`,
      }),
    ],
    right: [
      documentWith({
        body: `<div style="display: none">It left our warehouse and should arrive on Tuesday.</div>
<p>Hello</p>`,
      }),
      `<mjml>
<mj-head><mj-preview>It left our warehouse and should arrive on Tuesday.</mj-preview></mj-head>
<mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body>
</mjml>`,
    ],
  },
  *checkTemplate(checked) {
    const { template, document } = checked;
    const written = preheaderOf(document);
    const mistake = written && (absence(written, checked) ?? repetition(written, checked) ?? length(written, checked));
    if (mistake) yield { ...mistake, at: written.at() };
    else if (!written)
      yield {
        message: `There is no preheader: ${CONSEQUENCE}`,
        at: placeIn(document, template.engine),
        hint: MISSING[template.engine].hint,
      };
  },
};

const CONSEQUENCE = "inboxes show the first words of the body next to the subject.";

/** The place of an empty preheader, else of the body. */
function placeIn(document: EmailDocument, engine: Engine): SourcePosition {
  const empty = engine === "mjml" ? document.positionOf("<mj-preview") : undefined;
  if (empty?.line !== undefined) return empty;
  const at = document.body.at();
  return at.line === undefined ? document.positionOf(MISSING[engine].body) : at;
}

const MISSING: Readonly<Record<Engine, { readonly body: string; readonly hint: string }>> = {
  mjml: { body: "<mj-body", hint: "Add <mj-preview> to <mj-head>." },
  react: { body: "<Body", hint: "Begin the body with a <Preview> of one sentence." },
  html: { body: "<body", hint: "Begin the body with a hidden element of one sentence." },
};

function absence({ written }: Preheader, checked: CheckedTemplate): Mistake | undefined {
  const blank = TruthTable.of(checked).blank({ text: written }, (text) => visibleText(text) === "");
  if (!blank) return undefined;
  const message = `With ${formatVariables(blank.variables)} there is no preheader: ${CONSEQUENCE}`;
  return { message, hint: "Give it text for that case, too." };
}

function repetition({ text }: Preheader, { compiled }: CheckedTemplate): Mistake | undefined {
  if (bare(text) !== bare(compiled.subject)) return undefined;
  const message = `The preheader repeats the subject, and inboxes show both: "${text}".`;
  return { message, hint: "Write what recipients should know before they open the email." };
}

/** For comparison: without final punctuation, letter case and the escaping of tags. */
function bare(text: string): string {
  return withPlainTags(visibleText(text))
    .replace(/[\p{P}\p{S}]+$/u, "")
    .toLowerCase();
}

/** After fewer characters, inboxes show the first words of the body, too. */
const SHORT = 20;
/** The most characters that the widest inbox shows. */
const LONG = 150;

function length({ text, isPadded }: Preheader, checked: CheckedTemplate): Omit<Finding, "at"> | undefined {
  const lengths = filledLengths(checked, text);
  const shortest = Math.min(...lengths);
  if (shortest > LONG)
    return {
      message: `The preheader is ${shortest} characters long; inboxes show about ${LONG}.`,
      hint: "Shorten it to one sentence.",
      severity: "info",
    };
  if (Math.max(...lengths) >= SHORT || isPadded) return undefined;
  return {
    message: `The preheader "${text}" is so short that inboxes show the first words of the body after it.`,
    hint: "Write a full sentence, or add invisible characters after it in the hidden element.",
    severity: "info",
  };
}

function filledLengths({ compiled: { fixtures } }: CheckedTemplate, text: string): number[] {
  const all = fixtures.length === 0 ? [{}] : fixtures.map(({ variables }) => variables);
  return all.map((variables) => {
    try {
      return Array.from(visibleText(renderMustache(text, variables, { escape: "none" }))).length;
    } catch {
      // The preheader may be inside a section, so that its text alone is not valid Mustache.
      return Array.from(text).length;
    }
  });
}

/** The text that inboxes show next to the subject. */
export interface Preheader {
  readonly element: EmailElement;
  /** Without padding, with Mustache tags as written. */
  readonly text: string;
  /** Whether invisible characters follow, so that inboxes don't show the first words of the body. */
  readonly isPadded: boolean;
  readonly at: () => SourcePosition;
  /** The hidden texts at the start of the body, with the section tags around them. */
  readonly written: string;
}

/** The hidden text at the start of the body. */
export const preheaderOf = memoizeByObject((document: EmailDocument): Preheader | undefined => {
  const { hidden, written } = beginningOf(document);
  const first = hidden.find((node) => visibleText(node.text) !== "");
  const around = first ? [first.parent, ...first.parent.ancestors] : [];
  const element = around.findLast((each) => each !== document.body && isHidden(each, LIGHT));
  if (!first || !element) return undefined;
  const isPadded = isInvisible(element.text) || hidden.some((node) => isInvisible(node.text));
  return { element, text: visibleText(element.text), isPadded, at: () => placeOf(document, first), written };
});

/** The hidden texts of the body before the first visible one. */
function beginningOf(document: EmailDocument): { readonly hidden: EmailText[]; readonly written: string } {
  const { texts, body } = document;
  const hidden: EmailText[] = [];
  let written = "";
  for (const node of texts) {
    const around = [node.parent, ...node.parent.ancestors];
    if (!around.includes(body) || around.some(({ name }) => NOT_READ.has(name))) continue;
    if (isHidden(node.parent, LIGHT)) {
      // Text that phones show is not a preheader.
      if (isHidden(node.parent, PHONE)) hidden.push(node);
    } else if (visibleText(node.text) !== "") break;
    written += node.text;
  }
  return { hidden, written };
}

/** Labels are part of the menus that MJML adds for phones. */
const NOT_READ: ReadonlySet<string> = new Set(["style", "script", "title", "label"]);

/** Where a preheader was written; if that is unknown, where its text or component is used. */
function placeOf(document: EmailDocument, node: EmailText): SourcePosition {
  const place = node.at();
  if (place.line !== undefined) return place;
  const written = [visibleText(node.text), "<Preview", "<mj-preview"];
  return written.map((each) => document.positionOf(each)).find(({ line }) => line !== undefined) ?? place;
}
