import { EventEmitter, once } from "node:events";
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { projectAccess } from "../../../src/cli/preview/access.js";
import { starterFiles } from "../../../src/cli/scaffold/starters.js";
import type { PreviewAccess } from "../../../src/preview/server/access.js";
import { type RunningPreview, startPreview } from "../../../src/preview/server/start.js";
import { browser, violations } from "../browser.js";
import { removeFolder } from "../../remove-folder.js";

const html = (subject: string, preheader: string, words: string) =>
  `<!doctype html><html lang="en"><head><title>${subject}</title></head><body><div style="display:none">${preheader}</div><p>${words}</p></body></html>`;

const LONG_NAME = "Augusta Ada King, Countess of Lovelace, of Ockham Park in the county of Surrey";

let folder: string;
let preview: RunningPreview;
let page: Page;

const write = async (file: string, text: string, at = folder) => {
  await mkdir(path.dirname(path.join(at, file)), { recursive: true });
  await writeFile(path.join(at, file), text);
};

const newFolder = async () => realpath(await mkdtemp(path.join(os.tmpdir(), "preview-shell-")));

/** The environment has what is compiled here. */
const access: PreviewAccess = {
  environments: async () => [],
  remote: { reports: async () => [{ environment: "staging", state: "unchanged", changes: [] }] },
};

const start = async (at: string, port = 0) =>
  startPreview({ project: await projectAccess({ cwd: at, config: undefined }), access, port });

const tree = () => page.getByRole("tree");
const row = (name: string) => tree().getByRole("treeitem", { name });
const hash = () => page.evaluate(() => window.location.hash);
const view = (address: string) => page.goto(`${preview.url}#/templates/${address}`);

const load = async (address: string) => {
  // Of the same origin: the browser keeps its process and what that has compiled.
  await page.goto(`${preview.url}licences.txt`);
  await page.goto(preview.url + address);
};

beforeAll(async () => {
  folder = await newFolder();
  await write("package.json", '{ "name": "coffee-shop" }');
  await write("lettershop.config.json", "{}");
  await write(
    "templates/order-confirmed.html",
    html("Order {{number}} is confirmed", "We pack it today.", "Thank you, {{name}}."),
  );
  await write(
    "templates/order-shipped.html",
    html("Your order is on its way", "It left our warehouse.", "A parcel of espresso."),
  );
  await write("templates/receipt/receipt.html", html("Receipt for {{name}}", "CHF 12.40 paid.", "With thanks."));
  await write("templates/receipt/fixtures/default.json", '{ "name": "Ada" }');
  await write("templates/receipt/fixtures/long.json", `{ "name": "${LONG_NAME}" }`);
  preview = await start(folder);
  page = await (await browser()).newPage({ reducedMotion: "reduce" });
});

// All but what a person chose once is in the address: the page itself is loaded once.
beforeEach(async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await view("order-confirmed");
  await row("order-confirmed").waitFor();
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
});

afterAll(async () => {
  await page.close();
  await preview.close();
  await removeFolder(folder);
});

test("opens with the templates as an inbox shows them, and with the first one", async () => {
  await load("");
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("coffee-shop");
  await row("receipt").getByText("Receipt for Ada").waitFor();
  await row("receipt").getByText("CHF 12.40 paid.").waitFor();
  // Its name is short; what a reader sees behind the subject is not in it.
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
});

test("is used by keyboard alone: choose a template and a fixture, go back", async () => {
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

test("a long form does not let the page scroll, whatever a problem brings into sight", async () => {
  const tags = Array.from({ length: 40 }, (_, at) => `<p>{{field${at}}}</p>`).join("\n");
  await write("templates/many-fields.html", html("Many", "Fields.", `${tags}\n<img src="x.png">`));
  await view("many-fields?bottom=problems");
  await page
    .getByRole("complementary", { name: "Variables" })
    .getByRole("textbox", { name: "field39 (required)" })
    .waitFor();
  await page.getByRole("button", { name: /x\.png has no alt text/ }).click();
  await page.getByLabel("Lines around it").waitFor();
  const top = () => page.getByRole("banner").evaluate((header) => header.getBoundingClientRect().top);
  expect(await top()).toBe(0);
  await page.evaluate(() => document.documentElement.scrollTo(0, 500));
  expect(await top()).toBe(0);
  await rm(path.join(folder, "templates/many-fields.html"));
});

test("what pads a preheader is neither shown nor counted, and joined characters stay whole", async () => {
  const padding = "&#847;&zwnj;&nbsp;&#12644; ".repeat(30);
  await write("templates/padded.html", html("Padded", `For the 👩‍👩‍👧${padding}`, "Not this."));
  await view("padded");
  const envelope = page.getByRole("region", { name: "Envelope" });
  await envelope.getByText("9 characters").waitFor();
  await expect.poll(() => envelope.innerText()).toMatch(/Preheader\s+For the 👩‍👩‍👧\s+9 characters/);
  await row("padded").getByText("For the 👩‍👩‍👧", { exact: true }).waitFor();
  await rm(path.join(folder, "templates/padded.html"));
  await row("padded").waitFor({ state: "detached" });
});

test("the envelope says where the chosen client cuts a long subject off", async () => {
  await view("receipt?fixture=long");
  const envelope = page.getByRole("region", { name: "Envelope" });
  const length = `Receipt for ${LONG_NAME}`.length;
  await envelope.getByText(new RegExp(`^[34]\\d of ${length} shown$`)).waitFor();
  await envelope.getByRole("combobox").selectOption({ label: "Gmail on the web" });
  await envelope.getByText(`${length} characters`).waitFor();
});

test("in a narrow list the kind stays beside a name that leaves room for it, and what is cut off can be read", async () => {
  await page.setViewportSize({ width: 1024, height: 768 });
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

test("searches names, subjects and contents, and marks what it found", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("espresso");
  await page.getByText("1 template found").waitFor({ state: "attached" });
  await expect.poll(() => row("order-shipped").locator("mark").allTextContents()).toEqual(["espresso"]);
  await expect.poll(() => row("receipt").count()).toBe(0);
  await page.keyboard.press("Enter");
  await expect.poll(hash).toContain("/templates/order-shipped");
  await page.keyboard.type("s");
  await page.getByText("No template has “espressos”").waitFor();
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

test("? lists the shortcuts, no two of which share their keys, and the focus returns", async () => {
  await row("receipt").focus();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByText("Next template").waitFor();
  const keys = await dialog.locator("dd").allTextContents();
  expect(new Set(keys).size).toBe(keys.length);
  await page.keyboard.press("Escape");
  await expect.poll(() => row("receipt").evaluate((element) => element === document.activeElement)).toBe(true);
});

test("letters typed into a field are no shortcuts, and all can be switched off", async () => {
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

test("a link opens the same view, where the first Tab reaches what skips to the email", async () => {
  await load("#/templates/receipt?fixture=long&client=outlook&right=hidden&sidebar=hidden&bottom=links");
  await page.getByRole("tab", { name: "Links", selected: true }).waitFor();
  await expect.poll(() => tree().count()).toBe(0);
  await expect.poll(() => page.getByRole("complementary", { name: "Variables" }).count()).toBe(0);
  await expect.poll(() => page.getByRole("combobox", { name: "Inbox preview of" }).inputValue()).toBe("outlook");
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the email");
  await view("recepit");
  await page.getByText("There is no template “recepit”").waitFor();
  await page.getByRole("link", { name: "receipt", exact: true }).click();
  await page.getByRole("region", { name: "Envelope" }).getByText("Receipt for Ada").waitFor();
});

/** Controls that are neither whole in sight nor in something that scrolls. */
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

test("every control can be reached in windows of any size, also when another one becomes small", async () => {
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

test("the open panel's tab stays in sight where the window becomes small", async () => {
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

test("on a phone the email has the whole page, and one panel at a time lies over it until something is chosen", async () => {
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

test("the report is asked for when the email is there, and not before", async () => {
  const asked: string[] = [];
  const held = new EventEmitter();
  const isReleased = once(held, "released");
  await page.route("**/api/templates/receipt", async (route) => {
    await isReleased;
    const answer = await route.fetch();
    asked.push("the email is there");
    await route.fulfill({ response: answer });
  });
  const hear = (request: Request) => {
    if (request.url().endsWith("/report")) asked.push("the report is asked for");
  };
  page.on("request", hear);
  await load("#/templates/receipt");
  await row("receipt").waitFor();
  // Whatever waits for an idle moment has had it.
  for (let turn = 0; turn < 3; turn += 1)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  held.emit("released");
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  expect(asked.slice(0, 2)).toEqual(["the email is there", "the report is asked for"]);
  page.off("request", hear);
  await page.unrouteAll();
});

test("a template that goes while it is open leaves nothing on its way, and is found where it went to", async () => {
  await write("templates/digest/digest.html", html("Your week", "Seven days.", "Much happened."));
  await view("digest?bottom=problems");
  await page.getByRole("region", { name: "Envelope" }).getByText("Your week").waitFor();
  await rename(path.join(folder, "templates/digest"), path.join(folder, "templates/digest2"));
  await page.getByText("There is no template “digest”").waitFor();
  await page.getByTestId("email").getByText('The template "digest2" has no body').waitFor();
  await page.getByText("Nothing to show").waitFor();
  await expect.poll(() => page.getByRole("status").filter({ hasText: "Loading" }).count()).toBe(0);
  await expect.poll(() => page.getByRole("button", { name: "Variables", exact: true }).isDisabled()).toBe(true);
  await rm(path.join(folder, "templates/digest2"), { recursive: true });
});

test("a fixture that goes while it is shown is said, and the address and the list follow", async () => {
  await write("templates/receipt/fixtures/second.json", '{ "name": "Bo" }');
  await view("receipt");
  await page.getByRole("treeitem", { name: "Fixture second" }).click();
  await page.getByRole("region", { name: "Envelope" }).getByText("Receipt for Bo").waitFor();
  await rm(path.join(folder, "templates/receipt/fixtures/second.json"));
  await page.getByRole("status").getByText("Fixture “second” no longer exists.").waitFor({ state: "attached" });
  await expect.poll(hash).toBe("#/templates/receipt");
  await page.getByRole("treeitem", { name: "Fixture default", selected: true }).waitFor();
});

test("a compile error is said with the lines around it, and goes with the save that mends it", async () => {
  await view("order-shipped");
  await page.getByRole("region", { name: "Envelope" }).getByText("Your order is on its way").waitFor();
  await write("templates/order-shipped.html", html("Your order is on its way", "It left.", "{{#open}}never closed"));
  const failure = page.getByRole("alert", { name: "Compile error" });
  await failure.getByText("{{#open}}").first().waitFor();
  await row("order-shipped").getByText("Broken").waitFor();
  await page.getByRole("region", { name: "Envelope" }).getByText("Your order is on its way").waitFor();
  await write("templates/order-shipped.html", html("It is on its way", "It left.", "A parcel of espresso."));
  await page.getByRole("region", { name: "Envelope" }).getByText("It is on its way").waitFor();
  await expect.poll(() => failure.count()).toBe(0);
});

test("one without a subject that compiled before is not said to have never done so", async () => {
  const file = "templates/notice.html";
  await write(file, "<!doctype html><html><body><p>A notice.</p></body></html>");
  await row("notice").getByText("No subject").waitFor();
  await write(file, "<!doctype html><html><body><p>{{#open}}A notice.</p></body></html>");
  await row("notice").getByText("Broken").waitFor();
  await row("notice").getByText("No subject").waitFor();
  await rm(path.join(folder, file));
  await row("notice").waitFor({ state: "detached" });
});

test("a configuration that cannot be read is said above everything, and the templates stay", async () => {
  await write("lettershop.config.json", '{ "asets": {} }');
  const bar = page.getByRole("status").filter({ hasText: "asets" });
  await bar.getByRole("button", { name: "Show it" }).click();
  await page.getByRole("dialog").getByText("asets").first().waitFor();
  await page.keyboard.press("Escape");
  await row("receipt").waitFor();
  await write("lettershop.config.json", "{}");
  await bar.waitFor({ state: "detached" });
});

test("axe finds nothing in list, envelope, palette and shortcuts", async () => {
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

test("a server that is gone is said, and found again when it is back; what environments said before is old then", async () => {
  await view("receipt?bottom=remote");
  const remote = page.getByRole("tabpanel", { name: "Remote" });
  await remote.getByText("compared with the one compiled here").waitFor();
  await page.getByRole("button", { name: "Save as…" }).waitFor();
  await preview.close();
  const gone = page.getByText("The preview server stopped.");
  await gone.waitFor();
  await row("receipt").waitFor();
  await page.getByRole("button", { name: "Remote images" }).click();
  const toast = page.locator("[popover]").filter({ hasText: "isn’t responding" });
  await toast.getByText("templates preview", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save as…" }).click();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("alert").getByText("templates preview", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await write("templates/welcome.html", html("Welcome", "Good to see you.", "Hello."));
  preview = await start(folder, preview.port);
  await gone.waitFor({ state: "detached" });
  await toast.waitFor({ state: "detached" });
  await row("welcome").waitFor();
  await remote.getByText("This may have changed since.").waitFor();
  await remote.getByRole("button", { name: "Refresh" }).click();
  await remote.getByText("compared with the one compiled here").waitFor();
  await rm(path.join(folder, "templates/welcome.html"));
  await row("welcome").waitFor({ state: "detached" });
});

test("says that a template is being compiled when that takes long, over what it was", async () => {
  await write("templates/receipt/variables.ts", "setInterval(() => {}, 1_000);\nawait new Promise(() => {});\n");
  await row("receipt").getByText("Compiling…").waitFor();
  await row("receipt").click();
  await page.getByRole("status").getByText("Compiling receipt").waitFor();
  await page.getByRole("status").getByText("Compiling receipt takes long, and is ended after 30 seconds").waitFor();
  await page.frameLocator("iframe").first().getByText("With thanks.").waitFor();
  await rm(path.join(folder, "templates/receipt/variables.ts"));
  await page
    .getByText(/^Compiling/)
    .first()
    .waitFor({ state: "detached" });
});

test("a project with an unreadable configuration is not called empty; once it is fixed, the page explains how to add a first template and shows it", async () => {
  const young = await newFolder();
  await write("package.json", '{ "name": "new-shop" }', young);
  await write("lettershop.config.ts", "export default {\n  locale: ,\n};\n", young);
  const other = await start(young);
  try {
    await page.goto(other.url);
    const main = page.getByRole("main");
    await main.getByText("new-shop can’t be shown yet").waitFor();
    await main.getByText("lettershop.config.ts:2").waitFor();
    expect(await main.textContent()).not.toContain("no templates yet");

    await write("lettershop.config.ts", 'export default { locale: "de-CH" };\n', young);
    await page.getByText("new-shop has no templates yet").waitFor();
    await page.getByText("npx lettershop new welcome --mjml").waitFor();
    expect(await main.textContent(), "a missing folder is not a problem").not.toContain("There is no");
    // What the page promises is what the command writes.
    await page.getByText("Starter templates: welcome, receipt, sign-in code and failed payment").waitFor();
    const starters = [...(await starterFiles(["html", "mjml"])).keys()].map((file) => path.dirname(file));
    expect(new Set(starters.filter((name) => /^[a-z-]+$/.test(name)))).toEqual(
      new Set(["welcome", "receipt", "sign-in-code", "payment-failed"]),
    );

    await write("templates/hello.html", html("Hello", "A first one.", "Hello."), young);
    await row("hello").getByText("A first one.").waitFor();
  } finally {
    await other.close();
    await removeFolder(young);
  }
});
