import { expect, test } from "vitest";
import { processorTime } from "../../processor-time.js";
import { scriptInSvg } from "../../../src/send/attachments/svg-scripts.js";
import { PNG } from "./files.js";
import { read, verdictOn } from "./read.js";

const svg = (content: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"${attributes}>${content}</svg>`;
const declared = (subset: string, content: string, attributes = "") =>
  `<?xml version="1.0"?><!DOCTYPE svg [${subset}]>${svg(content, attributes)}`;

test.each([
  ["a script", svg("<script>alert(1)</script>"), "<script>"],
  ["a script elsewhere", svg('<script href="https://example.com/a.js"/>'), "<script>"],
  [
    "a script with another prefix",
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>1</s:script></s:svg>',
    "<script>",
  ],
  ["a script in a title", svg("<title><script>1</script></title>"), "<script>"],
  ["a script after a comment in text", svg("<![CDATA[<!--]]><script>1</script><![CDATA[-->]]>"), "<script>"],
  ["a script after an angle bracket", svg('<g id=">"><script>1</script></g>'), "<script>"],
  ["a script after quotes in text", svg(`Don't say "<script>1</script>`), "<script>"],
  ["a script across lines", svg("<script\n>1</script>"), "<script>"],
  [
    "a script in foreignObject",
    svg('<foreignObject><x:script xmlns:x="http://www.w3.org/1999/xhtml"/></foreignObject>'),
    "<script>",
  ],
  [
    "a page in foreignObject",
    svg('<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="x"/></foreignObject>'),
    "<iframe>",
  ],
  ["a handler", svg("", ' onload="alert(1)"'), 'an "onload" handler'],
  ["a handler in single quotes", svg("<rect onclick = 'alert(1)'/>"), 'an "onclick" handler'],
  ["a handler after an angle bracket", svg('<a title=">" onclick="alert(1)"/>'), 'an "onclick" handler'],
  ["a handler after a quote", svg(`<a title="'" onclick="alert(1)" name="'"/>`), 'an "onclick" handler'],
  ["a handler that is set", svg('<set attributeName="onclick" to="alert(1)"/>'), 'an "onclick" handler'],
  ["a URL", svg('<a xlink:href="javascript:alert(1)"/>'), "a script as a URL"],
  ["a URL in capitals", svg('<a href="JavaScript:alert(1)"/>'), "a script as a URL"],
  ["a URL with white space", svg('<a href=" java&#9;script:alert(1)"/>'), "a script as a URL"],
  ["a URL in character references", svg('<a href="&#106;avascript&#x3a;alert(1)"/>'), "a script as a URL"],
  ["a URL among others", svg('<animate attributeName="href" values="#a;javascript:alert(1)"/>'), "a script as a URL"],
  ["an entity with markup", declared('<!ENTITY x "<script>1</script>">', "&x;"), "an entity that hides markup"],
  [
    "an entity with escaped markup",
    declared("<!ENTITY x '&#60;script>1&#60;/script>'>", "&x;"),
    "an entity that hides markup",
  ],
  ["an entity of an entity", declared(`<!ENTITY % a "<!ENTITY b 'c'>"> %a;`, "&b;"), "an entity that hides markup"],
  [
    "an entity that opens a comment",
    declared('<!ENTITY x "<!--">', "<script>1</script><!-- -->"),
    "an entity that hides markup",
  ],
  ["an entity in a URL", declared('<!ENTITY j "java">', '<a href="&j;script:alert(1)"/>'), "an entity in a URL"],
  [
    "a default",
    declared('<!ATTLIST svg a CDATA ">" onload CDATA "alert(1)">', ""),
    "a script as an attribute's default",
  ],
  [
    "a style sheet that writes scripts",
    `<?xml-stylesheet type="text/xsl" href="#x"?>${svg("")}`,
    "an XSLT style sheet",
  ],
  [
    "such a style sheet in character references",
    `<?xml-stylesheet type="text/&#120;sl" href="#x"?>${svg("")}`,
    "an XSLT style sheet",
  ],
])("finds %s", async (_, text, expected) => {
  const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    utf16,
    utf16.subarray(2),
    Buffer.from(utf16).swap16(),
  ])
    expect(scriptInSvg(bytes)).toBe(expected);
  expect(await verdictOn("logo.svg", Buffer.from(text))).toBe(
    `refused: is an SVG with ${expected}, which can run code when it is opened. Remove it, send a PNG, or send a link instead.`,
  );
});

const HONEST: Readonly<Record<string, string>> = {
  shapes: svg('<path d="M0 0L1 1"/><circle r="1" fill="url(#a)"/>'),
  text: svg("<text>Once = on time; javascript: a language. onload=now</text>"),
  "escaped markup": svg("<text>&lt;script&gt; and &lt;a onclick=&quot;x&quot;&gt;</text>"),
  links: svg('<a xlink:href="https://example.com/?a=1&amp;b=2;" title="on sale"><rect/></a>'),
  style: svg("<style><![CDATA[.a > .b { fill: red }]]></style>"),
  animation: svg('<animate attributeName="opacity" values="0;1" begin="click"/>'),
  "an embedded image": svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'),
  "html in foreignObject": svg('<foreignObject><div xmlns="http://www.w3.org/1999/xhtml">Hi</div></foreignObject>'),
  "Adobe Illustrator's entities": declared(
    '<!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY st0 "fill:none;stroke:#000;">',
    '<path style="&st0;"/>',
    ' xmlns:x="&ns_svg;"',
  ),
  "a doctype": `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg("")}`,
  "a style sheet": `<?xml-stylesheet type="text/css" href="style.css"?>${svg("")}`,
};

test.each(Object.entries(HONEST))("accepts an SVG with %s", async (_, text) => {
  expect(await verdictOn("logo.svg", Buffer.from(text))).toBe("passes");
});

test("recognises an SVG by its name, also before dots, and by its declared type", async () => {
  const content = Buffer.from(svg("", ' onload="alert(1)"'));
  for (const filename of ["logo.SVG", "logo.svg.", "logo.svg ."])
    expect(await verdictOn(filename, content), filename).toMatch(/^refused: is an SVG/);
  expect((await read({ filename: "logo", content, contentType: "image/svg+xml; charset=utf-8" })).problems).toEqual([
    expect.stringContaining('attachments[0].content: is an SVG with an "onload" handler'),
  ]);
  expect(await verdictOn("logo.svg", PNG)).toBe("odd: looks like a png file, not a svg file");
});

test.each([
  "<a ",
  '<a b="',
  "<a b='x' ",
  "<!ENTITY ",
  '<!ENTITY x "',
  "<!ATTLIST ",
  "<!ATTLIST on on",
  "<?xml-stylesheet ",
  "<!--",
  "a",
  "<",
  " ",
  '"',
  "<a " + "b".repeat(99),
  "<a b = ",
  "<a x='&#1;&x;'>",
])("takes linear time for repetitions of %j", async (piece) => {
  const text = Buffer.from(`<svg ${piece.repeat(Math.ceil(1_000_000 / piece.length))}`);
  expect(await processorTime(async () => scriptInSvg(text))).toBeLessThan(1500);
});

test("reads a tag of millions of attributes to its end", () => {
  const text = `<svg ${`""`.repeat(4_000_000)} onload="alert(1)"/>`;
  expect(scriptInSvg(Buffer.from(text))).toBe('an "onload" handler');
});
