import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest } from "../src/nearest.js";

describe("nearest", () => {
  test.each([
    ["subjct", "subject", "a letter is missing"],
    ["subjectt", "subject", "a letter too many"],
    ["sabject", "subject", "a wrong letter"],
    ["sbuject", "subject", "two letters swapped"],
    ["SUBJECT", "subject", "capitals"],
    ["descritpoin", "description", "two slips in a long name"],
  ])("%s means %s: %s", (name, meant) => {
    expect(nearest(name, ["priority", "description", "subject"])).toBe(meant);
  });

  test.each([
    ["colour", "nothing alike"],
    ["sbjt", "too much is missing for so short a name"],
    ["", "no name at all"],
  ])("%j means none: %s", (name) => {
    expect(nearest(name, ["priority", "description", "subject"])).toBeUndefined();
  });

  test("two letters swapped are one slip, so that they count in a name of three", () => {
    expect(nearest("nwe", ["new"])).toBe("new");
  });

  test("the nearest wins, and the first of two that are as near", () => {
    expect(nearest("item", ["them", "items", "item"])).toBe("item");
    expect(nearest("bat", ["cat", "hat"])).toBe("cat");
  });

  test("takes any iterable, and none", () => {
    expect(nearest("nmae", new Set(["name"]))).toBe("name");
    expect(nearest("name", [])).toBeUndefined();
  });

  test("a name of three letters or more with one slip in it is always found among names that are unlike it", () => {
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
