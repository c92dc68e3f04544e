import type { BuiltInRule } from "../../rule.js";
import { subjectPosition, filledSubjects } from "../../checked-template.js";

/** The characters that phones show in portrait: 33 to 46, depending on client and width. */
const PHONE = 40;
/** The characters that the narrowest desktop inboxes show. */
const LONG = 70;
const SOMEWHAT_LONG = 50;

export const subjectLength: BuiltInRule = {
  id: "subject-length",
  severity: "warning",
  isSilencedByComments: false,
  summary: "The subject is longer than inboxes show.",
  details: "The subject is longer than inboxes show: a note above 50 characters, a warning above 70.",
  why:
    "Phones show 33 to 48 characters, computers about 70 ([measured on " +
    "devices](https://www.emailtooltester.com/en/blog/email-subject-lines-character-limit/)). The rule measures " +
    "the shortest subject that a fixture makes, because no subject fits the longest name. The message shows where " +
    "a phone cuts it off.",
  fix: "Put what the email is about into the first 40 characters.",
  examples: {
    wrong: [
      {
        "order/order.html": "<p>Hello</p>",
        "order/template.json": '{ "subject": ‸"Thank you for shopping at Fernhill, your order is on its way" }',
      },
    ],
    right: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Your order is on its way" }' }],
  },
  *checkTemplate(checked) {
    // A subject that only some fixtures make too long is fine: no subject fits the longest name.
    const [shortest] = filledSubjects(checked).toSorted((a, b) => lengthOf(a.text) - lengthOf(b.text));
    if (!shortest || lengthOf(shortest.text) <= SOMEWHAT_LONG) return;
    const { text, fixture } = shortest;
    const filled = fixture === undefined ? "" : `, filled with the fixture ${fixture},`;
    yield {
      severity: lengthOf(text) > LONG ? "warning" : "info",
      message: `The subject${filled} is ${lengthOf(text)} characters long; phones show about "${cut(text)}…".`,
      at: subjectPosition(checked),
      hint: "Put what the email is about into the first 40 characters.",
    };
  },
};

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function cut(text: string): string {
  return Array.from(text).slice(0, PHONE).join("").trim();
}
