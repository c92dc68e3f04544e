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
  *checkAll({ results }) {
    for (const { template } of results)
      for (const source of [template.metadataSource, ...template.fixtures.map((fixture) => fixture.source)])
        for (const finding of source ? repeatedIn(source) : []) yield { ...finding, template: template.name };
  },
};

function* repeatedIn({ file, text }: SourceFile): Generator<Finding> {
  const positionOf = positionsIn(text);
  for (const { name, key, before } of repeatedKeys(readSyntax(text)))
    yield {
      message: `"${name}" appears twice: its value on line ${positionOf(before).line} is lost.`,
      at: { file, ...positionOf(key) },
      hint: "Remove or rename one of them.",
    };
}

function repeatedKeys({ members, items = [], repeated = [] }: JsonNode): NonNullable<JsonNode["repeated"]> {
  const inner = [...Array.from(members?.values() ?? [], ({ value }) => value), ...items];
  return [...repeated, ...inner.flatMap(repeatedKeys)];
}
