import path from "node:path";
import { describe, expect, it } from "vitest";
import { isAffected, type Dependencies, outsideSources } from "../../src/render/dependencies.js";

const at = (...parts: string[]) => path.resolve("/app", ...parts);
const root = at("templates");
const made: Dependencies = {
  folder: at("templates/receipt"),
  sources: new Set([at("templates/receipt/receipt.tsx"), at("templates/_shared/layout.tsx"), at("src/money.ts")]),
  inputs: {
    files: [at("package.json")],
    places: [at("templates/_assets/logo.png")],
    stems: [at("templates/_shared/layout")],
    trees: [at("lib")],
  },
};
const concerns = (...files: string[]) => isAffected(made, [root], new Set(files.map((file) => at(file))));

describe("whether a change affects a template", () => {
  it.each([
    ["one of its sources", "templates/_shared/layout.tsx"],
    ["a source outside the templates folder", "src/money.ts"],
    ["a new file in its folder", "templates/receipt/fixtures/new.json"],
    ["installed packages", "package.json"],
    ["an image that it references", "templates/_assets/logo.png"],
    ["a file that an import may now resolve to", "templates/_shared/layout.ts"],
    ["a folder that is searched for imports", "lib/deep/file.ts"],
  ])("true for %s", (_what, file) => expect(concerns(file)).toBe(true));

  it.each([
    "templates/welcome/welcome.tsx",
    "templates/_shared/layouts.tsx",
    "templates/_shared/footer.tsx",
    "templates/receipts/receipt.tsx",
    "src/other.ts",
  ])("false for %s", (file) => expect(concerns(file)).toBe(false));

  it("true for any file if it did not compile or is new", () => {
    expect(isAffected({ folder: made.folder }, [root], new Set([at("x")]))).toBe(true);
    expect(isAffected(undefined, [root], new Set([at("x")]))).toBe(true);
  });

  it("one of the root's own templates is only affected by its sources", () => {
    const flat = { ...made, folder: root };
    expect(isAffected(flat, [root], new Set([at("templates/other.tsx")]))).toBe(false);
  });

  it("the sources to watch are those outside, without packages", () => {
    const sources = new Set([...(made.sources ?? []), at("node_modules/a/index.js")]);
    expect(outsideSources([{ ...made, sources }], [root])).toEqual([at("src/money.ts")]);
  });
});
