import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RunningPreview } from "../../../../src/preview/server/start.js";
import { browser, violations } from "../../browser.js";
import { PreviewedProject } from "../../server/harness.js";

const order = (body: string) => `<!doctype html>
<html lang="en">
  <head><title>Order {{number}}</title><style>.side { display: grid }</style></head>
  <body>
    <p>Dear {{name}}</p>
    <p>{{{note}}}</p>
    <a href="http://teashop.com/orders/{{number}}">Your order</a>
${body}
  </body>
</html>
`;

const picture = '    <img src="assets/tea.png" width="40" height="40">';
const many = Array.from({ length: 20 }, (_, number) => `    <p><img src="https://teashop.com/${number}.png"></p>`);

const project = new PreviewedProject({}, afterAll);
const write = (file: string, text: string) => project.write({ [file]: text });
let preview: RunningPreview;
let page: Page;

beforeAll(async () => {
  write("package.json", '{ "name": "shop" }');
  write("templates/order/order.html", order(picture));
  write("templates/order/template.json", '{ "subject": "Order {{number}}" }');
  write("templates/order/fixtures/default.json", '{ "number": "A-1", "name": "Ada", "note": "<b>Thanks</b>" }');
  write("templates/plain.html", '<!doctype html>\n<html lang="en"><body><p>Nothing here</p></body></html>\n');
  preview = (await project.preview()).running;
  page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
});

afterAll(async () => {
  await page.close();
});

/** The page is loaded only once. */
async function open(tab: string, template = "order"): Promise<void> {
  await page.goto(`${preview.url}#/templates/${template}?bottom=${tab}`);
  await panel().waitFor();
}

const eventually = <Value>(read: () => Value) => expect.poll(read);
const panel = () => page.getByRole("region", { name: "Findings" }).getByRole("tabpanel");
const tab = (name: RegExp) => page.getByRole("tab", { name });
const row = (name: RegExp) => panel().getByRole("button", { name });
const hash = () => decodeURIComponent(new URL(page.url()).hash);
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");

describe("problems", () => {
  it("highlight the email's element next to the source's line; the whole source is a click away", async () => {
    await open("problems");
    await row(/\{\{\{note\}\}\} is not escaped/).click();
    await eventually(hash).toMatch(/place=\d+.*file=templates\/order\/order\.html.*line=6/);
    expect(hash()).not.toContain("mode=source");
    const items = panel().getByRole("listitem").filter({ hasText: "is not escaped" });
    await items.getByLabel("Code around the problem").getByText("<p>{{{note}}}</p>").waitFor();
    await items.getByText("check.rawVariables").waitFor();
    const marked = page
      .frameLocator("iframe[title]")
      .first()
      .locator(`[data-place="${/place=(\d+)/.exec(hash())?.[1]}"]`);
    expect(await marked.innerHTML()).toContain("<b");
    await items.getByRole("button", { name: "Show in source" }).click();
    await page.locator(".cm-pointed", { hasText: "{{{note}}}" }).waitFor();
    await eventually(hash).toContain("mode=source");
    await items.getByRole("button", { name: "Show in email" }).click();
    await marked.waitFor();
    await eventually(hash).not.toContain("mode=source");
    await row(/\{\{\{note\}\}\} is not escaped/).click();
    await eventually(() => items.getByLabel("Code around the problem").count()).toBe(0);
  });

  it("keep the line number visible in a narrow panel", async () => {
    await page.setViewportSize({ width: 700, height: 900 });
    await open("problems");
    const place = row(/is not escaped/)
      .getByText(/:\d+$/)
      .last();
    const [whole, end] = await Promise.all([row(/is not escaped/).boundingBox(), place.boundingBox()]);
    expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0));
    expect(await place.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("have a button that copies the code in a hint", async () => {
    write(
      "templates/hint.html",
      '<!doctype html>\n<html lang="en"><body><p style="color: #12345">A</p></body></html>\n',
    );
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open("problems", "hint");
    await row(/#12345/).click();
    await panel().getByRole("button", { name: "Copy #12345" }).click();
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe("#12345");
    project.remove("templates/hint.html");
  });

  it("can be stepped through with N, each visible next to its element", async () => {
    write("templates/many.html", order(many.join("\n")));
    await open("problems", "many");
    await panel().locator("[data-row]").first().waitFor();
    const chosen = panel().locator("[aria-current=true]");
    const isInSight = () =>
      chosen.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const list = element.closest("details")?.parentElement?.getBoundingClientRect();
        return list !== undefined && top >= list.top + 27 && bottom <= list.bottom + 1;
      });
    const seen = new Set<string | null>();
    for (let at = 0; at < 12; at++) {
      await page.keyboard.press("n");
      await eventually(async () => seen.has(await chosen.textContent())).toBe(false);
      seen.add(await chosen.textContent());
      await eventually(isInSight).toBe(true);
    }
    const scroll = () => page.locator("[data-scroller]").evaluate((pane) => pane.scrollTop);
    await eventually(scroll).toBeGreaterThan(0);
    expect(hash()).not.toContain("mode=");
    await page.keyboard.press("Shift+n");
    await eventually(async () => seen.has(await chosen.textContent())).toBe(true);
  });

  it("can be stepped through with the keyboard alone", async () => {
    await open("links");
    await row(/Your order/).waitFor();
    await page.keyboard.press("p");
    await eventually(() => tab(/^Problems/).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Tab");
    await panel().locator("[data-row]").first().focus();
    const first = await focused();
    await page.keyboard.press("ArrowDown");
    expect(await focused()).not.toBe(first);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await eventually(() => panel().locator("[aria-expanded=true]").count()).toBe(1);
    await page.keyboard.press("ArrowLeft");
    await eventually(() => panel().locator("[aria-expanded=true]").count()).toBe(0);
    expect(await focused()).toBe(first);
    expect(await panel().locator("[data-row][tabindex='0']").count()).toBe(1);
    await page.keyboard.press("n");
    await eventually(hash).toContain("file=");
  });

  it("open their rule's page, by pointer and by keyboard", async () => {
    await open("problems");
    const dialog = page.getByRole("dialog", { name: "raw-variable" });
    const rule = row(/^raw-variable$/);
    await rule.click();
    await dialog.getByRole("heading", { name: "How to fix" }).waitFor();
    expect(await violations(page, "dialog[open]")).toEqual([]);
    await page.keyboard.press("Escape");
    await eventually(focused).toBe("raw-variable");
    await row(/is not escaped/).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("raw-variable");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await eventually(focused).toBe("raw-variable");
  });

  it("can be filtered, for the template and for the whole project", async () => {
    await open("problems");
    await row(/is not escaped/).waitFor();
    await panel().getByRole("searchbox").fill("alt text");
    await eventually(() => panel().locator("[data-row]").count()).toBe(1);
    await panel()
      .getByRole("radio", { name: /^Project/ })
      .check();
    await panel().getByRole("searchbox").fill("preheader");
    await panel().getByRole("heading", { name: "plain" }).waitFor();
    await panel().getByRole("searchbox").fill("no rule says this");
    await panel().getByText('No problems match "no rule says this"').waitFor();
  });

  it("follow a save, and keep open items and the scroll position", async () => {
    write("templates/many.html", order(many.join("\n")));
    await open("problems", "many");
    await eventually(() => panel().locator("[data-row]").count()).toBeGreaterThan(40);
    const last = panel().locator("li", { hasText: "/19.png has no alt text" });
    await last.scrollIntoViewIfNeeded();
    await last.getByRole("button", { name: "Details" }).click();
    const list = last.locator("xpath=ancestor::div[1]");
    const scroll = await list.evaluate((element) => element.scrollTop);
    const before = await panel().locator("[data-row]").count();
    write("templates/many.html", order(many.join("\n")).replace("{{{note}}}", "{{note}}"));
    await eventually(() => panel().locator("[data-row]").count()).toBeLessThan(before);
    expect(await last.getByLabel("Code around the problem").count()).toBe(1);
    expect(Math.abs((await list.evaluate((element) => element.scrollTop)) - scroll)).toBeLessThan(120);
  });
});

describe("the other tabs", () => {
  it("highlight the element of a link, and remove the highlight again", async () => {
    await open("links");
    const link = panel().getByRole("row").filter({ hasText: "teashop.com/orders" });
    await link.getByText("uses http:").waitFor();
    await link.getByRole("button", { name: "Your order" }).click();
    await eventually(hash).toMatch(/place=\d+/);
    await link.getByRole("button", { name: "Your order" }).click();
    await eventually(hash).not.toContain("place=");
    await link.hover();
    await link.getByRole("button", { name: "Show in source" }).click();
    await eventually(hash).toMatch(/mode=source.*line=7/);
  });

  it("show images with their problems, clients with missing support, sizes, and variables with their uses", async () => {
    await open("images");
    const image = panel().getByRole("row").filter({ hasText: "tea.png" });
    await image.getByText("40 × 40").waitFor();
    expect(await image.getByText("has no alt text").count()).toBe(1);
    await tab(/^Client support/).click();
    await row(/display:grid/).click();
    await panel().getByText("Use tables for layout").first().waitFor();
    await panel().getByRole("button", { name: "order.html:3" }).click();
    await eventually(hash).toMatch(/line=3/);
    await tab(/^Size/).click();
    expect(await panel().getByRole("meter", { name: "HTML body" }).getAttribute("aria-valuemax")).toBe("100000");
    await tab(/^Variables/).click();
    await row(/^number/).click();
    await row(/subject.*\{\{\{number\}\}\}/).click();
    await eventually(hash).toMatch(/template\.json/);
  });

  it("close, open, and report when there is nothing to show", async () => {
    await open("links", "plain");
    await panel().getByText("No links").waitFor();
    const form = page.getByRole("complementary", { name: "Variables" });
    await form.getByText("Every recipient gets the same email.").waitFor();
    await page.getByRole("button", { name: "Close findings" }).click();
    await eventually(() => panel().count()).toBe(0);
    await page.keyboard.press("ControlOrMeta+j");
    await eventually(() => tab(/^Problems/).getAttribute("aria-selected")).toBe("true");
  });

  it("are accessible, like the problems", async () => {
    await open("size");
    // In panels with little room, which scroll.
    await page.setViewportSize({ width: 1024, height: 500 });
    onTestFinished(() => page.setViewportSize({ width: 1440, height: 900 }));
    for (const name of [/^Problems/, /^Links/, /^Images/, /^Client support/, /^Size/, /^Variables/]) {
      await tab(name).click();
      await panel().locator("[data-row], [role=meter]").first().waitFor();
      const closed = panel().locator("[aria-expanded=false]");
      if ((await closed.count()) > 0) await closed.first().click();
      expect(await violations(page, "section[aria-label=Findings]"), String(name)).toEqual([]);
    }
  });
});
