import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { createServer } from "node:https";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { BrowserContext, Page } from "playwright-core";
import { browser } from "../browser.js";
import { html, type Preview, PreviewedProject } from "./harness.js";

/** Chromium resolves every name below `localhost` to this machine; the preview does not accept them. */
const NAME = "review.localhost";

/** A certificate for `review.localhost`, only for tests. */
const tls = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBqzCCAVCgAwIBAgIUa5L/JFiTcrQ2VIF2RS6Yyu01bnQwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcmV2aWV3LmxvY2FsaG9zdDAgFw0yNjExMjgwMTM1MzZaGA8y
MTI2MTEwNDAxMzUzNlowGzEZMBcGA1UEAwwQcmV2aWV3LmxvY2FsaG9zdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABFZqhAzieCFpyMzzpm6yS2frRB3zTC3Uqoc+
OsFr11ZMp82Dlt9NPVPUcaRTZTUYHe7wsFcjj/KnheK5e9D/bjejcDBuMB0GA1Ud
DgQWBBRM2HqoOvN9dF7lRt+5JbFzlmS3ADAfBgNVHSMEGDAWgBRM2HqoOvN9dF7l
Rt+5JbFzlmS3ADAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHJldmlldy5s
b2NhbGhvc3QwCgYIKoZIzj0EAwIDSQAwRgIhAOYGdQyN4eSpgdIlJ6KZE6EzzBKz
gNikB1DLaDaWIudQAiEAiTBRZIMPK3LtZ1UlEV/wlqPaB2wkSK1KVrttPrLvYMU=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvWh1AjSuPVCXwnI2
DtBuYtX5HoSXhHWYMF5zZRGLacKhRANCAARWaoQM4nghacjM86Zusktn60Qd80wt
1KqHPjrBa9dWTKfNg5bfTT1T1HGkU2U1GB3u8LBXI4/yp4XiuXvQ/243
-----END PRIVATE KEY-----`,
};

/** How proxies change the headers that a browser sends. */
const PROXIES: Readonly<Record<string, (headers: IncomingHttpHeaders, upstream: string) => IncomingHttpHeaders>> = {
  "passes on the host": (headers) => headers,
  "names its own host, and the browser's beside it": (headers, upstream) => ({
    ...headers,
    host: upstream,
    "x-forwarded-host": headers.host,
    "x-forwarded-proto": "https",
  }),
  "takes itself for the page's host, as Codespaces does": (headers, upstream) => ({
    ...headers,
    host: upstream,
    ...(headers.origin === undefined ? {} : { origin: `http://${upstream}` }),
    "x-forwarded-host": headers.host,
    "x-forwarded-proto": "https",
  }),
};

const project = new PreviewedProject(
  {
    ...html("hi", 'Hello {{name}} <img src="_assets/dot.svg" alt="A dot">'),
    "templates/hi/_assets/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>',
  },
  afterAll,
);
let preview: Preview;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  preview = await project.preview({ allowedHosts: [NAME] });
  context = await (await browser()).newContext({ ignoreHTTPSErrors: true });
  page = await context.newPage();
});
afterAll(() => context.close());

it.each(Object.entries(PROXIES))("behind an HTTPS proxy that %s, the page opens and is live", async (_, change) => {
  const origin = await startProxy(preview.running.port, change);
  const file = "templates/hi/fixtures/default.json";
  project.write({ [file]: JSON.stringify({ name: "Ada" }) });
  await context.clearCookies();
  const referrers: (string | undefined)[] = [];
  page.on("request", (each) => referrers.push(each.headers()["referer"]));
  await page.goto(`${origin}/${new URL(preview.running.url).search}#/templates/hi`);
  const email = page.locator("iframe").first().contentFrame();
  await email.getByText("Hello Ada").waitFor();
  expect(await email.getByAltText("A dot").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(7);
  expect(page.url()).toMatch(/^https:\/\/review\.localhost:\d+\/#\/templates\/hi/);
  expect(referrers.filter(Boolean)).toEqual([]);
  expect(await page.evaluate("document.cookie")).toBe("");

  project.write({ [file]: JSON.stringify({ name: "Grace" }) });
  await email.getByText("Hello Grace").waitFor();
  await page.getByRole("textbox", { name: /^name/ }).fill("Joan");
  await email.getByText("Hello Joan").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => readFileSync(project.path(file), "utf8")).toContain("Joan");
});

it("a reload and a second tab need no token, another browser does", async () => {
  const origin = await startProxy(preview.running.port, (headers) => headers);
  await page.goto(`${origin}/${new URL(preview.running.url).search}`);
  await page.reload();
  const second = await context.newPage();
  await second.goto(origin);
  for (const each of [page, second]) await each.getByRole("treeitem", { name: "hi" }).waitFor();

  const stranger = await (await browser()).newPage({ ignoreHTTPSErrors: true });
  onTestFinished(() => stranger.close());
  expect((await stranger.goto(origin))?.status()).toBe(401);
  await stranger.getByText("that the command printed when it started").waitFor();
});

/** @returns Its origin in the browser. */
async function startProxy(port: number, change: (typeof PROXIES)[string]): Promise<string> {
  const server = createServer(tls, (incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const passed = request({ port, host: "127.0.0.1", method, path, headers: change(headers, `localhost:${port}`) });
    passed.on("response", (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The proxy has no port.");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `https://${NAME}:${address.port}`;
}
