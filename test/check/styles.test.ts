import { describe, expect, it } from "vitest";
import { EmailDocument } from "../../src/check/document/email-document.js";
import type { EmailElement } from "../../src/check/document/nodes.js";
import { cascadedValue } from "../../src/check/styles/cascade.js";
import { colourName } from "../../src/check/styles/colour.js";
import { backgroundOf, textColours, fontSizeOf, isLargeText, isHidden } from "../../src/check/styles/computed.js";
import { applies, DARK, LIGHT, PHONE, compileSelector, type MediaContext } from "../../src/check/styles/matching.js";

/** The first `<p>`. */
function read(html: string): EmailElement {
  const document = new EmailDocument({ html, tags: [], places: [], sources: new Map([["/x.html", html]]) });
  const [element] = document.named("p");
  if (!element) throw new Error("There is no <p>.");
  return element;
}

/** The value of a property for the first `<p>`. */
function given(html: string, property: string, view: MediaContext = LIGHT) {
  return cascadedValue(read(html), property, view)?.value;
}

function visibleColours(html: string, view: MediaContext = LIGHT) {
  const element = read(html);
  const colours = textColours(element, view)?.map(({ colour }) => colourName(colour));
  const background = backgroundOf(element, view);
  return [colours?.join(" "), background && colourName(background.colour)];
}

describe("the cascade", () => {
  it.each([
    ["the later rule", "<style>p { color: red } p { color: blue }</style><p>a</p>", "blue"],
    ["the more specific rule", "<style>p.a { color: red } p { color: blue }</style><p class=a>a</p>", "red"],
    ["an id over classes", "<style>#a { color: red } .a.a.a { color: blue }</style><p id=a class=a>a</p>", "red"],
    ["the style attribute", '<style>#a { color: red }</style><p id=a style="color: blue">a</p>', "blue"],
    ["the important value", '<style>p { color: red !important }</style><p style="color: blue">a</p>', "red"],
    [
      "a rule over a presentational attribute",
      "<style>* { color: red }</style><font color=blue><p>a</p></font>",
      "red",
    ],
    [
      "a rule whose selector matches through combinators",
      "<style>div > p, a { color: red } div + p { color: blue }</style><div><p>a</p></div>",
      "red",
    ],
    [
      "no value from pseudo-classes and pseudo-elements",
      "<style>p:hover, p::first-line { color: red }</style><p>a</p>",
      undefined,
    ],
    ["no value from an invalid selector", "<style>p:::x { color: red }</style><p>a</p>", undefined],
  ])("uses %s", (_, html, value) => {
    expect(given(html, "color")).toBe(value);
  });

  it("splits shorthands", () => {
    const html =
      '<p style="background: #eee url(a.png) no-repeat; padding: 1px 2px 3px; font: bold 14px/20px Arial">a</p>';
    const names = ["background-color", "padding-top", "padding-bottom", "font-size", "line-height", "font-weight"];
    expect(names.map((name) => given(html, name))).toEqual(["#eee", "1px", "3px", "14px", "20px", "bold"]);
    expect(given('<p style="background-color: red; background: none">a</p>', "background-color")).toBe("transparent");
  });

  it("treats values that depend on tags as unknown", () => {
    expect(given('<p style="color: {{a}}">a</p>', "color")).toContain("{{");
    expect(given('<p style="{{a}}">a</p>', "color")).toContain("{{");
    expect(given('<style>.b { color: red }</style><p class="{{a}}">a</p>', "color")).toContain("{{");
    expect(given('<style>.{{a}} { color: red }</style><p class="b">a</p>', "color")).toContain("{{");
    expect(given('<style>.{{a}} { color: red }</style><p style="color: blue">a</p>', "color")).toBe("blue");
  });

  it("applies the media queries of a view", () => {
    const html = `<style>p { color: red } @media (prefers-color-scheme: dark) { p { color: blue } }
      @media screen and (max-width: 480px) { p { color: green } }</style><p>a</p>`;
    expect([LIGHT, DARK, PHONE].map((view) => given(html, "color", view))).toEqual(["red", "blue", "green"]);
    expect(given('<style media="(max-width: 480px)">p { color: red }</style><p>a</p>', "color")).toBeUndefined();
  });
});

describe("styles that several documents share", () => {
  const sheet = "<style>p { color: red }\n.a { color: blue }</style>";

  it("have their own position in each document", () => {
    const html = [`${sheet}<p class=a>a</p>`, `<title>a</title>\n\n${sheet}<p class=a>a</p>`, `${sheet}<p>a</p>`];
    const places = html.map((each) => {
      return cascadedValue(read(each), "color", LIGHT)?.at().line;
    });
    expect(places).toEqual([2, 4, 1]);
  });

  it("apply according to the attributes of each document", () => {
    const small = sheet.replace("<style>", '<style media="(max-width: 480px)">');
    const values = [sheet, small, sheet].map((each) => given(`${each}<p class=a>a</p>`, "color"));
    expect(values).toEqual(["blue", undefined, "blue"]);
    const styles = ['style="color: green"', 'style="color: green !important"', ""].map((style) =>
      given(`<style>.a { color: blue !important }</style><p class=a ${style}>a</p>`, "color"),
    );
    expect(styles).toEqual(["blue", "green", "blue"]);
  });
});

describe("media queries", () => {
  it.each([
    ["@media screen", LIGHT, true],
    ["@media only screen and (min-width:480px)", LIGHT, true],
    ["@media only screen and (max-width: 40em)", PHONE, true],
    ["@media print, (max-width: 480px)", PHONE, true],
    ["@media print", LIGHT, false],
    ["@media not screen", LIGHT, false],
    ["@media (prefers-color-scheme: dark) and (max-width: 480px)", DARK, false],
    ["@media screen and (-webkit-min-device-pixel-ratio:0)", LIGHT, false],
    ["@supports (display: grid)", LIGHT, false],
  ])("%s", (rule, view, expected) => {
    expect(applies([rule], view)).toBe(expected);
  });
});

describe("selectors", () => {
  it("are ordered by specificity", () => {
    const order = ["*", "p", "div p", ".a", "p.a", "p:first-child", ".a.b", "#a", "#a .b"];
    const specificity = (selector: string) => compileSelector(selector)?.specificity ?? NaN;
    expect(order.toSorted((a, b) => specificity(a) - specificity(b))).toEqual(order);
  });
});

describe("visible colours", () => {
  it("are inherited", () => {
    expect(visibleColours('<body bgcolor="#eeeeee" text="#333333"><p>a</p></body>')).toEqual(["#333333", "#eeeeee"]);
    expect(visibleColours('<div style="color: red"><p style="color: inherit">a</p></div>')).toEqual([
      "#ff0000",
      "#ffffff",
    ]);
  });

  it("mix translucent backgrounds with the colour behind them", () => {
    expect(visibleColours('<p style="background: rgba(0,0,0,.5)">a</p>')).toEqual(["#000000", "#808080"]);
  });

  it("default to the client's, inverted in dark mode if the email declares support for it", () => {
    expect(visibleColours("<p>a</p>")).toEqual(["#000000", "#ffffff"]);
    expect(visibleColours("<p>a</p>", DARK)).toEqual([undefined, undefined]);
    expect(visibleColours('<meta name="color-scheme" content="light dark"><p>a</p>', DARK)).toEqual([
      "#ffffff",
      "#000000",
    ]);
  });

  it("are unknown over images, with opacity, in moved elements and with variables", () => {
    expect(visibleColours('<div style="background-image: url(a.png)"><p>a</p></div>')).toEqual(["#000000", undefined]);
    expect(visibleColours('<div style="opacity: .5"><p>a</p></div>')).toEqual([undefined, "#ffffff"]);
    expect(visibleColours('<div style="margin-top: -40px"><p>a</p></div>')).toEqual(["#000000", undefined]);
    expect(visibleColours('<p style="color: var(--a)">a</p>')).toEqual([undefined, "#ffffff"]);
  });
});

describe("hidden elements", () => {
  it("are recognized by display, font size, height and overflow", () => {
    const hidden = (html: string) => isHidden(read(html), LIGHT);
    expect(hidden('<div style="display:none"><p>a</p></div>')).toBe(true);
    expect(hidden('<p style="font-size:1px">a</p>')).toBe(true);
    expect(hidden('<p style="max-height:0;overflow:hidden">a</p>')).toBe(true);
    expect(hidden('<div style="font-size:0"><p>a</p></div>')).toBe(false);
    expect(hidden('<p style="max-height:0">a</p>')).toBe(false);
  });
});

describe("the font size", () => {
  it.each([
    ["<p>a</p>", 16],
    ['<p style="font-size: 12pt">a</p>', 16],
    ['<div style="font-size: 20px"><p style="font-size: 150%">a</p></div>', 30],
    ['<div style="font-size: large"><p style="font-size: 2rem">a</p></div>', 32],
    ['<p style="font-size: {{size}}px">a</p>', undefined],
    ['<p style="font-size: calc(1px + 2vw)">a</p>', undefined],
  ])("%s", (html, size) => {
    expect(fontSizeOf(read(html), LIGHT)).toBe(size);
  });

  it("is large for WCAG from 24 pixels, or 18.66 pixels in bold; unknown sizes count as large", () => {
    const large = (style: string) => isLargeText(read(`<p style="${style}">a</p>`), LIGHT);
    expect(["font-size: 24px", "font-size: 19px; font-weight: bold", "font-size: {{a}}"].map(large)).toEqual([
      true,
      true,
      true,
    ]);
    expect(["font-size: 23px", "font-size: 18px; font-weight: bold"].map(large)).toEqual([false, false]);
  });
});
