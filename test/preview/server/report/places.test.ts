import { readFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EmailDocument } from "../../../../src/check/document/email-document.js";
import { protect, type TagTable } from "../../../../src/mustache/tokens.js";
import { reportOf } from "../../../../src/preview/server/report/report.js";
import { KINDS } from "./kinds.js";
import { type Reported, useReports } from "./reports.js";

const reported = useReports();

/** The names of compiled HTML's elements, as a browser sees them, without names that contain variables. */
function elementsOf(html: string): string[] {
  const tags: TagTable = [];
  const { text } = protect(html, "", tags, { keepsComments: true });
  const { elements } = new EmailDocument({ html: text, tags, places: [], sources: new Map() });
  return elements.flatMap(({ name, start }) => (start === undefined || name.includes("\uE000") ? [] : name));
}

/** The element names at the starts of places. */
function namesAt({ report, compiled }: Pick<Reported, "report" | "compiled">): string[] {
  return report.places.map(({ offset }) => {
    const [, name = ""] = /^<([a-z][^\s/>]*)/i.exec(compiled.html_body.slice(offset)) ?? [];
    return name.toLowerCase();
  });
}

describe("places", () => {
  it.each(Object.keys(KINDS))("contain every element of the HTML at the start of its tag: %s", async (kind) => {
    const { report, compiled, input } = await reported(KINDS[kind] ?? {});
    expect(report.places.length).toBeGreaterThan(3);
    expect(namesAt({ report, compiled })).toEqual(elementsOf(compiled.html_body));
    // A component's elements are known even before it is checked; verbatim HTML is known at once.
    if (kind === "verbatim") return;
    const partial = reportOf({ ...input, sited: undefined, isPartial: true });
    expect(partial.places.map(({ offset }) => offset)).toEqual(report.places.map(({ offset }) => offset));
  });

  it.each(["mjml", "react", "html"])("contain where each element was written: %s", async (kind) => {
    const { report, input } = await reported(KINDS[kind] ?? {});
    for (const { file, line, column } of report.places) {
      const lines = readFileSync(path.join(input.folder, file), "utf8").split("\n");
      expect(lines[line - 1]?.slice(column - 1), `${file}:${line}:${column}`).toMatch(/^<[a-z]/i);
    }
  });

  it("contain elements of included files and of shared components", async () => {
    for (const [kind, file] of [
      ["mjml", "_shared/footer.mjml"],
      ["react", "_shared/footer.tsx"],
    ] as const) {
      const { report, compiled } = await reported(KINDS[kind] ?? {});
      const inFile = report.places.filter((place) => place.file === file);
      expect(inFile.map(({ offset }) => compiled.html_body.slice(offset, offset + 3))).toContain("<a ");
    }
  });

  it("exist for any HTML", async () => {
    await fc.assert(
      fc.asyncProperty(anyHtml, async (body) => {
        const { report, compiled } = await reported({ "any.html": `<html><body>${body}</body></html>` });
        expect(namesAt({ report, compiled })).toEqual(elementsOf(compiled.html_body));
      }),
      { numRuns: 25 },
    );
  });
});

const { anyHtml } = fc.letrec<{ anyHtml: string; element: string }>((tie) => ({
  anyHtml: fc
    .array(fc.oneof(tie("element"), tie("element"), fc.constantFrom(...pieces())), { maxLength: 6 })
    .map((all) => all.join("")),
  element: fc
    .tuple(
      fc.constantFrom("div", "B", "table", "span", "section", "x-y"),
      fc.constantFrom("", ' title="{{name}}"', " {{#on}}class=a{{/on}}", ' style="color:{{color}}"', " data-x='a > b'"),
      fc.oneof({ depthSize: "small", withCrossShrink: true }, fc.constant(""), tie("anyHtml")),
      fc.constantFrom("", "", "{{#items}}", "{{^items}}"),
    )
    .map(([name, attributes, inner, section]) => {
      const whole = `<${name}${attributes}>${inner}</${name}>`;
      return section === "" ? whole : `${section}${whole}{{/items}}`;
    }),
}));

function pieces(): string[] {
  return [
    "text ",
    "{{name}}",
    "({{name}}})",
    "{{{raw}}}",
    "<br>",
    "<img src=a.png alt=''/>",
    "<!-- gone <p> -->",
    "<!--[if mso]><b>x</b><![endif]-->",
    "\n\n   ",
    "&lt;p&gt;",
    "\u{1F600}",
    "<style>p{color:{{color}}}</style>",
    "{{! a comment }}",
    "<pre>\n  a  </pre>",
  ];
}
