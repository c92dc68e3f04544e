import type { BuiltInRule } from "../../rule.js";
import { subjectPosition } from "../../checked-template.js";

export const subjectCharacters: BuiltInRule = {
  id: "subject-characters",
  severity: "warning",
  isSilencedByComments: false,
  summary: "The subject has a control character or superfluous spaces.",
  details:
    "The subject has a control character, such as U+0007, or (a note) a space at its start or end, or two in a " +
    "row.",
  why:
    "Control characters are invisible when text is copied. Inboxes show a box for one, or nothing, and some " +
    "servers reject the email: headers must not have any ([RFC 5322, section " +
    "2.2](https://www.rfc-editor.org/rfc/rfc5322#section-2.2)). A space at an end is usually left over from a word.",
  fix: "Remove it, or type the subject again.",
  examples: {
    wrong: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": ‸"Your order " }' }],
    right: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Your order" }' }],
  },
  *checkTemplate(checked) {
    const at = subjectPosition(checked);
    // A rule of its own checks line breaks.
    const [control] = /(?![\t\n\v\f\r\u0085])\p{Cc}/u.exec(checked.compiled.subject) ?? [];
    if (control !== undefined) {
      const code = control.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      const message = `The subject has the control character U+${code}, which inboxes show as a box or not at all.`;
      yield { message, at, hint: "Remove it." };
    }
    const { subject = "" } = checked.template.metadata;
    const [, spaces] = SPACES.find(([pattern]) => pattern.test(subject)) ?? [];
    if (spaces !== undefined) yield { severity: "info", message: `The subject ${spaces}.`, at, hint: "Remove it." };
  },
};

const SPACES: readonly (readonly [RegExp, string])[] = [
  [/^\s+\S/, "begins with a space"],
  [/\S\s+$/, "ends with a space"],
  [/\S {2,}\S/, "has two spaces in a row"],
];
