import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/decisions/0002-what-the-spec-leaves-open.md", root), "utf8");

/** The files named in the last column, relative to `src/` or `src/service/` */
const places = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .flatMap((line) => [...(line.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, place = ""]) => place));

test("every file that decision 2 names exists", () => {
  expect(places.length).toBeGreaterThan(100);
  const isThere = (place: string) =>
    ["src/", "src/service/"].some((folder) => existsSync(new URL(folder + place, root)));
  expect(places.filter((place) => !isThere(place))).toEqual([]);
});
