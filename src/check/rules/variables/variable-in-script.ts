import type { Rule } from "../../rule.js";
import { htmlTags, type TagInPlace } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";

export const variableInScript: Rule = {
  id: "variable-in-script",
  summary: "A variable is printed into a script or an event handler.",
  severity: "error",
  checkTemplate: (checked) =>
    onceEach(
      htmlTags(checked).flatMap((tag) => {
        const place = scriptOf(tag);
        if (place === undefined) return [];
        return [
          {
            message: `${tag.text} prints into ${place}: what Mustache escapes for html is not escaped for a script.`,
            at: tag.at(),
            hint: "Take it out: mail clients run no scripts. Where it is data, such as JSON-LD, no value with a quote or a slash arrives whole.",
          },
        ];
      }),
    ),
};

function scriptOf({ kind, where }: TagInPlace): string | undefined {
  if (kind !== "variable" && kind !== "unescaped") return undefined;
  if (where?.kind === "text" && where.node.parent.name === "script") return "a script";
  if (where?.kind !== "attribute") return undefined;
  if (/^on[a-z]+$/.test(where.attribute)) return `the event handler ${where.attribute}`;
  const isScript = /^\s*javascript:/i.test(where.element.attribute(where.attribute) ?? "");
  return isScript ? "a javascript: address" : undefined;
}
