import { describe, expect, it } from "vitest";
import { protect, type TagTable, token } from "../../../src/mustache/tokens.js";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import type { Compilation } from "../../../src/render/bodies.js";
import { Findings } from "../../../src/render/findings.js";
import { checkResidue, checkTagsKept, checkTextTags } from "../../../src/render/invariants/invariants.js";
import { places, compiledOf, useProjects } from "../project.js";

const projects = useProjects();

/** A faulty compilation: the source's tags in order, and the resulting HTML and text. */
function compilation(source: string, html: string, text = "", schema: VariablesSchema = {}): Compilation {
  const tags: TagTable = [];
  protect(source, "/x/x.html", tags);
  const tokenised = (written: string) => ({
    text: written.replaceAll(/\d/g, (number) => token(Number(number))),
    tags,
  });
  return {
    template: {
      name: "x",
      engine: "html",
      root: "/x",
      folder: "/x",
      body: { file: "/x/x.html", text: source },
      metadata: {},
      fixtures: [],
    },
    subject: { text: "", tags: [] },
    output: { html: "", tags, expected: [...tags.keys()], sources: [], diagnostics: [] },
    html: tokenised(html),
    whole: tokenised(html),
    text: tokenised(text),
    contract: { input: schema, conditions: [] },
    derived: { skipped: new Set(), hiding: undefined },
  };
}

function findingsOf(check: (given: Compilation, findings: Findings) => void, given: Compilation): Findings {
  const findings = new Findings();
  check(given, findings);
  return findings;
}

function keptTags(source: string, html: string, schema?: VariablesSchema): string[] {
  return places(findingsOf(checkTagsKept, compilation(source, html, "", schema)));
}

/** A schema with `a`, and a list `s` of items with these members. */
function listOf(properties: Record<string, VariablesSchema>): VariablesSchema {
  const items: VariablesSchema = { type: "object", properties };
  return { type: "object", properties: { a: { type: "string" }, s: { type: "array", items } } };
}

function textTags(source: string, html: string, text: string): string[] {
  return places(findingsOf(checkTextTags, compilation(source, html, text)));
}

function residue(source: string, html: string): string[] {
  return findingsOf(checkResidue, compilation(source, html)).diagnostics.map(({ message }) => message);
}

/** A source whose body has this length. */
function filler(length: number): string {
  return "x".repeat(length - "<p></p>".length);
}

describe("invariant 1", () => {
  it("detects a lost tag, and a lost section", () => {
    expect(keptTags("{{a}}\n {{b}}", "0")).toEqual(["tag-lost x.html:2:2"]);
    expect(keptTags("{{#s}}{{a}}{{/s}}", "1")).toEqual(["tag-lost x.html:1:1"]);
  });

  it("detects a tag that left its section, or moved into another", () => {
    expect(keptTags("{{#s}}{{a}}{{/s}}", "021")).toEqual(["tag-moved x.html:1:7"]);
    expect(keptTags("{{a}}{{#s}}{{/s}}", "102")).toEqual(["tag-moved x.html:1:1"]);
    expect(keptTags("{{#s}}{{/s}}{{#t}}{{/t}}", "0213")).toContain("tag-moved x.html:1:7");
  });

  it("allows copies, including in sections that have no such name", () => {
    expect(keptTags("{{#s}}{{a}}{{/s}}", "012 012")).toEqual([]);
    expect(keptTags("{{a}}{{#s}}{{/s}}", "102 0", listOf({ b: {} }))).toEqual([]);
    expect(keptTags("{{a}}{{#s}}{{/s}}", "102 0", listOf({ a: { type: "string" } }))).toEqual(["tag-moved x.html:1:1"]);
  });
});

describe("invariant 2", () => {
  it("detects a tag and a section missing from the text", () => {
    expect(textTags("{{#s}}{{a}}{{/s}}", "<p>0 1 2</p>", "0 1 2")).toEqual([]);
    expect(textTags("{{#s}}{{a}}{{/s}}", "<p>0 1 2</p>", "1")).toEqual([
      "text-tag-lost x.html:1:1",
      "text-tag-lost x.html:1:7",
      "text-tag-lost x.html:1:12",
    ]);
    expect(textTags("{{#s}}{{a}}{{/s}}", "<p>0 1 2</p>", "0 2 1")).toEqual(["text-tag-lost x.html:1:7"]);
  });

  it("allows a link's address to add a tag in another place", () => {
    expect(textTags("{{a}}{{#s}}{{/s}}", '<p>0</p>1<a href="0">x</a>2', "0 1 x: 0 2")).toEqual([]);
    expect(textTags("{{a}}{{#s}}{{/s}}", '<p>0</p>1<a href="0">x</a>2', "1 x: 0 2")).toEqual([
      "text-tag-lost x.html:1:1",
    ]);
  });

  it("ignores tags that aren't part of the text", () => {
    expect(textTags("{{a}}{{b}}{{c}}", '<title>0</title><body><img src="1"><style>2</style>', "")).toEqual([]);
  });
});

describe("invariant 3", () => {
  it("detects what only a mistake leaves in HTML", () => {
    expect(residue("{{a}}", '<p>0</p><td width="NaN">')).toEqual(['The compiled HTML contains "NaN" in <td>.']);
    expect(residue("{{a}}", "<!--[if mso]><td style='width:NaNpx'><![endif]-->")).toHaveLength(1);
    expect(residue("{{a}}", "<a href='[object Object]'>0</a>")).toHaveLength(1);
    expect(residue("{{a}}", "0 9")).toEqual(["A tag of html_body could not be restored."]);
    expect(residue("{{#a}}{{/a}}", "0")).toEqual(["In the compiled html_body: The section {{#a}} is never closed."]);
  });

  it("reports the line of a tag whose value appears nowhere else", () => {
    const written = compilation('a\n<img alt="Fernhill" width={w}>', '<img alt="Fernhill" width="NaN">');
    expect(findingsOf(checkResidue, written).diagnostics[0]?.at).toMatchObject({ line: 2, column: 10 });
  });

  it("accepts similar text written by people", () => {
    expect(residue("{{a}}", "<p>NaN is undefined</p>")).toEqual([]);
    expect(residue('<p title="undefined">', '<p title="undefined">')).toEqual([]);
  });
});

describe("invariant 7", () => {
  it("allows 100,000 characters, and not one more", async () => {
    expect(compiledOf(await projects.compileOne({ "x.html": `<p>${filler(100_000)}</p>` })).html_body).toHaveLength(
      100_000,
    );
    const result = await projects.compileOne({ "x.html": `<p>${filler(100_001)}</p>` });
    expect(result.diagnostics).toMatchObject([
      { rule: "too-long", message: "html_body is 100,001 characters; the limit is 100,000." },
    ]);
  });

  it("counts a character of two UTF-16 code units as two", async () => {
    const files = { "x/x.html": "<p>a</p>", "x/template.json": JSON.stringify({ subject: "😀".repeat(126) }) };
    expect(places(await projects.compileOne(files))).toEqual(["too-long template.json:1:12"]);
  });
});
