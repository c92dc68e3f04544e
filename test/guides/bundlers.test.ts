import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundles, deno, storeBundles } from "../../scripts/try-package/bundle-commands.mjs";

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const guide = read("docs/guides/bundlers.md");

test.each([...bundles, ...storeBundles])("the guide has the tested command for $name", ({ command }) => {
  expect(guide).toContain(`${command.startsWith("bun ") ? "" : "npx "}${command}\n`);
});

test("the guide has the tested permissions for Deno", () => {
  expect(guide).toContain(`${deno} `);
});

test("the files in the guide equal those of the examples", () => {
  const blocks = [...guide.matchAll(/^```\w+\n\/\/ (examples\/\S+)\n([^]*?)^```$/gm)];
  expect(blocks).toHaveLength(8);
  for (const [, file = "", code] of blocks) expect({ file, code }).toEqual({ file, code: read(file) });
});
