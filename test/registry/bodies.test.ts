import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bodiesFolder, bodiesSpecifier, generateBodies, hasBodies } from "../../src/registry/bodies.js";
import { generateRegistry, isGenerated } from "../../src/registry/generate.js";
import { compiled } from "./templates.js";

interface Options {
  readonly html: string;
  readonly text?: string;
  readonly assets?: string;
  readonly images?: readonly string[];
}

async function generate({ html, text = "", assets, images = [] }: Options): Promise<string> {
  const results = [await compiled("/app", { name: "receipt", html, text })];
  const registryFile = "/app/src/templates.gen.ts";
  const [file] = generateBodies({ results, registryFile, assets, imagesOf: () => images });
  return file?.text ?? "";
}

/** The function's result, evaluated from its literal. */
function valueOf(file: string, name: "html" | "text", assets: string): unknown {
  const [, literal = ""] =
    new RegExp(`^export const ${name} = \\((?:assets: string)?\\): string => (\`[^]*?\`);$`, "m").exec(file) ?? [];
  return runInNewContext(literal, { assets });
}

test("a template's bodies are a file of two functions, in which lines are kept", async () => {
  expect(
    await generate({
      html: '<p>{{name}}</p>\n<img src="assets/logo.png">\n',
      text: "{{{name}}}\n",
      images: ["logo.png"],
    }),
  ).toMatchInlineSnapshot(`
      "// Written by \`templates types\`. To change it, change the templates and run that again.
      /* eslint-disable */

      export const html = (assets: string): string => \`<p>{{name}}</p>
      <img src="\${assets}/logo.png">
      \`;

      export const text = (): string => \`{{{name}}}
      \`;
      "
    `);
});

test.each([
  ['<img src="https://cdn.example.com/mail/logo.png">', '<img src="IMAGES/logo.png">'],
  ['<img src="https://cdn.example.com/mail/logo.png?v=2">', '<img src="IMAGES/logo.png?v=2">'],
  [
    "<td style=\"background:url('https://cdn.example.com/mail/a%20b/dot.gif')\">",
    "<td style=\"background:url('IMAGES/a%20b/dot.gif')\">",
  ],
  [
    '<img src="{{#d}}https://cdn.example.com/mail/logo.png{{/d}}{{^d}}https://cdn.example.com/mail/lo{{#x}}go{{/x}}.png{{/d}}">',
    '<img src="{{#d}}IMAGES/logo.png{{/d}}{{^d}}IMAGES/lo{{#x}}go{{/x}}.png{{/d}}">',
  ],
  // Other addresses below the same address.
  ['<a href="https://cdn.example.com/mail/{{path}}">', '<a href="https://cdn.example.com/mail/{{path}}">'],
  ['<a href="https://cdn.example.com/mail/archive">', '<a href="https://cdn.example.com/mail/archive">'],
  ['<a href="https://cdn.example.com/mail/logo.png2">', '<a href="https://cdn.example.com/mail/logo.png2">'],
  ['<a href="https://cdn.example.com/mail/logo.png/about">', '<a href="https://cdn.example.com/mail/logo.png/about">'],
])("the images in %s have the URLs of the environment", async (html, expected) => {
  const file = await generate({ html, assets: "https://cdn.example.com/mail/", images: ["logo.png", "a b/dot.gif"] });
  expect(valueOf(file, "html", "IMAGES")).toBe(expected);
});

test("without a base URL, images keep the URL that build assigns", async () => {
  const html = '<img src="assets/logo.png"><a href="https://example.com/assets/logo.png">';
  const file = await generate({ html, images: ["logo.png"] });
  expect(valueOf(file, "html", "IMAGES")).toBe(
    '<img src="IMAGES/logo.png"><a href="https://example.com/assets/logo.png">',
  );
});

test("any body is restored unchanged", async () => {
  const bodies = fc.string({
    unit: fc.oneof(
      fc.string({ unit: "binary", maxLength: 1 }),
      fc.constantFrom("`", "\\", "${", "}", "\r", "\n", "\u2028", "\ud800", "\u202e", "assets/logo.png"),
    ),
  });
  await fc.assert(
    fc.asyncProperty(bodies, async (html) => {
      const file = await generate({ html, text: html });
      expect(valueOf(file, "html", "")).toBe(html);
      expect(valueOf(file, "text", "")).toBe(html);
    }),
  );
});

test("files are recognised by their first line, and a registry by its imports", async () => {
  const registryFile = "/app/src/mail.gen.mts";
  expect(bodiesFolder(registryFile)).toBe("/app/src/mail.gen.bodies");
  const specifier = bodiesSpecifier(registryFile, ".mjs");
  expect(specifier("receipt")).toBe("./mail.gen.bodies/receipt.mjs");
  const project = {
    folder: "/app",
    dataFolder: "/app/.lettershop",
    environments: {},
    locale: "en-US",
    timeZone: "UTC",
  };
  const results = [await compiled("/app", { name: "receipt" })];
  expect(hasBodies(await generateRegistry({ results, project, bodiesSpecifier: specifier }))).toBe(true);
  expect(hasBodies(await generateRegistry({ results, project }))).toBe(false);
  expect(isGenerated(await generate({ html: "" }))).toBe(true);
  expect(isGenerated("export const html = 1;")).toBe(false);
});
