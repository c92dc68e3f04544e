import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMustache } from "../../../src/mustache/fill.js";
import { parse } from "../../../src/mustache/parse.js";
import { tagName, protect, restore, type TagTable, TOKEN, tokensIn } from "../../../src/mustache/tokens.js";
import type { Lists } from "../../../src/render/contract.js";
import { deriveText } from "../../../src/render/text/derive.js";
import { layOut } from "../../../src/render/text/lay-out.js";
import { ListTags, type OutlineSection } from "../../../src/render/text/outline.js";
import { Gap } from "../../../src/render/text/pieces.js";
import { compactHtml } from "../../../src/render/bodies.js";
import { processorTime } from "../../processor-time.js";
import { body, variables } from "./random-body.js";

const runs = { numRuns: process.env["MODE"] === "long" ? 3000 : 50 };

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
    areUsed: true,
    isList: (tag) => ["list", "other"].includes(tagName(tags[tag])),
    hasItems: (tag) => `${tagName(tags[tag])}_has_items`,
    isLast: (tag) => `${tagName(tags[tag])}_is_last`,
  };
}

async function filled(source: string, values: Record<string, unknown>): Promise<string> {
  const { text, tags } = await derive(source);
  const conditions = Object.fromEntries(["list", "other"].flatMap((name) => conditionsOf(name, values[name])));
  // Line ends at both ends are invisible.
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

  it("never has two blank lines in a row, not even if a section is hidden", async () => {
    await fc.assert(
      fc.asyncProperty(body, variables, async (source, values) => {
        // If all items of a list may be hidden, it is unknown whether it shows anything.
        fc.pre(!/\{\{#(?:list|other)\}\}\s*\{\{[#^]/.test(source.replaceAll(/<[^>]*>/g, "")));
        expect(await filled(source, values)).not.toMatch(/\n(?:>| )*\n(?:>| )*\n/);
      }),
      runs,
    );
  });

  it("has no space at the end of a line", async () => {
    await fc.assert(
      fc.asyncProperty(body, variables, async (source, values) => {
        // Of adjacent sections, and of those in a list, none knows which one ends the line.
        const words = source.replaceAll(/<[^>]*>/g, "");
        fc.pre(!/\}\}\s*\{\{[#^]/.test(words) && !/\{\{#(list|other)\}\}(?:(?!\{\{\/\1).)*\{\{[#^]/.test(words));
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

  it("does not depend on the indentation of the HTML", async () => {
    await fc.assert(
      fc.asyncProperty(body, async (source) => {
        const { text, html, htmlTags: tags } = await derive(source);
        // White space is visible in HTML before hidden elements, but not before blocks.
        const indented = html.replaceAll(/<(?=table|tr|ul|ol|li|div>|p\b|h2)/g, "\n    <");
        const lists = listsIn(tags);
        expect((await deriveText(compactHtml(html), tags, lists)).text).toBe(text);
        const bare = (derived: string) =>
          derived.replaceAll(TOKEN, (token, tag) => (tag < tags.length ? token : "")).replaceAll(/\s/g, "");
        expect(bare((await deriveText(indented, tags, lists)).text)).toBe(bare(text));
      }),
      runs,
    );
  });
});

function numbers(text: string): number[] {
  return tokensIn(text).map(({ tag }) => tag);
}

/** A list with its conditions and those of its items, named as `listsIn` does. */
function conditionsOf(name: string, list: unknown): [name: string, value: unknown][] {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const marked = items.map((item, index) =>
    Object.assign({}, item, { [`${name}_is_last`]: index === items.length - 1 }),
  );
  return [
    [name, marked],
    [`${name}_has_items`, items.length > 0],
  ];
}

it("handles as many adjacent sections as a file can have", async () => {
  const section: OutlineSection = {
    kind: "section",
    gap: Gap.line,
    opens: "{{#s}}",
    closes: "{{/s}}",
    tag: 0,
    name: "s",
    isInverted: false,
    isList: false,
    isBlock: true,
    body: { items: [{ kind: "words", gap: Gap.none, text: "a", prefix: "" }], end: Gap.none },
  };
  const items = Array.from({ length: 100_000 }, () => section);
  const own = new ListTags([], listsIn([]));
  let lines = 0;
  const taken = await processorTime(() => {
    lines = layOut({ items, end: Gap.none }, own).split("\n").length;
  });
  expect(lines).toBe(300_000);
  expect(taken).toBeLessThan(2_000);
});
