import { CompletionContext } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { completeJson } from "../../../src/preview/app/variables/json/complete.js";

const schema: VariablesSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    status: { enum: ["open", "paid"] },
    isPaid: { type: "boolean" },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    lines: {
      type: "array",
      items: { type: "object", properties: { label: { type: "string" }, size: { enum: ["S", "L"] } } },
    },
    sizes: { type: "array", items: { enum: ["S", "L"] } },
  },
};

/** What is offered at `|`, each with what it replaces. */
function offered(text: string): { labels: string[]; replaces: string } {
  const pos = text.indexOf("|");
  const doc = text.replace("|", "");
  const state = EditorState.create({ doc, extensions: [json()] });
  const result = completeJson(schema)(new CompletionContext(state, pos, true));
  return {
    labels: result?.options.map(({ label }) => label) ?? [],
    replaces: doc.slice(result?.from ?? pos, result?.to ?? pos),
  };
}

test.each([
  ["{ | }", ['"name"', '"status"', '"isPaid"', '"note"', '"lines"', '"sizes"'], ""],
  ['{ "name": "Ada", "st|" }', ['"status"', '"isPaid"', '"note"', '"lines"', '"sizes"'], '"st"'],
  ['{ "name": "Ada", st| }', ['"status"', '"isPaid"', '"note"', '"lines"', '"sizes"'], "st"],
  ['{ "status": | }', ['"open"', '"paid"'], ""],
  ['{ "status": "o|" }', ['"open"', '"paid"'], '"o'],
  ['{ "status": "open|" }', ['"open"', '"paid"'], '"open'],
  ['{ "isPaid": t| }', ["true", "false"], "t"],
  ['{ "note": | }', ['""', "null"], ""],
  ['{ "lines": [{ "label": "Tea" }, { "|" }] }', ['"label"', '"size"'], '"'],
  ['{ "lines": [{ "size": "|" }] }', ['"S"', '"L"'], '"'],
  ['{ "sizes": ["S", |] }', ['"S"', '"L"'], ""],
  ['{ "sizes": ["S", "|"] }', ['"S"', '"L"'], '"'],
  ['{ "unknown": { | } }', [], ""],
])("%s offers %j", (text, labels, replaces) => {
  expect(offered(text).labels).toEqual(labels);
  expect(offered(text).replaces.startsWith(replaces)).toBe(true);
});
