import { describe, expect, it } from "vitest";
import { countsElements, splitCss } from "../../../src/render/html/css.js";

describe("splitCss", () => {
  it.each([
    ["a, b:hover { c: d }", ["a { c: d }"], "b:hover { c: d }"],
    ['a { content: "}" } b{}', ['a { content: "}" }', "b{}"], ""],
    ["/* } */ a { b: c /* ; } */ }", ["a { b: c  }"], ""],
    ['@import url("a;b.css"); a { b: c }', ["a { b: c }"], '@import url("a;b.css");'],
    [
      "@import url(https://a.example/css?b=c;d); a { b: c }",
      ["a { b: c }"],
      "@import url(https://a.example/css?b=c;d);",
    ],
    ["@media print { a { b: c } d { e: f } }", [], "@media print { a { b: c } d { e: f } }"],
    ["<!-- a { b: c } -->", ["a { b: c }"], ""],
    ["a { b: c }; @media print { a { b: d } };", ["a { b: c }"], "@media print { a { b: d } }"],
    ["p::before { content: 'x' }", [], "p::before { content: 'x' }"],
  ])("%s", (css, inlined, kept) => {
    expect(splitCss(css)).toMatchObject({ inlined: inlined.join("\n"), kept });
  });

  it("recognises selectors that count elements", () => {
    const counting = ["tr:first-child", "li:nth-of-type(2n)", "h1 + p", "a ~ b", "p:empty"];
    const others = ["a > b", '[class~="a+b"]', "a.b#c", "p:not(.first-x)"];
    expect([...counting, ...others].filter(countsElements)).toEqual(counting);
  });
});
