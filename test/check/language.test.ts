import { describe, expect, it } from "vitest";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(rulesOf("language"));

const FILES = { "x.html": "" };

function found(body: string, head = ""): Promise<string[]> {
  return findings({ ...FILES, "x.html": page(body, head) });
}

describe("language", () => {
  it.each([
    "<p>Hello {{name}}, your order {{#late}}(which is late) {{/late}}is here :)</p>",
    "<p>Your card ending in XXXX 1234 and xxxx-xxxx-4242.</p>",
    "<p>See you soon xxx</p>",
    "<p>Save 100% today; 5 %, {}, and a [1] footnote.</p>",
    '<p>A 27" screen is 5\' 11" wide (really).</p>',
    "<p>Home » Orders » 12, more »</p><p>« Previous</p>",
    '<p>„Hallo“</p><p>”Hej”</p><p>“Hello”, «Salut», "Hi", that’s it, don\'t.</p>',
    '<p>Call (000) 000-0000, or "{{topic}}" at "Room 27".</p>',
    "<p>if (a &lt; b) return [1, 2] and (c)</p><p>He said 「はい」 and „ja“</p><p>“One</p><p>“Two”</p>",
    "<p>Write <code>}}</code> and &amp; and Café, naïve, Ægir, Ã</p>",
    "<ul><li>a) one</li><li>2) two</li></ul>",
    "<p>That had had an effect that that had not. Bye bye!</p>",
    "<p>From Bora Bora to Walla Walla, again and again, one by one: very very far.</p>",
    "<p>A variable is undefined, an undefined value, undefined behaviour, and 'undefined' in quotes.</p>",
    "<p>Water Ø 50 mm and Ù, Ð, Ñ</p>",
    "<p>In 3 μm and 5 kΩ; Москва and London.</p>",
    "<p>Hello שלום and welcome to our shop</p>",
    '<p dir="rtl">שלום {{name}}</p>',
    '<p dir="auto">שלום {{name}}</p>',
    '<div style="direction:rtl"><p>مرحبا بك</p></div>',
    "<p>Hi <bdi>שלום</bdi>, this is your order</p>",
    "<p>Write <code>{name}</code> there</p>",
    '<a href="https://a.example/%E4%B8%AD%20x?y=%7Bid%7D">Open</a>',
    "<p>{{#a}}({{b}}){{/a}}{{^a}}(none){{/a}}</p>",
    "<p>It costs $20 or US$5, 50% off, 5%–10%, and what is undefined or null stays so</p>",
    "<p>Nan, mail ada@model.example; #1 and @ada</p>",
    "<p>Email preferences: TODO list shared with you</p>",
    "<p>Ada put it on your TODO.</p>",
    "<p>We found the following reason(s): it is late (see below): sorry (: or ): both</p>",
    "<p>R&amp;D; Q&amp;As; Tom &amp; Jerry; a&nbsp;b and &euro; 5</p>",
    "<p>«Salut», «iPhone», «Anna Karenina», and {}</p>",
    "<p>Whether a value is undefined: null means none</p>",
    "<p>Visa XXXX XXXX XXXX 4242</p><p>Visa XXXX-XXXX-XXXX-{{last4}}</p><p>Visa XXXX {{last4}}</p>",
    '<p dir="rtl">צה"ל ומנכ"ל, מע"מ 17%</p>',
  ])("accepts %s", async (body) => {
    expect(await found(body)).toEqual([]);
  });

  it.each([
    ["placeholder-text warning", "Lorem ipsum"],
    ["placeholder-text warning", "TODO: say more"],
    ["placeholder-text warning", "It should be with you on TODO."],
    ["placeholder-text warning", "Hello {{name}}undefined, here it is"],
    ["placeholder-text warning", "FIXME"],
    ["placeholder-text warning", "Your order. TODO {{name}}"],
    ["placeholder-text warning", "It comes on Friday (TBD)."],
    ["placeholder-text warning", "Your account is ready. undefined"],
    ["placeholder-text warning", "The order was undefined today."],
    ["broken-characters warning", "Ø§Ø¶ØºØ· Ø¹Ù„Ù‰"],
    ["broken-characters warning", "ÐŸÑ€Ð¸Ð²ÐµÑ‚"],
    ["placeholder-text warning", "[Name]"],
    ["placeholder-text warning", "Hello undefined, how are you?"],
    ["placeholder-text warning", "Total: [object Object]"],
    ["placeholder-text warning", "Total: NaN"],
    ["placeholder-text warning", "[Your Company]"],
    ["placeholder-text warning", "[First name]"],
    ["placeholder-text warning", "Your text here"],
    ["placeholder-text warning", "Insert text here"],
    ["placeholder-text warning", "placeholder text"],
    ["placeholder-text warning", "XXXX"],
    ["foreign-syntax error", "<%= name %>"],
    ["foreign-syntax error", "{% if name %}"],
    ["foreign-syntax error", "${name}"],
    ["foreign-syntax error", "${user.name}"],
    ["foreign-syntax error", "#{name}"],
    ["foreign-syntax error", "%{name}"],
    ["foreign-syntax error", "%NAME%"],
    ["foreign-syntax error", "%%name%%"],
    ["foreign-syntax error", "*|FNAME|*"],
    ["foreign-syntax error", "[[name]]"],
    ["foreign-syntax warning", "{name}"],
    ["foreign-syntax error", "{0}"],
    ["foreign-syntax error", "%s"],
    ["foreign-syntax error", "{$name}"],
    ["foreign-syntax error", "${(user.name)!}"],
    ["foreign-syntax error", "<#if user??>Hi</#if>"],
    ["foreign-syntax error", "#if($user) Hi #end"],
    ["foreign-syntax error", "@Model.Name"],
    ["foreign-syntax error", "[% name %]"],
    ["foreign-syntax error", "[firstname,fallback=you]"],
    ["foreign-syntax error", "%first_name%"],
    ["foreign-syntax error", "%(name)s"],
    ["foreign-syntax error", "$first_name"],
    ["foreign-syntax error", "{0:C}"],
    ["foreign-syntax error", "__NAME__"],
    ["foreign-syntax error", "${user.name!'x'}"],
    ["broken-characters warning", "itâ€™s"],
    ["broken-characters warning", "CafÃ©"],
    ["broken-characters warning", "&amp;nbsp;x"],
    ["broken-characters warning", "&nbps;x"],
    ["broken-characters warning", "5 &euor;"],
    ["broken-characters warning", "&amp;euro; 5"],
    ["foreign-syntax error", "{# note #}"],
    ["foreign-syntax error", "{/* note */}"],
    ["foreign-syntax error", "%%=v(@first)=%%"],
    ["foreign-syntax error", "%%[ SET @a = 1 ]%%"],
    ["foreign-syntax error", "«first_name»"],
    ["foreign-syntax error", "«FirstName»"],
    ["foreign-syntax error", "«name»"],
    ["placeholder-text warning", "Order #undefined"],
    ["placeholder-text warning", "Order number: null."],
  ])("%s: %s", async (expected, phrase) => {
    const written = phrase.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const [place] = await found(`<p>Hello <b>you</b>,\n  ${written}\nbye</p>`);
    expect(place).toMatch(new RegExp(`^${expected} x\\.html:1[45]:`));
    expect(await found(`<p>Hello</p>\n<p>${written}</p>`)).toEqual([
      expect.stringMatching(`^${expected} x\\.html:15:`),
    ]);
  });

  it("points to the exact words", async () => {
    expect(await found("<p>Hello,\n  a [Name] b</p>")).toEqual(["placeholder-text warning x.html:15:5"]);
    expect(await found("<p>Hello,\n  a {name} b</p>")).toEqual(["foreign-syntax warning x.html:15:5"]);
  });

  it("foreign-syntax: reports PHP, which parsers drop", async () => {
    expect(await found("<p>Hello\n<?php echo $name ?></p>")).toEqual(["foreign-syntax error x.html:15:1"]);
  });

  it("foreign-syntax: checks URLs", async () => {
    expect(await found('<a\n  href="https://a.example/{id}">Open</a>')).toEqual([
      expect.stringMatching(/^foreign-syntax error x\.html:1[45]/),
    ]);
  });

  it("checks the subject, the names of images and the hand-written text", async () => {
    const files = {
      "x/x.html": page('<img src="https://a.example/b" alt="Lorem ipsum">'),
      "x/template.json": '{\n  "subject": "Hello [Name]"\n}',
      "x/x.txt": "Hello,\n\nbye TODO: more",
    };
    expect(await findings(files)).toEqual([
      "placeholder-text warning template.json:2:14",
      expect.stringMatching(/^placeholder-text warning x\.html:14:/),
      "placeholder-text warning x.txt:3:5",
    ]);
  });

  it("broken-characters: suggests the entity for a typo", async () => {
    const [finding] = await diagnostics({ "x.html": page("<p>Hello&nbps;you</p>") });
    expect(finding).toMatchObject({
      message: "&nbps; is shown as text: HTML has no such entity.",
      hint: "Did you mean &nbsp;?",
    });
  });

  it("placeholder-text: reports a missing value in the preheader", async () => {
    const html = page("<p>Hello</p>").replace("It should arrive on Tuesday.", "It should arrive on undefined.");
    expect(await findings({ "x.html": html })).toEqual(["placeholder-text warning x.html:12:76"]);
  });

  it("placeholder-text: reports a missing value in what derive returns", async () => {
    const files = {
      "x/x.html": page("<p>{{due}}</p>"),
      "x/variables.ts": `import { z } from "zod";
export default z.object({ day: z.string().optional() });
export const derive = ({ day }: { day?: string }) => ({ due: \`Pay by \${day} at the latest\` });
`,
      "x/fixtures/a.json": '{ "day": "Friday" }',
      "x/fixtures/b.json": "{}",
    };
    expect(await findings(files)).toEqual(["placeholder-text warning variables.ts"]);
  });

  it("checks the parts that a text includes", async () => {
    const files = {
      "x/x.html": page("<p>Hello</p>"),
      "x/x.txt": "Hello\n\n{{> ../_shared/end}}\n",
      "_shared/end.txt": "Bye\n  *|CITY|*\nLorem ipsum",
    };
    expect(await findings(files)).toEqual(["foreign-syntax error end.txt:2:3", "placeholder-text warning end.txt:3:1"]);
  });

  it("points to where a shared component is used", async () => {
    const files = {
      "_title.tsx": `import { Text } from "@react-email/components";
export function Title({ children }: { children: string }) {
  return <Text>{children}</Text>;
}`,
      "x.tsx": `import { Body, Head, Html } from "@react-email/components";
import { Title } from "./_title.js";
export default () => (
  <Html lang="en"><Head><title>Hi</title></Head><Body>
    <Title>Hello [Your Name]</Title>
  </Body></Html>
);`,
    };
    expect(await findings(files)).toEqual(["placeholder-text warning x.tsx:5:18"]);
  });

  it("mixed-direction: reports right-to-left text unless the body is right-to-left", async () => {
    expect(await found("<p>a</p>\n<p>שלום {{name}}, ההזמנה שלך בדרך.</p>")).toEqual([
      expect.stringMatching(/^mixed-direction warning x\.html:15:/),
    ]);
    const files = { "x/x.html": page("<p>a</p>\n<p>مرحبا بك</p>").replaceAll('dir="ltr"', 'dir="rtl"') };
    expect(await findings(files)).toEqual([]);
  });

  it.each([
    '<p>Hello</p>\n<p dir="ltr">شكرا لطلبك من متجرنا</p>',
    "<table><tr><td>a</td></tr>\n<tr><td>شكرا لطلبك <b>من متجرنا</b></td></tr></table>",
    "<p>Hello</p>\n<div>תודה שהזמנתם אצלנו!</div>",
  ])("mixed-direction: reports a right-to-left paragraph: %s", async (body) => {
    expect(await found(body)).toEqual([expect.stringMatching(/^mixed-direction warning x\.html:15:/)]);
  });

  it.each([
    ["<p>Hello {{name}}}</p>", "x.html:14:10"],
    ["<p>{{name}} and ((name))</p>", "x.html:14:17"],
    ["<p>{{name}} and %name%</p>", "x.html:14:17"],
    ["<p>{{name}}, props.name</p>", "x.html:14:14"],
  ])("foreign-syntax: knows the names of variables: %s", async (body, at) => {
    const files = { "x/x.html": page(body), "x/fixtures/default.json": '{ "name": "Ada" }' };
    expect(await findings(files)).toEqual([`foreign-syntax error ${at}`]);
  });

  it.each(["<p>{{{name}}} {{{name}}}</p>", "<p>{{name}} ((see below)), props.value</p>", "<p>{ {{name}} }</p>"])(
    "foreign-syntax: accepts %s",
    async (body) => {
      const files = { "x/x.html": page(body), "x/fixtures/default.json": '{ "name": "Ada" }' };
      expect(await findings(files)).toEqual([]);
    },
  );

  it("foreign-syntax: names the syntax in the message", async () => {
    const [finding] = await diagnostics({ "x.html": page("<p>Hello %NAME%</p>") });
    expect(finding?.message).toBe(
      "%NAME% is the syntax of another template engine, which is never filled: recipients see it as written.",
    );
  });
});
