import { expect, test } from "vitest";
import { readPage } from "../../../src/preview/server/page.js";
import { html, PreviewedProject } from "./harness.js";

test("the page's files are sent compressed to clients that support it, and uncompressed to others", async () => {
  const { running } = await new PreviewedProject(html("hi")).preview();
  const page = await readPage();
  for (const [name, text] of [
    ["app.js", page.script],
    ["app.css", page.style],
    ["licences.txt", page.licences],
  ] as const) {
    const sent = async (encoding: string) => {
      const response = await fetch(new URL(name, running.url), { headers: { "accept-encoding": encoding } });
      return { response, encoded: response.headers.get("content-encoding"), text: await response.text() };
    };
    const [compressed, plain] = [await sent("gzip, br"), await sent("gzip, deflate")];
    expect([name, compressed.encoded, plain.encoded]).toEqual([name, "br", null]);
    expect(compressed.text).toBe(text);
    expect(plain.text).toBe(text);
    expect(compressed.response.headers.get("vary")).toBe("Accept-Encoding");
    expect(compressed.response.headers.get("content-security-policy")).toContain("script-src 'self'");
  }
});

test("a served page requests ahead what it shows first; a static copy has no server", async () => {
  const preview = await new PreviewedProject(html("hi")).preview();
  const { text } = await preview.ask("/");
  expect(text.indexOf("./ahead.js")).toBeGreaterThan(0);
  expect(text.indexOf("./ahead.js")).toBeLessThan(text.indexOf("app.js"));
  expect((await preview.ask("/ahead.js")).text).toContain("project");
  expect((await readPage()).html).not.toContain("ahead");
});
