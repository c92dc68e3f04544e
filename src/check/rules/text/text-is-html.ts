import { stemOf } from "../../../project/template-name.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { positionIn } from "../../checked-template.js";
import { derivedTextTags, htmlTags, textTags, examplesOf, prints } from "../../lib/variables.js";

const ELEMENT =
  /<\/?(?:a|b|body|br|center|div|em|h[1-6]|head|hr|html|i|img|li|meta|ol|p|span|strong|style|table|tbody|td|th|tr|u|ul|mj-[a-z]+)(?:\s[^<>]*)?\/?>/i;
const ENTITY = /&(?:nbsp|amp|lt|gt|quot|copy|mdash|ndash|rsquo|lsquo|rdquo|ldquo|hellip|euro|zwnj|#\d+|#x[\da-f]+);/i;

export const textIsHtml: BuiltInRule = {
  id: "text-is-html",
  severity: "warning",
  summary: "The text body shows HTML source.",
  details:
    "The text body shows HTML source: a hand-written one contains HTML, or it prints a variable that the HTML " +
    "prints unescaped (`{{{body}}}`, `dangerouslySetInnerHTML`).",
  why:
    "A text body is shown as written, so recipients see `<p>` and `&nbsp;` ([RFC 2046, " +
    "4.1.3](https://www.rfc-editor.org/rfc/rfc2046#section-4.1.3)).",
  fix:
    "Write it without HTML, or remove the file: the text is then derived from the HTML.\n\n" +
    "The value of a variable is only known when an email is filled, and Mustache cannot turn HTML into text then, " +
    "so the rule only knows from fixtures that a value is HTML. Pass plain text in a second variable, or compute " +
    "it in `derive`, and print it in a [text of your own](../guides/text.md#write-it-by-hand). Or leave it out of " +
    'the text: `<div data-skip-in-text="true" dangerouslySetInnerHTML={{ __html: body }} />`.',
  examples: {
    wrong: [
      {
        "order/order.html": "<p>Hello</p>",
        "order/order.txt": `‸<p>Hello</p>
<p>Your order is on its way.</p>`,
      },
    ],
    right: [
      {
        "order/order.html": "<p>Hello</p>",
        "order/order.txt": `Hello
Your order is on its way.`,
      },
    ],
  },
  checkTemplate: (checked) => [...writtenHtml(checked), ...printedHtml(checked)],
};

/** HTML in a hand-written text body. */
function* writtenHtml({ template, compiled, document }: CheckedTemplate): Generator<Finding> {
  const markup = markupIn(compiled.text_body);
  if (!template.text || markup === undefined) return;
  const own = positionIn(template.text, new RegExp(markup.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)));
  yield {
    message: `The text body has ${markup}, which recipients see as written.`,
    at: own.line === undefined ? document.positionOf(markup) : own,
    hint: "Write it without HTML, or remove the file: the text is then derived from the HTML.",
  };
}

/** Variables that the HTML prints unescaped and the text body prints, too. */
function* printedHtml(checked: CheckedTemplate): Generator<Finding> {
  const { template } = checked;
  const raw = new Map(
    htmlTags(checked).flatMap((tag) => (tag.kind === "unescaped" && tag.found ? [[tag.found.path, tag]] : [])),
  );
  for (const tag of [...textTags(checked), ...derivedTextTags(checked)].filter(prints)) {
    const inHtml = raw.get(tag.found?.path ?? "");
    const example = inHtml && examplesOf(tag, checked).find(({ value }) => markupIn(value) !== undefined);
    if (example)
      yield {
        message: `The text body prints the HTML source of ${inHtml.text}: with the fixture "${example.fixture}" it shows ${markupIn(example.value)}.`,
        at: (template.text ? tag : inHtml).at(),
        hint: `Pass a second variable with plain text, and print that in ${stemOf(template.name)}.txt. To leave it out of the text, put \`data-skip-in-text="true"\` on the element in the HTML.`,
      };
  }
}

function markupIn(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return (ELEMENT.exec(value) ?? ENTITY.exec(value))?.[0];
}
