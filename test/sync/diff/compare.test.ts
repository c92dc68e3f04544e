import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "../../../src/sync/diff/compare.js";
import { hunksOf, segmentsOf } from "../../../src/sync/diff/hunks.js";
import { compareWords } from "../../../src/cli/report/plan/lines.js";

const lines = fc.array(fc.constantFrom("<tr>", "</tr>", "", "a", "b", "c", "d", "e"), { maxLength: 60 });

function patched(from: readonly string[], to: readonly string[]): string[] {
  let at = 0;
  const result = compare(from, to).flatMap((replacement) => {
    const same = from.slice(at, replacement.from.start);
    at = replacement.from.end;
    return [...same, ...to.slice(replacement.to.start, replacement.to.end)];
  });
  return [...result, ...from.slice(at)];
}

describe("compare", () => {
  it("describes how any list becomes any other", () => {
    fc.assert(
      fc.property(lines, lines, (from, to) => {
        expect(patched(from, to)).toEqual(to);
      }),
      { numRuns: 500 },
    );
  });

  it("finds few edits among many lines, however often these are repeated", () => {
    const edits = fc.array(fc.nat(299), { maxLength: 5 });
    fc.assert(
      fc.property(edits, fc.integer({ min: 1, max: 300 }), (places, kinds) => {
        const from = Array.from({ length: 300 }, (_, index) => `line ${index % kinds}`);
        const to = from.map((line, index) => (places.includes(index) ? "new" : line));
        const replaced = compare(from, to).reduce((sum, { from: gone }) => sum + gone.end - gone.start, 0);
        expect(replaced).toBe(new Set(places).size);
      }),
    );
  });

  it("treats lists that differ throughout as replaced", () => {
    const from = Array.from({ length: 5000 }, (_, index) => `${index % 7}`);
    const to = Array.from({ length: 5000 }, (_, index) => `${(index * 31) % 11}`);
    expect(patched(from, to)).toEqual(to);
  });
});

describe("hunksOf", () => {
  const table = (...rows: readonly string[]): string =>
    `<table>${rows.map((row) => `<tr><td>${row}</td></tr>`).join("")}</table>`;

  it("splits HTML between its tags, even if it is on one line", () => {
    expect(hunksOf({ field: "html_body", from: table("Old", "Total"), to: table("New", "Total") })).toEqual([
      { field: "html_body", removed: ["<td>Old</td>"], added: ["<td>New</td>"] },
    ]);
  });

  it("shows a new row as a unit, wherever it is", () => {
    for (const rows of [
      ["new", "a", "b"],
      ["a", "new", "b"],
      ["a", "b", "new"],
    ])
      expect(hunksOf({ field: "html_body", from: table("a", "b"), to: table(...rows) })).toEqual([
        { field: "html_body", removed: [], added: ["<tr>", "<td>new</td>", "</tr>"] },
      ]);
  });

  it("splits a style sheet at its rules, and keeps Mustache tags whole", () => {
    expect(segmentsOf("html_body", "<style>a{color:red}b{color:blue}</style>{{{name}}}{{#a}}x{{/a}}")).toEqual([
      "<style>a{color:red}",
      "b{color:blue}",
      "</style>{{{name}}}{{#a}}x{{/a}}",
    ]);
  });

  it("ignores line ends", () => {
    expect(hunksOf({ field: "text_body", from: "a\r\nb\r\n", to: "a\nb" })).toEqual([]);
  });

  it("shows the removed and added lines that turn one text into the other", () => {
    const text = lines.map((all) => all.join("\n"));
    fc.assert(
      fc.property(text, text, (from, to) => {
        const hunks = hunksOf({ field: "text_body", from, to });
        const sum = (side: "added" | "removed"): number => hunks.reduce((count, hunk) => count + hunk[side].length, 0);
        const [before, after] = [segmentsOf("text_body", from).length, segmentsOf("text_body", to).length];
        expect(before - sum("removed") + sum("added")).toBe(after);
      }),
    );
  });
});

describe("compareWords", () => {
  it("shows which words differ, and loses none", () => {
    expect(compareWords("Row 14, Bristol", "Row 22, Bristol").added).toEqual([
      { text: "Row ", differs: false },
      { text: "22", differs: true },
      { text: ", Bristol", differs: false },
    ]);
    fc.assert(
      fc.property(fc.string(), fc.string(), (from, to) => {
        const { removed, added } = compareWords(from, to);
        expect(removed.map(({ text }) => text).join("")).toBe(from);
        expect(added.map(({ text }) => text).join("")).toBe(to);
      }),
    );
  });
});
