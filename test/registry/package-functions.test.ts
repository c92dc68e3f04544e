import { rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { expect, test } from "vitest";
import type { Expression, PackageExpression } from "../../src/mustache/expression/expression.js";
import type { Condition } from "../../src/mustache/variables.js";
import type { Registry } from "../../src/project/registry-types.js";
import type { CompileResult } from "../../src/project/template.js";
import { compareRegistry, describeChange } from "../../src/registry/compare.js";
import { generateRegistry, type KeptTemplate } from "../../src/registry/generate.js";
import { functionsByTemplate } from "../../src/registry/inline-functions.js";
import { generatePackages } from "../../src/registry/packages-file.js";
import { createTestMailer } from "../../src/testing/index.js";
import { compiled, makeFolder, repository, write } from "./templates.js";

const project = { environments: {}, locale: "en-US", timeZone: "UTC" };

async function folderWith(...packages: readonly string[]): Promise<string> {
  const folder = await makeFolder();
  for (const name of packages)
    await symlink(path.join(repository, "node_modules", name), path.join(folder, "node_modules", name), "junction");
  return folder;
}

function library(module: string, name: string, setup?: readonly Expression[]): PackageExpression {
  return { kind: "package", module, name, ...(setup && { setup }) };
}

function call(callee: Expression, ...args: readonly Expression[]): Expression {
  return { kind: "call", callee, args };
}

function method(of: Expression, name: string, ...args: readonly Expression[]): Expression {
  return call({ kind: "member", of, name }, ...args);
}

function text(value: string): Expression {
  return { kind: "value", value };
}

const DAY: Expression = { kind: "variable", names: ["day"] };

/** A compiled template that prints computed values. */
async function template(
  folder: string,
  name: string,
  values: Readonly<Record<string, Expression>>,
): Promise<CompileResult> {
  const input = { type: "object", properties: { day: { type: "string" } }, required: ["day"] } as const;
  const conditions = Object.entries(values).map(([value, expression]): Condition => {
    return { name: value, within: [], path: ".", test: { kind: "computed", expression } };
  });
  const result = await compiled(folder, { name, input });
  if (!result.compiled) throw new Error("It did not compile.");
  return { ...result, compiled: { ...result.compiled, contract: { input, conditions } } };
}

function generate(
  folder: string,
  results: readonly CompileResult[],
  { kept = [], before }: { kept?: readonly KeptTemplate[]; before?: string } = {},
) {
  return generateRegistry({
    results,
    kept,
    before,
    project: { ...project, folder, dataFolder: path.join(folder, ".lettershop") },
  });
}

let files = 0;

/** Runs the registry after removing its types, as a bundler does. */
async function run(folder: string, registry: string): Promise<Registry> {
  const { transform } = await import("rolldown/utils");
  const { code } = await transform("templates.gen.ts", registry);
  files += 1;
  const file = path.join(folder, `templates-${files}.mjs`);
  await writeFile(file, code);
  const { templates }: { templates: Registry } = await import(pathToFileURL(file).href);
  return templates;
}

/** What a mailer passes to the service for a template. */
async function filled(
  templates: Registry,
  name: string,
  day: string,
  options: { locale?: string; timeZone?: string } = {},
) {
  const mailer = createTestMailer({ templates, from: "orders@example.com", ...options });
  await mailer.send(name, { day }, { to: "ada@example.com" });
  const { day: _day, ...computed } = mailer.sent[0]?.filled ?? {};
  return computed;
}

const FORMATTED = call(library("date-fns", "format"), DAY, text("d MMM HH:mm"));

test("an application computes with the functions in its registry, in the mailer's locale and time zone", async () => {
  const folder = await folderWith("date-fns", "numeral");
  const zoned = call(
    library("date-fns", "format"),
    { ...call({ kind: "name", name: "Date" }, DAY), isNew: true } as Expression,
    text("HH:mm"),
  );
  const local = method(call(library("date-fns", "toDate"), DAY), "toLocaleDateString");
  const templates = await run(
    folder,
    await generate(folder, [await template(folder, "receipt", { FORMATTED, zoned, local })]),
  );
  const day = "2024-03-31T00:30:00.000Z";
  expect(await filled(templates, "receipt", day)).toEqual({
    FORMATTED: "31 Mar 00:30",
    zoned: "00:30",
    local: "3/31/2024",
  });
  expect(await filled(templates, "receipt", day, { locale: "de-DE", timeZone: "America/New_York" })).toEqual({
    FORMATTED: "30 Mar 20:30",
    zoned: "20:30",
    local: "30.3.2024",
  });
});

test("only what templates need is in it, and the others have nothing", async () => {
  const folder = await folderWith("date-fns");
  const plain = await template(folder, "plain", { upper: method(DAY, "toUpperCase") });
  const without = await generate(folder, [plain]);
  expect(without).not.toContain("functions:");
  expect(without).not.toContain("@ts-nocheck");
  const registry = await generate(folder, [plain, await template(folder, "receipt", { FORMATTED })]);
  expect(registry.match(/ functions: packages,/g)).toHaveLength(1);
  expect(registry.length - without.length).toBeLessThan(40_000);
  expect(registry).not.toContain(folder);
  expect(registry).toBe(await generate(folder, [await template(folder, "receipt", { FORMATTED }), plain]));
});

test("what earlier versions computed with a package is still computed", async () => {
  const folder = await folderWith("date-fns");
  const first = await generate(folder, [await template(folder, "receipt", { FORMATTED })]);
  const upper = method(DAY, "toUpperCase");
  const second = await generate(folder, [await template(folder, "receipt", { upper })], { before: first });
  expect(await filled(await run(folder, second), "receipt", "2024-03-31t00:30z")).toMatchObject({
    upper: "2024-03-31T00:30Z",
    FORMATTED: "31 Mar 00:30",
  });
  const receipt = await template(folder, "receipt", { upper });
  expect(await generate(folder, [receipt], { before: second })).toBe(second);
  expect(compareRegistry(first, second).changes).toEqual([]);
});

test("unless the package is gone, or lacks the function now, which is a change", async () => {
  const folder = await makeFolder();
  const words = "node_modules/words/index.js";
  await write(folder, {
    "node_modules/words/package.json": '{ "name": "words", "type": "module", "exports": "./index.js" }',
    [words]: "export const mark = (text) => text + '!'; export const cut = (text) => text.slice(0, 1);",
  });
  const [mark, cut] = ["mark", "cut"].map((name) => call(library("words", name), DAY));
  if (!mark || !cut) throw new Error();
  const first = await generate(folder, [await template(folder, "receipt", { mark, cut })]);
  const receipt = await template(folder, "receipt", { upper: method(DAY, "toUpperCase") });
  await write(folder, { [words]: "export const mark = (text) => text + '?';" });
  const updated = await generate(folder, [receipt], { before: first });
  expect(await filled(await run(folder, updated), "receipt", "x")).toEqual({ upper: "X", mark: "x?" });
  const change = { kind: "unfilled", template: "receipt", packages: ["words"] } as const;
  expect(compareRegistry(first, updated).changes).toEqual([change]);

  await rm(path.join(folder, "node_modules/words"), { recursive: true });
  const gone = await generate(folder, [receipt], { before: first });
  expect(await filled(await run(folder, gone), "receipt", "x")).toEqual({ upper: "X" });
  expect(gone).not.toContain("functions:");
  expect(compareRegistry(first, gone).changes.flatMap(describeChange)).toEqual([
    "receipt: what an earlier version computes with words, which can't be used any more, is blank until you sync",
  ]);
  expect(compareRegistry(gone, await generate(folder, [receipt], { before: gone }))).toEqual({
    upToDate: true,
    changes: [],
  });
});

test("what the modules of a template do to a package has no effect on other templates", async () => {
  const folder = await folderWith("dayjs");
  const dayjs = library("dayjs", "default");
  const german = [library("dayjs/locale/de", ""), call(library("dayjs", "default.locale"), text("de"))];
  const extended = [call(library("dayjs", "default.extend"), library("dayjs/plugin/utc", "default"))];
  const month = (of: Expression) => method(of, "format", text("MMMM HH"));
  const templates = await run(
    folder,
    await generate(folder, [
      await template(folder, "english", { month: month(call(dayjs, DAY)) }),
      await template(folder, "german", { month: month(call({ ...dayjs, setup: german }, DAY)) }),
      await template(folder, "universal", {
        month: month(call({ ...library("dayjs", "default.utc"), setup: extended }, DAY)),
      }),
    ]),
  );
  const day = "2024-05-31T23:30:00.000Z";
  const options = { timeZone: "Asia/Kolkata" };
  for (let round = 0; round < 2; round += 1) {
    expect(await filled(templates, "english", day, options)).toEqual({ month: "June 05" });
    expect(await filled(templates, "german", day, options)).toEqual({ month: "Juni 05" });
    expect(await filled(templates, "universal", day, options)).toEqual({ month: "May 23" });
  }
});

test("templates that find different versions of a package get their own", async () => {
  const folder = await makeFolder();
  const names = ["a", "b"];
  for (const name of names) {
    await write(folder, {
      [`${name}/node_modules/words/package.json`]: '{ "name": "words", "type": "module", "exports": "./index.js" }',
      [`${name}/node_modules/words/index.js`]: `export const mark = (text) => text + " ${name}";`,
    });
  }
  const results = await Promise.all(
    names.map((name) => template(path.join(folder, name), name, { marked: call(library("words", "mark"), DAY) })),
  );
  const templates = await run(folder, await generate(folder, results));
  expect(await filled(templates, "a", "x")).toEqual({ marked: "x a" });
  expect(await filled(templates, "b", "x")).toEqual({ marked: "x b" });
});

test("a script in a browser gets the same functions", async () => {
  const folder = await folderWith("date-fns", "dayjs");
  const file = path.join(folder, "receipt.tsx");
  const { compiled: receipt } = await template(folder, "receipt", { FORMATTED });
  const { conditions = [] } = receipt?.contract ?? {};
  const expression = await functionsByTemplate([{ name: "receipt", file, conditions }]);
  const functions = vm.runInNewContext(`(${expression}).receipt(Date, Intl)`, {});
  expect(Object.keys(functions)).toEqual(["date-fns format"]);
  expect(functions["date-fns format"]("2024-02-03T12:00", "d MMM")).toBe("3 Feb");
  expect(await functionsByTemplate([])).toBeUndefined();
});

/** A folder with a package whose component renders its children, and React. */
async function folderWithComponent(): Promise<string> {
  const folder = await folderWith("react", "react-dom");
  await write(folder, {
    "node_modules/parts/package.json": '{ "name": "parts", "type": "module", "exports": "./index.js" }',
    "node_modules/parts/index.js": `import { createElement as h } from "react";
      const html = (text) => ({ __html: text.replace(/[*](.+?)[*]/g, "<b>$1</b>") });
      export const Bold = ({ children, title }) => h("p", { title, dangerouslySetInnerHTML: html(children) });`,
  });
  return folder;
}

const BOLD = call(
  { ...library("parts", "Bold"), isComponent: true },
  {
    kind: "object",
    members: [
      ["children", DAY],
      ["title", text('"a" & b')],
    ],
  },
);
const BOLD_TEXT = call(library("lettershop", "textOf"), BOLD);

test("components are rendered by the project's React, from a file of their own", async () => {
  const folder = await folderWithComponent();
  const results = [await template(folder, "note", { BOLD, BOLD_TEXT })];
  const registry = await generate(folder, results);
  expect(registry).not.toContain("@ts-nocheck");
  expect(registry).toContain('loadFunctions: async () => (await import("./templates.gen.packages.js")).packages,');
  const packages = (await generatePackages({ results })) ?? "";
  expect(packages).not.toContain(folder);
  expect(packages.length).toBeLessThan(220_000);
  expect(await generatePackages({ results: [await template(folder, "plain", { upper: DAY })] })).toBeUndefined();

  const templates = await run(folder, registry);
  await expect(filled(templates, "note", "a *b*")).rejects.toMatchObject({
    code: "configuration",
    message: "Can't load the functions that compute values of a template.",
  });
  const { transform } = await import("rolldown/utils");
  const { code } = await transform("templates.gen.packages.ts", packages);
  await writeFile(path.join(folder, "templates.gen.packages.js"), code);
  expect(await filled(await run(folder, registry), "note", "<i>a</i> & *b*")).toEqual({
    BOLD: '<p title="&quot;a&quot; &amp; b"><i>a</i> & <b>b</b></p>',
    BOLD_TEXT: "a & b",
  });
});

test("components are rendered in a browser, too", async () => {
  const folder = await folderWithComponent();
  const { compiled: note } = await template(folder, "note", { BOLD, BOLD_TEXT });
  const { conditions = [] } = note?.contract ?? {};
  const expression = await functionsByTemplate([{ name: "note", file: path.join(folder, "note.tsx"), conditions }]);
  const functions = vm.runInNewContext(`(${expression}).note(Date, Intl)`, { atob });
  expect(Object.keys(functions)).toEqual(["parts <Bold>", "lettershop textOf"]);
  expect(functions["parts <Bold>"]({ children: "a *b*" })).toBe("<p>a <b>b</b></p>");
  expect(functions["lettershop textOf"]("<h1>a</h1><p>b <a href='https://c.example'>c</a></p>")).toBe(
    "a\n\nb c (https://c.example)",
  );
});

test("of what a package imports, the code for workers is taken rather than that for pages", async () => {
  const folder = await makeFolder();
  const exports = { worker: "./worker.js", browser: "./page.js", default: "./node.js" };
  await write(folder, {
    "node_modules/words/package.json": '{ "name": "words", "type": "module", "exports": "./index.js" }',
    "node_modules/words/index.js": 'export { mark } from "marks";',
    "node_modules/marks/package.json": JSON.stringify({ name: "marks", type: "module", exports }),
    "node_modules/marks/worker.js": "export const mark = (text) => `${text}!`;",
    "node_modules/marks/page.js": "const { body } = document; export const mark = (text) => text + body;",
    "node_modules/marks/node.js": 'import { EOL } from "node:os"; export const mark = (text) => text + EOL;',
  });
  const results = [await template(folder, "note", { marked: call(library("words", "mark"), DAY) })];
  expect(await filled(await run(folder, await generate(folder, results)), "note", "x")).toEqual({ marked: "x!" });
});

test("a package that is missing, or that needs Node.js, is an error with its reason", async () => {
  const folder = await makeFolder();
  await write(folder, {
    "node_modules/files/package.json": '{ "name": "files", "type": "module", "exports": "./index.js" }',
    "node_modules/files/index.js":
      'import { readFileSync } from "node:fs";\nexport const read = (file) => readFileSync(file, "utf8");',
  });
  const missing = await template(folder, "missing", { FORMATTED });
  await expect(generate(folder, [missing])).rejects.toThrow(/"date-fns" can't be found from the template/);
  const reading = await template(folder, "reading", { read: call(library("files", "read"), DAY) });
  await expect(generate(folder, [reading])).rejects.toThrow(/"node:fs" can't be imported in a browser/);
});

test("sending fails if a template with errors was kept without its functions", async () => {
  const folder = await makeFolder();
  const { compiled: was } = await template(folder, "kept", { FORMATTED });
  if (!was) throw new Error("It did not compile.");
  const { name, description, hash, subject, contract } = was;
  const entry = { hash, subject, contract, delivery: {}, hasModule: false };
  const body = path.join(folder, "kept.tsx");
  const registry = await generate(folder, [], {
    kept: [{ name, description, entry, file: undefined, body, hasBodies: false }],
  });
  await expect(filled(await run(folder, registry), "kept", "2024-02-03")).rejects.toMatchObject({
    code: "invalid_variables",
    cause: { message: expect.stringContaining("The function `date-fns format` is not available.") },
  });
});
