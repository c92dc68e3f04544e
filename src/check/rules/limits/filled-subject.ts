import { SUBJECT_MAX } from "../../../api/limits.js";
import { completeVariables } from "../../../mustache/complete.js";
import { evaluator } from "../../../mustache/expression/evaluate.js";
import { valuesOf } from "../../../mustache/lookup.js";
import { renderMustache } from "../../../mustache/fill.js";
import type { Variables } from "../../../mustache/variables.js";
import type { BuiltInRule, CheckedTemplate } from "../../rule.js";
import { subjectPosition } from "../../checked-template.js";
import { formatVariables, TruthTable } from "../../truth/truth-table.js";
import { prints, subjectTags, withinOf } from "../../lib/variables.js";

export const filledSubject: BuiltInRule = {
  id: "filled-subject",
  severity: "warning",
  summary: "With some variables, the subject is empty, too long, or more than one line.",
  why:
    "A header is one line ([RFC 5322, 2.2](https://www.rfc-editor.org/rfc/rfc5322#section-2.2)): a line break from " +
    `a variable is dropped, rejected, or begins another header. The service accepts ${SUBJECT_MAX} characters. Inboxes show ` +
    '"(no subject)" for an empty one. The rule tries each fixture, the longest strings of all fixtures together, and every ' +
    "combination of the subject's sections and of optional variables.",
  fix: "Add words that are always shown. Shorten long strings and put them on one line in `derive`.",
  examples: {
    wrong: [
      {
        "order/order.html": "<p>Hello</p>",
        "order/template.json": '{ "subject": ‸"{{#number}}Your order {{number}}{{/number}}" }',
        "order/fixtures/default.json": '{ "number": "FH-10482" }',
      },
    ],
    right: [
      {
        "order/order.html": "<p>Hello</p>",
        "order/template.json": '{ "subject": "Your order{{#number}} {{number}}{{/number}}" }',
        "order/fixtures/default.json": '{ "number": "FH-10482" }',
      },
    ],
  },
  *checkTemplate(checked) {
    const { subject, contract, context, fixtures } = checked.compiled;
    if (subject.trim() === "" || !subject.includes("{{")) return;
    // Compiling puts the template's own words on one line, but a variable may contain line breaks.
    for (const { name, variables } of fixtures.filter((each) => BREAK.test(fill(checked, each.variables).trim()))) {
      const tag = findTag(checked, variables, (value) => BREAK.test(value));
      yield {
        message: `With ${tag?.shown ?? "its variables"} of the fixture "${name}" the subject has more than one line, so it is cut or rejected when sent.`,
        at: subjectPosition(checked, tag?.text),
        hint: "Put it on one line in derive (variables.ts), or use another variable.",
      };
    }
    const full = completeVariables(contract, TruthTable.of(checked).full, {}, { evaluator, ...context });
    const { length } = fill(checked, full);
    if (length > SUBJECT_MAX) {
      const longest = findTag(checked, full, (value) => value.length > SUBJECT_MAX / 4);
      yield {
        message: `With the longest strings of the fixtures${longest ? `, ${longest.shown},` : ""} the subject is ${length} characters; the limit is ${SUBJECT_MAX}.`,
        at: subjectPosition(checked, longest?.text),
        hint: "Shorten it in derive (variables.ts), or limit its length in the schema.",
      };
    }
    const variables = TruthTable.of(checked).blank({ text: subject })?.variables ?? absentOnes(checked);
    if (variables)
      yield {
        message: `With ${formatVariables(variables)} the subject is empty.`,
        at: subjectPosition(checked, subjectTags(checked)[0]?.text),
        hint: "Add words that are always shown, or make the variable required in the schema.",
      };
  },
};

const BREAK = /[\r\n\u2028\u2029]/;

/** The variables of a subject that prints nothing else, and all of which may be absent. */
function absentOnes(checked: CheckedTemplate): Variables | undefined {
  const tags = subjectTags(checked);
  const isAll = checked.compiled.subject.replaceAll(/\{\{[^{}]*\}+/g, "").trim() === "";
  if (!isAll || !tags.every((tag) => prints(tag) && tag.found?.mayBeAbsent)) return undefined;
  return Object.fromEntries(tags.map(({ name, found }) => [found?.path ?? name, null]));
}

function fill({ compiled }: CheckedTemplate, variables: Variables): string {
  return renderMustache(compiled.subject, variables, { escape: "none" });
}

/** The first tag of the subject whose value passes a test. */
function findTag(checked: CheckedTemplate, variables: Variables, test: (value: string) => boolean) {
  for (const tag of subjectTags(checked).filter(prints)) {
    const value = valuesOf(variables, { within: withinOf(tag), name: tag.name }).find(
      (each) => typeof each === "string" && test(each),
    );
    if (value !== undefined)
      return { text: tag.text, shown: formatVariables({ [tag.found?.path ?? tag.name]: value }) };
  }
  return undefined;
}
