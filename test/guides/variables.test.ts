import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createModuleHost } from "../../src/process/host.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { readVariablesModule } from "../../src/project/variables-module.js";
import { TestProject } from "../cli/project.js";
import { install, makeFolder } from "../process/folder.js";

const guide = new URL("../../docs/guides/variables.md", import.meta.url);

test("templates derive changes the guide's component as the guide shows", async () => {
  const text = await readFile(guide, "utf8");
  const [, section = ""] = text.split("## Names instead of computed values");
  const [before = "", derive = "", after = ""] = Array.from(
    section.matchAll(/^```tsx\n(.*?)^```$/gms),
    ([, block]) => block,
  );
  const project = new TestProject({
    "templates/receipt/receipt.tsx": `${HEAD}${before}`,
    "templates/receipt/template.json": JSON.stringify({ subject: "Your receipt" }),
    "templates/receipt/fixtures/default.json": JSON.stringify({ order: { cents: 1250 } }),
  });
  expect(await project.run(["derive", "receipt"])).toMatchObject({ code: 0, stderr: "" });
  expect(await readFile(project.path("templates/receipt/variables.ts"), "utf8")).toContain(derive);
  expect(await readFile(project.path("templates/receipt/receipt.tsx"), "utf8")).toContain(after);
});

const HEAD = `import { Text } from "@react-email/components";
interface Props {
  order: { cents: number };
}
`;

test("the guide's variables.ts works, and its fixture's mistake is reported as in the guide", async () => {
  const text = await readFile(guide, "utf8");
  const code = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
  const order = { number: "7", placedAt: "2026-03-14T09:30:00Z", items: [{ name: "Tea", cents: 450 }] };
  const folder = await makeFolder({
    "package.json": "{}",
    "templates/receipt/receipt.html": "<p/>",
    "templates/receipt/variables.ts": code,
    "templates/receipt/fixtures/default.json": JSON.stringify({ order }),
    "templates/receipt/fixtures/wrong.json": JSON.stringify({ order: { ...order, number: 12 } }),
  });
  await install(folder, "zod");
  const { templates } = loadTemplates([path.join(folder, "templates")]);
  const host = createModuleHost({ cacheFolder: path.join(folder, ".lettershop") });
  onTestFinished(() => host.close());
  const [template] = templates;
  if (!template) throw new Error("The template was not found.");
  const { fixtures, diagnostics } = await readVariablesModule(host, template, { locale: "en-US", timeZone: "UTC" });
  expect(fixtures[0]?.derived).toEqual({ placedOn: "March 14, 2026", lines: [{ name: "Tea", price: "€4.50" }] });
  expect(diagnostics.map(({ message }) => message)).toEqual(["order.number: expected a string, found 12."]);
  // The guide shows the same message for a different variable.
  expect(text).toMatch(/default\.json:\d+:\d+ {2}order\.total: expected a number, found "12"\./);
});
