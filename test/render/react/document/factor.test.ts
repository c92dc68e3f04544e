import * as fc from "fast-check";
import { merge } from "../../../../src/render/merge-cases.js";
import { describe, expect, test } from "vitest";
import { type DocumentPart, factor, prune } from "../../../../src/render/react/document/simplify.js";
import { Shape } from "../../../../src/mustache/shape.js";
import { AccessPath, type Test } from "../../../../src/render/react/runtime/symbolic.js";

const path = (name: string): AccessPath =>
  new AccessPath({ names: [name], shape: Shape.UNKNOWN, optional: false, sure: false, stated: false });
const booleanTest = (name: string): Test => ({ path: path(name), question: { kind: "itself" } });
const text = (value: string): DocumentPart => ({ kind: "text", text: value });
const value = (name: string): DocumentPart => ({ kind: "value", path: path(name), raw: false });
const either = (name: string, yes: readonly DocumentPart[], no: readonly DocumentPart[]): DocumentPart => ({
  kind: "alternative",
  test: booleanTest(name),
  yes,
  no,
});

/** What parts print if these are true. */
function print(parts: readonly DocumentPart[], truths: ReadonlySet<string>): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "alternative")
        return print(truths.has(part.test.path.names.join()) ? part.yes : part.no, truths);
      return part.kind === "value" ? `{${part.path.names.join()}}` : "";
    })
    .join("");
}

/** As Mustache, for comparisons. */
function written(parts: readonly DocumentPart[]): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind !== "alternative") return part.kind === "value" ? `{{${part.path.names.join()}}}` : "";
      const name = part.test.path.names.join();
      const [yes, no] = [written(part.yes), written(part.no)];
      return (yes && `{{#${name}}}${yes}{{/${name}}}`) + (no && `{{^${name}}}${no}{{/${name}}}`);
    })
    .join("");
}

describe("factor", () => {
  const factored: readonly (readonly [yes: string, no: string, expected: string])[] = [
    ["<p>x</p>", "<p>x</p>", "<p>x</p>"],
    ['<p class="a">x</p>', '<p class="b">x</p>', '<p class="{{#c}}a{{/c}}{{^c}}b{{/c}}">x</p>'],
    [
      '<p style="color:red;margin:0">x</p>',
      '<p style="color:blue;margin:0">x</p>',
      '<p style="{{#c}}color:red;{{/c}}{{^c}}color:blue;{{/c}}margin:0">x</p>',
    ],
    [
      "<p>Dear Ann, hello</p>",
      "<p>Dear customer, hello</p>",
      "<p>Dear {{#c}}Ann,{{/c}}{{^c}}customer,{{/c}} hello</p>",
    ],
    ["<p>x</p><b>y</b>", "<p>x</p>", "<p>x</p>{{#c}}<b>y</b>{{/c}}"],
    ["<div><p>x</p></div>", "<p>x</p>", "{{#c}}<div><p>x</p></div>{{/c}}{{^c}}<p>x</p>{{/c}}"],
    ["<h1>x</h1>", "<h2>x</h2>", "{{#c}}<h1>x</h1>{{/c}}{{^c}}<h2>x</h2>{{/c}}"],
    ['<a href="x">y</a>', "<a>y</a>", '{{#c}}<a href="x">y</a>{{/c}}{{^c}}<a>y</a>{{/c}}'],
    ["", "<p>x</p>", "{{^c}}<p>x</p>{{/c}}"],
  ];

  test.each(factored)("%s and %s", (yes, no, expected) => {
    expect(written(factor([either("c", [text(yes)], [text(no)])]))).toBe(expected);
  });

  const html = fc.constantFrom(
    "<p>",
    "</p>",
    '<b class="x">',
    '<b class="y">',
    "</b>",
    "<br/>",
    "word ",
    "other ",
    "<i>z</i>",
  );
  const parts: fc.Arbitrary<DocumentPart[]> = fc.letrec<{ parts: DocumentPart[]; part: DocumentPart }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 4 },
      html.map(text),
      fc.constantFrom("v", "w").map(value),
      fc
        .record({ name: fc.constantFrom("a", "b", "c"), yes: tie("parts"), no: tie("parts") })
        .map((each) => either(each.name, each.yes, each.no)),
    ),
    parts: fc.array(tie("part"), { maxLength: 5 }),
  })).parts;
  const truths = fc.uniqueArray(fc.constantFrom("a", "b", "c")).map((names) => new Set(names));

  test("changes nothing that is printed, nor does prune", () => {
    fc.assert(
      fc.property(parts, truths, (given, true_) => {
        expect(print(factor(prune(given)), true_)).toBe(print(given, true_));
      }),
      { numRuns: 500 },
    );
  });
});

test("prune removes impossible parts", () => {
  const inner = either("a", [text("yes")], [text("never")]);
  expect(prune([either("a", [inner], [inner])])).toEqual([either("a", [text("yes")], [text("never")])]);
});

test("merge prints each of two cases", () => {
  const units = fc.array(fc.constantFrom("<p>", "</p>", "<br>", "text", "a longer text with several words"));
  fc.assert(
    fc.property(units, units, (yes, no) => {
      const merged = merge(yes, no, (first) => first);
      if (merged) expect(merged.join("")).toBe(yes.join(""));
      const opposite = merge(yes, no, (_first, second) => second);
      if (opposite) expect(opposite.join("")).toBe(no.join(""));
    }),
  );
});
