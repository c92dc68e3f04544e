import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Grade, gradeOf, words } from "../../src/service/logs/words.js";

test.each([
  ["Your receipt, Ada!", ["your", "receipt", "ada"]],
  ["ada.lovelace+news@example.com", ["ada", "lovelace", "news", "example", "com"]],
  ["Réçu n° 7: ÅNGSTRÖM, İstanbul", ["recu", "n", "7", "angstrom", "istanbul"]],
  ["ﬁne ＡＢＣ", ["fine", "abc"]],
  ["ΟΔΟΣ", ["οδοσ"]],
  ["Квитанция №5, Ёлка", ["квитанция", "no5", "елка"]],
  ["領収書 हिन्दी 한국어 𐐀𐐨", ["領収書", "हिन्दी", "한국어", "𐐨𐐨"]],
  ["\0 \ud800 %_*\"'", []],
])("%j has the words %j", (text, expected) => {
  expect(words(text)).toEqual(expected);
});

const letter = fc.constantFrom("a", "b", "c", "1", "я", "語", "𐐨");
const word = fc.array(letter, { minLength: 1, maxLength: 7 });

/** All words that are one letter off: wrong, missing, extra or swapped. */
function oneOff(text: readonly string[]): Set<string> {
  const letters = ["a", "b", "c", "1", "я", "語", "𐐨", "x"];
  const texts = Array.from({ length: text.length + 1 }, (_, place) => {
    const [before, rest] = [text.slice(0, place), text.slice(place)];
    const [first, second, ...others] = rest;
    return [
      [...before, ...rest.slice(1)],
      ...letters.map((extra) => [...before, extra, ...rest]),
      ...(first === undefined ? [] : letters.map((wrong) => [...before, wrong, ...rest.slice(1)])),
      ...(first === undefined || second === undefined ? [] : [[...before, second, first, ...others]]),
    ];
  }).flat();
  return new Set(texts.map((each) => each.join("")));
}

/** The grade by its definition. */
function naiveGrade(wanted: readonly string[], text: readonly string[]): Grade {
  const [a, b] = [wanted.join(""), text.join("")];
  if (a === b) return Grade.whole;
  if (b.startsWith(a)) return Grade.beginning;
  if (b.includes(a)) return Grade.part;
  const near = oneOff(wanted);
  if (Math.max(wanted.length, text.length) >= 4 && near.has(b)) return Grade.off;
  const beginnings = text.map((_, end) => text.slice(0, end + 1).join(""));
  return wanted.length >= 5 && beginnings.some((each) => near.has(each)) ? Grade.beginningOff : Grade.none;
}

test("a word matches as a whole, a beginning, a part, or with one letter wrong, missing, extra or swapped", () => {
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 12 }), fc.nat(), (wanted, others, pick) => {
      // Includes some similar words, which random ones rarely are.
      const near = [...oneOff(wanted)];
      const texts = [...others, wanted, Array.from(near[pick % near.length] ?? ""), [...wanted, "a"], ["b", ...wanted]];
      for (const text of texts.filter(({ length }) => length > 0)) {
        const grade = gradeOf(wanted.join(""), text.join(""));
        expect({ text, grade }).toEqual({ text, grade: naiveGrade(wanted, text) });
      }
    }),
    { numRuns: process.env["MODE"] === "long" ? 5000 : 150 },
  );
});

test("words with two errors do not match, nor words of three letters with one", () => {
  expect(gradeOf("rexeixt", "receipt")).toBe(Grade.none);
  expect(gradeOf("cut", "cat")).toBe(Grade.none);
  expect(gradeOf("receipt", "receiptxx")).toBeGreaterThan(gradeOf("receipt", "recept"));
});
