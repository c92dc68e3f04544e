import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { browser } from "../browser.js";
import { html, type Preview, PreviewedProject } from "./harness.js";

const SECRET = "Quokka 4711";

const READ = ["", "app.js", "api/project", "api/contents", "api/templates/hi", "api/templates/hi/report"];
const FIXTURE = JSON.stringify({ input: { name: "Eve" }, overwrite: true });
const IMAGES = JSON.stringify({ remoteImages: true });
const WRITTEN: readonly Write[] = [
  ["PUT", "api/templates/hi/fixtures/evil", FIXTURE],
  ["PUT", "api/templates/hi/fixtures/default", FIXTURE],
  ["PUT", "api/preferences", IMAGES],
  ["PUT", "api/templates/..%2fhi/fixtures/..%2f..%2fevil", FIXTURE],
  ["POST", "api/templates/hi/fixtures/evil", FIXTURE],
  ["POST", "api/preferences", IMAGES],
];

type Write = readonly [method: string, path: string, body: string];

/** Requests that have an effect when the preview's own page sends them. */
const HONEST = WRITTEN.slice(0, 3);

/**
 * The names of this machine. For the browser, one of them is the same site as the preview, though not the same origin.
 */
const NAMES = [
  { name: "127.0.0.1", paths: READ, writes: HONEST },
  { name: "localhost", paths: ["", "api/templates/hi"], writes: WRITTEN },
] as const;

const project = new PreviewedProject(html("hi", SECRET), afterAll);
const fixture = (name: string) => project.path(`templates/hi/fixtures/${name}.json`);
let preview: Preview;

beforeAll(async () => {
  preview = await project.preview();
});

beforeEach(async () => {
  rmSync(fixture("evil"), { force: true });
  project.write(html("hi", SECRET));
  await preview.write("PUT", "/api/preferences", { remoteImages: false });
  await expect.poll(async () => (await preview.template("hi")).compiled?.html).toContain(SECRET);
});

it("the preview's own page can do everything that another page tries", async () => {
  const page = await (await browser()).newPage();
  onTestFinished(() => page.close());
  await page.goto(`${preview.running.url}licences.txt`);
  for (const path of READ)
    expect(await page.evaluate(async (own) => (await fetch(own)).text(), preview.running.url + path)).not.toBe("");
  expect(await page.evaluate(async () => (await fetch("api/templates/hi")).text())).toContain(SECRET);
  for (const write of HONEST)
    await page.evaluate(async ([, path, body]) => {
      const { ok } = await fetch(path, { method: "PUT", headers: { "content-type": "application/json" }, body });
      if (!ok) throw new Error(`PUT ${path} was refused`);
    }, write);
  for (const name of ["evil", "default"]) expect(readFileSync(fixture(name), "utf8")).toContain("Eve");
  expect((await preview.project()).remoteImages).toBe(true);
});

describe.each(NAMES)("a page on another port of $name, in a browser", ({ name, paths, writes }) => {
  let page: Page;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ page, close } = await otherPage(name));
  });
  afterAll(() => close());

  it("reads nothing in any way that a page can", async () => {
    const read = await page.evaluate(readByAllWays, { url: preview.running.url, paths });
    expect(Object.keys(read).length).toBeGreaterThan(20);
    expect(Object.entries(read).filter(([, got]) => got !== "nothing")).toEqual([]);
    expect(existsSync(fixture("evil"))).toBe(false);
  });

  it("writes nothing in any way that a page can", async () => {
    const before = readFileSync(fixture("default"), "utf8");
    const settled = await page.evaluate(writeByAllWays, { url: preview.running.url, writes });
    expect(settled.length).toBeGreaterThan(15);
    for (const written of ["evil", "form"]) expect(existsSync(fixture(written))).toBe(false);
    expect(readFileSync(fixture("default"), "utf8")).toBe(before);
    expect((await preview.project()).remoteImages).toBe(false);
  });

  it("has no access to the preview that it opens in a window", async () => {
    const opening = page.waitForEvent("popup");
    await page.evaluate((url) => Object.assign(window, { opened: window.open(url) }), preview.running.url);
    const opened = await opening;
    await opened.getByRole("treeitem", { name: "hi" }).waitFor();
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    expect(await page.evaluate(() => (window as unknown as { opened: Window }).opened.closed)).toBe(true);
    await opened.close();
  });
});

/** A page on an unrelated server. */
async function otherPage(name: string): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end("<!doctype html><title>Other</title><p>Other");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The other server has no port.");
  const page = await (await browser()).newPage();
  await page.goto(`http://${name}:${address.port}/`);
  const close = async () => {
    await page.close();
    server.close();
    server.closeAllConnections();
  };
  return { page, close };
}

/** Runs in the other page: returns the result of each way, by its name. */
async function readByAllWays({
  url,
  paths,
}: {
  readonly url: string;
  readonly paths: readonly string[];
}): Promise<Record<string, string>> {
  const got: Record<string, string> = {};
  const elements = [
    ["script", "src"],
    ["img", "src"],
    ["iframe", "src"],
    ["object", "data"],
    ["embed", "src"],
    ["link", "href"],
    ["video", "src"],
  ] as const;
  for (const path of paths) {
    const address = url + path;
    for (const mode of ["cors", "no-cors", "same-origin"] as const) {
      for (const credentials of ["omit", "include"] as const) {
        got[`fetch ${path} ${mode} ${credentials}`] = await fetch(address, { mode, credentials }).then(
          async (response) => (await response.text()) || "nothing",
          () => "nothing",
        );
      }
    }
    for (const [tag, attribute] of elements)
      got[`${tag} ${path}`] = await new Promise((resolve) => {
        const element = document.createElement(tag);
        if (element instanceof HTMLLinkElement) element.rel = "stylesheet";
        element.setAttribute(attribute, address);
        const look = () => {
          const inner = (element as HTMLIFrameElement).contentDocument?.body;
          // The browser loads its own error page into a refused frame, which no page can read.
          resolve(tag === "iframe" || tag === "object" || tag === "embed" ? inner?.textContent || "nothing" : "loaded");
        };
        element.addEventListener("load", look);
        element.addEventListener("loadedmetadata", look);
        element.addEventListener("error", () => resolve("nothing"));
        document.body.append(element);
      });
  }
  got["EventSource"] = await new Promise((resolve) => {
    const source = new EventSource(`${url}api/events`);
    source.addEventListener("open", () => resolve("opened"));
    source.addEventListener("message", ({ data }) => resolve(data));
    source.addEventListener("error", () => {
      source.close();
      resolve("nothing");
    });
  });
  got["WebSocket"] = await new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}api/events`);
    socket.addEventListener("open", () => resolve("opened"));
    socket.addEventListener("error", () => resolve("nothing"));
  });
  for (const path of paths)
    got[`module ${path}`] = await new Promise((resolve) => {
      const script = Object.assign(document.createElement("script"), { type: "module", src: url + path });
      script.addEventListener("load", () => resolve("loaded"));
      script.addEventListener("error", () => resolve("nothing"));
      document.body.append(script);
    });
  return got;
}

/** Runs in the other page: returns the ways that it tried. */
async function writeByAllWays({
  url,
  writes,
}: {
  readonly url: string;
  readonly writes: readonly Write[];
}): Promise<readonly string[]> {
  const tried: string[] = [];
  for (const [method, path, content] of writes) {
    for (const mode of ["cors", "no-cors"] as const)
      for (const type of ["application/json", "text/plain"]) {
        tried.push(`fetch ${method} ${path} ${mode} ${type}`);
        const headers = { "content-type": type };
        await fetch(url + path, { method, mode, headers, body: content }).catch(() => undefined);
      }
    tried.push(`beacon ${path}`);
    navigator.sendBeacon(url + path, new Blob([content], { type: "text/plain" }));
    for (const type of ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"]) {
      tried.push(`form ${path} ${type}`);
      await new Promise((resolve) => {
        const frame = Object.assign(document.createElement("iframe"), { name: `form-${tried.length}` });
        document.body.append(frame);
        const form = Object.assign(document.createElement("form"), {
          method: "post",
          action: url + path,
          target: frame.name,
        });
        form.enctype = type;
        // As plain text, a form's single field can be written so that it reads as JSON.
        const field = Object.assign(document.createElement("input"), {
          name: `${content.slice(0, -1)},"a":"`,
          value: '"}',
        });
        form.append(field);
        document.body.append(form);
        frame.addEventListener("load", resolve, { once: true });
        form.submit();
      });
    }
  }
  return tried;
}
