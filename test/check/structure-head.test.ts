import { describe, expect, it } from "vitest";
import { inColumn } from "../render/project.js";
import { languageMissing } from "../../src/check/rules/structure/language-missing.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(rulesOf("structure"));
const { findings: languages } = useFindings([languageMissing]);

/** What is found in a good page where something is written otherwise. */
function broken(from: string | RegExp, to: string, head = "") {
  const html = page("<p>It left our warehouse this morning, and you can follow it on its way.</p>", head);
  if (html.replace(from, to) === html) throw new Error("Nothing is broken.");
  return findings({ "x.html": html.replace(from, to) });
}

describe("the document around the body", () => {
  it("is fine", async () => {
    expect(await findings({ "x.html": page("<p>Hello</p>") })).toEqual([]);
  });

  it("doctype-missing", async () => {
    expect(await broken("<!doctype html>\n", "")).toEqual(["doctype-missing warning x.html:1:1"]);
    expect(await broken("<!doctype html>", '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">')).toEqual([]);
    const [found] = await diagnostics({ "x.html": page("").replace("<!doctype html>\n", "") });
    expect(found?.edits).toMatchObject([{ at: { line: 1, column: 1 }, remove: "", insert: "<!doctype html>\n" }]);
  });

  it("doctype-missing, for part of a document", async () => {
    const [found, ...others] = await diagnostics({ "x.html": "<p>Hello</p>" });
    expect(found).toMatchObject({
      rule: "doctype-missing",
      message: expect.stringContaining("only part of a document"),
    });
    expect([found?.edits, others]).toEqual([undefined, []]);
  });

  it("language-missing", async () => {
    expect(await broken(' lang="en"', "")).toEqual(["language-missing warning x.html:2:1"]);
    expect(await broken('lang="en"', 'lang=""')).toEqual(["language-missing warning x.html:2:1"]);
    expect(await broken('lang="en"', 'lang="english"')).toEqual(["language-missing warning x.html:2:7"]);
    expect(await broken('lang="en"', 'lang="en_US"')).toEqual(["language-missing warning x.html:2:7"]);
    expect(await broken('lang="en"', 'lang="pt-BR"')).toEqual([]);
    expect(await broken('lang="en"', 'lang="{{lang}}"')).toEqual([]);
  });

  it("language-missing: has a fix if that is certain", async () => {
    const edits = async (lang: string, metadata = "{}") => {
      const html = page("").replace('lang="en"', `lang="${lang}"`);
      const [found] = await diagnostics({ "x/x.html": html, "x/template.json": metadata });
      return found?.edits?.map(({ at, remove, insert }) => `${at.line}:${at.column} ${remove} > ${insert}`);
    };
    expect(await edits("en_US")).toEqual(["2:13 en_US > en-US"]);
    expect(await edits("zz", '{ "locale": "de" }')).toEqual(["2:13 zz > de"]);
    expect(await edits("", '{ "locale": "de" }')).toEqual(["2:13  > de"]);
    expect(await edits("english")).toBe(undefined);
    expect(await edits("")).toBe(undefined);
  });

  it("language-missing, where template.json has it", async () => {
    const html = page("").replace(' lang="en"', "");
    expect(await findings({ "x/x.html": html, "x/template.json": '{ "locale": "de" }' })).toEqual([]);
  });

  it("language-missing, in MJML", async () => {
    const mjml = inColumn("<mj-text>Hello</mj-text>").replace(
      "<mjml>",
      "<mjml><mj-head><mj-title>Hi</mj-title></mj-head>",
    );
    expect(await findings({ "x.mjml": mjml })).toEqual(["language-missing warning x.mjml:1:1"]);
    expect(await findings({ "x.mjml": mjml.replace("<mjml>", '<mjml lang="en">') })).toEqual([]);
  });

  it("title-missing", async () => {
    expect(await broken(/<title>.*<\/title>/, "")).toEqual(["title-missing info x.html:3:1"]);
    expect(await broken(/<title>.*<\/title>/, "<title> </title>")).toEqual(["title-missing info x.html:8:1"]);
  });

  it("viewport", async () => {
    const scale = "initial-scale=1";
    expect(await broken(scale, "initial-scale=1, user-scalable=no")).toEqual(["viewport info x.html:5:23"]);
    expect(await broken(scale, "initial-scale=1,maximum-scale=1.0")).toEqual(["viewport info x.html:5:23"]);
    expect(await broken(scale, "initial-scale=1, maximum-scale=5, user-scalable=yes")).toEqual([]);
    expect(await broken(scale, "initial-scale=1, maximum-scale=10")).toEqual([]);
  });

  it("viewport", async () => {
    const viewport = /<meta name="viewport".*>/;
    expect(await broken(viewport, "")).toEqual(["viewport info x.html:3:1"]);
    const narrow = "<style>@media (max-width: 480px) { p { margin: 0 } }</style>";
    expect(await broken(viewport, "", narrow)).toEqual(["viewport warning x.html:3:1"]);
    expect(await broken("width=device-width, initial-scale=1", "width=600")).toEqual(["viewport warning x.html:5:23"]);
  });

  it("color-scheme", async () => {
    const dark = "<style>@media (prefers-color-scheme: dark) { p { color: #eee } }</style>";
    const meta = /<meta name="color-scheme".*>/;
    expect(await broken(meta, "", dark)).toEqual(["color-scheme warning x.html:3:1"]);
    expect(await broken(meta, "", `<style>:root { color-scheme: light dark }</style>${dark}`)).toEqual([
      "color-scheme info x.html:3:1",
    ]);
    expect(await broken(meta, "")).toEqual([]);
    expect(await broken("It left", "It has left", dark)).toEqual([]);
  });
});

describe("language-missing, in components", () => {
  const files = (attributes: string, locale = "en-US") => ({
    "x/x.tsx": `import { Body, Html } from "@react-email/components";
export default () => (
  <Html ${attributes}>
    <Body>Thanks</Body>
  </Html>
);`,
    "x/template.json": JSON.stringify({ locale }),
  });

  it("reports a component that contradicts template.json", async () => {
    expect(await languages(files('lang="de"'))).toEqual(["language-missing warning x.tsx:3:9"]);
    expect(await languages(files('lang="en" dir="ltr"', "he"))).toEqual([
      "language-missing warning x.tsx:3:9",
      "language-missing warning x.tsx:3:19",
    ]);
  });

  it("accepts matching, missing and computed attributes", async () => {
    for (const [attributes, locale] of [
      ['lang="en"', "en-US"],
      ['lang="en-GB"', "en"],
      ["", "he"],
      ['lang={"de" as string}', "en"],
    ])
      expect(await languages(files(attributes ?? "", locale))).toEqual([]);
  });
});
