import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TemplateReport } from "../../../src/preview/contract.js";
import type { RunningPreview } from "../../../src/preview/server/start.js";
import { browser, violations } from "../browser.js";
import { PreviewedProject } from "../server/harness.js";

const LETTER = `<!doctype html>
<html lang="en">
  <head>
    <title>Order {{number}}</title>
    <style>
      body { margin: 0; background: #ffffff; color: #111111; font: 16px/24px sans-serif }
      @media (prefers-color-scheme: dark) { body { background: #101010; color: #f0f0f0 } }
    </style>
  </head>
  <body>
    <h1>Dear {{name}}</h1>
    {{#lines}}
    <p class="line">{{.}}</p>
    {{/lines}}
    <p style="height: 1500px">A long way</p>
    <p id="end" style="direction: ltr">The end</p>
    <img src="../_assets/logo.gif" alt="Logo" width="1">
  </body>
</html>
`;

const hostile = (host: string) => `<!doctype html><html lang="en"><head><title>Hostile</title>
  <meta http-equiv="refresh" content="0;url=${host}refresh"><base href="${host}" target="_top">
  <script>top.ran = 1; top.location = "${host}script"</script></head>
  <body onload="top.ran = 2"><h1>Good day</h1><img src="${host}pixel.png" onerror="top.ran = 3" alt="Tracker">
  <a href="javascript:top.ran=4" id="script">Script</a><a href="${host}top" target="_top" id="top">Top</a>
  <form action="${host}form" target="_top"><button id="send">Send</button></form>
  <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="90000" height="90000" alt="">
  <div style="position: fixed; inset: 0; z-index: 99999">Over everything</div></body></html>`;

/** Every way in which an email can load an image, one of each. */
const PICTURES = "img best table cell sheet list cursor poster input border href xlink before".split(" ");
const pictures = (host: string) => `<!doctype html><html lang="en"><head><title>Pictures</title>
  <style>.sheet { background: url(${host}sheet.png) } ul { list-style-image: url('${host}list.png') }
  .cursor { cursor: url("${host}cursor.png"), auto } .border { border: 9px solid; border-image: url(${host}border.png) 9 }
  .before::before { content: url(${host}before.png) } @font-face { font-family: X; src: url(${host}font.woff2) }</style></head>
  <body><h1>Pictures</h1><img src="${host}img.png" alt="A"><img src="${host}img.png" alt="Again"><img src="${host}best.png" srcset="${host}twice.png 2x" alt="B">
  <table background="${host}table.png"><tr><td style="background-image: url(${host}cell.png)">Cell</td></tr></table>
  <p class="sheet">Sheet</p><ul><li>List</li></ul><p class="cursor">Cursor</p><p class="border">Border</p><p class="before">Before</p>
  <video poster="${host}poster.png" src="${host}film.mp4"></video><input type="image" src="${host}input.png" alt="Input">
  <svg><image href="${host}href.png" width="9" height="9"/><image xlink:href="${host}xlink.png" width="9" height="9"/></svg></body></html>`;

const project = new PreviewedProject({}, afterAll);
const write = (file: string, text: string) => project.write({ [file]: text });
let preview: RunningPreview;
let page: Page;
let host: { readonly server: Server; readonly url: string; readonly requests: string[] };

beforeAll(async () => {
  host = await otherHost();
  write("package.json", '{ "name": "shop" }');
  write("templates/letter/letter.html", LETTER);
  mkdirSync(project.path("templates/_assets"));
  writeFileSync(project.path("templates/_assets/logo.gif"), Buffer.from("R0lGODlhAQABAAAAACw=", "base64"));
  write("templates/letter/fixtures/default.json", '{ "number": "A-1", "name": "Ada", "lines": ["Tea", "Jam"] }');
  write("templates/letter/fixtures/grace.json", '{ "number": "B-2", "name": "Grace", "lines": [] }');
  write("templates/hostile.html", hostile(host.url));
  write("templates/pictures.html", pictures(host.url));
  write("templates/reversed/reversed.html", "<h1>Hello {{name}}</h1>");
  write("templates/reversed/template.json", JSON.stringify({ subject: "Invoice \u202efdp.exe for {{name}}" }));
  write("templates/reversed/fixtures/default.json", JSON.stringify({ name: "Ada" }));
  preview = (await project.preview()).running;
  page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
});

// Almost all state is in the URL, so the page is loaded only once.
beforeEach(async () => {
  await page.mouse.move(0, 0);
  await open("letter?right=hidden");
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await ask(1, "pane.scrollTo(0, 0)");
  host.requests.length = 0;
});

afterAll(async () => {
  await page.close();
  host.server.closeAllConnections();
  host.server.close();
});

async function otherHost() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

async function open(address: string): Promise<void> {
  await page.goto(`${preview.url}#/templates/${address}`);
  await pane(1).getByRole("heading", { level: 1 }).waitFor();
}

/** Polls, because the machine may be busy. */
const eventually = <Value>(read: () => Value) => expect.poll(read);

const section = (number: number) => page.getByRole("region", { name: `Pane ${number}`, exact: true });
const pane = (number: number) => section(number).frameLocator("iframe[title]");
const hash = () => decodeURIComponent(new URL(page.url()).hash);
const slider = (number: number) => section(number).getByRole("slider").first();
const widthOf = (number: number) => slider(number).getAttribute("aria-valuenow");
/** Evaluates an expression in a pane: `pane` is its scroll container, `email` its document. */
const ask = <Answer>(number: number, expression: string): Promise<Answer> =>
  page.evaluate(`((pane, email) => ${expression})(
    document.querySelectorAll("[data-scroller]")[${number - 1}],
    document.querySelectorAll("iframe")[${number - 1}].contentDocument)`);
const scrollOf = (number: number) => ask<number>(number, "pane.scrollTop");
const background = (number: number) => ask<string>(number, "getComputedStyle(email.body).backgroundColor");

describe("panes", () => {
  it("show the email next to each other, each with its own settings", async () => {
    await open("letter?right=hidden&sidebar=hidden");
    await page.getByRole("button", { name: "Panes" }).click();
    await page.getByRole("menuitem", { name: /Four panes/ }).click();
    await pane(4).getByText("Dear Ada").waitFor();
    await expect.poll(() => Promise.all([1, 2, 3, 4].map(widthOf))).toEqual(["800", "800", "390", "390"]);
    await expect.poll(() => background(1)).toBe("rgb(255, 255, 255)");
    await expect.poll(() => background(2)).toBe("rgb(16, 16, 16)");
    await expect.poll(() => background(4)).not.toBe(await background(1));
    expect(await violations(page, "main")).toEqual([]);
    await section(3).getByRole("combobox", { name: "Fixture" }).selectOption("grace");
    await pane(3).getByText("Dear Grace").waitFor();
    await pane(2).getByText("Dear Ada").waitFor();
    await section(2).getByRole("button", { name: "Pane options" }).click();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await eventually(() => page.locator("iframe").count()).toBe(3);
    await expect
      .poll(hash)
      .toBe("#/templates/letter?pane=800&pane=390,fixture:grace&pane=390,forced-dark&right=hidden&sidebar=hidden");
  });

  it("are readable in one, two or as many columns as fit, and show their scheme and zoom", async () => {
    const four = "letter?pane=800&pane=800,dark&pane=390&pane=390,forced-dark";
    await open(four);
    const boxes = () =>
      Promise.all(
        [1, 2, 3, 4].map(
          async (number) => (await section(number).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 },
        ),
      );
    const columns = async () => new Set((await boxes()).map(({ x }) => Math.round(x))).size;
    for (const [width, expected] of [
      [1920, 2],
      [1600, 2],
      [1440, 2],
      [600, 1],
      [390, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await open(`${four}&right=form`);
      await pane(4).getByText("Dear Ada").waitFor();
      await eventually(columns).toBe(expected);
      // Each pane has its own box, including the first; none overlaps another.
      for (const [at, { y, height }] of (await boxes()).entries()) {
        expect(await ask<number>(at + 1, "pane.clientHeight")).toBeGreaterThan(100);
        const below = (await boxes())[at + expected];
        if (below) expect(below.y).toBeGreaterThanOrEqual(y + height);
      }
      expect(await ask<number>(4, "email.defaultView.frameElement.getBoundingClientRect().width")).toBeGreaterThan(300);
      await section(2)
        .getByText(/^\d+%$/)
        .waitFor();
      const scheme = section(2)
        .getByRole("radio", { name: "Dark", exact: true })
        .or(section(2).getByRole("img", { name: "Dark" }));
      await scheme.first().waitFor();
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("show their scheme in a bar that is too narrow to change it", async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await open("letter?pane=800,dark&pane=390");
    await section(1).getByRole("img", { name: "Dark" }).waitFor();
    await section(1)
      .getByText(/^\d+%$/)
      .waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("keep the items in their bars apart, however long a fixture's name is", async () => {
    const name = "a-fixture-of-a-customer-with-a-long-name-and-with-remote-images";
    const body = `<h1>Gallery</h1><img src="${host.url}gallery.png" alt="">`;
    write("templates/gallery/gallery.html", `<!doctype html><html lang="en"><body>${body}</body></html>`);
    write("templates/gallery/fixtures/default.json", "{}");
    write(`templates/gallery/fixtures/${name}.json`, "{}");
    for (const fixture of ["default", name]) {
      await open(`gallery?pane=390&pane=390&fixture=${fixture}`);
      for (const width of [1920, 1440, 1300]) {
        await page.setViewportSize({ width, height: 900 });
        await expect
          .poll(() =>
            section(1).evaluate((each) => {
              const shown = [...each.querySelectorAll("select, button")].map((control) =>
                control.getBoundingClientRect(),
              );
              const [first] = shown;
              // Anything on another line is not visible.
              const line = shown.filter(({ width: size, top }) => size > 0 && first && Math.abs(top - first.top) < 16);
              return line.filter(({ left }, at) => left < (line[at - 1]?.right ?? 0)).length;
            }),
          )
          .toBe(0);
      }
    }
    await section(1).getByRole("button", { name: "Show remote images", exact: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    project.remove("templates/gallery");
  });

  it("can be scrolled by keyboard, and axe finds no problems, even in wide and low panes", async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.emulateMedia({ colorScheme: "dark" });
    await open("letter?pane=800,rtl&pane=390&bottom=links");
    expect(await violations(page, "main")).toEqual([]);
    await page.getByRole("group", { name: "Email in pane 1" }).focus();
    await page.keyboard.press("End");
    await eventually(() => scrollOf(1)).toBeGreaterThan(100);
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("change their width by keyboard, by dragging and by number", async () => {
    await open("letter?pane=390");
    await slider(1).press("ArrowLeft");
    await slider(1).press("Shift+ArrowUp");
    await expect.poll(() => widthOf(1)).toBe("401");
    // The handle moves with the pane's edge.
    await eventually(async () => (await section(1).locator("iframe").boundingBox())?.width).toBe(401);
    // Hovering waits until the handle stands still.
    await slider(1).hover({ position: { x: 2, y: 200 } });
    const at = await slider(1).boundingBox();
    if (!at) throw new Error("The handle is not there.");
    await page.mouse.move(at.x + at.width / 2, at.y + 200);
    await page.mouse.down();
    await page.mouse.move(at.x + at.width / 2 - 50, at.y + 200, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => widthOf(1)).toBe("501");
    await section(1).getByRole("button", { name: "Width: 501 pixels" }).click();
    await page.getByRole("spinbutton", { name: "Pixels" }).fill("444");
    await page.keyboard.press("Enter");
    await eventually(() => widthOf(1)).toBe("444");
    await eventually(hash).toContain("pane=444");
    expect((await section(1).locator("iframe").boundingBox())?.width).toBe(444);
  });

  it("scroll together by fractions of their heights, or separately", async () => {
    await open("letter?pane=720&pane=320,text:200");
    await pane(2).getByText("The end").waitFor();
    await ask(1, "pane.scrollTo(0, pane.scrollHeight)");
    const end = () => ask<number>(2, "pane.scrollHeight - pane.clientHeight");
    await eventually(async () => Math.abs((await scrollOf(2)) - (await end()))).toBeLessThan(2);
    await page.getByRole("button", { name: "Sync scrolling" }).click();
    await ask(1, "pane.scrollTo(0, 0)");
    await page.waitForTimeout(100);
    expect(await scrollOf(2)).toBeGreaterThan(100);
  });

  it("react to shortcuts in the focused pane; the palette changes all of them", async () => {
    await page.goto(`${preview.url}#/templates/none`);
    await page.getByText('There is no template "none"').waitFor();
    for (const key of ["w", "p"]) await page.keyboard.press(key);
    expect(hash()).toBe("#/templates/none");

    await open("letter?pane=700");
    const widths = { d: 800, t: 768, p: 390, s: 320, w: 800 };
    for (const [key, width] of Object.entries(widths)) {
      await page.keyboard.press("w");
      await page.keyboard.press(key);
      await eventually(() => widthOf(1)).toBe(String(width));
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    }
    await eventually(hash).toBe("#/templates/letter");
    for (const key of ["l", "4"]) await page.keyboard.press(key);
    await pane(4).getByText("Dear Ada").click();
    await eventually(() => section(4).getAttribute("aria-current")).toBe("true");
    for (const key of ["d", "w", "t", "x", "r", "+"]) await page.keyboard.press(key);
    await eventually(hash).toBe("#/templates/letter?pane=800&pane=800,dark&pane=390&pane=768,blocked,rtl,text:125");
    await section(2).getByRole("group", { name: "Email in pane 2" }).focus();
    await page.keyboard.press("-");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("width phone in all panes");
    await page.keyboard.press("Enter");
    await eventually(hash).toBe(
      "#/templates/letter?pane=390&pane=390,dark,text:75&pane=390&pane=390,blocked,rtl,text:125",
    );
  });

  it("zoom from the focused pane's current zoom, show it, and fit to their size again", async () => {
    const run = async (command: string) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(command);
      await page.keyboard.press("Enter");
    };
    const width = async (number: number) =>
      Math.round((await section(number).locator("iframe").boundingBox())?.width ?? 0);
    await open("letter?pane=800&pane=390&right=hidden");
    await section(2).getByRole("group", { name: "Email in pane 2" }).focus();
    await run("zoom in");
    await eventually(() => width(2)).toBe(429);
    await eventually(() => width(1)).toBe(880);
    await section(1).getByText("110%", { exact: true }).waitFor();
    await section(2).getByRole("button", { name: "Width: 390 pixels, shown at 110%" }).waitFor();
    await eventually(hash).toContain("scale=110");
    await run("zoom out");
    await run("zoom out");
    await eventually(() => width(2)).toBe(351);
    await run("reset zoom");
    await eventually(() => width(2)).toBe(390);
    await eventually(() => width(1)).toBeLessThan(800);
    await eventually(hash).not.toContain("scale=");
    const fitting = await width(1);
    await section(1).getByRole("group", { name: "Email in pane 1" }).focus();
    await run("zoom in");
    await eventually(() => width(1)).toBeGreaterThan(fitting);
    expect(await width(1)).toBeLessThan(800);
    await page.keyboard.press("z");
    await eventually(() => width(1)).toBe(fitting);
    await page.keyboard.press("z");
    await eventually(() => width(1)).toBe(800);
    // As written by earlier versions.
    await open("letter?pane=800&pane=390&right=hidden&scale=full");
    await eventually(() => width(1)).toBe(800);
  });

  it("are exported filled, as an .eml file and as HTML", async () => {
    await open("letter?pane=800&pane=390,fixture:grace");
    await section(2).getByRole("group", { name: "Email in pane 2" }).focus();
    const download = async (command: string) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(command);
      const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
    };
    const eml = await download("export eml");
    expect(eml.name).toBe("letter.eml");
    const read = await PostalMime.parse(eml.text);
    expect(read).toMatchObject({ subject: "Order B-2", to: [{ address: "ada@example.com" }] });
    expect(read.html).toContain("<h1>Dear Grace</h1>");
    expect(read.text).toContain("Dear Grace");
    expect(read.html).toContain('src="cid:image-1"');
    expect(read.attachments).toMatchObject([{ mimeType: "image/gif", contentId: "<image-1>" }]);
    await section(1).getByRole("group", { name: "Email in pane 1" }).focus();
    const html = await download("export html");
    expect(html.name).toBe("letter.html");
    expect(html.text).toContain("<h1>Dear Ada</h1>");
    expect(html.text).toContain('src="data:image/gif;base64,R0lGODlhAQABAAAAACw="');
  });

  it("are as high as their email, whatever their previous height", async () => {
    write(
      "templates/short.html",
      `<!doctype html><html lang="en"><body style="margin: 0"><h1>Short</h1></body></html>`,
    );
    await open("short?pane=800&pane=800,dark&pane=800");
    const spare = (number: number) => ask<number>(number, "pane.scrollHeight - pane.clientHeight");
    for (const keys of ["l4", "lp", "l1", "l4", "l1"]) {
      for (const key of keys) await page.keyboard.press(key);
      const count = Number(keys === "l4") * 3 + Number(keys === "lp") + 1;
      await eventually(() => page.locator("iframe").count()).toBe(count);
      for (let at = 1; at <= count; at++) await eventually(() => spare(at)).toBe(0);
    }
  });

  it("have options: text size, blocked images, right to left", async () => {
    await open("letter");
    await section(1).getByRole("button", { name: "Pane options" }).click();
    await page.getByRole("button", { name: "Larger text" }).click();
    await page.getByRole("switch", { name: "Right to left" }).click();
    await page.keyboard.press("Escape");
    await eventually(hash).toContain("pane=800,rtl,text:125");
    await eventually(() => ask(1, "getComputedStyle(email.querySelector('#end')).fontSize")).toBe("20px");
    await section(1).getByRole("button", { name: "Pane options, text at 125%, right to left" }).waitFor();
    await section(1).getByText("The body sets its own direction").waitFor();
  });
});

describe("elements", () => {
  it("lead to the line where they were written, by a click and by keyboard", async () => {
    await open("letter");
    await page.getByRole("button", { name: "Inspect elements" }).click();
    const inspector = section(1).getByRole("button", { name: /^Elements/ });
    const target = await pane(1).getByText("Jam").boundingBox();
    if (!target) throw new Error("The email does not show Jam.");
    await page.mouse.click(target.x + 10, target.y + 10);
    await page.getByRole("textbox", { name: "Source" }).waitFor();
    await expect.poll(() => page.locator(".cm-pointed").textContent()).toContain('<p class="line">');
    await expect.poll(hash).toContain("file=templates/letter/letter.html&line=13");

    await page.goBack();
    await page.mouse.move(0, 0);
    await inspector.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await eventually(() => page.locator(".cm-pointed").textContent()).toContain("<h1>Dear");
    await page.getByRole("radio", { name: "Rendered" }).check();
    await page.getByRole("button", { name: "Inspect elements" }).click();
  });

  it("are outlined and scrolled into view when the page points at one", async () => {
    await open("letter");
    const report = await fetch(`${preview.url}api/templates/letter/report`);
    const { places } = (await report.json()) as TemplateReport;
    const place = places.findIndex(({ line }) => line === 16);
    // The same origin, so that the browser keeps its process and its compiled code.
    await page.goto(`${preview.url}licences.txt`);
    await open(`letter?place=${place}`);
    await eventually(() => scrollOf(1)).toBeGreaterThan(800);
  });
});

describe("modes", () => {
  it("show the bodies filled, compiled and as written", async () => {
    await open("letter?pane=720&pane=390,fixture:grace");
    const code = (name: string) => page.getByRole("textbox", { name, exact: true });
    await page.keyboard.press("2");
    await code("HTML").nth(1).getByText("Dear Grace").waitFor();
    await expect.poll(() => code("HTML").first().textContent()).toContain("Dear Ada");
    await page.keyboard.press("3");
    await code("Mustache HTML").getByText("{{#lines}}").waitFor();
    await page.keyboard.press("4");
    await expect.poll(() => code("Text").first().textContent()).toContain("Dear Ada");
    await page.keyboard.press("5");
    await page.getByRole("tab", { name: "letter.html" }).waitFor();
    await code("Source").getByText("{{#lines}}").waitFor();

    await page.keyboard.press("Control+f");
    await page.keyboard.type("The end");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".cm-searchMatch-selected").textContent()).toBe("The end");
    const count = page.locator(".cm-search").getByRole("status");
    await eventually(() => count.textContent()).toBe("1 of 1");
    const look = async (words: string) => {
      await page.getByRole("textbox", { name: "Find" }).selectText();
      await page.keyboard.type(words);
    };
    await look("{{");
    await eventually(() => count.textContent()).toBe("5 found");
    for (const at of [1, 2]) {
      await page.keyboard.press("Enter");
      await eventually(() => count.textContent()).toBe(`${at} of 5`);
    }
    await look("nowhere");
    await eventually(() => count.textContent()).toBe("Not found");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download letter.html" }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toBe(LETTER);
  });

  it("can be searched from the palette, even while the email is shown", async () => {
    await open("letter?mode=rendered");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("find in the source");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Find" }).waitFor();
    await page.keyboard.type("Dear");
    await eventually(() => page.locator(".cm-search").getByRole("status").textContent()).toBe("1 found");
  });

  it("follow a key that is pressed inside the email", async () => {
    await open("letter");
    await pane(1).getByText("Dear Ada").click();
    await page.keyboard.press("5");
    await page.getByRole("textbox", { name: "Source" }).waitFor();
  });
});

describe("a change to the files", () => {
  it("shows without a reload at the same scroll position; a broken one leaves the last valid email", async () => {
    await open("letter?mode=rendered");
    await page.evaluate("window.shown = document.querySelector('iframe')");
    await ask(1, "pane.scrollTo(0, 400)");
    write("templates/letter/letter.html", LETTER.replace("Dear {{name}}", "Hello {{name}}"));
    await pane(1).getByText("Hello Ada").waitFor();
    await expect.poll(() => scrollOf(1)).toBe(400);
    expect(await page.evaluate("window.shown === document.querySelector('iframe')")).toBe(true);

    write("templates/letter/letter.html", LETTER.replace("{{/lines}}", ""));
    await page.getByRole("alert", { name: "Compile error" }).waitFor();
    await eventually(() => pane(1).getByText("Hello Ada").count()).toBe(1);
    await expect.poll(() => scrollOf(1)).toBe(400);
    expect(await page.evaluate("window.shown === document.querySelector('iframe')")).toBe(true);
    await page.keyboard.press("5");
    await page.locator(".cm-lint-marker-error").first().waitFor();
    write("templates/letter/letter.html", LETTER);
    await eventually(() => page.locator(".cm-lint-marker-error").count()).toBe(0);
    await page.keyboard.press("1");
    await pane(1).getByText("Dear Ada").waitFor();
  });
});

describe("a hostile template", () => {
  it("runs no code, does not navigate and sends no requests; remote images load when they are turned on", async () => {
    await open("hostile");
    const heading = page.getByRole("radio", { name: "Rendered" });
    for (const id of ["#script", "#send"]) await pane(1).locator(id).dispatchEvent("click");
    await page.waitForTimeout(300);
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(new URL(page.url()).origin).toBe(new URL(preview.url).origin);
    expect(host.requests).toEqual([]);
    // Fixed elements cover only the email, not the page.
    await heading.click();

    const note = section(1).getByText("1 remote image not loaded");
    await note.waitFor();
    const before = await section(1).locator("iframe").boundingBox();
    await section(1).getByRole("button", { name: "Show remote images", exact: true }).click();
    await eventually(() => host.requests).toEqual(["/pixel.png"]);
    await note.waitFor({ state: "detached" });
    await expect.poll(() => section(1).locator("iframe").last().boundingBox()).toEqual(before);
    await page.getByRole("button", { name: "Remote images in this template", pressed: true }).click();
    await page.getByRole("button", { name: "Remote images in this template", pressed: false }).waitFor();
    expect(await page.evaluate("window.ran")).toBeUndefined();
  });
});

describe("remote images", () => {
  const remembered = async () => {
    const answer: unknown = await (await fetch(new URL("api/project", preview.url))).json();
    return answer;
  };

  it("are counted completely, and shown for one template, or always if the user chooses that", async () => {
    await open("pictures");
    await section(1).getByText("13 remote images not loaded").waitFor();
    expect(host.requests).toEqual([]);
    await section(1).getByRole("button", { name: "Show remote images", exact: true }).click();
    await eventually(() => [...new Set(host.requests)].toSorted()).toEqual(
      PICTURES.map((name) => `/${name}.png`).toSorted(),
    );
    await page.goto(`${preview.url}#/templates/hostile`);
    await section(1).getByText("1 remote image not loaded").waitFor();
    expect(await remembered()).toMatchObject({ remoteImages: false });

    await section(1).getByRole("button", { name: "Always show remote images" }).click();
    await section(1).getByText("1 remote image not loaded").waitFor({ state: "detached" });
    await expect.poll(remembered).toMatchObject({ remoteImages: true });
    await page.getByRole("button", { name: "Remote images in all templates", pressed: true }).click();
    await section(1).getByText("1 remote image not loaded").waitFor();
    await expect.poll(remembered).toMatchObject({ remoteImages: false });
  });
});

describe("control characters in a subject", () => {
  it("have no effect and are shown as escape sequences", async () => {
    await open("reversed");
    const envelope = page.getByRole("region", { name: "Envelope" });
    await envelope.getByText(String.raw`Invoice \u202efdp.exe for Ada`).waitFor();
    const subjects = page.getByRole("button", { name: "Subjects in the list" });
    await subjects.click();
    const row = page.getByRole("treeitem", { name: /^reversed/ }).first();
    await row.getByText(String.raw`Invoice \u202efdp.exe for Ada`).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("reversed");
    await page
      .getByRole("option", { name: /^reversed/ })
      .getByText(String.raw`\u202efdp.exe`)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${preview.url}#/templates/reversed?mode=source&file=templates/reversed/template.json`);
    await page
      .getByRole("textbox", { name: "Source" })
      .getByText(String.raw`\u202e`)
      .waitFor();
    expect(await page.evaluate("document.documentElement.outerHTML.includes('\\u202e')")).toBe(false);
    await subjects.click();
  });
});

it("a contrast theme shows what is selected, and keeps the email's colours", async () => {
  await page.emulateMedia({ forcedColors: "active" });
  await open("letter?pane=800&pane=800,dark&bottom=links");
  const selected = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("p"));
    probe.style.cssText = "forced-color-adjust: none; background: Highlight";
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });
  const fill = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  for (const chosen of [
    "[role=treeitem][aria-selected=true]",
    "[role=tab][aria-selected=true]",
    "label:has(> :checked)",
    "button[aria-pressed=true]",
  ])
    expect(await fill(chosen)).toBe(selected);
  expect(await fill("[role=treeitem][aria-selected=false]")).not.toBe(selected);
  await eventually(() => background(2)).toBe("rgb(16, 16, 16)");
  await page.emulateMedia({ forcedColors: null });
});
