import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import type { Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { browser } from "../browser.js";

interface Shown {
  readonly html: string;
  readonly scheme?: "light" | "dark" | "forced-dark";
  readonly textSize?: number;
  readonly areImagesBlocked?: boolean;
  readonly isRightToLeft?: boolean;
  readonly showsRemoteImages?: boolean;
  readonly contentIds?: Readonly<Record<string, string>>;
}

/** Functions that email-page.mjs defines in the page. */
declare const emailPage: {
  show(email: Shown): Promise<void>;
  /** Resolves when the email is in the document. */
  change(email: Shown): Promise<void>;
  close(): void;
  frames(): string[];
  height(): number;
  style(selector: string, property: string): string;
  box(selector: string): { readonly width: number; readonly height: number };
  attribute(selector: string, name: string): string | null;
  count(selector: string): number;
  outer(): string;
  text(): string;
  picture(selector: string): string;
  naturalWidth(selector: string): number;
  mark(selector: string): void;
  isMarked(selector: string): boolean;
  click(selector: string): void;
  active(html: string): string[];
  morphs(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[];
};

const isLong = process.env["MODE"] === "long";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEUlEQVR4nGP4z8CAhoauGAD0/2P5Yd3sYQAAAABJRU5ErkJggg==",
  "base64",
);

/** The page has no policy of its own: the frame alone has to contain the email. */
let own: Listening;
/** Another host, which records its requests. */
let other: Listening;
let page: Page;

interface Listening {
  readonly server: Server;
  readonly url: string;
  readonly requests: string[];
}

beforeAll(async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("email-page.mjs", import.meta.url)),
    resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
  });
  const { output } = await bundle.generate({ format: "iife" });
  await bundle.close();
  const files: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
    "/": ["text/html", '<!doctype html><title>Page</title><div id="email"></div><script src="page.js"></script>'],
    "/page.js": ["text/javascript", output[0].code],
    "/assets/logo.png": ["image/png", PIXEL],
    "/api/inbox/m1/attachments/0": ["image/png", PIXEL],
  };
  own = await listen((request, response) => {
    const [type, body] = files[request.url ?? ""] ?? ["text/plain", ""];
    response.writeHead(body === "" ? 404 : 200, { "content-type": type }).end(body);
  });
  other = await listen((_, response) => response.writeHead(200, { "content-type": "image/png" }).end(PIXEL));
  page = await (await browser()).newPage({ viewport: { width: 800, height: 600 } });
});

beforeEach(async () => {
  other.requests.length = 0;
  await page.goto(own.url);
  own.requests.length = 0;
});

afterAll(async () => {
  await page.close();
  for (const { server } of [own, other]) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(answer: RequestListener): Promise<Listening> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== "/favicon.ico") requests.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Polls, because the machine may be busy. */
const eventually = <Value>(read: () => Value) => expect.poll(read);

const show = (email: Shown | string) =>
  page.evaluate((shown) => emailPage.show(shown), typeof email === "string" ? { html: email } : email);
const style = (selector: string, property: string) =>
  page.evaluate(([of, name]) => emailPage.style(of, name), [selector, property] as const);
const attribute = (selector: string, name: string) =>
  page.evaluate(([of, which]) => emailPage.attribute(of, which), [selector, name] as const);
describe("a hostile email", () => {
  const hostile = () => `<!doctype html>
    <html onclick="top.ran = 1"><head>
      <base href="${other.url}base/" target="_top">
      <meta http-equiv="refresh" content="0;url=${other.url}refresh">
      <meta http-equiv="Content-Security-Policy" content="default-src *; script-src * 'unsafe-inline'">
      <link rel="stylesheet" href="${other.url}sheet.css"><link rel="dns-prefetch" href="//evil.example">
      <link rel="preload" as="image" href="${other.url}preload.png">
      <script>top.ran = 2</script><script src="${other.url}script.js"></script>
      <style>@import url("${other.url}import.css"); @font-face { font-family: x; src: url(${other.url}font.woff2) }
        body { font-family: x; background: url(${other.url}background.png) }</style>
    </head><body onload="top.ran = 3" background="${other.url}old-background.png">
      <p id="safe">Dear customer</p><img src="${other.url}image.png" srcset="${other.url}image-2x.png 2x" onerror="top.ran = 4" id="image">
      <img src="x:" onerror="top.ran = 5"><svg onload="top.ran = 6"><script>top.ran = 7</script>
        <image href="${other.url}vector.png" /><use href="${other.url}sprite.svg#a" />
        <a id="vector" href="#safe"><set attributeName="href" to="javascript:top.ran=8" /><text>x</text></a></svg>
      <iframe src="${other.url}frame"></iframe><iframe srcdoc="<script>top.ran = 9</script>"></iframe>
      <object data="${other.url}object"></object><embed src="${other.url}embed">
      <video src="${other.url}video.mp4" autoplay poster="${other.url}poster.png"></video><audio src="${other.url}a.mp3" autoplay></audio>
      <form action="${other.url}form" target="_top" id="form"><input autofocus name="q" value="1">
        <button id="submit" formaction="${other.url}form-button">Send</button></form>
      <a id="script" href=" java\tscript:top.ran=10">s</a><a id="data" href="data:text/html,<script>top.ran=11</script>">d</a>
      <a id="top" target="_top" href="${other.url}top">t</a><a id="self" target="_self" href="${other.url}self" ping="${other.url}ping">f</a>
      <template shadowrootmode="open"><a href="${other.url}shadow">x</a></template>
      <details open ontoggle="top.ran = 12"><summary>x</summary></details><marquee onstart="top.ran = 13">x</marquee>
      <math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=top.ran=14&gt;"></mglyph></math>
      <noscript><p title="</noscript><img src=x onerror=top.ran=15>"></noscript>
    </body></html>`;

  it("runs no code, does not navigate and sends no requests", async () => {
    const opened: Page[] = [];
    page.context().on("page", (popup) => opened.push(popup));
    await show(hostile());
    for (const selector of ["#script", "#data", "#submit", "#vector", "#form input", "summary"]) {
      await page.evaluate((of) => emailPage.click(of), selector);
    }
    await page.waitForTimeout(300);
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(page.url()).toBe(own.url);
    expect(await page.evaluate(() => emailPage.frames())).toEqual(["about:srcdoc"]);
    expect(other.requests).toEqual([]);
    expect(own.requests).toEqual([]);
    expect(opened).toEqual([]);
    expect(await page.evaluate(() => emailPage.text())).toContain("Dear customer");
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
  });

  it("opens links in a new window, never in the page or the frame", async () => {
    await show(hostile());
    for (const selector of ["#top", "#self"]) {
      expect(await attribute(selector, "rel")).toBe("noopener noreferrer");
      const [popup] = await Promise.all([
        page.waitForEvent("popup"),
        page.evaluate((of) => emailPage.click(of), selector),
      ]);
      await popup.close();
    }
    expect(page.url()).toBe(own.url);
    expect(await page.evaluate(() => emailPage.frames())).toEqual(["about:srcdoc"]);
    expect(other.requests.filter((path) => !["/top", "/self"].includes(path))).toEqual([]);
  });

  it("keeps no active content, whatever it consists of", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<script>",
        "</script>",
        "<svg onload=x>",
        "<img src=x onerror=y>",
        "<style>",
        "</style>",
        "<template>",
        "<iframe srcdoc='<script>'>",
        "<noscript>",
        "<math><mtext>",
        "<table>",
        "<frameset>",
        "<plaintext>",
        "<!--",
        "-->",
        "<a href='jav&#x61;script:x'>",
        "<meta http-equiv=refresh>",
        "<title>",
        "<textarea>",
        "<select>",
        "<base href=//x>",
        '<form action="x">',
        "<svg><style>",
        "]]>",
        "<![CDATA[",
        '"',
        "'",
        ">",
      ),
      fc.string({ maxLength: 5 }),
    );
    const soups = fc.sample(
      fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join("")),
      300,
    );
    const found = await page.evaluate(
      (all) => all.flatMap((soup) => emailPage.active(soup).map((what) => [what, soup])),
      soups,
    );
    expect(found).toEqual([]);
  });
});

describe("images", () => {
  const html = () => `<!doctype html><body background="${other.url}old.png">
    <img id="own" src="assets/logo.png" alt="Fernhill"><img id="remote" src="${other.url}photo.png" alt="A photo">
    <img id="data" src="data:image/png;base64,${PIXEL.toString("base64")}" alt="A dot">
    <img id="carried" src="cid:logo%40m1" alt="Carried"><img id="stray" src="api/project" alt="">
    <div style="background-image: url('${other.url}background.png')">Text</div>`;
  const contentIds = { "logo@m1": "api/inbox/m1/attachments/0" };
  const widths = () =>
    Promise.all(
      ["#own", "#remote", "#data", "#carried"].map((of) =>
        page.evaluate((selector) => emailPage.naturalWidth(selector), of),
      ),
    );

  it("of the project and of the email are shown; those of other hosts only if they are turned on", async () => {
    await show({ html: html(), contentIds });
    await eventually(widths).toEqual([10, 0, 10, 10]);
    expect(other.requests).toEqual([]);
    expect(own.requests.toSorted()).toEqual(["/api/inbox/m1/attachments/0", "/assets/logo.png"]);

    await show({ html: html(), contentIds, showsRemoteImages: true });
    await eventually(widths).toEqual([10, 10, 10, 10]);
    expect(other.requests.toSorted()).toEqual(["/background.png", "/old.png", "/photo.png"]);
    expect(await page.evaluate(() => emailPage.frames())).toHaveLength(1);
  });

  it("can all be blocked, and their alternative text is readable", async () => {
    await show({ html: html(), contentIds, showsRemoteImages: true, areImagesBlocked: true });
    await page.waitForTimeout(100);
    expect(await widths()).toEqual([0, 0, 0, 0]);
    expect([...own.requests, ...other.requests]).toEqual([]);
    expect((await page.evaluate(() => emailPage.box("#own"))).width).toBeGreaterThan(16);
  });
});

describe("colour schemes", () => {
  const html = `<!doctype html><html><head>
    <style>body { background: #ffffff; color: #111111 } .card { background: #f4f4f2 }
      @media (prefers-color-scheme: dark) { body { background: #101418; color: #eeeeee } .card { background: #202830 } }</style>
    <style media="(prefers-color-scheme: dark) and (max-width: 10000px)">.only { display: none }</style></head>
    <body><p class="card">Card</p><p class="only">Light only</p>
    <picture><source media="(prefers-color-scheme: dark)" srcset="assets/logo.png"><img id="picture" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></picture>
    <p id="grey" style="color: #222222; background: #fafafa">Text</p>
    <a id="button" style="background: #1e6b4a; color: #ffffff">Button</a>
    <div id="gradient" style="background-image: linear-gradient(#fff, #eee)"><span>On it</span></div></body></html>`;

  it("follow the view's choice, whatever the page's scheme is", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await show({ html });
      expect(await style("body", "background-color")).toBe("rgb(255, 255, 255)");
      expect(await style(".only", "display")).toBe("block");
      await show({ html, scheme: "dark" });
      expect(await style("body", "background-color")).toBe("rgb(16, 20, 24)");
      expect(await style(".card", "background-color")).toBe("rgb(32, 40, 48)");
      expect(await style(".only", "display")).toBe("none");
      await eventually(() => page.evaluate(() => emailPage.picture("#picture"))).toBe(`${own.url}assets/logo.png`);
    }
    await page.emulateMedia({ colorScheme: null });
  });

  it("change colours but not images when dark mode is forced", async () => {
    await show({ html, scheme: "forced-dark" });
    const luminance = async (selector: string, property: string) =>
      ((await style(selector, property)).match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) /
      3;
    expect(await luminance("body", "background-color")).toBeLessThan(50);
    expect(await luminance("#grey", "background-color")).toBeLessThan(60);
    expect(await luminance("#grey", "color")).toBeGreaterThan(180);
    expect(await style("#button", "background-color")).toBe("rgb(30, 107, 74)");
    expect(await style("#button", "color")).toBe("rgb(255, 255, 255)");
    expect(await style("#gradient", "background-image")).toBe(
      "linear-gradient(rgb(255, 255, 255), rgb(238, 238, 238))",
    );
    expect(await luminance("#gradient span", "color")).toBeGreaterThan(180);

    await show({ html });
    expect(await style("#grey", "color")).toBe("rgb(34, 34, 34)");
  });

  it("apply the styles that an email has for Outlook.com when dark mode is forced", async () => {
    const heeding = `<style>[data-ogsc] .name, .name[data-ogsc] { color: #00ff00 !important }</style><p class="name" style="color: #333">A</p>`;
    await show({ html: heeding, scheme: "forced-dark" });
    expect(await style(".name", "color")).toBe("rgb(0, 255, 0)");
  });

  it("use the scheme that the email supports for elements without a colour", async () => {
    const plain = (schemes: string) => `<!doctype html><meta name="color-scheme" content="${schemes}"><p>Text</p>`;
    await page.emulateMedia({ colorScheme: "light" });
    await show({ html: plain("light dark"), scheme: "dark" });
    expect(await style("p", "color")).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "dark" });
    await show({ html: plain("light dark") });
    expect(await style("p", "color")).toBe("rgb(0, 0, 0)");
    await show({ html: plain("light"), scheme: "dark" });
    expect(await style("p", "color")).toBe("rgb(0, 0, 0)");
    await page.emulateMedia({ colorScheme: null });
  });
});

describe("the frame", () => {
  it("shows text larger or smaller, with its line height, and the email from right to left", async () => {
    const html = `<!doctype html><body style="font-size: 10px"><div>Ten<p style="font-size: 2em; line-height: 1.5">Twenty</p></div>`;
    await show({ html, textSize: 150, isRightToLeft: true });
    expect([await style("div", "font-size"), await style("p", "font-size"), await style("p", "line-height")]).toEqual([
      "15px",
      "30px",
      "45px",
    ]);
    expect(await style("p", "direction")).toBe("rtl");
    await show({ html });
    expect([await style("div", "font-size"), await style("p", "font-size"), await style("p", "direction")]).toEqual([
      "10px",
      "20px",
      "ltr",
    ]);
  });

  it("is as high as the email, even after it gets shorter, wraps or loads images", async () => {
    const height = () => page.evaluate(() => emailPage.height());
    const box = (high: number) => `<!doctype html><body style="margin: 0"><div style="height: ${high}px">x</div>`;
    await show(box(3000));
    expect(await height()).toBe(3000);
    await show(box(200));
    expect(await height()).toBe(200);
    await show(
      `<!doctype html><body style="margin: 0; min-height: 100vh"><img style="display: block; width: 500px" src="assets/logo.png">`,
    );
    await eventually(height).toBe(500);
    await show(box(100_000));
    expect(await height()).toBe(40_000);
  });

  it("changes only what differs, so that images are not loaded again and nothing flickers", async () => {
    const html = (name: string) =>
      `<!doctype html><body><img src="assets/logo.png"><p>Dear ${name}</p><table><tr><td>1</td></tr></table></body>`;
    await show(html("Ada"));
    await page.evaluate(() => emailPage.mark("img"));
    await page.evaluate(() => emailPage.mark("td"));
    await show(html("Grace &amp; <b>Bob</b>"));
    expect(await page.evaluate(() => emailPage.text())).toContain("Dear Grace & Bob");
    for (const selector of ["img", "td"]) {
      expect(await page.evaluate((of) => emailPage.isMarked(of), selector)).toBe(true);
    }
    expect(own.requests).toEqual(["/assets/logo.png"]);
  });

  it("turns any document into any other", async () => {
    const node = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.string({ maxLength: 6 }),
        fc.constantFrom(
          "<!--[if mso]>x<![endif]-->",
          "<br>",
          "<svg viewBox='0 0 1 1'><path d='M0'/></svg>",
          "<td>x</td>",
        ),
        fc
          .tuple(
            fc.constantFrom("p", "div", "table", "td", "a", "style", "svg", "b"),
            fc.constantFrom("", " class='x'", " style='color:red' id=a", " @click=x", " xlink:href='#a'"),
            fc.array(tie("node"), { maxLength: 4 }),
          )
          .map(([name, attributes, children]) => `<${name}${attributes}>${children.join("")}</${name}>`),
      ),
    })).node;
    const html = fc.array(node, { maxLength: 5 }).map((nodes) => nodes.join(""));
    const pairs = fc.sample(fc.tuple(html, html), 400);
    expect(await page.evaluate((all) => emailPage.morphs(all), pairs)).toEqual([]);
  });

  it("shows malformed documents", async () => {
    const texts = {
      "two heads": "<head><title>a</title></head><body>One</body><head></head><body class=b>Two",
      frameset: "<frameset><frame src='x'></frameset>",
      nothing: "",
      "no tags": "Just words",
      unclosed: "<table><tr><td><b>Text<table><a href='x",
      deep: `${"<div>".repeat(3_000)}Deep`,
    };
    for (const html of Object.values(texts)) await show(html);
    await show(texts["two heads"]);
    expect(await page.evaluate(() => emailPage.text())).toBe("OneTwo");
    expect(await page.evaluate(() => emailPage.frames())).toHaveLength(1);
  });

  it("shows emails of several megabytes, and accepts a new email while an earlier one is loading", async () => {
    const count = isLong ? 5_000 : 1_000;
    const words = "A line of an email that does not end. ".repeat(26);
    const long = `<!doctype html><body>${`<p style="margin: 0">${words}</p>`.repeat(count)}`;
    await page.evaluate((html) => {
      void emailPage.show({ html });
      void emailPage.show({ html: "Quirky" });
      return emailPage.show({ html: "<!doctype html><p>Last</p>", areImagesBlocked: true });
    }, long);
    expect(await page.evaluate(() => emailPage.text())).toBe("Last");
    await show(long);
    expect(await page.evaluate(() => emailPage.count("p"))).toBe(count);
  });

  it("leaves nothing behind after many changes", async () => {
    const changes = isLong ? 1_000 : 100;
    await page.evaluate(async (count) => {
      for (let turn = 0; turn < count; turn += 1) {
        const html = `<!doctype html><style>.a${turn % 7} { color: red }</style><p class="a${turn % 7}">${turn}</p>`;
        await emailPage.change({
          html,
          scheme: turn % 3 === 0 ? "forced-dark" : "light",
          areImagesBlocked: turn % 20 === 0,
        });
      }
    }, changes);
    expect(await page.evaluate(() => emailPage.frames())).toHaveLength(1);
    expect(await page.evaluate(() => emailPage.text())).toBe(String(changes - 1));
    await page.evaluate(() => emailPage.close());
    expect(await page.evaluate(() => emailPage.frames())).toEqual([]);
  });
});
