import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/decisions/0002-what-the-document-leaves-open.md", root), "utf8");

/** The places in the last column of a row, relative to `src/` or `src/service/`. */
const places = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .flatMap((line) => [...(line.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, place = ""]) => place));

test("every place that decision 2 points to exists", () => {
  expect(places.length).toBeGreaterThan(100);
  const isThere = (place: string) =>
    ["src/", "src/service/"].some((folder) => existsSync(new URL(folder + place, root)));
  expect(places.filter((place) => !isThere(place))).toEqual([]);
});
