import { describe, expect, it } from "vitest";
import { runningPlaces } from "../../../src/check/document/running-places.js";
import { Sources } from "../../../src/check/document/sources.js";

function placesIn(text: string, ...written: readonly (readonly string[])[]) {
  const sources = new Sources({ sources: new Map([["/x.html", text]]) });
  const placeOf = runningPlaces((each, after) => sources.find(each, after), written);
  return written.map((_, index) => placeOf(index)?.line);
}

describe("runningPlaces", () => {
  it("finds what is written twice in two places, in whatever order it is asked for", () => {
    expect(placesIn("a {}\nb {}\na{}", ["a {", "a{"], ["b {", "b{"], ["a {", "a{"])).toEqual([1, 2, 3]);
  });

  it("goes on after what is not there, and back for what was moved", () => {
    expect(placesIn("a {}\nb {}\nc {}", ["b {"], ["x {"], ["c {"], ["a {"])).toEqual([2, undefined, 3, 1]);
  });
});
