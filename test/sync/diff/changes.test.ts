import { describe, expect, it } from "vitest";
import { createSourceFinder, groupChanges } from "../../../src/sync/diff/changes.js";

const names = Array.from({ length: 200 }, (_, index) => `t${String(index).padStart(3, "0")}`);

function update(name: string, from: string, to: string, field: "text_body" | "html_body" = "text_body") {
  return { name, changes: [{ field, from, to }] };
}

describe("groupChanges", () => {
  it("makes one change with 200 names from an edit of a shared part", () => {
    const changes = groupChanges(names.map((name) => update(name, `For ${name}\n\nRow 14`, `For ${name}\n\nRow 22`)));
    expect(changes).toEqual([
      { templates: names, hunks: [{ field: "text_body", removed: ["Row 14"], added: ["Row 22"] }], variants: [] },
    ]);
  });

  it("keeps a template's own edits separate", () => {
    const changes = groupChanges([
      update("a", "Hello\n\nThanks\nRow 14", "Good day\n\nThanks\nRow 22"),
      update("b", "Hi\n\nThanks\nRow 14", "Hi\n\nThanks\nRow 22"),
    ]);
    expect(changes.map(({ templates, hunks }) => [templates, hunks.map(({ added }) => added)])).toEqual([
      [["a", "b"], [["Row 22"]]],
      [["a"], [["Good day"]]],
    ]);
  });

  it("recognises the same edit at a deeper nesting level", () => {
    const changes = groupChanges([
      update("a", "<div>\n  <p>Old</p>\n</div>", "<div>\n  <p>New</p>\n</div>", "html_body"),
      update("b", "<div>\n      <p>Old</p>\n</div>", "<div>\n      <p>New</p>\n</div>", "html_body"),
    ]);
    expect(changes.map(({ templates }) => templates)).toEqual([["a", "b"]]);
  });

  it("shows an edit that engines turn into HTML differently as one change, text before HTML", () => {
    const of = (name: string, before: string, after: string) => ({
      name,
      changes: [
        { field: "html_body" as const, from: before, to: after },
        { field: "text_body" as const, from: "Row 14", to: "Row 22" },
      ],
    });
    const changes = groupChanges([
      ...names.slice(0, 120).map((name) => of(name, "<p>Row 14<br /></p>", "<p>Row 22<br /></p>")),
      ...names.slice(120).map((name) => of(name, "<p>Row 14<br/></p>", "<p>Row 22<br/></p>")),
    ]);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.templates).toEqual(names);
    expect(changes[0]?.hunks.map(({ field }) => field)).toEqual(["text_body"]);
    expect(changes[0]?.variants.map(({ templates }) => templates.length)).toEqual([120, 80]);
  });
});

describe("createSourceFinder", () => {
  const files: Readonly<Record<string, string>> = {
    "t/_shared/footer.mjml": "<mj-text>Fernhill, 22 Orchard Row<br /></mj-text>",
    "t/_shared/footer.txt": "Fernhill, 22 Orchard Row",
    "t/_shared/layout.tsx": "<p>Fernhill, 22 Orchard Row</p>",
    "t/_shared/header.mjml": "<mj-text>Fernhill 22</mj-text>",
    "t/a/a.mjml": "<mj-text>Hello</mj-text>",
    "t/a/fixtures/default.json": '{ "street": "22 Orchard Row" }',
  };
  const sources = new Map([
    [
      "a",
      [
        "t/a/a.mjml",
        "t/_shared/header.mjml",
        "t/_shared/footer.mjml",
        "t/_shared/footer.txt",
        "t/a/fixtures/default.json",
      ],
    ],
    ["b", ["t/_shared/header.mjml", "t/_shared/footer.mjml", "t/_shared/footer.txt"]],
    ["c", ["t/_shared/layout.tsx"]],
  ]);
  const findSources = createSourceFinder(sources, (file) => files[file]);
  const removed = ["<td>Fernhill, 14 Orchard Row<br />"];
  const added = ["<td>Fernhill, 22 Orchard Row<br />"];

  it("names the shared part that has the new words, by the field that it produces", () => {
    expect(findSources({ field: "html_body", removed, added }, ["a", "b"])).toEqual(["t/_shared/footer.mjml"]);
    expect(findSources({ field: "text_body", removed, added }, ["a", "b"])).toEqual(["t/_shared/footer.txt"]);
  });

  it("names several files if templates have the change from several", () => {
    expect(findSources({ field: "html_body", removed, added }, ["a", "b", "c"])).toEqual([
      "t/_shared/footer.mjml",
      "t/_shared/layout.tsx",
    ]);
  });

  it("names none if nothing points to one", () => {
    expect(findSources({ field: "html_body", removed, added: [] }, ["a"])).toEqual([]);
    expect(findSources({ field: "html_body", removed: [], added: ["quite another text"] }, ["a"])).toEqual([]);
  });
});
