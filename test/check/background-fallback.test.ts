import { describe, expect, it } from "vitest";
import { backgroundFallback } from "../../src/check/rules/structure/background-fallback.js";
import { page, useFindings } from "./findings.js";

const { findings } = useFindings([backgroundFallback]);
const inBody = (html: string) => findings({ "x.html": page(html) });

describe("background-fallback", () => {
  const image = "url(https://a.example/b.png)";
  const white = '<p style="color: #ffffff">Hello</p><p style="color: #ffffff">again</p>';

  it.each([
    [`<div style="background-image: ${image}">${white}</div>`, 13],
    [`<div style="background: ${image} no-repeat">${white}</div>`, 13],
    [`<div style="background: #f5f5f5 ${image}">${white}</div>`, 13],
    [`<div style="background: linear-gradient(#111, #333)">${white}</div>`, 13],
    [`<table background="https://a.example/b.png"><tr><td>${white}</td></tr></table>`, 8],
  ])("reports light text that only an image makes readable: %s", async (html, column) => {
    expect(await inBody(html)).toEqual([`background-fallback warning x.html:14:${column}`]);
  });

  it.each([
    `<div style="background: #203040 ${image}">${white}</div>`,
    `<div style="background-color: #203040"><div style="background-image: ${image}">${white}</div></div>`,
    `<div style="background-image: ${image}; background-color: {{colour}}">${white}</div>`,
    `<div style="background-image: ${image}"><p style="color: #222222">Hello</p></div>`,
    `<div style="background-image: ${image}"><div style="background-color: #203040">${white}</div></div>`,
    `<div style="background-image: ${image}; display: none">${white}</div>`,
    `<div style="background-image: none">Hello</div>`,
  ])("accepts %s", async (html) => {
    expect(await inBody(html)).toEqual([]);
  });

  it("reports it in MJML, at the section", async () => {
    const section = (attributes: string) =>
      `<mjml><mj-body>\n<mj-section background-url="https://a.example/b.png"${attributes}><mj-column><mj-text color="#ffffff">Hello</mj-text></mj-column></mj-section></mj-body></mjml>`;
    expect(await findings({ "x.mjml": section("") })).toEqual(["background-fallback warning x.mjml:2:13"]);
    expect(await findings({ "x.mjml": section(' background-color="#203040"') })).toEqual([]);
  });
});
