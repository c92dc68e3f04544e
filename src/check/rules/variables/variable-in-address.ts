import { roleOf, TOKEN } from "../../../mustache/tokens.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { formatVariables } from "../../truth/truth-table.js";
import { htmlTags, examplesOf, isComputed, isDerived, prints, type TagInPlace } from "../../lib/variables.js";

export const variableInAddress: BuiltInRule = {
  id: "variable-in-address",
  severity: "warning",
  summary: "A variable makes a URL that leads nowhere, because it has no scheme or is not encoded.",
  details: "A variable makes a URL that leads nowhere.",
  why:
    "A URL without a scheme is relative, and an email has no base URL. A space ends a URL, and in a query `&` and " +
    "`#` begin another part ([RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-2.2)): Mustache escapes for " +
    "HTML, not for URLs. A value with its own scheme after `https://` leads nowhere either, and neither does an " +
    "empty string outside a section. The rule looks at the values in the fixtures: a variable whose examples are " +
    "full URLs is fine. If its schema accepts any string, that is a note.",
  fix:
    "Pass full URLs, and require them in the schema: `z.url({ protocol: /^https$/ })`. For a part of a URL, use " +
    "`encodeURIComponent` in `derive`.",
  examples: {
    wrong: [
      {
        "order/order.html": '<a href="‸{{url}}">Your order</a>',
        "order/fixtures/default.json": '{ "url": "shop.example/orders" }',
      },
      {
        "order/order.html": '<a href="https://shop.example/?q=‸{{query}}">Your search</a>',
        "order/fixtures/default.json": '{ "query": "tea & jam" }',
      },
    ],
    right: [
      {
        "order/order.html": '<a href="{{url}}">Your order</a>',
        "order/fixtures/default.json": '{ "url": "https://shop.example/orders" }',
      },
    ],
  },
  checkTemplate: (checked) => htmlTags(checked).flatMap((tag) => check(tag, checked)),
};

function check(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  const prefix = prefixOf(tag, checked);
  if (prefix === undefined) return [];
  const path = tag.found?.path ?? tag.name;
  for (const { fixture, value } of examplesOf(tag, checked)) {
    const problem = typeof value === "string" ? problemWith(value, prefix, tag) : undefined;
    if (!problem) continue;
    const [effect, hint] = problem;
    const variables = formatVariables({ [path]: value });
    return [{ message: `With ${variables} of the fixture "${fixture}" the URL ${effect}.`, at: tag.at(), hint }];
  }
  if (prefix !== "" || !isAnyString(tag, checked)) return [];
  const message = `The URL begins with ${tag.text}, for which the schema accepts any string, also one without https://.`;
  return [
    { severity: "info", message, at: tag.at(), hint: "Require a URL in the schema: z.url({ protocol: /^https?$/ })." },
  ];
}

const ADDRESSES: readonly string[] = ["href", "src", "background", "action"];

/** What precedes a tag in a URL, without section tags; undefined if the tag is not in a URL. */
function prefixOf(tag: TagInPlace, { document }: CheckedTemplate): string | undefined {
  const { where, text } = tag;
  if (!prints(tag) || where?.kind !== "attribute" || !ADDRESSES.includes(where.attribute)) return undefined;
  const value = where.element.tokenised.get(where.attribute) ?? "";
  const { tags } = document.input;
  const token = [...value.matchAll(TOKEN)].find(([, number]) => tags[Number(number)]?.text === text);
  const isSection = (number: string) => roleOf(tags[Number(number)]) !== "prints";
  return value
    .slice(0, token?.index ?? 0)
    .replace(TOKEN, (all, number: string) => (isSection(number) ? "" : all))
    .trim();
}

const SCHEME = /^\s*(?:https?:\/\/|mailto:|tel:|sms:)/i;

/** What is wrong with the URL for a value, following "the URL", and the hint; undefined if it is fine. */
function problemWith(
  value: string,
  prefix: string,
  tag: TagInPlace,
): readonly [effect: string, hint: string] | undefined {
  if (prefix === "" && value.trim() === "") {
    const { where, around, name } = tag;
    const isAll = where?.kind === "attribute" && where.element.attribute(where.attribute)?.trim() === tag.text;
    const hint = `Put the whole element into \`{{#${name} is-truthy}} … {{/${name}}}\`, or refuse empty strings in the schema.`;
    return isAll && around.length === 0 ? ["is empty and leads nowhere", hint] : undefined;
  }
  if (prefix === "" && /^\s*(?:javascript|vbscript|file):/i.test(value)) {
    const hint =
      "Pass a URL that begins with https://, and require one in the schema: z.url({ protocol: /^https?$/ }).";
    return ["does nothing: email clients strip it", hint];
  }
  if (prefix === "" && !/^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(value) && !isUrl(tag)) {
    const hint = "Write `https://` before it, or pass full URLs: `z.url()` in the schema.";
    return [`leads nowhere: it begins with ${tag.text}, which has no scheme`, hint];
  }
  if (SCHEME.exec(prefix)?.[0] === prefix && SCHEME.test(value))
    return [
      `leads nowhere: the value has its own scheme, after ${prefix} in the template`,
      `Write \`${tag.text}\` alone.`,
    ];
  // A space ends a URL, and in a query `&` and `#` begin another part.
  const misread = prefix.includes("?") ? /[\s&#+"<>]/ : /[\s"<>]/;
  const [character] = /^https?:/i.test(prefix) ? (misread.exec(value) ?? []) : [];
  if (character === undefined) return undefined;
  const effect = `is not the intended one: ${JSON.stringify(character)} is not encoded`;
  const isCode = /\.[jt]sx$/.test(tag.at().file);
  return [effect, `Encode it with encodeURIComponent${isCode ? "" : ", in derive (variables.ts)"}.`];
}

function isUrl({ found }: TagInPlace): boolean {
  return found?.shape.kinds.some(({ format }) => format === "uri") ?? false;
}

/** Whether the schema accepts any string for the variable. */
function isAnyString(tag: TagInPlace, checked: CheckedTemplate): boolean {
  const { shape } = tag.found ?? {};
  if (checked.template.variablesFile === undefined || !shape?.isKnown) return false;
  if (isDerived(tag, checked) || isComputed(tag, checked)) return false;
  return !isUrl(tag) && shape.kinds.some((kind) => kind.type === "string" && !kind.enum && kind.const === undefined);
}
