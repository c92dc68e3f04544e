import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/check/catalogue.js";
import { RULES } from "../../src/check/rules.js";

const folder = fileURLToPath(new URL("../../docs/rules", import.meta.url));
const ids = catalogue(RULES).map(({ id }) => id);
const others = catalogue([]);

describe("catalogue", () => {
  it("has every id that has a page, and no duplicates", () => {
    const pages = readdirSync(folder).map((file) => path.basename(file, ".md"));
    expect(pages.filter((page) => !ids.includes(page))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(others)("has the summary of $id from its page", ({ id, summary }) => {
    const [, first = ""] = readFileSync(path.join(folder, `${id}.md`), "utf8").split("\n\n");
    expect(first.replaceAll("\n", " ")).toContain(summary.slice(0, -1));
    expect(summary).toMatch(/\.$/);
  });

  it.each(RULES)("has a summary of $id that is one sentence", ({ summary }) => {
    expect(summary).toMatch(/^[^a-z].*[^.]\.$/);
  });
});
