// Opens a preview for tests of its Variables panel.
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { projectAccess } from "../../../src/cli/preview/project-access.js";
import { type RunningPreview, startPreview } from "../../../src/preview/server/start.js";
import { browser } from "../browser.js";
import { removeFolder } from "../../remove-folder.js";

let folder: string;
export let preview: RunningPreview;
export let page: Page;
/** Number of templates of each kind that were opened. */
let opened: { order: number; invoice: number; facts: number };

export const inTemplate = (name: string, file: string): string => path.join(folder, "templates", name, file);

export const panel = () => page.getByRole("complementary", { name: "Variables" });
export const field = (name: string) => panel().getByRole("textbox", { name, exact: true });
export const email = () => page.frameLocator("iframe >> nth=0").locator("body");
export const editor = () => panel().getByRole("textbox", { name: "Variables as JSON" });
export const row = (template: string) => page.getByRole("treeitem", { name: new RegExp(`^${template}\\b`) });
export const shows = (words: string) => email().getByText(words).first().waitFor();

export const ORDER = { name: "Ada", lines: [{ label: "Tea" }, { label: "Jam" }] };

/** A template that only the server can fill. */
const INVOICE = { currency: "EUR", at: "2026-11-22T10:00:00Z", lines: [{ label: "Tea", unit: "kg" }] };
export const INVOICE_VARIABLES = `
  import { z } from "zod";
  const line = z.object({ label: z.string(), unit: z.enum(["kg", "l"]), count: z.int().positive().optional() });
  const currency = z.string().regex(/^[A-Z]{3}$/);
  export default z.object({ currency, at: z.iso.datetime(), lines: z.array(line).min(1) });
  export function derive({ currency, lines }) {
    return { total: new Intl.NumberFormat("en", { style: "currency", currency }).format(lines.length) };
  }`;

const htmlOf = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;

function write(name: string, body: string, fixture: unknown, variables?: string): void {
  mkdirSync(inTemplate(name, "fixtures"), { recursive: true });
  writeFileSync(inTemplate(name, `${name}.html`), body);
  writeFileSync(inTemplate(name, "fixtures/default.json"), `${JSON.stringify(fixture, null, 2)}\n`);
  if (variables !== undefined) writeFileSync(inTemplate(name, "variables.ts"), variables);
}

/** Opens a template of this kind that no other test has edited, because the page remembers edits. */
export async function open(kind: keyof typeof opened): Promise<string> {
  opened[kind] += 1;
  const name = `${kind}-${opened[kind]}`;
  await page.goto(`${preview.url}#/templates/${name}`);
  await shows({ order: "Hello Ada!", invoice: "Total €1.00.", facts: "Eyes: green" }[kind]);
  return name;
}

/**
 * Opens the preview of a project with enough templates of each kind for this file's tests, and closes it after them.
 */
export function useVariablesPage(): void {
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), "preview-variables-")));
    opened = { order: 0, invoice: 0, facts: 0 };
    mkdirSync(path.join(folder, "node_modules"));
    symlinkSync(path.resolve("node_modules/zod"), path.join(folder, "node_modules/zod"), "junction");
    writeFileSync(path.join(folder, "package.json"), '{ "name": "shop" }');
    for (let number = 1; number <= 14; number += 1)
      write(
        `order-${number}`,
        htmlOf("Order of {{name}}", "<p>Hello {{name}}!</p>{{#lines}}<p>Item {{label}}.</p>{{/lines}}"),
        ORDER,
      );
    for (let number = 1; number <= 5; number += 1)
      write(
        `invoice-${number}`,
        htmlOf(
          "{{total}}",
          "<p>Total {{total}}.</p>{{#lines}}<p>{{label}}, {{unit}}</p>{{/lines}}<p>{{currency}} {{at}}</p>",
        ),
        INVOICE,
        INVOICE_VARIABLES,
      );
    for (let number = 1; number <= 2; number += 1)
      write(
        `facts-${number}`,
        htmlOf("Facts", "<p>Eyes: {{facts.Eyes}}</p>"),
        { facts: { Eyes: "green", Hair: "red" } },
        `import { z } from "zod"; export default z.object({ facts: z.record(z.string(), z.string()) });`,
      );
    preview = await startPreview({ project: await projectAccess({ cwd: folder, config: undefined }), port: 0 });
    page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    page.setDefaultTimeout(60_000);
  });

  afterAll(async () => {
    await page.close();
    await preview.close();
    await removeFolder(folder);
  });
}
