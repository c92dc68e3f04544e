import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chooseInQuery,
  chooseInStyles,
  chooseScheme,
  type ColourScheme,
} from "../../../preview/email/prepare-document.js";

const ALWAYS = "(min-width: 0)";
const NEVER = "(min-width: 1e7px)";

const face = fc.constantFrom<ColourScheme>("light", "dark");
const gap = fc.constantFrom("", " ", "\n\t", "/* a (comment) */", " /**/ ");
const word = (name: string) =>
  fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }).map((capitals) =>
    name
      .split("")
      .map((letter, at) => (capitals[at] ? letter.toUpperCase() : letter))
      .join(""),
  );

/** The media feature in any spelling, with the scheme that it requires. */
const feature = fc
  .record({ gaps: fc.array(gap, { minLength: 4, maxLength: 4 }), name: word("prefers-color-scheme"), wanted: face })
  .chain(({ gaps: [a, b, c, d], name, wanted }) =>
    word(wanted).map((value) => ({ wanted, text: `(${a}${name}${b}:${c}${value}${d})` })),
  );

/** CSS without colour schemes. */
const plain = fc
  .array(
    fc.constantFrom(
      "a { color: #fff }",
      "@media (max-width: 480px) { .x { width: 100% !important } }",
      "@font-face { src: url(data:font/woff2;base64,AA==) }",
      '.quote::before { content: "(prefers-color-scheme: dark)" }',
      ".quote::after { content: 'color-scheme: light dark; \\' }' }",
      "/* (prefers-color-scheme: dark) { color-scheme: dark } */",
      "[data-ogsc] .x { color: red }",
    ),
  )
  .map((rules) => rules.join("\n"));

describe("the chosen scheme in styles", () => {
  it("answers every query of the scheme in any spelling and touches nothing else", () => {
    fc.assert(
      fc.property(plain, feature, plain, face, (before, { text, wanted }, after, shown) => {
        const css = (query: string) => `${before}\n@media screen and ${query}, print { a { color: red } }\n${after}`;
        expect(chooseInStyles(css(text), shown)).toBe(css(wanted === shown ? ALWAYS : NEVER));
      }),
    );
  });

  it("answers queries that are combined, imported or negated", () => {
    const css = `
      @import url("https://cdn.example/dark.css") screen and (prefers-color-scheme: dark);
      @media (prefers-color-scheme: dark) and (max-width: 480px), not all and (prefers-color-scheme: light) {}
      @media not (prefers-color-scheme: dark) {}
      @media (prefers-color-scheme) {}
      @media (prefers-color-scheme: no-preference) {}`;
    expect(chooseInStyles(css, "dark")).toBe(`
      @import url("https://cdn.example/dark.css") screen and ${ALWAYS};
      @media ${ALWAYS} and (max-width: 480px), not all and ${NEVER} {}
      @media not ${ALWAYS} {}
      @media ${ALWAYS} {}
      @media ${NEVER} {}`);
  });

  it("chooses among the schemes that an element supports", () => {
    const css = (schemes: string) => `:root { color-scheme: ${schemes}; supported-color-schemes: light dark }`;
    expect(chooseInStyles(css("light dark"), "dark")).toBe(css("dark"));
    expect(chooseInStyles(css("light dark"), "light")).toBe(css("light"));
    expect(chooseInStyles(css("only light"), "dark")).toBe(css("only light"));
    expect(chooseScheme("light dark", "dark")).toBe("dark");
    expect(chooseScheme("normal", "dark")).toBe("normal");
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string(), feature, fc.string(), face, face, (before, { text }, after, first, second) => {
        const chosen = chooseInStyles(before + text + after, first);
        expect(chooseInStyles(chosen, first)).toBe(chosen);
        const query = chooseInQuery(before + text + after, first);
        expect(chooseInQuery(query, second)).toBe(query);
      }),
    );
  });
});
