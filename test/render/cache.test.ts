import { rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openCache } from "../../src/cache/cache.js";
import { compileAll } from "../../src/render/compile.js";
import type { CompileContext } from "../../src/render/engine.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import type { CompileResult } from "../../src/project/template.js";
import { addFiles } from "../process/folder.js";
import { type Files, useProjects } from "./project.js";

const projects = useProjects();

const FILES: Files = {
  "package.json": `{ "type": "module" }`,
  "tsconfig.json": `{ "extends": "./tsconfig.base.json" }`,
  "tsconfig.base.json": `{ "compilerOptions": { "paths": { "@brand": ["./_shared/brand.ts"], "@lib/*": ["./_shared/override/*", "./_shared/lib/*"] } } }`,
  "_shared/header.mjml": `<mj-section><mj-column><mj-text>Head {{name}}</mj-text></mj-column></mj-section>`,
  "_shared/footer.html": `<p>Foot</p>`,
  "_shared/brand.ts": `export const brand = "Fernhill";`,
  "_shared/lib/two.ts": `export const two = "lib";`,
  "_shared/layout/index.tsx": `export const Layout = ({ children }) => <main>{children}</main>;`,
  "_shared/price.ts": `export const price = (amount: number) => amount + " EUR";`,
  "_assets/logo.png": "",
  "mail/mail.mjml": `<mjml><mj-body><mj-include path="../_shared/header.mjml" /></mj-body></mjml>`,
  "mail/template.json": `{ "subject": "Mail" }`,
  "mail/fixtures/default.json": `{ "name": "Ada" }`,
  "page/page.html": `<html><body><img src="_assets/logo.png" alt="">{{total}}{{> _shared/footer}}</body></html>`,
  "page/template.json": `{ "subject": "Page" }`,
  "page/variables.ts": `import { z } from "zod"; import { price } from "../_shared/price"; export default z.object({ amount: z.number() }); export const derive = ({ amount }) => ({ total: price(amount) });`,
  "page/fixtures/default.json": `{ "amount": 3 }`,
  "note/note.tsx": `import { brand } from "@brand"; import { two } from "@lib/two"; import { Layout } from "../_shared/layout"; export default ({ name }) => <html><body><Layout>{brand} {two} {name}</Layout></body></html>;`,
  "note/template.json": `{ "subject": "Note" }`,
  "note/fixtures/default.json": `{ "name": "Ada" }`,
  "_shared/props.ts": `export interface Props { name: string }`,
  "typed/typed.tsx": `import type { Props } from "../_shared/props"; import type { More } from "../_shared/more"; export default ({ name, more }: Props & { more?: More }) => <html><body>{name ?? "you"}{more}</body></html>;`,
  "typed/template.json": `{ "subject": "Typed" }`,
  "typed/fixtures/default.json": `{ "name": "Ada" }`,
};

/** What can change the result from one run to the next. */
const CHANGES: readonly (readonly [what: string, files: Files, concerned: readonly string[]])[] = [
  [
    "an included file",
    { "_shared/header.mjml": FILES["_shared/header.mjml"]?.replace("Head", "HEAD") ?? "" },
    ["mail"],
  ],
  ["a partial", { "_shared/footer.html": "<p>FOOT</p>" }, ["page"]],
  ["an imported module", { "_shared/brand.ts": `export const brand = "Birchwood";` }, ["note"]],
  ["a type that bundling removes", { "_shared/props.ts": `export interface Props { name?: string }` }, ["typed"]],
  ["a new type", { "_shared/more.ts": `export type More = "a" | "b";` }, ["typed"]],
  ["a module of derive", { "_shared/price.ts": `export const price = (n) => n + " USD";` }, ["page"]],
  [
    "a module that an import now resolves to",
    { "_shared/layout.tsx": `export const Layout = ({ children }) => <div>{children}</div>;` },
    ["note"],
  ],
  [
    "a base setting",
    {
      "tsconfig.base.json": `{ "compilerOptions": { "paths": { "@brand": ["./_shared/other.ts"], "@lib/*": ["./_shared/lib/*"] } } }`,
    },
    ["note", "page", "typed"],
  ],
  [
    "a body",
    { "mail/mail.mjml": FILES["mail/mail.mjml"]?.replace("<mj-body>", `<mj-body width="500px">`) ?? "" },
    ["mail"],
  ],
  ["metadata", { "page/template.json": `{ "subject": "Another" }` }, ["page"]],
  ["a fixture", { "note/fixtures/default.json": `{ "name": "Grace" }` }, ["note"]],
  ["a second fixture", { "note/fixtures/second.json": `{ "name": "Grace" }` }, ["note"]],
  ["a hand-written text", { "page/page.txt": "Total {{total}}" }, ["page"]],
  ["an image in a nearer folder", { "page/_assets/logo.png": "" }, ["page"]],
  [
    "installed packages",
    { "node_modules/.package-lock.json": `{ "packages": { "node_modules/zod": { "version": "4.9.9" } } }` },
    ["mail", "page", "note", "typed"],
  ],
];

test("each change is detected, and affects no other template", async () => {
  const root = await projects.write({ ...FILES, "_shared/other.ts": `export const brand = "Other";` });
  await settle();
  let warm = await compile(root, true);
  for (const [what, change, concerned] of CHANGES) {
    await addFiles(root, change);
    await settle();
    const before = warm.results;
    warm = await compile(root, true);
    const others = (results: readonly CompileResult[]) => results.filter(({ name }) => !concerned.includes(name));
    expect(others(warm.results), what).toEqual(others(before));
    expect(warm.recompiled.sort(), what).toEqual([...concerned].sort());
  }
  expect(warm.results).toEqual((await compile(root, false)).results);
});

test("nothing is recompiled if nothing has changed, whatever the files' times", async () => {
  const root = await projects.write(FILES);
  await settle();
  const cold = await compile(root, true);
  await utimes(path.join(root, "_shared/brand.ts"), new Date(), new Date());
  const warm = await compile(root, true);
  expect(cold.recompiled).toHaveLength(4);
  expect(warm.recompiled).toEqual([]);
  expect(warm.results).toEqual(cold.results);
});

test("options are distinguished: locale, time zone, assets", async () => {
  const root = await projects.write(FILES);
  await settle();
  await compile(root, true);
  const changes: readonly Partial<CompileContext>[] = [
    { locale: "de-DE" },
    { timeZone: "Europe/Berlin" },
    { assets: { baseUrl: "https://cdn.example.com" } },
  ];
  for (const options of changes) {
    const warm = await compile(root, true, options);
    expect(warm.recompiled).toHaveLength(4);
    expect(warm.results).toEqual((await compile(root, false, options)).results);
  }
});

test("problems are found again", async () => {
  const root = await projects.write({ ...FILES, "_shared/header.mjml": "<mj-text>" });
  await settle();
  const first = await compile(root, true);
  expect(first.results.find(({ name }) => name === "mail")?.compiled).toBeUndefined();
  const second = await compile(root, true);
  expect(second.results).toEqual(first.results);
  expect(second.recompiled).toEqual(["mail"]);
});

test("after any sequence of writes and removals, a cached result equals a fresh one", async () => {
  const edits = fc.array(fc.record({ change: fc.nat(CHANGES.length - 1), back: fc.boolean() }), {
    minLength: 3,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(edits, async (turns) => {
      const root = await projects.write({ ...FILES, "_shared/other.ts": `export const brand = "Other";` });
      for (const { change, back } of turns) {
        const [, files] = CHANGES[change] ?? ["", {}];
        for (const [name, text] of Object.entries(files)) {
          const file = path.join(root, name);
          if (!back) await addFiles(root, { [name]: text });
          else if (FILES[name] === undefined) await rm(file, { force: true });
          else await writeFile(file, FILES[name]);
        }
        expect((await compile(root, true)).results).toEqual((await compile(root, false)).results);
      }
    }),
    { numRuns: process.env["MODE"] === "long" ? 100 : 2 },
  );
});

/** Compiles like a new run of a command; `recompiled` are the names of templates that did not come from the cache. */
async function compile(
  root: string,
  cached: boolean,
  options: Partial<CompileContext> = {},
): Promise<{ results: CompileResult[]; recompiled: string[] }> {
  const cache = openCache({ folder: path.join(root, ".cache"), environment: {}, version: "1" });
  const recompiled: string[] = [];
  const watched: typeof cache = {
    read(key) {
      const value = cache.read(key);
      if (value === undefined) recompiled.push(path.parse(key.name.split("\n")[1] ?? "").name);
      return value;
    },
    write: (...result) => cache.write(...result),
  };
  const { templates } = loadTemplates([root]);
  const context = projects.context({ folder: root, ...options, ...(cached && { cache: watched }) });
  return { results: await compileAll(templates, context), recompiled };
}

/** Waits until the file system's clock has passed the last change. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 40));
}
