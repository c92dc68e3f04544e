import { describe, expect, it, onTestFinished, vi } from "vitest";
import { inColumn } from "../render/project.js";
import { useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(rulesOf("css"));
const { diagnostics: withSupport } = useFindings([...rulesOf("css"), ...rulesOf("client-support")]);

/** The findings in a style attribute, with the column in its value. */
async function inStyle(style: string): Promise<string[]> {
  const results = await diagnostics({ "x.html": `<p style="${style}">Hello</p>` });
  return results.map(({ rule, at, message, hint }) => `${(at?.column ?? 0) - 10} ${rule} ${hint ?? message}`);
}

/** The findings in a stylesheet, with their line and column in it. */
async function inSheet(css: string): Promise<string[]> {
  const results = await diagnostics({ "x.html": `<style>\n${css}\n.z { color: #111111 }\n</style>` });
  return results.map(({ rule, at, message }) => `${(at?.line ?? 0) - 1}:${at?.column} ${rule} ${message}`);
}

describe("css-syntax in a style attribute", () => {
  it.each([
    ["color red", "1 css-syntax Write `color: …`."],
    ["margin: 0; color: red font-size: 12px", "12 css-syntax Add `;` before `font-size`."],
    ["color: red; // note", "13 css-syntax Write `/* … */`."],
    ["color: red // note", "1 css-syntax Write `/* … */`."],
    ["color: red; /* note", "13 css-syntax Add `*/`."],
    ["color: rgb(10,20,30; margin: 0", "1 css-syntax Add `)`."],
    [
      "color: red !imporant",
      "1 css-syntax `!imporant` is not `!important`: email clients ignore `color: red !imporant`.",
    ],
    ["color:", "1 css-syntax `color:` has no value: email clients ignore it."],
    [
      "{color: red}",
      "1 css-syntax A style attribute can't contain braces: email clients ignore the declaration with this `{`.",
    ],
    [
      "font-family: 'Arial; color: red",
      "1 css-syntax The quote in `font-family: 'Arial; color: red` is never closed and swallows the CSS after it.",
    ],
  ])("reports %s", async (style, expected) => {
    expect(await inStyle(style)).toEqual([expected]);
  });
});

describe("css-value in a style attribute", () => {
  it.each([
    ["color: #12345", "1 css-value A colour has 3, 4, 6 or 8 digits; `#12345` has 5."],
    ["margin: 0; color: blakc", "12 css-value Did you mean `black`?"],
    ["font-size: 16", "1 css-value The unit is missing: write `16px`."],
    ["border: 1 solid #ccc", "1 css-value The unit is missing: write `1px solid #ccc`."],
    ["font-size: 16 px", "1 css-value There is a space between the number and its unit: write `16px`."],
    ["font-size: 16xp", "1 css-value There is no such unit: write `16px`."],
    ["line-height: -26px", "1 css-value `line-height` can't be negative: email clients ignore `-26px`."],
    ["padding: 4px -8px", "1 css-value `padding` can't be negative: email clients ignore `4px -8px`."],
    ["width: NaNpx", "1 css-value `NaNpx` is not a valid value of `width`: email clients ignore it."],
    ["padding: 10px, 20px", "1 css-value Values are separated by spaces, not commas: write `10px 20px`."],
    ["backgound-color: red", "1 css-value Did you mean `background-color`?"],
    ["display: blok", "1 css-value Did you mean `block`?"],
    ["text-align: centre", "1 css-value Did you mean `center`?"],
    ["color: 1d2733", "1 css-value The `#` is missing: write `#1d2733`."],
    ["font-family: “Arial”", "1 css-value Write ' or \" instead."],
    [
      "background: http://a.example/b.png",
      "1 css-value A URL must be in `url()`: write `url(http://a.example/b.png)`.",
    ],
  ])("reports %s", async (style, expected) => {
    expect(await inStyle(style)).toEqual([expected]);
  });
});

describe("valid CSS in a style attribute", () => {
  it.each([
    "mso-line-height-rule: exactly; mso-hide: all; -webkit-text-size-adjust: 100%; -ms-interpolation-mode: bicubic",
    "*zoom: 1; _height: 1px; Margin: 0; PADDING: 0; width: 100px\\9; color: red !ie",
    "filter: progid:DXImageTransform.Microsoft.gradient(startColorstr='#1', endColorstr='#2'); filter: alpha(opacity=50)",
    "width: expression(document.body.clientWidth > 600 ? '600px' : 'auto'); color: red",
    "font-family: Segoe UI, Helvetica Neue, Arial; font: 700 16px/1.5 &quot;Open Sans&quot;, sans-serif",
    "color-scheme: light dark; width: clamp(1px, 2vw, 3px); padding: env(x); color: var(--x, red); --y: 1 2 3",
    "background: #ffffff url(https://a.example/b?c=d&amp;e=f) no-repeat center / cover; margin: 0 auto!important;;",
    "line-height: 24; z-index: 1; margin: 0; supported-color-schemes: light dark; /* note */",
    "{{#x}}color: red;{{/x}} font-size: {{size}}px; {{#a}}color: red{{/a}}{{^a}}color: blue{{/a}}; width: {{w}}",
    "clip-path: circle(50%); clip-path: circle(50% at 10px 20px); shape-outside: ellipse(40% 60%)",
    "color: {{#late}}#b00020{{/late}}{{^late}}#0b5394{{/late}}; {{{rest}}}; {{prop}}: 1px",
  ])("is not reported: %s", async (style) => {
    expect(await inStyle(style)).toEqual([]);
  });
});

it("accepts a value that css-tree gives up on, and prints no warning", async () => {
  const warn = vi.spyOn(console, "warn");
  onTestFinished(() => warn.mockRestore());
  const shadows = Array.from({ length: 20 }, (_, index) => `inset 0 0 ${index}px 5px rgba(0,0,0,0.5)`);
  expect(await inStyle(`box-shadow: ${shadows.join(", ")}`)).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
});

describe("CSS in a stylesheet", () => {
  it.each([
    [
      "@media (max-width=600px) { p { color: red } }",
      "1:1 css-value `@media (max-width=600px)` needs a colon after `max-width`",
    ],
    [
      "@media (max-width 600px) { p { color: red } }",
      "1:1 css-value `@media (max-width 600px)` needs a colon after `max-width`",
    ],
    [
      "@media max-width: 600px { p { color: red } }",
      "1:1 css-value `@media max-width: 600px` needs parentheses around the condition",
    ],
    [
      "@media (max-widht: 600px) { p { color: red } }",
      "1:1 css-value `@media (max-widht: 600px)` tests the unknown `max-widht`",
    ],
    [
      "@media (prefers-color-scheme: drak) { p { color: red } }",
      "1:1 css-value `@media (prefers-color-scheme: drak)` tests the unknown value `prefers-color-scheme: drak`",
    ],
    [
      "@media screen and(max-width: 600px) { p { color: red } }",
      "1:1 css-value `@media screen and(max-width: 600px)` needs a space after `and`",
    ],
    [
      "@media screen (max-width: 600px) { p { color: red } }",
      "1:1 css-value `@media screen (max-width: 600px)` needs an `and` before `(`",
    ],
    ["@media (max-width: 600) { p { color: red } }", "1:1 css-value `@media (max-width: 600)` has no unit after `600`"],
    [
      "@media (max-width: 600xp) { p { color: red } }",
      "1:1 css-value `@media (max-width: 600xp)` has an unknown unit in `600xp`",
    ],
    ["@media (max-width: 600px { p { color: red } }", "1:8 css-syntax The bracket is never closed"],
    ["@meda (max-width: 600px) { p { color: red } }", "1:1 css-value There is no `@meda`"],
    ["$ink: #123;", "1:1 css-syntax `$ink: #123` is preprocessor syntax"],
    ["@ink: #123;", "1:1 css-syntax `@ink: #123` is preprocessor syntax"],
    ["@include foo;", "1:1 css-syntax `@include foo` is preprocessor syntax"],
    ["p { color: red } }", "1:18 css-syntax This `}` closes nothing"],
    ["p { color: red }; a { color: red }", "1:17 css-syntax This `;` is not needed"],
    ["p color: red; }", "1:1 css-syntax `p color: red` is not inside a rule"],
    ["p { color: red } a[title='b;'] c; d { color: red }", "1:18 css-syntax `a[title='b;'] c` is not inside a rule"],
    ["// note\np { color: red }", "1:1 css-syntax `//` does not start a comment"],
    ["/* note p { color: red }", "1:1 css-syntax The comment is never closed"],
    ["p { color red; margin: 0 }", "1:5 css-syntax `color red` has no colon"],
    ['p { content: "x; color: red }', '1:5 css-syntax The quote in `content: "x; color: red } .z'],
    ["p { background: url(a.png; color: red }", "1:5 css-syntax A bracket in"],
  ])("is reported: %s", async (css, expected) => {
    expect(await inSheet(css)).toEqual([expect.stringContaining(expected)]);
  });

  it.each([
    "@media only screen and (-webkit-min-device-pixel-ratio: 2), (min-resolution: 192dpi) { p { color: red } }",
    "@media yahoo { p { color: red } } @media screen and (min-width:0\\0) { p { color: red } }",
    "@media (prefers-color-scheme: dark) { p { color: red !important } } @media (400px <= width <= 600px) { p { margin: 0 } }",
    "@media screen { @media (min-width: 0px) { p { color: red } } } @media not all and (hover: hover) { p { margin: 0 } }",
    "@font-face { font-family: 'A'; src: url(a.woff) format('woff'); mso-font-alt: 'Arial' } @-ms-viewport { width: device-width }",
    "@import url('https://fonts.example/a.css'); u + .body p { margin: 0 } [class~=\"x_g\"] p { margin: 0 }",
    "<!-- p { color: red } --> @page WordSection1 { size: 8.5in 11.0in } @tailwind base;",
    "p /* // */ a { margin: 0 }",
    "div[style*=\"margin: 16px 0;\"] { margin: 0 } /* a; b */ p[title='}'] { margin: 0 }",
    "{{#x}}p { color: red; {{/x}}{{^x}}p { color: blue; {{/x}} font-size: 12px }",
    "{{css}} p { color: {{c}}; {{{rest}}} } {{#wide}}@media print { p { margin: 0 } }{{/wide}}",
  ])("is not reported: %s", async (css) => {
    expect(await inSheet(css)).toEqual([]);
  });
});

describe("a rule that ends directly after a tag", () => {
  it("counts as closed", async () => {
    expect(await inSheet(".a{color:{{color}}}\np{color:{{{other}}}}")).toEqual([]);
  });
});

describe("a rule that is never closed", () => {
  const nestings = async (css: string): Promise<string[]> => {
    const results = await withSupport({
      "x.html": `<!doctype html>\n<html lang="en"><style>\n${css}\n</style></html>`,
    });
    return results.map(({ rule, at }) => `${rule} ${at?.line}:${at?.column}`);
  };

  it("is reported once, at its start", async () => {
    expect(await nestings(".a { color: red;\n.b { color: blue }\n.c { color: blue }")).toEqual(["css-syntax 3:1"]);
    const inMedia = "@media (max-width: 600px) {\n  .a { color: red;\n  .b { color: blue }\n  .c { color: blue }\n}";
    expect(await nestings(inMedia)).toEqual(["css-syntax 4:3"]);
    expect(await nestings("@media (max-width: 600px) {\n  .a { color: red }\n")).toEqual(["css-syntax 3:1"]);
  });

  it("is distinguished from a nested rule, which client-unsupported reports", async () => {
    expect(await nestings(".x { color: #111111; a { color: #0b4f8a } }")).toEqual(["client-unsupported 3:22"]);
    expect(await nestings("<!-- p { margin: 0 } --> @supports (color: red) { p { margin: 0 } }")).toEqual([]);
  });
});

describe("CSS in MJML", () => {
  it("is checked in style attributes and in mj-style", async () => {
    const mjml = inColumn('<mj-text font-size="16px">Hello <span style="colr: red">you</span></mj-text>').replace(
      "<mj-body>",
      '<mj-head><mj-style>\n.a { color: blakc }\n</mj-style><mj-style inline="inline"><![CDATA[\n.b { margin: 1 }\n]]></mj-style></mj-head>\n<mj-body>',
    );
    const [first, second, third, ...others] = await findings({ "x.mjml": mjml });
    expect([first, second]).toEqual(["css-value warning x.mjml:2:6", "css-value warning x.mjml:4:6"]);
    expect(third).toMatch(/^css-value warning x\.mjml:\d+:\d+$/);
    expect(others).toEqual([]);
  });

  it.each([
    ['border="1px solidd red"', "Did you mean `solid`?"],
    ['border-radius="8"', "The unit is missing: write `8px`."],
    ['inner-border="1px dotted gren"', "Did you mean `green`?"],
  ])("is checked in attributes that MJML copies into CSS: %s", async (attribute, hint) => {
    const body = `<mj-body><mj-section>\n<mj-column ${attribute}><mj-text>a</mj-text></mj-column></mj-section></mj-body>`;
    const [first, ...others] = await diagnostics({ "x.mjml": `<mjml>${body}</mjml>` });
    const column = 12 + (attribute.startsWith("inner-") ? "inner-".length : 0);
    expect([first?.rule, first?.at?.line, first?.at?.column, first?.hint]).toEqual(["css-value", 2, column, hint]);
    expect(others).toEqual([]);
  });

  it("is reported in mj-attributes if it is invalid", async () => {
    const mjml = (attributes: string) =>
      `<mjml><mj-head><mj-attributes>\n<mj-text ${attributes} /></mj-attributes></mj-head><mj-body><mj-section><mj-column><mj-text>a</mj-text></mj-column></mj-section></mj-body></mjml>`;
    expect(await findings({ "x.mjml": mjml('font-weight="blod"') })).toEqual(["css-value warning x.mjml:2:10"]);
    expect(
      await findings({
        "x.mjml": mjml('font-weight="600" font-style="italic" text-decoration="none" text-transform="uppercase"'),
      }),
    ).toEqual([]);
    expect(await findings({ "x.mjml": mjml('font-weight="{{weight}}"') })).toEqual([]);
  });
});

describe("CSS in React", () => {
  const component = (body: string): string =>
    `import { Head, Html, Text } from "@react-email/components";\nexport default () => (<Html lang="en">\n${body}\n</Html>);\n`;

  it("is checked in style objects and style elements", async () => {
    const body =
      '<Head><style>{`\n.a { color: blakc }\n.b { color: red; /* never */ colour }\n`}</style></Head>\n<Text style={{ color: "rde", width: "600", fontSize: 16 }}>Hello</Text>';
    expect(await findings({ "x.tsx": component(body) })).toEqual([
      "css-syntax warning x.tsx:5:30",
      "css-value warning x.tsx:4:6",
      "css-value warning x.tsx:7:16",
      "css-value warning x.tsx:7:30",
    ]);
  });
});

describe("CSS in conditional comments for Outlook", () => {
  it("is checked, except for the styles of VML", async () => {
    const outlook = (inner: string) => diagnostics({ "x.html": `<!--[if mso]>\n${inner}\n<![endif]--><p>a</p>` });
    expect(await outlook("<style>\ntd { font-famly: Arial }</style>")).toMatchObject([
      { rule: "css-value", at: { line: 3, column: 6 } },
    ]);
    expect(await outlook('<table style="widht: 9px"></table>')).toMatchObject([
      { rule: "css-value", at: { line: 2, column: 15 } },
    ]);
    const vml = '<v:rect style="width:9px;v-text-anchor:middle;mso-width-percent:1000"></v:rect>';
    const sheet = "<style>v\\:* { behavior: url(#default#VML) } td { mso-line-height-rule: exactly }</style>";
    expect(await outlook(`${sheet}${vml}`)).toEqual([]);
  });
});

describe("line-height", () => {
  const inBody = (html: string) => findings({ "x.html": html });

  it("reports a line height below the font size, at the line height", async () => {
    expect(await inBody('<p style="font-size: 24px; line-height: 16px">Hello there</p>')).toEqual([
      "line-height warning x.html:1:28",
    ]);
    expect(await inBody('<div style="line-height: 20px">\n<h1 style="font-size: 40px">Hello there</h1></div>')).toEqual(
      ["line-height warning x.html:1:13"],
    );
    expect(
      await inBody('<div style="font-size: 10px; line-height: 150%"><p style="font-size: 30px">Hello there</p></div>'),
    ).toEqual(["line-height warning x.html:1:30"]);
    expect(
      await findings({ "x.mjml": inColumn('<mj-text\nfont-size="30px" line-height="20px">Hello there</mj-text>') }),
    ).toEqual([expect.stringMatching(/^line-height warning x\.mjml:\d:18$/)]);
  });

  it.each([
    '<p style="font-size: 44px; line-height: 40px">Hello there</p>',
    '<div style="font-size: 10px; line-height: 1.5"><p style="font-size: 30px">Hello there</p></div>',
    '<p style="font-size: 24px; line-height: normal">Hello there</p>',
    '<p style="font-size: 36px; line-height: 24px">{{code}}</p>',
    '<p style="font-size: 36px; line-height: {{height}}">Hello there</p>',
    '<p>Hello<sup style="line-height: 0">see below</sup></p>',
    '<div style="display: none; font-size: 36px; line-height: 1px">Hello there</div>',
  ])("does not report %s", async (html) => {
    expect(await inBody(html)).toEqual([]);
  });
});

describe("font-fallback", () => {
  it("reports a font that many recipients do not have, once", async () => {
    const html =
      "<p style=\"color: #111111; font-family: 'Inter'\">Hello</p><b style=\"font-family: 'Inter'\">again</b>";
    const [first, ...others] = await diagnostics({ "x.html": html });
    expect(first).toMatchObject({ rule: "font-fallback", severity: "warning", at: { line: 1, column: 27 } });
    expect(first?.message).toContain("The font `'Inter'` has no fallback");
    expect(others).toEqual([]);
    expect(
      await findings({ "x.html": "<style>\nbody { font: 16px/1.5 Inter, Roboto }\n</style><body>Hello</body>" }),
    ).toEqual(["font-fallback warning x.html:2:8"]);
  });

  it.each([
    "font-family: Inter, sans-serif",
    "font-family: Inter, Arial",
    "font-family: 'Segoe UI', Inter",
    "font-family: {{font}}",
    "font-family: Inherit",
    "font: 16px/1.5 Inter, SANS-SERIF",
    "font: caption",
    "font-family: Inter; display: none",
  ])("does not report %s", async (style) => {
    expect(await findings({ "x.html": `<p style="${style}">Hello</p>` })).toEqual([]);
  });

  it("does not report a font for letters of scripts that Times New Roman lacks", async () => {
    expect(await findings({ "x.html": '<p style="font-family: SimSun">您的订单</p>' })).toEqual([]);
  });

  it("checks only fonts in which text is shown", async () => {
    const html = '<div style="font-family: Inter"><p style="font-family: Inter, serif">Hello</p></div>';
    expect(await findings({ "x.html": html })).toEqual([]);
  });
});
