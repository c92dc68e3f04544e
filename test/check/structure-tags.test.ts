import { describe, expect, it } from "vitest";
import { inColumn } from "../render/project.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(
  rulesOf("structure").filter(({ id }) => id === "unknown-html" || id === "tag-as-text"),
);

/** What is found in a body that begins in line 14. */
function inBody(html: string) {
  return findings({ "x.html": page(html) });
}

describe("unknown-html", () => {
  it("reports misspelt element names", async () => {
    expect(await inBody("<h7>a</h7>")).toEqual(["unknown-html warning x.html:14:1"]);
    expect(await inBody("<p>a <stong>b</stong></p>")).toEqual(["unknown-html warning x.html:14:6"]);
    const [found] = await diagnostics({ "x.html": page("<p>a\n<sapn>b</sapn></p>") });
    expect(found).toMatchObject({ hint: "Did you mean `<span>`?", at: { line: 15, column: 1 } });
    const text = inColumn("<mj-text>\n<sapn>a</sapn></mj-text>");
    expect(await findings({ "x.mjml": text })).toEqual([expect.stringMatching(/^unknown-html warning x\.mjml:\d+:1$/)]);
  });

  it("accepts custom elements, Outlook's and SVG's", async () => {
    expect(await inBody("<my-span>a</my-span><o:p>b</o:p><unsubscribe>c</unsubscribe><big>d</big>")).toEqual([]);
    expect(await inBody("<svg><stop2/><spa></spa></svg><math><msup><mi>a</mi></msup></math>")).toEqual([]);
  });
});

describe("unknown-html", () => {
  it.each([
    ['<p stlye="margin:0">a</p>', "14:4", "style"],
    ['<p\n clas="a">a</p>', "15:2", "class"],
    ['<img scr="https://a.example/a.png">', "14:6", "src"],
    ['<img atl="a">', "14:6", "alt"],
    ['<a herf="https://a.example">a</a>', "14:4", "href"],
    ['<img alt="" widht="4">', "14:13", "width"],
    ['<table celpadding="0"><tr><td bgcolr="#fff">a</td></tr></table>', "14:8", "cellpadding"],
  ])("reports %s", async (html, place, meant) => {
    const [found] = await diagnostics({ "x.html": page(html) });
    expect(found).toMatchObject({ rule: "unknown-html", hint: `Did you mean \`${meant}\`?` });
    expect(`${found?.at?.line}:${found?.at?.column}`).toBe(place);
  });

  it("reports it in MJML's html and in components", async () => {
    const text = inColumn('<mj-text>\n<a traget="_blank">a</a></mj-text>');
    expect(await findings({ "x.mjml": text })).toEqual([expect.stringMatching(/^unknown-html warning x\.mjml:\d+:4$/)]);
    const components = `import { Button, Img } from "@react-email/components";
export default () => <html><body>
<Button href="https://a.example" traget="_blank">a</Button><Img src="https://a.example/b.png" widht="10" alt="" />
</body></html>;`;
    expect(await findings({ "x.tsx": components })).toEqual([
      "unknown-html warning x.tsx:3:34",
      "unknown-html warning x.tsx:3:95",
    ]);
    const react = 'export default () => <html><body>\n<a {...{}} traget="_blank">a</a></body></html>;';
    expect(await findings({ "x.tsx": react })).toEqual(["unknown-html warning x.tsx:2:12"]);
  });

  it("accepts current, obsolete and custom attributes", async () => {
    const attributes =
      'data-stlye="a" x-class="b" sizes="1" srcset="c" nowrap face="d" rel="e" span="2" rev="f" rules="g" sc="h" tid="i" ng="j"';
    expect(
      await inBody(`<p ${attributes} {{#x}}class="k"{{/x}} {{y}}>a</p><svg><path rx="1" heigh="2"/></svg>`),
    ).toEqual([]);
    expect(await inBody('<v:rect stlye="a"></v:rect><p srle="b" alts="c" alt="">a</p>')).toEqual([]);
  });
});

describe("tag-as-text", () => {
  it("reports a tag with a space after <", async () => {
    expect(await inBody('<div>\na < p style="margin:0">b</div>')).toEqual(["tag-as-text error x.html:15:3"]);
    expect(await inBody("<div>a < br/>b< /p></div>")).toEqual([
      "tag-as-text error x.html:14:8",
      "tag-as-text error x.html:14:15",
    ]);
  });

  it("reports markup that was escaped once too often", async () => {
    expect(await inBody("<p>a\n&lt;b&gt;all&lt;/b&gt; of it</p>")).toEqual(["tag-as-text warning x.html:15:1"]);
    expect(await inBody("<p>One&lt;br /&gt;two</p>")).toEqual(["tag-as-text warning x.html:14:7"]);
    expect(await inBody("<p>a &lt;b&gt; c, &lt;ada@a.example&gt; <code>&lt;b&gt;a&lt;/b&gt;</code></p>")).toEqual([]);
    const files = {
      "x.tsx": 'export default function Email() {\n  return <p>Hello\n    {"<b>you</b>"}</p>;\n}\n',
    };
    expect(await findings(files)).toEqual(["tag-as-text warning x.tsx:3:7"]);
  });

  it("accepts text", async () => {
    expect(await inBody("<p>a < b and c > d, 1 < 2, &lt; p&gt;, < {{name}}</p><code>< p></code>")).toEqual([]);
    expect(await inBody("<style>p < div > a{}</style><script>a < b></script>")).toEqual([]);
  });
});
