import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/diagnostic.js";
import { lastLineOfTag, readSilences, applySilences } from "../../src/check/settle.js";

/** Each as `rule at line:column for from-to`. */
function silences(file: string, text: string): string[] {
  return readSilences(file, text).map(
    ({ rule, at, from, to, isFirst }) =>
      `${rule} at ${at.line}:${at.column} for ${from}-${to}${isFirst ? ", first" : ""}`,
  );
}

describe("readSilences", () => {
  it.each([
    ["a.html", "x\n<!-- lettershop-ignore image-alt: decoration -->\n<img>"],
    ["a.mjml", "x\n<!--lettershop-ignore image-alt-->\n<mj-image />"],
    ["a.html", "x\n{{! lettershop-ignore image-alt: decoration }}\n<img>"],
    ["a.txt", "x\n{{!lettershop-ignore image-alt}}\ny"],
    ["a.html", "x\n/* lettershop-ignore image-alt */\ny"],
    ["a.css", "x\n/* lettershop-ignore image-alt */\ny"],
    ["a.tsx", "x\n{/* lettershop-ignore image-alt: a */}\n<img>"],
    ["a.tsx", "x\n// lettershop-ignore image-alt: a\n<img>"],
    ["a.tsx", "x\n{ /* lettershop-ignore image-alt: a */ }\n<img>"],
    ["variables.ts", "x\n/* lettershop-ignore image-alt */\ny"],
  ])("reads the comments of %s: %s", (file, text) => {
    expect(silences(file, text)).toEqual(["image-alt at 2:1 for 3-3"]);
  });

  it.each([
    ["a.json", '{ "a": "// lettershop-ignore image-alt" }'],
    ["a.png", "<!-- lettershop-ignore image-alt -->"],
    ["a.html", "// lettershop-ignore image-alt"],
    ["a.tsx", "{{! lettershop-ignore image-alt }}"],
  ])("reads nothing else in %s: %s", (file, text) => {
    expect(silences(file, text)).toEqual([]);
  });

  it.each([
    ["a.html", "<!-- letershop-ignore image-alt: a -->", "letershop-ignore"],
    ["a.html", "<!-- lettershop-ignored image-alt -->", "lettershop-ignored"],
    ["a.mjml", "<!--lettershop-ignor image-alt-->", "lettershop-ignor"],
    ["a.html", "{{! lettershop-disable image-alt }}", "lettershop-disable"],
    ["a.html", "<!-- lettershop-ignore-next-line image-alt -->", "lettershop-ignore-next-line"],
    ["a.html", "<!-- lettershop ignore image-alt -->", "lettershop ignore"],
    ["a.tsx", "{/* Lettershop-Ignore image-alt */}", "Lettershop-Ignore"],
    ["a.tsx", "// lettershopignore image-alt", "lettershopignore"],
    ["a.css", "/* lettershop_ignore image-alt */", "lettershop_ignore"],
  ])("recognises misspelt comments in %s: %s", (file, text, misspelt) => {
    expect(readSilences(file, text)).toMatchObject([
      { rule: "", problem: `This comment says "${misspelt}", which silences nothing.`, at: { line: 1 } },
    ]);
  });

  it.each([
    ["a.html", "<!-- letter-spacing --><!-- lettershop builds this --><!-- lettershop-footer -->"],
    ["a.tsx", 'const a = "https://lettershop-off.example"; // lettershop.config.ts'],
    ["a.html", "<p>lettershop-disable, letershop-ignore</p>"],
  ])("ignores other comments in %s: %s", (file, text) => {
    expect(readSilences(file, text)).toEqual([]);
  });

  it("reads several rules, and a reason", () => {
    expect(silences("a.html", "<p>\n<!-- lettershop-ignore image-alt, empty-link: so: it, is -->\n<a>")).toEqual([
      "image-alt at 2:1 for 3-3",
      "empty-link at 2:1 for 3-3",
    ]);
    expect(silences("a.html", "<p>\n<!-- lettershop-ignore -->\n<a>")).toEqual([" at 2:1 for 3-3"]);
  });

  it("applies to its own line if there is something else on it", () => {
    expect(silences("a.html", "<p>\n<img> <!-- lettershop-ignore image-alt -->\n<img>")).toEqual([
      "image-alt at 2:7 for 2-2",
    ]);
    expect(silences("a.html", "<p>\n<!-- lettershop-ignore image-alt --> <img>\n<img>")).toEqual([
      "image-alt at 2:1 for 2-2",
    ]);
    expect(silences("a.tsx", "(\n<Img // lettershop-ignore image-alt\n/>")).toEqual(["image-alt at 2:6 for 2-2"]);
  });

  it("skips empty lines, other such comments and its own lines", () => {
    const text = "x\n<!-- lettershop-ignore a:\n  long -->\n\n  {{! lettershop-ignore b }}\n<img>\n";
    expect(silences("a.html", text)).toEqual(["a at 2:1 for 6-6", "b at 5:3 for 6-6"]);
  });

  it("applies to all lines of the opening tags that begin on the next line", () => {
    const text = 'x\n{{! lettershop-ignore a }}\n<td><img\n  src=\'>\'\n  alt="{{#b equals "c"}}>{{/b}}"\n>\n<p>';
    expect(silences("a.html", text)).toEqual(["a at 2:1 for 3-6"]);
    const jsx = "(\n{/* lettershop-ignore a */}\n<Img\n  src={a > b ? `>` : '>'}\n  onError={() => 1}\n/>\n</p>";
    expect(silences("a.tsx", jsx)).toEqual(["a at 2:1 for 3-6"]);
  });

  it("applies to the whole file if the file begins with it", () => {
    expect(
      silences(
        "a.html",
        "{{! lettershop-ignore a }}\n\n{{! lettershop-ignore b }}\n<p>\n{{! lettershop-ignore c }}\n<p>",
      ),
    ).toEqual(["a at 1:1 for 4-4, first", "b at 3:1 for 4-4, first", "c at 5:1 for 6-6"]);
  });
});

describe("lastLineOfTag", () => {
  it.each([
    ["const a: Array<string> = b\n>", 1],
    ["if (a < b) {\n}\n>", 1],
    ["<p", 1],
    ["text\n<p>", 1],
    ["<p\n>", 2],
  ])("of %s", (text, last) => {
    expect(lastLineOfTag(text, 1)).toBe(last);
  });
});

const source = "<p>\n{{! lettershop-ignore image-alt, empty-link: because }}\n<img>\n<img>\n";
const found = (rule: string, line?: number, file = "/app/a.html"): Diagnostic => ({
  rule,
  severity: "warning",
  message: "Bad.",
  at: { file, ...(line !== undefined && { line }) },
});

interface Options {
  readonly text?: string;
  readonly binding?: readonly Diagnostic[];
  readonly isDecidable?: (file: string, rule: string) => boolean;
}

/** What is left, as `rule line:column`, and what is said of comments. */
function left(
  diagnostics: readonly Diagnostic[],
  { text = source, binding = [], isDecidable = () => true }: Options = {},
) {
  return applySilences(diagnostics, {
    silences: readSilences("/app/a.html", text),
    binding: new Set(binding),
    known: ["image-alt", "empty-link", "mustache-syntax"],
    isDecidable,
  }).map(({ rule, message, at, hint }) =>
    rule === "unused-silence" ? `${at?.line}:${at?.column} ${message} ${hint}` : `${rule} ${at?.line}`,
  );
}

describe("applySilences", () => {
  it("drops what comments silence, and nothing else", () => {
    const all = [
      found("image-alt", 3),
      found("empty-link", 3),
      found("image-alt", 4),
      found("image-alt", 3, "/app/b.html"),
    ];
    expect(left(all)).toEqual(["image-alt 4", "image-alt 3"]);
  });

  it("reports each rule for which a comment silences nothing", () => {
    expect(left([found("image-alt", 3)])).toEqual([
      "2:1 This comment silences empty-link, but there is nothing to silence. Remove it, or move it directly above the line it is for.",
    ]);
  });

  it("reports nothing if not everything was checked", () => {
    expect(left([], { isDecidable: () => false })).toEqual([]);
  });

  it("always reports a comment that names no rule, or an unknown one", () => {
    const text =
      "<p>\n{{! lettershop-ignore }}\n{{! lettershop-ignore image-atl }}\n{{! lettershop-ignore image-alt because }}\n<!-- letershop-ignore image-alt -->\n<img>";
    expect(left([], { text, isDecidable: () => false })).toEqual([
      "2:1 This comment names no rule. Write: lettershop-ignore RULE-ID: reason.",
      '3:1 This comment names "image-atl": there is no such rule; did you mean image-alt? undefined',
      '4:1 This comment names "image-alt because": there is no such rule. Write a colon before the reason: lettershop-ignore RULE-ID: reason.',
      '5:1 This comment says "letershop-ignore", which silences nothing. Write: lettershop-ignore RULE-ID: reason.',
    ]);
  });

  it("accepts ids of the previous version, with a note", () => {
    const text = "<p>\n{{! lettershop-ignore heading-empty, class-name }}\n<h1></h1>";
    expect(left([found("headings", 3)], { text })).toEqual([
      "2:1 heading-empty is now part of headings. Write headings.",
      "2:1 The rule class-name was removed. Remove class-name.",
    ]);
  });

  it("silences findings about the whole file with a comment at its beginning", () => {
    const text = "{{! lettershop-ignore image-alt }}\n<p>\n{{! lettershop-ignore empty-link }}\n<p>";
    const isDecidable = () => false;
    expect(left([found("image-alt"), found("empty-link")], { text, isDecidable })).toEqual(["empty-link undefined"]);
  });

  it("does not silence errors that keep a template from compiling, and says so", () => {
    const broken: Diagnostic = { ...found("mustache-syntax", 2), severity: "error" };
    const text = "{{! lettershop-ignore mustache-syntax }}\n{{#a}}";
    expect(left([broken], { text, binding: [broken], isDecidable: () => false })).toEqual([
      "mustache-syntax 2",
      "1:1 A comment can't silence mustache-syntax here, because nothing else can be checked until it is fixed. Fix it, and remove the comment.",
    ]);
  });
});
