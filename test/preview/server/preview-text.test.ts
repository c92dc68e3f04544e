import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { preview } from "../../../src/preview/server/workspace/entry.js";

describe("the text that an inbox shows after the subject", () => {
  it.each([
    ['<body><div style="display:none">Your receipt</div><h1>Thanks</h1>', "Your receipt Thanks"],
    [
      "<head><title>No</title><style>p { color: red }</style></head><body><p>Tea &amp; jam<br>tomorrow</p>",
      "Tea & jam tomorrow",
    ],
    [`<div>Hi${"&#847;&zwnj;&nbsp;".repeat(20)}</div><p>Not this</p>`, "Hi"],
    ["<!-- no --><table><tr><td>One</td><td>Two</td></tr></table><script>no()</script>", "One Two"],
    ["<p>👩‍👩‍👧 a\u200Bb</p>", "👩‍👩‍👧 ab"],
    [`<div>Hi ${"&#847;&zwnj;&nbsp;".repeat(2)}</div><p>then this</p>`, "Hi then this"],
    [`<div>می‌خواهم${"&#12644; ".repeat(20)}</div><p>Not this</p>`, "می‌خواهم"],
    ["", ""],
    ["<p>unclosed <b>text", "unclosed text"],
  ])("of %j is %j", (html, shown) => expect(preview(html)).toBe(shown));

  it("is no longer than a list of emails is wide", () => {
    expect(preview(`<p>${"word ".repeat(10_000)}</p>`)).toHaveLength(200);
  });

  it("exists for any HTML", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (html) => preview(html).length <= 200));
  });
});
