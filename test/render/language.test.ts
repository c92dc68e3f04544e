import { describe, expect, it } from "vitest";
import { withLanguage } from "../../src/render/bodies.js";
import { languageOf } from "../../src/project/language.js";

describe("languageOf", () => {
  it.each([
    [{ locale: "en-us" }, { lang: "en-US" }],
    [{ locale: "he" }, { lang: "he", dir: "rtl" }],
    [{ locale: "az-Arab" }, { lang: "az-Arab", dir: "rtl" }],
    [{ locale: "ar-Latn" }, { lang: "ar-Latn" }],
    [
      { locale: "ar", direction: "ltr" as const },
      { lang: "ar", dir: "ltr" },
    ],
    [{}, {}],
  ])("knows the direction of %j", (metadata, language) => {
    expect(languageOf(metadata)).toEqual(language);
  });
});

describe("withLanguage", () => {
  const metadata = { locale: "fa" };

  it("treats the default of React Email's <Html> as unset", () => {
    const html = '<html dir="ltr" lang="en" class="a"><head></head></html>';
    expect(withLanguage(html, { metadata, engine: "react" })).toBe(
      '<html dir="rtl" lang="fa" class="a"><head></head></html>',
    );
    expect(withLanguage(html, { metadata, engine: "html" })).toBe(html);
  });

  it("changes no other elements or comments", () => {
    const html = '<!--[if mso]><html xmlns:v="a"><![endif]--><p></p>';
    expect(withLanguage(html, { metadata, engine: "html" })).toBe(html);
  });
});
