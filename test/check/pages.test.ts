import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { RULES } from "../../src/check/rules.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const pages = readdirSync(path.join(repository, "docs/rules")).map((file) => path.basename(file, ".md"));

/** The ids of all diagnostics in the sources. */
const used = ["project", "render", "check", "process"].flatMap((folder) =>
  readdirSync(path.join(repository, "src", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const source = readFileSync(path.join(repository, "src", folder, file), "utf8");
      const calls = source.matchAll(
        /(?:\b(?:rule|id): |\b(?:error|warning|report|reportProblems|toDiagnostics?|#error|#warning|#report)\(\s*)"([a-z]+(?:-[a-z]+)*)"/g,
      );
      return Array.from(calls, ([, id = ""]) => id);
    }),
);

describe("docs/rules", () => {
  it("finds the ids in the sources", () => {
    expect(new Set(used).size).toBeGreaterThan(40);
  });

  it("has a page for every rule", () => {
    expect([...new Set([...used, ...RULES.map(({ id }) => id)])].filter((id) => !pages.includes(id))).toEqual([]);
  });

  it("has no page without a rule", () => {
    expect(pages.filter((page) => !used.includes(page))).toEqual([]);
  });

  it.each(pages)("explains the problem, the reason and the fix: %s", (page) => {
    const text = readFileSync(path.join(repository, "docs/rules", `${page}.md`), "utf8");
    expect(text).toMatch(new RegExp(`^# ${page}\n\n\\S[^]+\n\n## Why\n\n\\S[^]+\n\n## How to fix\n\n\\S`));
  });
});
