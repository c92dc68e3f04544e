import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutOff, type Measure } from "../../../preview/envelope/list-text.js";

/** Letters are ten pixels wide, dashes three. */
const measure: Measure = (text) => Array.from(text).reduce((sum, letter) => sum + (letter === "-" ? 3 : 10), 0);

const room = (width: number, lines = 1) => ({ width, font: "", lines });
const cut = (text: string, width: number, lines?: number) => cutOff(text, room(width, lines), measure);

test("text that fits is shown whole", () => {
  expect(cut("receipt", 70)).toEqual({ shown: "receipt", rest: "" });
});

test("text that does not fit is cut off before the ellipsis, by width rather than by length", () => {
  expect(cut("receipt", 60)).toEqual({ shown: "recei", rest: "pt" });
  expect(cut("--------", 24)).toEqual({ shown: "--------", rest: "" });
});

test("two lines break between words, and the second is cut off", () => {
  expect(cut("one two three", 80, 2)).toEqual({ shown: "one two three", rest: "" });
  expect(cut("one two three", 60, 2)).toEqual({ shown: "one two t", rest: "hree" });
});

test("no character is split and nothing is lost", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", " ", "-", "👩‍👩‍👧", "e\u0301", "🇨🇭") });
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 3 }), (text, width, lines) => {
      const { shown, rest } = cut(text, width, lines);
      expect(shown + rest).toBe(text);
      const segments = Array.from(new Intl.Segmenter().segment(text), ({ index }) => index);
      expect([...segments, text.length]).toContain(shown.length);
      if (rest !== "" && lines === 1) expect(measure(shown, "")).toBeLessThanOrEqual(width);
    }),
  );
});
