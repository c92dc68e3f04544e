import { describe, expect, it } from "vitest";
import { spamWording } from "../../src/check/rules/language/spam-wording.js";
import { inColumn } from "../render/project.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings([...rulesOf("subject"), spamWording]);

const ZWNJ = "&#847;&zwnj;&nbsp;".repeat(20);

function withSubject(subject: string, fixture?: object) {
  return {
    "x/x.html": page("<p>a</p>"),
    "x/template.json": `{\n  "subject": ${JSON.stringify(subject)}\n}`,
    ...(fixture && { "x/fixtures/default.json": JSON.stringify(fixture) }),
  };
}

function withPreheader(text: string, style = "display:none"): Record<string, string> {
  return { "x.html": page("<p>a</p>").replace(/<div style[^\n]*/, `<div style="${style}">${text}</div>`) };
}

describe("subject", () => {
  it.each([
    "Your receipt",
    "Your order FH-10482 is on its way",
    "SEPA: GDPR",
    "Welcome!",
    "¡Hola!",
    "Ready? 🎉",
    "Q&A with <Ada>; we <3 you",
    "ご注文ありがとうございます",
    "{{name}} invited you",
    "Re: {{name}}",
    "Release: it is here",
  ])("accepts %s", async (subject) => {
    expect(await findings(withSubject(subject, { name: "ADA LOVELACE AND FRIENDS" }))).toEqual([]);
  });

  it.each([
    ["subject-length info", "Your order from the Fernhill shop of last Tuesday is shipped"],
    ["subject-length warning", "Your order from the Fernhill shop of last Tuesday is shipped and will be there soon"],
    ["spam-wording info", "YOUR ORDER IS ON ITS WAY"],
    ["spam-wording info", "{{name}}, YOUR ORDER IS HERE"],
    ["spam-wording info", "Your order is here!!"],
    ["spam-wording info", "Hello! Your order is here!"],
    ["spam-wording info", "Really?!"],
    ["spam-wording info", "Your order 🎉🚚📦"],
    ["subject-markup warning", "Your <b>export</b>"],
    ["subject-markup warning", "Export &amp; invoice"],
    ["subject-line-break warning", "Your order\nis here"],
    ["spam-wording info", "Re: Your order"],
    ["spam-wording info", "FWD: your invoice"],
    ["subject-characters info", "Your  order"],
  ])("%s: %s", async (expected, subject) => {
    expect(await findings(withSubject(subject, { name: "Ada" }))).toEqual([`${expected} template.json:2:14`]);
  });

  it("subject-missing: reports a template without a subject", async () => {
    const untitled = page("<p>a</p>").replace(/<title>.*<\/title>/, "");
    expect(await findings({ "x.html": untitled })).toEqual(["subject-missing warning x.html"]);
    expect(await findings({ "x/x.html": untitled, "x/template.json": "{}" })).toEqual([
      "subject-missing warning template.json:1:1",
    ]);
  });

  it("subject-length: measures the filled subject, and says what phones show", async () => {
    const subject = "{{inviter}} invited you to the team {{team}} today";
    const [long] = await diagnostics(withSubject(subject, { inviter: "Ada", team: "Fernhill garden and orchard" }));
    expect(long?.message).toBe(
      'The subject, filled with the fixture default, is 61 characters long; phones show about "Ada invited you to the team Fernhill gar…".',
    );
    const files = { ...withSubject(subject, { inviter: "Ada", team: "b" }) };
    const names = JSON.stringify({ inviter: "W".repeat(60), team: "b" });
    expect(await findings({ ...files, "x/fixtures/long-names.json": names })).toEqual([]);
  });

  it("subject-line-break: reports a value with a line break", async () => {
    expect(await findings(withSubject("Hello {{name}}", { name: "Ada\nBcc: x" }))).toEqual([
      "subject-line-break error template.json:2:14",
    ]);
  });

  it("subject-characters: reports control characters and superfluous spaces", async () => {
    const files = (subject: string) => ({
      "x/x.html": page("<p>Hello</p>"),
      "x/template.json": JSON.stringify({ subject }),
    });
    expect(await findings(files("Your order\u0007 is on its way"))).toEqual([
      "subject-characters warning template.json:1:12",
    ]);
    expect(await findings(files(" Your order is on its way"))).toEqual(["subject-characters info template.json:1:12"]);
    expect(await findings(files("Your order is on its way"))).toEqual([]);
  });

  it("points to where the subject is written", async () => {
    const body = page("<p>a</p>").replace("Your order is on its way", "YOUR ORDER IS HERE");
    expect(await findings({ "x.html": body })).toEqual(["spam-wording info x.html:8:8"]);
    const component =
      'import React from "react";\nexport const subject = "YOUR ORDER IS HERE";\nexport default () => <html><body><div style={{ display: "none" }}>It should arrive on Tuesday.</div>a</body></html>;';
    expect(await findings({ "x.tsx": component })).toEqual(["spam-wording info x.tsx:2:1"]);
  });
});

describe("preheader", () => {
  it.each([
    withPreheader("It should arrive on Tuesday."),
    withPreheader("It should arrive.", "display:none;max-height:0"),
    withPreheader(`Soon. ${ZWNJ}`),
    withPreheader(`Soon.</div><div style="display:none">${ZWNJ}`),
    withPreheader("{{#late}}It is late, and we are sorry.{{/late}}{{^late}}It should arrive on Tuesday.{{/late}}"),
  ])("accepts a good one", async (files) => {
    expect((await findings(files)).filter((found) => !found.startsWith("preheader info"))).toEqual([]);
  });

  it("is reported if it is missing", async () => {
    expect(await findings(withPreheader("It should arrive on Tuesday.", "color:red"))).toEqual([
      "preheader warning x.html:11:1",
    ]);
    const mjml = inColumn("<mj-text>a</mj-text>");
    const head = (elements: string) =>
      mjml.replace("<mjml>", `<mjml><mj-head><mj-title>Your order</mj-title>${elements}</mj-head>`);
    expect(await findings({ "x.mjml": head("") })).toEqual([expect.stringMatching(/^preheader warning x\.mjml/)]);
    expect(await findings({ "x.mjml": head("\n<mj-preview></mj-preview>") })).toEqual(["preheader warning x.mjml:2:1"]);
    expect(await findings({ "x.mjml": head("<mj-preview>It should arrive on Tuesday.</mj-preview>") })).toEqual([]);
  });

  it("is not a menu", async () => {
    const navbar =
      '<mj-navbar hamburger="hamburger"><mj-navbar-link href="https://a.example">Open</mj-navbar-link></mj-navbar>';
    const body = inColumn(`${navbar}<mj-text>a</mj-text>`).replace(
      "<mjml>",
      "<mjml><mj-head><mj-title>Your order</mj-title></mj-head>",
    );
    expect(await findings({ "x.mjml": body })).toEqual([expect.stringMatching(/^preheader warning x\.mjml/)]);
  });

  it("has a place, also in a shared component", async () => {
    const files = {
      "x.tsx": `import { Frame } from "./_frame";
export const subject = "Your order is here";
export default function Email() {
  return <Frame
    preview="Your order is here"><p>Well.</p></Frame>;
}`,
      "_frame.tsx": `import { Body, Html, Preview } from "@react-email/components";
export function Frame({ preview, children }) {
  return <Html><Body><Preview>{preview}</Preview>{children}</Body></Html>;
}`,
    };
    expect(await findings(files)).toEqual([expect.stringMatching(/^preheader warning (?:x|_frame)\.tsx:\d+:\d+$/)]);
  });

  it("may be hidden by a style sheet", async () => {
    const files = {
      "x.html": page("<p>a</p>", "<style>.pre { display: none }</style>").replace(
        /<div style="[^"]*"/,
        '<div class="pre"',
      ),
    };
    expect(await findings(files)).toEqual([]);
  });

  it("is reported if it is too short or too long", async () => {
    expect(await findings(withPreheader("Soon."))).toEqual(["preheader info x.html:12:27"]);
    expect(await findings(withPreheader("It should arrive on Tuesday. ".repeat(6)))).toEqual([
      "preheader info x.html:12:27",
    ]);
    expect(await findings(withPreheader(`Soon. ${ZWNJ}`))).toEqual([]);
    expect(await findings(withPreheader(`Soon.</div><div style="display:none">${ZWNJ}`))).toEqual([]);
  });

  it("is reported if it repeats the subject", async () => {
    expect(await findings(withPreheader("Your order is on its way."))).toEqual(["preheader warning x.html:12:27"]);
  });
});
