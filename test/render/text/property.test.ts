import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMustache } from "../../../src/mustache/fill.js";
import { parse } from "../../../src/mustache/parse.js";
import { protect, restore, type TagTable } from "../../../src/mustache/tokens.js";
import type { Lists } from "../../../src/render/lists.js";
import { nameOf, tokensIn } from "../../../src/render/sections.js";
import { deriveText } from "../../../src/render/text/derive.js";
import { tidy } from "../../../src/render/whitespace.js";
import { body, variables } from "./random-body.js";

const runs = { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 300) };

interface Derived {
  readonly text: string;
  readonly html: string;
  readonly htmlTags: TagTable;
  readonly tags: TagTable;
  readonly skipped: ReadonlySet<number>;
}

async function derive(source: string): Promise<Derived> {
  const tags: TagTable = [];
  const { text: html } = protect(`<body>${source}</body>`, "x.html", tags);
  const derived = await deriveText(html, tags, listsIn(tags));
  return { ...derived, html, htmlTags: tags };
}

function listsIn(tags: TagTable): Lists {
  return {
    isList: (tag) => ["list", "other"].includes(nameOf(tags[tag])),
    hasItems: (tag) => `${nameOf(tags[tag])}_has_items`,
  };
}

async function filled(source: string, values: Record<string, unknown>): Promise<string> {
  const { text, tags } = await derive(source);
  const { list, other } = values;
  const conditions = { list_has_items: isFilled(list), other_has_items: isFilled(other) };
  // Line ends at both ends don't show.
  return renderMustache(restore(text, tags, "text"), { ...values, ...conditions }, { escape: "none" }).replaceAll(
    /^\n+|\n+$/g,
    "",
  );
}

describe("the derived text of random bodies", () => {
  it("has every tag of the visible text, in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(body, async (source) => {
        const { text, html, htmlTags, tags, skipped } = await derive(source);
        const inAttributes = new Set(Array.from(html.matchAll(/"[^"]*"/g), ([value]) => numbers(value)).flat());
        const shown = numbers(html).filter((tag) => !skipped.has(tag) && !inAttributes.has(tag));
        const inText = numbers(text).filter((tag) => tag < htmlTags.length && !inAttributes.has(tag));
        expect(inText).toEqual(shown);
        expect(parse(restore(text, tags, "text")).problems).toEqual([]);
      }),
      runs,
    );
  });

  it("has no two blank lines, and none that a section would leave behind", async () => {
    await fc.assert(
      fc.asyncProperty(body, variables, async (source, values) => {
        expect(await filled(source, values)).not.toMatch(/\n(?:>| )*\n(?:>| )*\n/);
      }),
      runs,
    );
  });

  it("has no space at the end of a line", async () => {
    await fc.assert(
      fc.asyncProperty(body, variables, async (source, values) => {
        // Of several sections with nothing in between, none knows which one ends the line.
        fc.pre(!/\}\}\s*\{\{[#^]/.test(source.replaceAll(/<[^>]*>/g, "")));
        expect(await filled(source, values)).not.toMatch(/[ \t]$/m);
      }),
      runs,
    );
  });

  it("prints each address once", async () => {
    await fc.assert(
      fc.asyncProperty(body, async (source) => {
        const text = await filled(source.replaceAll(/\{\{[#^/][^}]*\}\}/g, ""), { x: "3", y: "y", z: "z" });
        const addresses = text.match(/https:\S*\d/g) ?? [];
        expect(addresses).toEqual([...new Set(addresses)]);
      }),
      runs,
    );
  });

  it("does not depend on how the html is indented", async () => {
    await fc.assert(
      fc.asyncProperty(body, async (source) => {
        const { text, html, htmlTags: tags } = await derive(source);
        const indented = html.replaceAll(/<(?=table|tr|ul|ol|li|div|p\b|h2)/g, "\n    <");
        const lists = listsIn(tags);
        expect((await deriveText(tidy(html), tags, lists)).text).toBe(text);
        expect((await deriveText(indented, tags, lists)).text.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
      }),
      runs,
    );
  });
});

function numbers(text: string): number[] {
  return tokensIn(text).map(({ tag }) => tag);
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
