import { escapeHtml } from "../../../mustache/escape.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { isStripped } from "../safety/stripped-element.js";
import { htmlTags, type TagInPlace, withinOf } from "../../variables/tags.js";
import { valuesOf } from "../../variables/values.js";
import { onceEach } from "../../once-each.js";

export const variableInScript: Rule = {
  id: "variable-in-script",
  summary: "A variable is printed into a script, an event handler, or JSON-LD that html's entities would break.",
  severity: "error",
  checkTemplate: (checked) => onceEach(htmlTags(checked).flatMap((tag) => mistakeIn(tag, checked) ?? [])),
};

function mistakeIn(tag: TagInPlace, checked: CheckedTemplate): Finding | undefined {
  const { kind, where } = tag;
  if (kind !== "variable" && kind !== "unescaped") return undefined;
  if (where?.kind === "text" && where.node.parent.name === "script" && !isStripped(where.node.parent)) {
    const value = kind === "variable" ? escapedExample(tag, checked) : undefined;
    if (value === undefined) return undefined;
    return {
      severity: "warning",
      message: `${tag.text} prints "${value}" into JSON-LD as \`${escapeHtml(value)}\`: mail clients read data there as it is.`,
      at: tag.at(),
      hint: `Write {{{${tag.name}}}} for values that can't have a quote, such as URLs.`,
    };
  }
  const place = scriptOf(where);
  if (place === undefined) return undefined;
  return {
    message: `${tag.text} prints into ${place}: what Mustache escapes for html is not escaped for a script.`,
    at: tag.at(),
    hint: "Remove it: mail clients run no scripts.",
  };
}

function scriptOf(where: TagInPlace["where"]): string | undefined {
  if (where?.kind === "text") return where.node.parent.name === "script" ? "a script" : undefined;
  if (where?.kind !== "attribute") return undefined;
  if (/^on[a-z]+$/.test(where.attribute)) return `the event handler ${where.attribute}`;
  const isScript = /^\s*javascript:/i.test(where.element.attribute(where.attribute) ?? "");
  return isScript ? "a javascript: URL" : undefined;
}

function escapedExample(tag: TagInPlace, { compiled }: CheckedTemplate): string | undefined {
  return compiled.fixtures
    .flatMap(({ variables }) => valuesOf(variables, { within: withinOf(tag), name: tag.name }))
    .find((value): value is string => typeof value === "string" && escapeHtml(value) !== value);
}
