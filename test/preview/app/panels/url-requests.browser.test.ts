import { createServer, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browser, violations } from "../../browser.js";
import { PreviewedProject } from "../../server/harness.js";

/** Every host name resolves to this machine, except one that does not exist. */
const lookup: LookupFunction = (host, options, done) => {
  if (host.includes("nowhere")) return done(Object.assign(new Error(host), { code: "ENOTFOUND" }), "", 4);
  return options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
};

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"></svg>';
const endings: (() => unknown)[] = [];
const requested: string[] = [];
let server: Server;
let page: Page;

beforeAll(async () => {
  server = createServer(({ method, url = "" }, response) => {
    requested.push(`${method} ${url}`);
    const { port } = server.address() as AddressInfo;
    if (url === "/moved") return response.writeHead(302, { location: `http://other.net:${port}/there` }).end();
    if (url === "/logo.png") response.writeHead(200, { "content-type": "image/png", "content-length": 81_000 });
    else response.writeHead(url === "/gone" ? 404 : 200);
    return response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  endings.unshift(() => (server.closeAllConnections(), server.close()));
  const project = new PreviewedProject(
    {
      "templates/links/links.html": `<!doctype html><html lang="en"><head><title>Links</title></head><body>
        <a href="http://fernhill.net:${port}/there">There</a><a href="http://fernhill.net:${port}/gone">Gone</a>
        <a href="http://fernhill.net:${port}/moved">Moved</a><a href="http://nowhere.net/">Nowhere</a>
        <img src="_assets/logo.svg" width="150" alt="Own"><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="Data">
        <img src="http://fernhill.net:${port}/logo.png" alt="Remote"></body></html>`,
      "templates/links/_assets/logo.svg": SVG,
    },
    (action) => endings.unshift(action),
  );
  const preview = await project.preview({ probe: { lookup } });
  page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  endings.unshift(() => page.close());
  await page.goto(`${preview.running.url}#/templates/links?bottom=images`);
}, 60_000);

afterAll(async () => {
  for (const end of endings) await end();
});

const row = (name: RegExp) => page.getByRole("row", { name });

test("images show their natural size and file size if the page may load them", async () => {
  await row(/logo\.svg/)
    .getByText("300 × 100 (2×)")
    .waitFor();
  await row(/logo\.svg/)
    .getByText(`${SVG.length} B`)
    .waitFor();
  await row(/data:image/)
    .getByText("1 × 1")
    .waitFor();
  await row(/data:image/)
    .getByText("42 B")
    .waitFor();
  expect(
    await row(/logo\.png/)
      .getByText("–", { exact: true })
      .count(),
  ).toBe(3);
  expect(requested).toEqual([]);
});

test("URLs are requested on demand and show their status", async () => {
  await page.getByRole("button", { name: "Request all URLs" }).click();
  await page.getByText("5 public URLs requested, 2 failed.").waitFor();
  await row(/logo\.png/)
    .getByText("81 kB")
    .waitFor();
  await row(/logo\.png/)
    .getByText("200", { exact: true })
    .waitFor();
  expect(await violations(page, "main")).toEqual([]);
  await page.getByRole("tab", { name: /^Links/ }).click();
  await row(/^There/)
    .getByText("200", { exact: true })
    .waitFor();
  await row(/^Gone/).getByText("404").waitFor();
  await row(/^Moved/)
    .getByText(/redirects to http:\/\/other\.net/)
    .waitFor();
  await row(/^Nowhere/)
    .getByText("its host does not exist")
    .waitFor();
  expect(requested).toContain("HEAD /gone");
  expect(await violations(page, "main")).toEqual([]);
});
