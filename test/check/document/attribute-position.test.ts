import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attributeOf, styleOffset, readTag } from "../../../src/check/document/written-tag.js";
import { offsetAt, positionAt, type Position } from "../../../src/text/position.js";

const MODULE = 'import { Img } from "@react-email/components";\n';

/** Reads a source with `›` before the tag and `¦` before the expected position. */
function read(marked: string): { text: string; at: Position; expected: Position | undefined } {
  const expected = positionOf(marked.replaceAll("›", ""), "¦");
  const at = positionOf(marked.replaceAll("¦", ""), "›");
  if (!at) throw new Error("Where is the tag?");
  return { text: marked.replaceAll(/[›¦]/g, ""), at, expected };
}

function positionOf(text: string, mark: string): Position | undefined {
  const before = text.slice(0, Math.max(0, text.indexOf(mark))).split("\n");
  return text.includes(mark) ? { line: before.length, column: (before.at(-1) ?? "").length + 1 } : undefined;
}

function attributePosition(text: string, at: Position, name: string): Position | undefined {
  const tag = readTag(text, offsetAt(text, at) ?? 0);
  const attribute = tag && attributeOf(tag, name);
  return attribute && positionAt(text, attribute.start);
}

function stylePosition(text: string, at: Position, property: string): Position | undefined {
  const tag = readTag(text, offsetAt(text, at) ?? 0);
  const offset = tag && styleOffset(tag, text, property);
  return offset === undefined ? undefined : positionAt(text, offset);
}

const MARKUP: readonly (readonly [name: string, marked: string])[] = [
  ["href", '›<a ¦href="x">'],
  ["href", '›<a ¦href="x">href</a><a href="y">'],
  ["href", "<p>a</p>\n  ›<a\n class='b > c'\n  ¦href='d'>"],
  ["href", '›<a title="{{a}} href=" ¦href={{url}}>'],
  ["href", '›<a {{#a}}¦href="b"{{/a}}>'],
  ["href", `›<a {{#status equals "paid"}}class="b"{{/status}} ¦href='c'>`],
  ["href", '›<a title="{{#s equals "href=x"}}a{{/s}}" ¦href="b">'],
  ["href", "›<a {{! href=x > }} ¦href=a>"],
  ["href", "›<a data-x={{{b}}} {{{c}}} ¦HREF>"],
  ["href", '›<a title="a"><b href="c">'],
  ["href", '›<a title="a'],
  ["href", "›<a title <b href>"],
  ["alt", "›<img/ ¦alt/>"],
  ["alt", "›<img alternative=alt src=alt>"],
  ["class", '›<mj-text ¦css-class="a">'],
  ["bgcolor", '›<mj-section padding="0" ¦background-color="{{c}}">'],
  ["valign", "›<mj-column ¦vertical-align='top'>"],
  ["background", '›<mj-hero ¦background-url="a">'],
  ["role", '›<mj-section align="left">'],
  ["lang", '›<mjml ¦lang="de">'],
  ["src", '{{#a}}›<mj-image\n\talt="import x" ¦src="{{b}}"/>'],
  ["src", 'Some text first ›<img ¦src="a">'],
  ["src", "no tag› here src=a"],
];

const JSX: readonly (readonly [name: string, marked: string])[] = [
  ["href", '›<a ¦href="x">'],
  ["href", "›<Button\n  onClick={() => a > b}\n  ¦href={url}\n>"],
  ["href", "›<Button {...props} key={`}${b}>`} ¦href={`${base}/x`}>"],
  ["href", "›<Button a={'}'} b={\"it's }\"} c='{' ¦href>"],
  ["href", "›<Button /* href= */ // href=\n ¦href={x /* } */ }>"],
  ["href", "›<Button icon={<b title='href'>Don't {a} `</b>} ¦href={x}>"],
  ["href", "›<Button icon={a && <><b /> it's</>} ¦href={x}>"],
  ["href", "›<Button match={/a>/.test(a)} half={a / b / c} ¦href={x}>"],
  ["href", "›<List render={<T,>(x: T) => x} test={a < b && c > d} ¦href={x}>"],
  ["href", "›<Mail.Button render={(x) => { return <a href={x}>{'<'}</a>; }} ¦href={x}>"],
  ["href", "›<Button icon={<a href='x'>y</a>}>"],
  ["href", '›<Button title="a"><a href="x">'],
  ["href", "›<Button title={a"],
  ["href", "›<Button icon={<a <"],
  ["class", '›<p ¦className="a">'],
  ["for", '›<label id="a" ¦htmlFor="b">'],
  ["colspan", "›<td ¦colSpan={2}>"],
  ["http-equiv", "›<meta ¦httpEquiv='a' />"],
  ["alt", "›<Img ¦alt src={x} />"],
  ["style", "›<Text ¦className='text-red-500'>"],
  ["style", "›<Text className='a' ¦style={main}>"],
];

describe("attributePosition", () => {
  it.each(MARKUP)("finds %s in html and MJML: %j", (name, marked) => {
    const { text, at, expected } = read(marked);
    expect(attributePosition(text, at, name)).toEqual(expected);
  });

  it.each(JSX)("finds %s in JSX: %j", (name, marked) => {
    const { text, at, expected } = read(`${MODULE}export default () => ${marked}`);
    expect(attributePosition(text, at, name)).toEqual(expected);
  });
});

const STYLES: readonly (readonly [property: string, marked: string])[] = [
  ["color", '›<p style="top: 0; ¦color: red">'],
  ["color", '›<p style="background-color: red; ¦color:{{c}}; {{#a}}top:0{{/a}}">'],
  ["color", "›<p style='color: {{a}};\n  {{#b}}¦COLOR : red{{/b}}'>"],
  ["padding-top", '›<p style="¦padding: 0">'],
  ["background-color", `›<p style="¦background: url('http://color: x') red">`],
  ["color", '›<p class="color: red">'],
  ["color", '›<p style="{{color}}">'],
  ["font-size", '›<mj-text color="red" ¦font-size="12px">'],
  ["background", '›<mj-text ¦container-background-color="red">'],
  ["text-align", "›<mj-text ¦align='left'>"],
  ["border-top", "›<mj-divider ¦border-color='red'>"],
  ["padding-left", "›<mj-text ¦padding='0'>"],
  ["mso-padding-alt", "›<mj-section padding='0'>"],
];

const JSX_STYLES: readonly (readonly [property: string, marked: string])[] = [
  ["font-size", "›<Text style={{ color: 'fontSize: 1', ¦fontSize: 12 }}>"],
  ["font-size", '›<Text style={{ "¦font-size": 12 }}>'.replace('"¦', '¦"')],
  ["color", "›<Text style={{ backgroundColor: color, ¦color }}>"],
  ["color", "›<Text style={{ ...base, ...(dark ? { ¦color: 'red' } : {}) }}>"],
  ["color", "›<Text style={mix(color, { top: color ? 1 : 2 })}>"],
  ["-webkit-text-size-adjust", "›<Text style={{ ¦WebkitTextSizeAdjust: 'none' }}>"],
  ["mso-line-height-rule", "›<Text style={{ ¦msoLineHeightRule: 'exactly' } as object}>"],
  ["margin-top", "›<Text style={{ ¦margin: 0 }}>"],
  ["color", "›<Text style={main}>;\nconst main: CSSProperties = { ¦color: 'red', inner: { color: 1 } };"],
  ["color", "›<Text style={{ ...main, top: 0 }}>;\nconst main = {\n  ¦color: 'red' };"],
  [
    "color",
    "›<Text style={dark ? styles.dark : styles.light}>;\nconst styles = { dark: { top: 0 }, light: { ¦color: 'red' } };",
  ],
  ["color", "›<Text style={other}>;\nconst main = { color: 'red' };"],
  ["color", "›<Text style='¦color: red'>"],
  ["color", "›<Text className='color'>"],
];

describe("stylePosition", () => {
  it.each(STYLES)("finds %s in html and MJML: %j", (property, marked) => {
    const { text, at, expected } = read(marked);
    expect(stylePosition(text, at, property)).toEqual(expected);
  });

  it.each(JSX_STYLES)("finds %s in JSX: %j", (property, marked) => {
    const { text, at, expected } = read(`${MODULE}export default () => ${marked}`);
    expect(stylePosition(text, at, property)).toEqual(expected);
  });
});

describe("sources with mistakes", () => {
  const samples = [...MARKUP, ...STYLES, ...JSX, ...JSX_STYLES].map(([name, marked], index) => {
    const isJsx = index >= MARKUP.length + STYLES.length;
    return [name, isJsx ? `${MODULE}export default () => ${marked}` : marked] as const;
  });
  const noise = fc.array(
    fc.constantFrom(
      "<",
      ">",
      "{",
      "}",
      "{{",
      "}}",
      '"',
      "'",
      "`",
      "${",
      "/",
      "=",
      "a",
      " ",
      "<a b={",
      "\n",
      "//",
      "/*",
    ),
    {
      maxLength: 40,
    },
  );

  it("never throw, and give an attribute of that name after the start of the tag, or none", () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), fc.nat(6), noise, ([name, marked], place, removed, added) => {
        const { text, at } = read(marked);
        const from = place % (text.length + 1);
        const broken = text.slice(0, from) + added.join("") + text.slice(from + removed);
        stylePosition(broken, at, name);
        const found = attributePosition(broken, at, name);
        if (!found) return;
        expect(found.line > at.line || (found.line === at.line && found.column > at.column)).toBe(true);
        const line = broken.split("\n")[found.line - 1] ?? "";
        expect(line.slice(found.column - 1)).toMatch(/^[\w:-]/);
      }),
      { numRuns: process.env["MODE"] === "long" ? 20_000 : 1000 },
    );
  });

  it("are given up quickly", () => {
    for (const piece of ["<a b={", "{", "`${", "<a>{", '<a b="', "{{", "<a b=<c "]) {
      const text = `${MODULE}export default () => ${piece.repeat(3000)}`;
      const at = { line: 2, column: 22 };
      expect(attributePosition(text, at, "href")).toBeUndefined();
      stylePosition(text, at, "color");
      attributePosition(piece.repeat(3000), { line: 1, column: 1 }, "href");
    }
  });
});
