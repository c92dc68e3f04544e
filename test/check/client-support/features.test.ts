import { describe, expect, it } from "vitest";
import { supportData, FEATURES, type Feature } from "../../../src/check/client-support/data.js";
import {
  featuresOfAtRule,
  featuresOfDeclaration,
  featuresOfElement,
  featuresOfSelector,
} from "../../../src/check/client-support/features.js";
import { usesIn } from "../../../src/check/client-support/uses.js";
import { readCss } from "../../../src/check/css/read-css.js";
import { EmailDocument } from "../../../src/check/document/email-document.js";
import { NOT_DETECTED, sampleOf, SAMPLES } from "./samples.js";

const features = Object.keys(supportData().features) as Feature[];

function featuresOf(html: string): Set<Feature> {
  const document = new EmailDocument({ html, tags: [], places: [], sources: new Map([["x.html", html]]) });
  return new Set(Array.from(usesIn(document, new Set(features)), ({ feature }) => feature));
}

describe("the features of the data", () => {
  it.each(features.filter((feature) => !(feature in NOT_DETECTED)))(
    "%s is detected in HTML that uses it",
    (feature) => {
      expect([...featuresOf(sampleOf(feature))]).toContain(feature);
    },
  );

  it("are the only ones in the samples", () => {
    expect(
      [...Object.keys(SAMPLES), ...Object.keys(NOT_DETECTED)].filter((name) => !features.includes(name as Feature)),
    ).toEqual([]);
    expect(Object.keys(SAMPLES).filter((name) => name in NOT_DETECTED)).toEqual([]);
  });

  it("are the only ones with a loss, and have at most one", () => {
    const names = Object.values(FEATURES).flatMap((each) => each.trim().split(/\s+/));
    expect(names.filter((name) => !features.includes(name as Feature))).toEqual([]);
    expect(names).toHaveLength(new Set(names).size);
  });

  it("are not detected in HTML without them", () => {
    const plain = featuresOf('<p style="color: red">Hi</p>');
    expect([...plain]).toEqual(["html-p"]);
  });
});

describe("declarations", () => {
  it.each<[string, string, string[]]>([
    ["display", "flex", ["css-display-flex"]],
    ["display", "block", ["css-display"]],
    ["width", "calc(100% - 2rem)", ["css-width", "css-unit-calc", "css-unit-percent", "css-unit-rem"]],
    ["margin", "0 auto", ["css-margin"]],
    ["flex-direction", "row", []],
    ["flex-wrap", "nowrap", []],
    ["color", "#1e3", []],
    ["color", "RGB(0 0 0)", ["css-rgb"]],
    ["font-family", '"system-ui", Arial', []],
    ["background", 'url("a.png?x=calc(1rem)") repeat', ["css-background", "image-png"]],
    ["background", "url( 'data:image/gif;base64,AA' )", ["css-background", "image-base64"]],
    ["-webkit-text-size-adjust", "100%", []],
    ["mso-line-height-rule", "exactly", []],
    ["--brand", "red", ["css-variables"]],
    ["color", "{{colour}}", []],
    ["width", "{{width}}rem", ["css-width"]],
    ["max-height", "0", []],
    ["float", "none", []],
    ["transform", "none", []],
    ["user-select", "none", ["css-user-select"]],
  ])("%s: %s", (property, value, expected) => {
    expect(featuresOfDeclaration(property, value)).toEqual(expected);
  });

  it("report !important", () => {
    expect(featuresOfDeclaration("color", "red", true)).toEqual(["css-important"]);
  });
});

describe("selectors", () => {
  it.each<[string, string[]]>([
    ["a:hover > .icon", ["css-selector-type", "css-pseudo-class-hover", "css-selector-child", "css-selector-class"]],
    ["#outlook a", ["css-selector-id", "css-selector-descendant", "css-selector-type"]],
    [".sm\\:flex", ["css-selector-class"]],
    ['[class="a b"]', ["css-selector-attribute"]],
    ["tr:nth-child(2n + 1)", ["css-selector-type", "css-pseudo-class-nth-child"]],
    [":not(.a, .b)", ["css-pseudo-class-not", "css-selector-grouping", "css-selector-class"]],
    ["a::before", ["css-selector-type", "css-pseudo-element-before"]],
    [":root", []],
    ['td[class~="a"]', ["css-selector-type", "css-selector-attribute"]],
    ["50%", []],
  ])("%s", (selector, expected) => {
    expect(featuresOfSelector(selector)).toEqual(expected);
  });

  it("of nested rules are detected", () => {
    expect(readCss("p { color: red; & b { color: blue } a { color: red } }", "sheet").nested).toEqual([
      { text: "& b", offset: 16 },
      { text: "a", offset: 36 },
    ]);
    expect(readCss("@media print { p { color: red } } @keyframes a { from { top: 0 } }", "sheet").nested).toEqual([]);
    expect(readCss("p { color: {{colour}}; content: '{' } /* p { a { */", "sheet").nested).toEqual([]);
  });
});

describe("comments", () => {
  it("are detected between declarations only", () => {
    expect(readCss("/* a */ p { color: red; /* b */ }", "sheet").comments).toEqual([{ text: "/* b */", offset: 24 }]);
    expect(readCss("@media print { /* a; { */ p { color: red } } p { content: '/* b */' }", "sheet").comments).toEqual(
      [],
    );
  });
});

describe("at-rules", () => {
  it.each<[string, string, string[]]>([
    ["import", 'url("https://fonts.googleapis.com/css2?family=Inter")', ["css-at-font-face"]],
    ["import", "url(styles.css)", ["css-at-import"]],
    ["-webkit-keyframes", "a", ["css-at-keyframes"]],
    ["media", "only screen and (max-width: 480px)", ["css-at-media"]],
    ["charset", '"utf-8"', []],
  ])("@%s %s", (name, prelude, expected) => {
    expect(featuresOfAtRule(name, prelude)).toEqual(expected);
  });
});

describe("elements", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ["img", { src: "https://example.com/a.webp?b" }, ["html-img", "image-webp"]],
    ["img", { src: "{{url}}" }, ["html-img"]],
    ["img", { src: "{{base}}/{{name}}.svg" }, ["html-img", "image-svg"]],
    ["input", { type: "EMAIL" }, []],
    ["link", { rel: "preconnect", href: "https://example.com" }, []],
    ["link", { rel: "stylesheet", href: "https://fonts.googleapis.com/css?family=Inter" }, ["css-at-font-face"]],
    ["meta", { name: "viewport" }, []],
    ["a", { href: "#" }, []],
    ["a", { href: "https://example.com/a.svg" }, []],
    ["html", { dir: "ltr" }, []],
    ["html", { dir: "rtl" }, ["html-dir"]],
    ["align", {}, []],
    ["constructor", { constructor: "" }, []],
    ["o:p", {}, []],
  ])("<%s> %j", (name, attributes, expected) => {
    const detected = featuresOfElement(name, new Map(Object.entries(attributes)));
    expect(detected.map(({ feature }) => feature)).toEqual(expected);
  });
});
