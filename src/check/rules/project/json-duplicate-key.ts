import { type JsonNode, readSyntax } from "../../../text/json-syntax.js";
import { positionsIn } from "../../../text/position.js";
import type { SourceFile } from "../../../project/template.js";
import type { BuiltInRule, Finding } from "../../rule.js";

export const jsonDuplicateKey: BuiltInRule = {
  id: "json-duplicate-key",
  severity: "warning",
  isSilencedByComments: false,
  summary: "A name appears twice in an object of `template.json` or of a fixture.",
  why:
    "JSON doesn't define what that means ([RFC 8259, section " +
    "4](https://www.rfc-editor.org/rfc/rfc8259#section-4)). JavaScript uses the last value and silently drops the " +
    "others, so an edit to an earlier one, such as the subject, has no effect.",
  fix: "Remove one of them. The finding points to the later one, and names the line of the earlier one.",
  examples: {
    wrong: [
      {
        "order/order.html": "<p>Hello</p>",
        "order/template.json": `{
  "subject": "Your order",
  ‸"subject": "Your receipt"
}`,
      },
    ],
    right: [
      {
        "order/order.html": "<p>Hello</p>",
        "order/template.json": `{
  "subject": "Your order"
}`,
      },
    ],
  },
  checkAll: ({ results }) =>
    results.flatMap(({ template: { name, metadataSource, fixtures } }): Finding[] => {
      const sources = [...(metadataSource ? [metadataSource] : []), ...fixtures.map(({ source }) => source)];
      return sources.flatMap(repeatedIn).map((finding) => ({ ...finding, template: name }));
    }),
};

function repeatedIn({ file, text }: SourceFile): Finding[] {
  const positionOf = positionsIn(text);
  const found: Finding[] = [];
  const visit = ({ members, items = [], repeated = [] }: JsonNode): void => {
    for (const { name, key, before } of repeated)
      found.push({
        message: `"${name}" appears twice: its value on line ${positionOf(before).line} is lost.`,
        at: { file, ...positionOf(key) },
        hint: "Remove or rename one of them.",
      });
    for (const { value } of members?.values() ?? []) visit(value);
    for (const item of items) visit(item);
  };
  visit(readSyntax(text));
  return found;
}
