import { EventEmitter, once } from "node:events";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningPreview } from "../../../src/preview/server/start.js";
import { browser, violations } from "../browser.js";
import { PreviewedProject } from "../server/harness.js";

const html = (subject: string, preheader: string, words: string) =>
  `<!doctype html><html lang="en"><head><title>${subject}</title></head><body><div style="display:none">${preheader}</div><p>${words}</p></body></html>`;

const LONG_NAME = "Augusta Ada King, Countess of Lovelace, of Ockham Park in the county of Surrey";

const project = new PreviewedProject({}, afterAll);
const write = (file: string, text: string) => project.write({ [file]: text });
let preview: RunningPreview;
let page: Page;

const tree = () => page.getByRole("tree");
const row = (name: string) => tree().getByRole("treeitem", { name });
const hash = () => page.evaluate(() => window.location.hash);
const view = (address: string) => page.goto(`${preview.url}#/templates/${address}`);

const load = async (address: string) => {
  // The same origin, so that the browser keeps its process and its compiled code.
  await page.goto(`${preview.url}licences.txt`);
  await page.goto(preview.url + address);
};

beforeAll(async () => {
  write("package.json", '{ "name": "coffee-shop" }');
  write("lettershop.config.json", "{}");
  write(
    "templates/order-confirmed.html",
    html("Order {{number}} is confirmed", "We pack it today.", "Thank you, {{name}}."),
  );
  write(
    "templates/order-shipped.html",
    html("Your order is on its way", "It left our warehouse.", "A parcel of espresso."),
  );
  write("templates/receipt/receipt.html", html("Receipt for {{name}}", "CHF 12.40 paid.", "With thanks."));
  write("templates/receipt/fixtures/default.json", '{ "name": "Ada" }');
  write("templates/receipt/fixtures/long.json", `{ "name": "${LONG_NAME}" }`);
  preview = (await project.preview()).running;
  page = await (await browser()).newPage({ reducedMotion: "reduce" });
});

// Apart from preferences, all state is in the URL, so the page is loaded only once.
beforeEach(async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await view("order-confirmed");
  await row("order-confirmed").waitFor();
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
});

afterAll(async () => {
  await page.close();
});

const showSubjects = async (areShown: boolean) => {
  const button = page.getByRole("button", { name: "Subjects in the list" });
  if ((await button.getAttribute("aria-pressed")) !== String(areShown)) await button.click();
};

test("opens with a list of templates, one line each, and the first one selected; on request the list looks like an inbox", async () => {
  await load("");
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("coffee-shop");
  await row("receipt").waitFor();
  await expect.poll(async () => (await row("receipt").boundingBox())?.height).toBeLessThan(28);
  // The group's row has the rest of the name.
  await expect.poll(() => row("order-confirmed").innerText()).toMatch(/confirmed/);
  await expect.poll(() => row("order-confirmed").ariaSnapshot()).toMatch(/treeitem "order-confirmed HTML/);
  await showSubjects(true);
  await row("receipt").getByText("Receipt for Ada").waitFor();
  await row("receipt").getByText("CHF 12.40 paid.").waitFor();
  // The accessible name is short: it leaves out the preview text after the subject.
  await expect
    .poll(() => row("receipt").ariaSnapshot())
    .toMatch(/^- '?treeitem "receipt HTML[^"]{0,40}, subject: Receipt for Ada"/);
  expect(
    await tree()
      .getByRole("treeitem", { name: /^order\s?, 2 templates$/ })
      .getAttribute("aria-expanded"),
  ).toBe("true");
  await expect.poll(() => row("order-confirmed").getAttribute("aria-selected")).toBe("true");
  await expect.poll(() => page.title()).toBe("order-confirmed · coffee-shop");
  await page.reload();
  await row("receipt").getByText("Receipt for Ada").waitFor();
  await showSubjects(false);
  await expect.poll(() => row("receipt").getByText("Receipt for Ada").count()).toBe(0);
});

test("works with the keyboard alone: select a template and a fixture, go back", async () => {
  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect.poll(hash).toBe("#/templates/receipt");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(hash).toBe("#/templates/receipt?fixture=long");
  await page.getByRole("region", { name: "Envelope" }).getByText("Augusta Ada King").waitFor();
  await page.keyboard.press("k");
  await expect.poll(hash).toBe("#/templates/order-shipped");
  await page.goBack();
  await expect.poll(hash).toBe("#/templates/receipt?fixture=long");
});

test("a long form does not make the page scroll when a problem is brought into view", async () => {
  const tags = Array.from({ length: 40 }, (_, at) => `<p>{{field${at}}}</p>`).join("\n");
  write("templates/many-fields.html", html("Many", "Fields.", `${tags}\n<img src="x.png">`));
  await view("many-fields?bottom=problems");
  await page
    .getByRole("complementary", { name: "Variables" })
    .getByRole("textbox", { name: "field39 (required)" })
    .waitFor();
  await page.getByRole("button", { name: /x\.png has no alt text/ }).click();
  await page.getByLabel("Code around the problem").waitFor();
  const top = () => page.getByRole("banner").evaluate((header) => header.getBoundingClientRect().top);
  expect(await top()).toBe(0);
  await page.evaluate(() => document.documentElement.scrollTo(0, 500));
  expect(await top()).toBe(0);
  project.remove("templates/many-fields.html");
});

test("padding in a preheader is neither shown nor counted, and joined characters stay whole", async () => {
  const padding = "&#847;&zwnj;&nbsp;&#12644; ".repeat(30);
  write("templates/padded.html", html("Padded", `For the 👩‍👩‍👧${padding}`, "Not this."));
  await view("padded");
  const envelope = page.getByRole("region", { name: "Envelope" });
  await envelope.getByText("9 characters").waitFor();
  await expect.poll(() => envelope.innerText()).toMatch(/Preheader\s+For the 👩‍👩‍👧\s+9 characters/);
  await showSubjects(true);
  await row("padded").getByText("For the 👩‍👩‍👧", { exact: true }).waitFor();
  project.remove("templates/padded.html");
  await row("padded").waitFor({ state: "detached" });
});

test("the envelope shows where the chosen client cuts off a long subject", async () => {
  await view("receipt?fixture=long");
  const envelope = page.getByRole("region", { name: "Envelope" });
  const length = `Receipt for ${LONG_NAME}`.length;
  await envelope.getByText(new RegExp(`^[34]\\d of ${length} shown$`)).waitFor();
  await envelope.getByRole("combobox").selectOption({ label: "Gmail on the web" });
  await envelope.getByText(`${length} characters`).waitFor();
});

test("the inbox list shows every template as the chosen client does, and the open one with each fixture", async () => {
  await view("receipt");
  await page.getByRole("button", { name: "Inbox list of all templates" }).click();
  const dialog = page.getByRole("dialog", { name: "Inbox list" });
  await dialog.getByRole("combobox").selectOption({ label: "Outlook" });
  const long = dialog.getByRole("link", { name: /receipt · long/ });
  await expect.poll(() => long.innerText()).toMatch(/no-reply@[^]*Receipt for Augusta/);
  await expect
    .poll(() => long.getByText(/^Receipt for/).evaluate((line) => line.parentElement?.getBoundingClientRect().width))
    .toBe(272);
  expect(await violations(page, "dialog[open]")).toEqual([]);
  await dialog.getByRole("link", { name: /order-shipped/ }).click();
  await expect.poll(hash).toContain("#/templates/order-shipped");
  await expect.poll(() => dialog.count()).toBe(0);
  await page.getByRole("region", { name: "Envelope" }).getByRole("combobox").selectOption({ label: "iPhone Mail" });
});

test("in a narrow list the engine stays next to a short name, and cut-off text is available as a tooltip", async () => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await showSubjects(true);
  const heightOf = async (name: string, words: string) => {
    const [whole, part] = await Promise.all(
      [row(name), row(name).getByText(words, { exact: true })].map((each) => each.boundingBox()),
    );
    return (part?.y ?? 0) - (whole?.y ?? 0);
  };
  await row("receipt").getByText(/^\d+$/).waitFor();
  await expect
    .poll(async () => (await heightOf("receipt", "HTML")) - (await heightOf("receipt", "receipt")))
    .toBeLessThan(8);
  await expect.poll(() => row("receipt").getByTitle("Receipt for Ada").innerText()).toContain("Receipt for Ada");
});

test("names that differ only at their ends can be told apart: fixtures in a narrow list, and palette results on a phone", async () => {
  const name = "an-order-of-a-customer-with-many-items-to";
  for (const country of ["eu", "us"]) write(`templates/receipt/fixtures/${name}-${country}.json`, "{}");
  await page.setViewportSize({ width: 1024, height: 768 });
  await view("receipt");
  const fixture = row(`Fixture ${name}-us`);
  await expect
    .poll(async () => {
      const [whole, end] = await Promise.all([fixture.boundingBox(), fixture.getByText(/^\S{2,12}-us$/).boundingBox()]);
      return (whole?.x ?? 0) + (whole?.width ?? 0) - (end?.x ?? 0) - (end?.width ?? 0);
    })
    .toBeGreaterThan(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("many items");
  const title = page
    .getByRole("option", { name: `receipt / ${name}-us` })
    .locator("span")
    .first();
  await expect.poll(() => title.evaluate((each) => each.scrollHeight - each.clientHeight)).toBeLessThan(2);
  expect(await title.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await page.keyboard.press("Escape");
  for (const country of ["eu", "us"]) project.remove(`templates/receipt/fixtures/${name}-${country}.json`);
  await fixture.waitFor({ state: "detached" });
});

test("searches names, subjects and contents, and highlights matches", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("espresso");
  await page.getByText("1 template found").waitFor({ state: "attached" });
  await expect.poll(() => row("order-shipped").locator("mark").allTextContents()).toEqual(["espresso"]);
  await expect.poll(() => row("receipt").count()).toBe(0);
  await page.keyboard.press("Enter");
  await expect.poll(hash).toContain("/templates/order-shipped");
  await page.keyboard.type("s");
  await page.getByText('No template has "espressos"').waitFor();
  await page.keyboard.press("Escape");
  await row("receipt").waitFor();
});

test("the palette finds templates, fixtures and commands", async () => {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Template, fixture, email or command" });
  await field.fill("long");
  await expect
    .poll(() => page.getByRole("dialog").getByRole("option", { selected: true }).textContent())
    .toBe("receipt / long");
  await page.keyboard.press("Enter");
  await expect.poll(hash).toBe("#/templates/receipt?fixture=long");
  await page.keyboard.press("Control+k");
  await field.fill("theme dark");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  await page.keyboard.press("Control+k");
  await field.fill("theme system");
  await page.keyboard.press("Enter");
});

test("? lists the shortcuts without duplicates, and the focus returns", async () => {
  await row("receipt").focus();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByText("Next template").waitFor();
  const keys = await dialog.locator("dd").allTextContents();
  expect(new Set(keys).size).toBe(keys.length);
  await page.keyboard.press("Escape");
  await expect.poll(() => row("receipt").evaluate((element) => element === document.activeElement)).toBe(true);
});

test("letters typed into a field are not shortcuts, and single-key shortcuts can be turned off", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("j?");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await expect.poll(hash).toContain("/templates/order-confirmed");
  await page.keyboard.press("Escape");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await dialog.getByRole("switch", { name: "Keys without" }).uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("?");
  await expect.poll(hash).toContain("/templates/order-confirmed");
  expect(await dialog.count()).toBe(0);
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await dialog.getByRole("switch", { name: "Keys without" }).check();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect.poll(hash).toContain("/templates/order-shipped");
});

test("a link opens the same view, where the first Tab reaches the link that skips to the email", async () => {
  await load("#/templates/receipt?fixture=long&client=outlook&right=hidden&sidebar=hidden&bottom=links");
  await page.getByRole("tab", { name: "Links", selected: true }).waitFor();
  await expect.poll(() => tree().count()).toBe(0);
  await expect.poll(() => page.getByRole("complementary", { name: "Variables" }).count()).toBe(0);
  await expect.poll(() => page.getByRole("combobox", { name: "Inbox preview of" }).inputValue()).toBe("outlook");
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the email");
  await view("recepit");
  await page.getByText('There is no template "recepit"').waitFor();
  await page.getByRole("link", { name: "receipt", exact: true }).click();
  await page.getByRole("region", { name: "Envelope" }).getByText("Receipt for Ada").waitFor();
});

/** Controls that are neither fully visible nor inside something that scrolls. */
const hiddenControls = () => {
  const controls = [
    ...document.querySelectorAll(
      "header :is(a, button), aside :is(a, button, label), section :is(button, select, label)",
    ),
  ];
  const isScrolled = (element: Element | null): boolean =>
    element !== null &&
    ((/auto|scroll/.test(getComputedStyle(element).overflow) &&
      (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight)) ||
      isScrolled(element.parentElement));
  return controls
    .filter((control) => {
      const { left, right, top, height, width } = control.getBoundingClientRect();
      if (width === 0 || isScrolled(control.parentElement)) return false;
      return [left + 2, right - 2].some((x) => {
        const there = document.elementFromPoint(x, top + height / 2);
        return there === null || !(control.contains(there) || there.contains(control));
      });
    })
    .map((control) => control.getAttribute("aria-label") ?? control.textContent);
};

test("every control can be reached in windows of any size, even after the window shrinks", async () => {
  for (const address of ["receipt?bottom=links", "receipt?pane=800&pane=390", "receipt?mode=source&right=json"]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await view(address);
    await page.getByRole("complementary", { name: "Variables" }).getByRole("button", { name: "Presets" }).waitFor();
    for (const [width, height] of [
      [1024, 700],
      [720, 450],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => page.evaluate(hiddenControls), { message: `${address} at ${width}` }).toEqual([]);
    }
  }
  await page.getByRole("combobox", { name: "Mode" }).selectOption("Text");
  await expect.poll(hash).toContain("mode=text");
});

test("the open panel's tab stays visible when the window shrinks", async () => {
  await view("receipt?bottom=variables");
  const tab = page.getByRole("tab", { name: "Variables", selected: true });
  await tab.waitFor();
  await page.setViewportSize({ width: 720, height: 600 });
  const isInSight = () =>
    tab.evaluate((own) => {
      const [{ left, right }, around] = [own.getBoundingClientRect(), own.parentElement?.getBoundingClientRect()];
      return around !== undefined && left >= around.left - 1 && right <= around.right + 1;
    });
  await expect.poll(isInSight).toBe(true);
});

test("content faded by scroll animations is fully visible in browsers without them", async () => {
  const animated = await page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const scrolled = (within: CSSRule[]) =>
      within.flatMap((rule) =>
        rule instanceof CSSStyleRule && rule.style.getPropertyValue("animation-timeline").startsWith("scroll")
          ? [rule.style.animationName]
          : [],
      );
    const supported = rules.flatMap((rule) => (rule instanceof CSSSupportsRule ? [...rule.cssRules] : []));
    const ends = (name: string) =>
      rules.some((rule) => rule instanceof CSSKeyframesRule && rule.name === name && rule.findRule("100%") !== null);
    return { others: scrolled(rules).filter(ends), supported: scrolled(supported).filter(ends) };
  });
  expect(animated.others).toEqual([]);
  expect(animated.supported).toHaveLength(1);
});

test("on a phone the email takes the whole page, and one panel at a time lies over it until something is selected", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await load("#/templates/receipt?right=form");
  const envelope = page.getByRole("region", { name: "Envelope" });
  await envelope.getByText("Receipt for Ada").waitFor();
  const panels = page.getByRole("complementary");
  await expect.poll(() => panels.count()).toBe(0);
  const [from, client] = await Promise.all([
    envelope.getByText("no-reply@").boundingBox(),
    envelope.getByRole("combobox", { name: "Inbox preview of" }).boundingBox(),
  ]);
  const endOfFrom = (from?.y ?? 0) + (from?.height ?? 0);
  expect(client?.y, "the sender and the client's name do not overlap").toBeGreaterThanOrEqual(endOfFrom);
  expect(await page.evaluate(hiddenControls)).toEqual([]);

  await page.getByRole("heading", { level: 1, name: "coffee-shop" }).waitFor();
  await page.getByRole("button", { name: "Variables", exact: true }).click();
  await page.getByRole("textbox", { name: "name" }).fill("Grace");
  await page.getByRole("button", { name: "Template list" }).click();
  await row("order-confirmed").waitFor();
  expect(await panels.count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await row("order-confirmed").click();
  await envelope.getByText("is confirmed").waitFor();
  await expect.poll(() => panels.count()).toBe(0);
  await page.getByRole("button", { name: "Template list" }).click();
  await page.getByRole("button", { name: "Close the template list" }).click({ position: { x: 370, y: 300 } });
  await expect.poll(() => panels.count()).toBe(0);

  await page.setViewportSize({ width: 1024, height: 768 });
  await row("receipt").waitFor();
  await row("receipt").click();
  await page.getByRole("button", { name: "Variables", exact: true }).click();
  await page.getByRole("textbox", { name: "name (required)" }).fill("Ada");
  await envelope.getByText("Receipt for Ada").waitFor();
});

test("the report is requested after the email has loaded, not before", async () => {
  const order: string[] = [];
  const held = new EventEmitter();
  const isReleased = once(held, "released");
  await page.route("**/api/templates/receipt", async (route) => {
    await isReleased;
    const answer = await route.fetch();
    order.push("the email is there");
    await route.fulfill({ response: answer });
  });
  const hear = (request: Request) => {
    if (request.url().endsWith("/report")) order.push("the report is requested");
  };
  page.on("request", hear);
  await load("#/templates/receipt");
  await row("receipt").waitFor();
  // Idle callbacks have run by now.
  for (let turn = 0; turn < 3; turn += 1)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  held.emit("released");
  await expect.poll(() => order.length).toBeGreaterThan(1);
  expect(order.slice(0, 2)).toEqual(["the email is there", "the report is requested"]);
  page.off("request", hear);
  await page.unrouteAll();
});

test("axe finds no problems in the list, envelope, palette and shortcuts", async () => {
  await view("receipt?fixture=long&search=receipt");
  await row("receipt").locator("mark").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(page, "html", { runOnly: ["color-contrast"] })).toEqual([]);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("option").first().waitFor();
  expect(await violations(page, "dialog[open]")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await page.getByRole("dialog").getByText("Next template").waitFor();
  expect(await violations(page, "dialog[open]")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.emulateMedia({ colorScheme: null });
});

test("in a group, names leave out the group's prefix and keep their ends", async () => {
  const long = "order-with-a-name-that-no-list-has-room-for-twice";
  write(`templates/${long}-de.html`, html("Lang", "Kurz.", "Worte."));
  await row(`${long}-de`).waitFor();
  const name = row(`${long}-de`).locator("[aria-hidden]").first();
  await expect.poll(() => name.textContent()).toBe(`${long}-de`.slice("order-".length));
  const end = name.locator("span").last();
  const [outer, inner] = await Promise.all([row(`${long}-de`).boundingBox(), end.boundingBox()]);
  expect(await end.textContent()).toMatch(/-de$/);
  expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
  project.remove(`templates/${long}-de.html`);
  await row(`${long}-de`).waitFor({ state: "detached" });
});

test("a link leaves out variables that are too large, and the page says so", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async () => {
    await page.keyboard.press("Shift+l");
    await page.locator("[popover]").getByText("Link copied").waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await view(`receipt?edited=${encodeURIComponent(JSON.stringify({ name: "Bo" }))}`);
  expect(await copied()).toContain("edited=");
  await view(`receipt?fixture=default&edited=${encodeURIComponent(JSON.stringify({ name: "A".repeat(20_000) }))}`);
  await page.getByRole("region", { name: "Envelope" }).getByText("AAAA").first().waitFor();
  const link = await copied();
  expect(link).toMatch(/#\/templates\/receipt\?fixture=default$/);
  await page.locator("[popover]").getByText("because they are too large").waitFor();
});
