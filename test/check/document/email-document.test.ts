import { describe, expect, it } from "vitest";
import { EmailDocument } from "../../../src/check/document/email-document.js";
import { protect, type TagTable } from "../../../src/mustache/tokens.js";

function read(html: string): EmailDocument {
  const tags: TagTable = [];
  const { text } = protect(html, "/x.html", tags);
  return new EmailDocument({ html: text, tags, places: [], sources: new Map([["/x.html", html]]) });
}

describe("EmailDocument", () => {
  it("returns elements by name in document order", () => {
    const document = read("<p id=1><a id=2></a></p><b id=3></b><p id=4></p>");
    const ids = (...names: string[]) => document.named(...names).map((element) => element.attribute("id"));
    expect([ids("p"), ids("a", "p"), ids("i"), ids()]).toEqual([["1", "4"], ["1", "2", "4"], [], []]);
    expect([document.first("p")?.attribute("id"), document.first("i")]).toEqual(["1", undefined]);
  });

  it("returns a new list each time", () => {
    const document = read("<p></p><p></p>");
    document.named("p").pop();
    expect(document.named("p")).toHaveLength(2);
  });

  it("knows the offset of each start tag", () => {
    const html = "<p>a<BR><img src='<b>'>\n</p></br><i\nid=1></i>";
    const starts = read(html).elements.map(({ name, start }) => [name, start]);
    expect(starts).toEqual([
      ["p", 0],
      ["br", 4],
      ["img", 8],
      ["br", undefined],
      ["i", html.indexOf("<i\n")],
    ]);
  });

  it("returns attributes and tags as written", () => {
    const document = read('<p title="{{a}} &amp; {{b}}" {{c}} class="d">{{e}}</p><p title="f"></p>');
    expect(document.elements.map(({ attributes }) => attributes.get("title"))).toEqual(["{{a}} & {{b}}", "f"]);
    expect(document.elements.map(({ hasTags }) => hasTags)).toEqual([true, false]);
    expect(document.tags.map(({ tag, where }) => `${tag.text} ${where.kind}`)).toEqual([
      "{{a}} attribute",
      "{{b}} attribute",
      "{{c}} name",
      "{{e}} text",
    ]);
  });
});
