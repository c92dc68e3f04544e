import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { convert } from "html-to-text";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createModuleHost, type ModuleHost } from "../../src/process/host.js";
import { fill, type Message } from "../../src/mustache/fill.js";
import { compileAll } from "../../src/render/compile.js";
import { loadTemplates, type LoadedTemplates } from "../../src/project/load-templates.js";
import type { CompiledTemplate, CompileResult } from "../../src/project/template.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Every starter, with its fixtures. */
const starters = {
  "password-reset": ["default", "long-names", "minimal"],
  "payment-failed": ["default", "last-attempt", "long-names"],
  receipt: ["default", "many-items", "minimal", "whole-units"],
  "sign-in-code": ["default", "long-names", "minimal"],
  "team-invite": ["default", "long-names", "no-message"],
  welcome: ["default", "long-names", "no-trial"],
};
const names = Object.keys(starters);
const examples = Object.entries(starters).flatMap(([name, fixtures]) =>
  fixtures.map((fixture) => [name, fixture] as const),
);

/** What is said in the html alone: labels of columns and of bare addresses, which the text lays out in other words. */
const onlyInHtml = new Set(["or", "open", "this", "address", "item", "amount"]);

let cacheFolder: string;
let host: ModuleHost;
let loaded: LoadedTemplates;
let results: readonly CompileResult[];

beforeAll(async () => {
  cacheFolder = await mkdtemp(path.join(os.tmpdir(), "lettershop starters "));
  host = createModuleHost({ cacheFolder });
  loaded = loadTemplates([path.join(repository, "templates")]);
  results = await compileAll(loaded.templates, { host, folder: repository, locale: "en-US", timeZone: "UTC" });
});

afterAll(async () => {
  await host.close();
  await rm(cacheFolder, { recursive: true, force: true });
});

function compiled(name: string): CompiledTemplate {
  const result = results.find((each) => each.name === name);
  if (!result?.compiled) throw new Error(`${name} did not compile: ${JSON.stringify(result?.diagnostics, null, 2)}`);
  return result.compiled;
}

function filled(name: string, fixtureName: string): Message {
  const template = compiled(name);
  const fixture = template.fixtures.find((each) => each.name === fixtureName);
  if (!fixture) throw new Error(`${name} has no fixture ${fixtureName}.`);
  return fill(template, fixture.variables);
}

describe("the starter templates", () => {
  it("are these, and load and compile without a diagnostic", () => {
    expect(
      Object.fromEntries(results.map(({ name, template }) => [name, template.fixtures.map((each) => each.name)])),
    ).toEqual(starters);
    expect([...loaded.diagnostics, ...results.flatMap(({ diagnostics }) => diagnostics)]).toEqual([]);
  });

  it.each(names)("%s fetches nothing but its images", (name) => {
    const { html_body: html } = compiled(name);
    expect(html).not.toMatch(/<link|<script|@import|url\(/i);
    expect([...html.matchAll(/<img[^>]*\ssrc="([^"]*)"/g)].map(([, source]) => source)).toEqual(["assets/logo.png"]);
  });

  it.each(names)("%s can be read in the dark, aloud, and without images", (name) => {
    const { html_body: html } = compiled(name);
    expect(html).toMatch(/<html [^>]*lang="en"/);
    expect(html).toContain('content="light dark"');
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    for (const [image] of html.matchAll(/<img[^>]*>/g)) expect(image).toMatch(/\salt="[^"]+"/);
    // A table is either for layout, and says so, or has headings.
    for (const table of innermostTables(html)) expect(table).toMatch(/role="presentation"|<th /);
  });

  it.each(examples)("%s, %s: fills in all three parts", async (name, fixture) => {
    const message = filled(name, fixture);
    for (const part of [message.subject, message.html, message.text]) {
      expect(part.trim()).not.toBe("");
      expect(part).not.toMatch(/undefined|null|NaN|\[object |Invalid Date|\{\{|\}\}/);
    }
    expect(message.subject).not.toMatch(/[\r\n]/);
    expect(Buffer.byteLength(message.html)).toBeLessThan(40_000);
    const preheader = preheaderOf(message.html);
    expect(preheader).not.toBe(message.subject);
    expect(preheader.length).toBeGreaterThan(30);
    const text = `Subject: ${message.subject}\nPreheader: ${preheader}\n\n${message.text}`;
    await expect(withoutTrailingSpace(text)).toMatchFileSnapshot(`golden/${name}.${fixture}.txt`);
  });

  it.each(examples)("%s, %s: text and html say the same", (name, fixture) => {
    const { html, text } = filled(name, fixture);
    const shown = words(visibleText(html));
    const written = words(text);
    expect([...shown].filter((word) => !written.has(word) && !onlyInHtml.has(word))).toEqual([]);
    expect([...written].filter((word) => !shown.has(word))).toEqual([]);
  });
});

const invisible = [
  { selector: "img", format: "skip" },
  { selector: 'div[style*="display:none"]', format: "skip" },
  { selector: 'div[style*="display: none"]', format: "skip" },
];

/** Everything that a reader sees, with a space after each cell, so that words do not run together. */
function visibleText(html: string): string {
  return convert(html.replaceAll(/<\/t[dh]>/g, " $&"), { wordwrap: false, selectors: invisible });
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.,:/?=&@'’-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu));
}

function preheaderOf(html: string): string {
  const [, preheader = ""] = /<div style="display: ?none[^"]*"[^>]*>([^<]*)/.exec(html) ?? [];
  return convert(preheader, { wordwrap: false }).trim();
}

function innermostTables(html: string): string[] {
  return html.match(/<table(?:(?!<table)[\s\S])*?<\/table>/g) ?? [];
}

function withoutTrailingSpace(text: string): string {
  return `${text.replaceAll(/[^\S\n]+$/gm, "").trimEnd()}\n`;
}
