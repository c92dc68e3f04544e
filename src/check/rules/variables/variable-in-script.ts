import { escapeHtml } from "../../../mustache/lookup.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { htmlTags, examplesOf, prints, type TagInPlace } from "../../lib/variables.js";
import { isStripped } from "../safety/stripped-element.js";

export const variableInScript: BuiltInRule = {
  id: "variable-in-script",
  severity: "error",
  summary: "A variable is printed into a script, an event handler, or JSON-LD that HTML entities would break.",
  details:
    "A variable is printed into a script, an event handler or a `javascript:` URL, or into JSON-LD, where HTML " +
    "entities break it.",
  why:
    "Mustache escapes for HTML, which is not enough in a script " +
    "([OWASP](https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html#dangerous-contexts)), " +
    "and HTML entities have no meaning there. Email clients don't run scripts, but Gmail reads orders and tickets " +
    'from JSON-LD (`<script type="application/ld+json">`). There, `https://` arrives as `https:&#x2F;&#x2F;`, ' +
    "which is a warning if an example has such a value.",
  fix:
    "Remove it. In JSON-LD, print values that can't contain a quote, such as URLs, unescaped, `{{{url}}}`, and add " +
    "them to `check.rawVariables`.",
  examples: {
    wrong: [
      { "order/order.html": '<script>show("‸{{name}}")</script>', "order/fixtures/default.json": '{ "name": "Ada" }' },
      {
        "order/order.html": '<script type="application/ld+json">{ "url": "‸{{url}}" }</script>',
        "order/fixtures/default.json": '{ "url": "https://shop.example" }',
      },
    ],
    right: [
      {
        "order/order.html": '<script type="application/ld+json">{ "url": "{{{url}}}" }</script>',
        "order/fixtures/default.json": '{ "url": "https://shop.example" }',
      },
    ],
  },
  checkTemplate: (checked) => htmlTags(checked).flatMap((tag) => (prints(tag) ? check(tag, checked) : [])),
};

function check(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  const { kind, where, text, name } = tag;
  if (where?.kind === "text" && where.node.parent.name === "script" && !isStripped(where.node.parent)) {
    const values = kind === "variable" ? examplesOf(tag, checked).map(({ value }) => value) : [];
    const value = values.find((each) => typeof each === "string" && escapeHtml(each) !== each);
    if (typeof value !== "string") return [];
    const message = `${text} prints "${value}" into JSON-LD as \`${escapeHtml(value)}\`, which email clients do not decode there.`;
    const hint = `Write {{{${name}}}} for values that can't contain a quote, such as URLs.`;
    return [{ severity: "warning", message, at: tag.at(), hint }];
  }
  const place = scriptOf(where);
  if (place === undefined) return [];
  const message = `${text} prints into ${place}: Mustache escapes for HTML, which is not enough in a script.`;
  return [{ message, at: tag.at(), hint: "Remove it: email clients don't run scripts." }];
}

function scriptOf(where: TagInPlace["where"]): string | undefined {
  if (where?.kind === "text") return where.node.parent.name === "script" ? "a script" : undefined;
  if (where?.kind !== "attribute") return undefined;
  if (/^on[a-z]+$/.test(where.attribute)) return `the event handler ${where.attribute}`;
  const isScript = /^\s*javascript:/i.test(where.element.attribute(where.attribute) ?? "");
  return isScript ? "a javascript: URL" : undefined;
}
