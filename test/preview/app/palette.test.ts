import * as fc from "fast-check";
import { expect, test } from "vitest";
import { allKeys } from "../../../preview/palette/commands.js";
import { matchOf } from "../../../preview/palette/match.js";

const best = (query: string, ...texts: readonly string[]) =>
  texts
    .flatMap((text) => {
      const match = matchOf(query, text);
      return match ? [{ text, score: match.score }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text);

const marked = (query: string, text: string) => matchOf(query, text)?.ranges.map(([from, to]) => text.slice(from, to));

test("a match at the start comes before one at a word, then inside a word, then by letters", () => {
  expect(best("ord", "record", "new-order", "order-shipped", "open the word")).toEqual([
    "order-shipped",
    "new-order",
    "record",
    "open the word",
  ]);
});

test("letters match at the starts of words, not anywhere in the text", () => {
  expect(marked("oc", "order-confirmed")).toEqual(["o", "c"]);
  expect(marked("orcf", "order-confirmed")).toBeDefined();
  expect(matchOf("xyz", "order-confirmed")).toBeUndefined();
  expect(matchOf("erd", "password-reset for all readers")).toBeUndefined();
});

test("words match in any order", () => {
  expect(marked("default receipt", "receipt / default")).toEqual(["receipt", "default"]);
});

test("every text matches itself, and highlights are inside the text", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, query) => {
      expect(matchOf(text, text)).toBeDefined();
      let end = 0;
      for (const [from, to] of matchOf(query, text)?.ranges ?? []) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        end = to;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
  );
});

test("no shortcut is the beginning of another, and none is used twice", () => {
  expect(new Set(allKeys).size).toBe(allKeys.length);
  const beginnings = allKeys.flatMap((keys) => allKeys.filter((other) => other.startsWith(`${keys} `)));
  expect(beginnings).toEqual([]);
});
