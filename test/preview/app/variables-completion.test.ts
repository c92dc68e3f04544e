import { type Completion, CompletionContext } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { EditorState, type TransactionSpec } from "@codemirror/state";
import { expect, test } from "vitest";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { completeJson } from "../../../preview/variables/json/complete.js";

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

/** The completions at `|`, and the text before it by which they are filtered. */
function offered(text: string): { labels: string[]; typed: string } {
  const pos = text.indexOf("|");
  const doc = text.replace("|", "");
  const state = EditorState.create({ doc, extensions: [json()] });
  const result = completeJson(schema)(new CompletionContext(state, pos, true));
  return {
    labels: result?.options.map(({ label }) => label) ?? [],
    typed: doc.slice(result?.from ?? pos, result?.to ?? pos),
  };
}

test.each([
  ["{ | }", ['"name"', '"status"', '"isPaid"', '"note"', '"lines"', '"sizes"'], ""],
  ['{ "name": "Ada", "st|" }', ['"status"', '"isPaid"', '"note"', '"lines"', '"sizes"'], '"st'],
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
  ['{ "status": "o|\n}', ['"open"', '"paid"'], '"o'],
  ['{ "unknown": { | } }', [], ""],
])("%s offers %j", (text, labels, typed) => {
  expect(offered(text).labels).toEqual(labels);
  expect(offered(text).typed).toBe(typed);
});

/** The text after accepting the first completion at `|`, with the cursor marked. */
function taken(text: string): string {
  const pos = text.indexOf("|");
  let state = EditorState.create({ doc: text.replace("|", ""), extensions: [json()] });
  const result = completeJson(schema)(new CompletionContext(state, pos, true));
  const [option] = result?.options ?? [];
  if (!result || !option || typeof option.apply !== "function") throw new Error("Nothing is offered.");
  const view = {
    get state() {
      return state;
    },
    dispatch(spec: TransactionSpec) {
      state = state.update(spec).state;
    },
  };
  // A completion needs no more of a view.
  const apply = option.apply as (to: typeof view, completion: Completion, from: number, end: number) => void;
  apply(view, option, result.from, result.to ?? pos);
  const { head } = state.selection.main;
  return `${state.sliceDoc(0, head)}|${state.sliceDoc(head)}`;
}

test.each([
  ['{ "|" }', '{ "name": ""| }'],
  ['{ "st|" }', '{ "name": ""| }'],
  ['{ "name": "Ada" "st|" }', '{ "name": "Ada", "status": "open"| }'],
  ['{\n  "name": "Ada"\n  "|"\n}', '{\n  "name": "Ada",\n  "status": "open"|\n}'],
  ['{\n  "|"\n  "isPaid": true\n}', '{\n  "name": ""|,\n  "isPaid": true\n}'],
  ['{ "na|": "Ada" }', '{ "name"|: "Ada" }'],
  ['{ "na|xyz": "Ada" }', '{ "name"|: "Ada" }'],
  ['{ "status": "|open" }', '{ "status": "open"| }'],
  ['{\n  "status": "o|"\n  "name": "Ada"\n}', '{\n  "status": "open"|,\n  "name": "Ada"\n}'],
  ['{ "sizes": ["L" |] }', '{ "sizes": ["L", "S"|] }'],
  ['{ "sizes": [|, "L"] }', '{ "sizes": ["S"|, "L"] }'],
])("in %s, a completion adds quotes and commas exactly once", (text, expected) => {
  expect(taken(text)).toBe(expected);
});
