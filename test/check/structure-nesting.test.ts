import { describe, expect, it } from "vitest";
import { inColumn } from "../render/project.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(rulesOf("structure").filter(({ id }) => id === "html-moved"));

/** What is found in a body that begins in line 14. */
function inBody(html: string) {
  return findings({ "x.html": page(html) });
}

/** What is found in a body that begins in line 5. */
function inReact(body: string, imports = "Body, Html, Text, Row, Column") {
  return findings({
    "x.tsx": `import { ${imports} } from "@react-email/components";
export default function Email() {
  return (
    <Html lang="en"><Body>
${body}
    </Body></Html>
  );
}`,
  });
}

describe("html-moved", () => {
  it("reports content between rows and cells", async () => {
    expect(await inBody("<table>\n<tr>\n <div>a</div><td>b</td></tr></table>")).toEqual([
      "html-moved warning x.html:16:2",
    ]);
    expect(await inBody("<table>\n<tr><td>Hello</td></tr>\n  Hello {{name}}\n<tr><td>b</td></tr></table>")).toEqual([
      "html-moved warning x.html:16:3",
    ]);
    expect(await inBody("<table>{{#items}}<tr><td>a</td></tr>{{/items}}\n Total\n</table>")).toEqual([
      "html-moved warning x.html:15:2",
    ]);
    expect(await inBody("<table><tr>\n {{name}}<td>b</td></tr></table>")).toEqual(["html-moved warning x.html:15:2"]);
    expect(await inReact("<Row>\n<Text>a</Text></Row>")).toEqual(["html-moved warning x.tsx:6:1"]);
    const cell = inColumn("<mj-table>\n<tr><td>a</td></tr>\n<p>b</p></mj-table>");
    expect(await findings({ "x.mjml": cell })).toEqual([expect.stringMatching(/^html-moved warning x\.mjml:\d+:1$/)]);
  });

  it("reports rows and cells outside a table", async () => {
    expect(await inBody("<div>\n<tr><td>a</td></tr></div>")).toEqual(["html-moved warning x.html:15:1"]);
    expect(await inBody("<table>\n<td>a</td><td>b</td></table>")).toEqual(["html-moved warning x.html:15:1"]);
    expect(await inBody("<table><tr><td>a\n<td>b</td></td></tr></table>")).toEqual(["html-moved warning x.html:15:1"]);
    const raw = inColumn("<mj-text>\n<tr><td>a</td></tr></mj-text>");
    expect(await findings({ "x.mjml": raw })).toEqual([expect.stringMatching(/^html-moved warning x\.mjml:\d+:1$/)]);
  });

  it("reports blocks in a paragraph", async () => {
    expect(await inBody('<p style="color:#333333">a\n <ul><li>b</li></ul></p>')).toEqual([
      "html-moved warning x.html:15:2",
    ]);
    expect(await inReact("<Text>a\n<div>b</div></Text>")).toEqual(["html-moved warning x.tsx:6:1"]);
    const [found] = await diagnostics({
      "x.tsx": `import { Text } from "@react-email/components";
export default () => <html><body><Text>a <Text>b</Text></Text></body></html>;`,
    });
    expect(found).toMatchObject({
      message:
        "<Text>, which is <p>, can't be inside <p>: browsers end <p> before it, and what follows loses its style.",
      at: { line: 2, column: 42 },
    });
    const text = inColumn("<mj-text><p>a\n<table><tr><td>b</td></tr></table></p></mj-text>");
    expect(await findings({ "x.mjml": text })).toEqual([expect.stringMatching(/^html-moved warning x\.mjml:\d+:1$/)]);
  });

  it("reports a link in a link, and elements that a slash doesn't close", async () => {
    expect(await inBody('<a href="https://a.example">a\n<a href="https://b.example">b</a></a>')).toEqual([
      "html-moved warning x.html:15:1",
    ]);
    expect(await inBody("<div>a\n<div/></div>")).toEqual(["html-moved warning x.html:15:1"]);
    const button = inColumn('<mj-button href="https://a.example">Pay\n<a href="https://b.example">b</a></mj-button>');
    expect(await findings({ "x.mjml": button })).toEqual([expect.stringMatching(/^html-moved warning x\.mjml:\d+:1$/)]);
  });

  it("reports a partial that is a whole document", async () => {
    const files = {
      "x.html": page("{{> _footer}}"),
      "_footer.html": "\n<html><head></head><body><p>a</p></body></html>",
    };
    expect(await findings(files)).toEqual(["html-moved warning _footer.html:2:1"]);
    const inTurn = page("<p>a</p>").replace(/<body.*>/, '{{#a}}<body style="margin:0">{{/a}}{{^a}}<body>{{/a}}');
    expect(await findings({ "x.html": inTurn })).toEqual([]);
  });

  it("accepts sections and unescaped html between rows, and optional end tags", async () => {
    const rows = "{{#items}}\n<tr><td>{{name}}</td>\n{{#x}}<td>b</td>{{/x}}</tr>\n{{/items}} {{{rows}}} <!-- a -->";
    expect(await inBody(`<table>${rows}</table>`)).toEqual([]);
    expect(await inBody("<p>a<p>b<ul><li>c<li>d</ul><div>e</div>")).toEqual([]);
    expect(await inBody("<table><!--[if mso]><div>a</div><![endif]--><tr><td><p>a</p></td></tr></table>")).toEqual([]);
    expect(await inReact("<Row><Column><Text>a</Text></Column></Row>")).toEqual([]);
    expect(await inReact("<div /><p /><td-like />")).toEqual([]);
  });
});
