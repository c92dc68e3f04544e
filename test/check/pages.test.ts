import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalogue, RULES, rulePage } from "../../src/check/catalogue.js";
import { RULES_BY_GROUP } from "../../src/check/rules/index.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const ids = catalogue(RULES).map(({ id }) => id);
const namesIn = (folder: string): string[] =>
  readdirSync(path.join(repository, folder))
    .map((file) => path.parse(file).name)
    .toSorted();

/** The ids of all diagnostics in the sources. A defect of lettershop itself has no page. */
const used = ["project", "process", "render", "check", "preview/server/workspace"].flatMap((folder) =>
  readdirSync(path.join(repository, "src", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("diagnostics"))
    .flatMap((file) => {
      const source = readFileSync(path.join(repository, "src", folder, file), "utf8");
      const calls = source.matchAll(
        /(?:\b(?:rule|id): |\b(?:error|warning|report|reportProblems|toDiagnostics?|moduleDiagnostic|#error|#warning|#report)\(\s*)"([a-z]+(?:-[a-z]+)*)"/g,
      );
      return Array.from(calls, ([, id = ""]) => id).filter((id) => id !== "defect");
    }),
);

describe("src/check/rules/index.ts", () => {
  it("is generated from the files, which are named for their rules: npm run rules", () => {
    const byFolder = Object.entries(RULES_BY_GROUP).map(([group, rules]) => [group, rules.map(({ id }) => id)]);
    const folders = namesIn("src/check/rules").filter((name) => name !== "index");
    expect(byFolder).toEqual(folders.map((group) => [group, namesIn(`src/check/rules/${group}`)]));
  });
});

describe("catalogue", () => {
  it("has every id in the sources, and no others", () => {
    expect([...new Set(used)].filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !used.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(catalogue(RULES))("has a summary of $id that is one sentence", ({ summary }) => {
    expect(summary).toMatch(/^[^a-z].*[^.]\.$/);
  });
});

describe("docs/rules", () => {
  it("has a page for every id, and no others: npm run rules", () => {
    expect(namesIn("docs/rules")).toEqual(ids);
  });

  it.each(ids)("has what is generated for %s: npm run rules", (id) => {
    expect(readFileSync(path.join(repository, "docs/rules", `${id}.md`), "utf8")).toBe(rulePage(id));
  });

  it("links only to pages that exist", () => {
    const links = ids.flatMap((id) => Array.from(rulePage(id)?.matchAll(/\]\(([a-z-]+)\.md\)/g) ?? [], ([, to]) => to));
    expect(links.filter((to) => to === undefined || !ids.includes(to))).toEqual([]);
  });
});
