import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest } from "../../src/text/nearest.js";

describe("nearest", () => {
  test.each([
    ["subjct", "subject", "a letter is missing"],
    ["subjectt", "subject", "a letter too many"],
    ["sabject", "subject", "a wrong letter"],
    ["sbuject", "subject", "two letters swapped"],
    ["SUBJECT", "subject", "capitals"],
    ["descritpoin", "description", "two typos in a long name"],
  ])("%s resembles %s: %s", (name, meant) => {
    expect(nearest(name, ["priority", "description", "subject"])).toBe(meant);
  });

  test.each([
    ["colour", "nothing alike"],
    ["sbjt", "too much is missing for so short a name"],
    ["", "no name at all"],
  ])("%j resembles none: %s", (name) => {
    expect(nearest(name, ["priority", "description", "subject"])).toBeUndefined();
  });

  test("two swapped letters count as one typo, so that they are allowed in a name of three letters", () => {
    expect(nearest("nwe", ["new"])).toBe("new");
  });

  test("the nearest wins, and the first of two equally near", () => {
    expect(nearest("item", ["them", "items", "item"])).toBe("item");
    expect(nearest("bat", ["cat", "hat"])).toBe("cat");
  });

  test("accepts any iterable, including an empty one", () => {
    expect(nearest("nmae", new Set(["name"]))).toBe("name");
    expect(nearest("name", [])).toBeUndefined();
  });

  test("a name of three or more letters with one typo is always found among dissimilar names", () => {
    const word = fc.stringMatching(/^[a-z]{3,12}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom("a", "e", "x"), (meant, at, letter) => {
        const index = at % (meant.length + 1);
        expect(nearest(meant.slice(0, index) + letter + meant.slice(index), ["0123456789", meant])).toBe(meant);
        expect(nearest(meant.slice(0, index) + meant.slice(index + 1), ["0123456789", meant])).toBe(meant);
      }),
    );
  });
});
