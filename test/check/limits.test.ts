import { describe, expect, it } from "vitest";
import { page, useFindings, rulesOf } from "./findings.js";

const { findings, diagnostics } = useFindings(rulesOf("limits"));

function withSubject(subject: string, fixtures: readonly object[] = [{}], schema?: string) {
  return {
    "x/x.html": page("<p>x</p>"),
    "x/template.json": `{\n  "subject": ${JSON.stringify(subject)}\n}`,
    ...Object.fromEntries(fixtures.map((fixture, index) => [`x/fixtures/f${index}.json`, JSON.stringify(fixture)])),
    ...(schema && { "x/variables.ts": `import { z } from "zod";\nexport default z.object({ ${schema} });\n` }),
  };
}

describe("length-near-limit", () => {
  it("reports fields close to the limit, at their source", async () => {
    const metadata = { description: "d".repeat(460), subject: "s".repeat(226) };
    const files = { "x/x.html": page("<p>x</p>"), "x/template.json": JSON.stringify(metadata, null, 2) };
    expect(await findings(files)).toEqual([
      "length-near-limit warning template.json:2:18",
      "length-near-limit warning template.json:3:14",
    ]);
    const title = page("<p>x</p>").replace(/<title>[^]*<\/title>/, `<title>${"s".repeat(226)}</title>`);
    expect(await findings({ "x.html": title })).toEqual(["length-near-limit warning x.html:8:8"]);
    const text = { "x/x.html": page("<p>x</p>"), "x/x.txt": "t".repeat(90_001) };
    expect(await findings(text)).toEqual(["length-near-limit warning x.txt"]);
  });

  it("counts the marker that sync appends", async () => {
    const files = (length: number) => ({
      "x/x.html": page("<p>x</p>"),
      "x/template.json": JSON.stringify({ description: "d".repeat(length) }),
    });
    const marked = { settings: { markerLength: 60 } };
    expect(await findings(files(441), marked)).toEqual(["length-near-limit error template.json:1:16"]);
    expect(await findings(files(440), marked)).toEqual([]);
  });

  it("accepts less", async () => {
    expect(await findings(withSubject("s".repeat(225)))).toEqual([]);
  });
});

describe("gmail-styles", () => {
  const narrow = "@media (max-width: 480px) { .a { color: red } }";
  const styled = (...sheets: readonly string[]) => ({
    "x.html": page('<p class="a">a</p>', sheets.map((sheet) => `<style>${sheet}</style>`).join("")),
  });
  /** A kilobyte. */
  const rule = `.a { color: red }${" ".repeat(1024 - 17)}`;

  it.each<[string, string, string]>([
    ["within another", `.a { color: red } @media screen { ${narrow} }`, "x.html:9:42"],
    [
      "of another kind",
      "@media screen { @font-face { font-family: B; src: url(b.woff2) } .a { color: red } }",
      "x.html:9:24",
    ],
    ["within a rule of another", "@supports (color: red) { .a { @media print { color: blue } } }", "x.html:9:38"],
  ])("reports an at-rule %s", async (_, sheet, place) => {
    expect(await findings(styled(sheet))).toEqual([`gmail-styles warning ${place}`]);
  });

  it("reports the element that exceeds what Gmail keeps", async () => {
    const found = await diagnostics(styled(rule.repeat(10), rule.repeat(7), rule));
    expect(found.map(({ at, message }) => [at?.line, message.slice(0, 62)])).toEqual([
      [9, "The `<style>` elements up to here are 17,408 bytes. Gmail keep"],
    ]);
  });

  it("reports a style element in the body", async () => {
    expect(await findings({ "x.html": page('<p class="a">a</p>\n<style>.a { color: red }</style>') })).toEqual([
      "gmail-styles warning x.html:15:1",
    ]);
  });

  it("accepts what Gmail keeps, web fonts, and projects without Gmail", async () => {
    expect(await findings(styled(narrow, `.a { color: red } ${narrow} ${narrow}`))).toEqual([]);
    expect(
      await findings(styled("@media screen { @font-face { font-family: B; src: url(b.woff2) } }", narrow)),
    ).toEqual([]);
    expect(await findings(styled(rule.repeat(16)))).toEqual([]);
    expect(await findings(styled(".a { color: red } @goodbye { @gmail }"))).toEqual([]);
    const settings = { clients: ["apple-mail"] };
    expect(await findings(styled(`@media screen { ${narrow} }`), { settings })).toEqual([]);
  });
});

describe("gmail-clipping", () => {
  const body = page("{{#items}}<p>{{text}}</p>{{/items}}");
  const items = (count: number) => Array.from({ length: count }, () => ({ text: "é".repeat(500) }));
  const files = (count: number) => ({
    "x/x.html": body,
    "x/fixtures/few.json": JSON.stringify({ items: items(1) }),
    "x/fixtures/many.json": JSON.stringify({ items: items(count) }),
  });

  it("reports html that Gmail clips, with the fixture and the bytes", async () => {
    expect(await findings(files(120))).toEqual(["gmail-clipping warning x.html"]);
    const [found] = await diagnostics(files(120));
    expect(found?.message).toMatch(
      /^Filled with the fixture "many", the html is 12\d,\d\d\d bytes: Gmail clips it after 104,448/,
    );
  });

  it("notes html close to the limit", async () => {
    expect(await findings(files(97))).toEqual(["gmail-clipping info x.html"]);
  });

  it("accepts less", async () => {
    expect(await findings(files(85))).toEqual([]);
  });

  it("tries three items in each list", async () => {
    const long = { "x/x.html": body, "x/fixtures/one.json": JSON.stringify({ items: [{ text: "x".repeat(40_000) }] }) };
    const [found] = await diagnostics(long);
    expect(found?.message).toMatch(/^Filled with three items in each list/);
  });
});

describe("filled-subject", () => {
  it("reports a subject of more than one line", async () => {
    const files = withSubject("Order of {{name}}", [{ name: "Ada" }, { name: "Ada\nBcc: x@y.example" }]);
    expect(await findings(files)).toEqual(["filled-subject warning template.json:2:14"]);
    const [found] = await diagnostics(files);
    expect(found?.message).toMatch(/^With \{"name":"Ada\\nBcc: x@y.example"\} of the fixture "f1"/);
  });

  it("reports one that is too long with the longest strings", async () => {
    const fixtures = [
      { a: "a".repeat(150), b: "b" },
      { a: "a", b: "b".repeat(150) },
    ];
    expect(await findings(withSubject("{{a}} and {{b}}", fixtures))).toEqual([
      "filled-subject warning template.json:2:14",
    ]);
  });

  it("reports one that is empty if optional variables are absent", async () => {
    const files = withSubject("{{#name is-present}}Hi {{name}}{{/name}}", [{ name: "Ada" }, {}]);
    expect((await diagnostics(files)).map(({ message }) => message)).toEqual([
      'With {"name":null} the subject is empty.',
    ]);
  });

  it("reports it in a title", async () => {
    const title = page("<p>x</p>").replace(
      /<title>[^]*<\/title>/,
      "<title>{{#name is-present}}Hi {{name}}{{/name}}</title>",
    );
    const fixtures = { "x/fixtures/a.json": '{ "name": "Ada" }', "x/fixtures/b.json": "{}" };
    expect(await findings({ "x/x.html": title, ...fixtures })).toEqual(["filled-subject warning x.html:8:8"]);
  });

  it("accepts a good one", async () => {
    const files = withSubject(
      "Hi {{name}}{{#vip}}, VIP{{/vip}}",
      [{ name: "Ada", vip: true }],
      "name: z.string(), vip: z.boolean()",
    );
    expect(await findings(files)).toEqual([]);
    expect(await findings(withSubject("Hi"))).toEqual([]);
  });
});
