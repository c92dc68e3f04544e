import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createMailer, type Mailer } from "../../src/send/index.js";
import { type RunningService, type Seed, type ServiceOptions, startService } from "../../src/service/index.js";
import { browser, violations } from "./browser.js";
import { mailAccess, nobodysAddress } from "./mail-access.js";
import { type Preview, PreviewedProject } from "./server/harness.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const SERVICE = ".lettershop/service.json";

/** A project with one template. */
const project = new PreviewedProject(
  {
    "templates/receipt/receipt.html":
      '<!doctype html><html lang="en"><head><title>Receipt {{number}}</title></head><body><p>Paid {{amount}}.</p></body></html>',
    "templates/receipt/fixtures/default.json": JSON.stringify({ number: "1042", amount: "CHF 12" }),
  },
  afterAll,
);
let preview: Preview;
let page: Page;
let closeAccess: () => Promise<void>;

beforeAll(async () => {
  project.write({ [SERVICE]: JSON.stringify({ url: await nobodysAddress(), domain: "example.test" }) });
  const { environments, inbox, mailer } = await mailAccess(project.folder, { atEnd: (close) => (closeAccess = close) });
  preview = await project.preview({ access: { environments, inbox, mailer } });
  page = await (await browser()).newPage({ reducedMotion: "reduce" });
});

beforeEach(() => page.setViewportSize({ width: 1440, height: 900 }));

afterAll(async () => {
  await page.close();
  await closeAccess();
});

/** Opens a view of the page. */
const show = (place: string) => page.goto(`${preview.running.url}${place}`);

interface ServeOptions extends Pick<ServiceOptions, "smtpPort"> {
  readonly aliases?: readonly { readonly alias: string; readonly forward: string }[];
}

/** The local service, running next to the preview until the test ends. */
async function serve({ aliases = [], ...options }: ServeOptions = {}): Promise<{
  readonly service: RunningService;
  readonly mailer: Mailer<object>;
}> {
  const seed: Seed = { domains: [{ name: "example.test", aliases }] };
  const service = await startService({ data: project.path(".lettershop"), port: 0, limits: false, seed, ...options });
  onTestFinished(() => service.close());
  const mailer = createMailer({ environment: "local", url: service.url, from: "shop" });
  onTestFinished(() => mailer.close());
  return { service, mailer };
}

const rows = () => page.getByRole("region", { name: "Emails" }).getByRole("listitem");

/** Checks only light screenshots, because dark ones differ only in colour. */
async function expectAccessible(within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  expect(await violations(page, within)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(page, within, { runOnly: ["color-contrast"] })).toEqual([]);
  await page.emulateMedia({ colorScheme: null });
}

test("the inbox explains how to send an email to it, shows what the application sends at once, and axe finds no problems", async () => {
  await show("licences.txt");
  await show("#/inbox");
  await page.getByRole("heading", { name: "The local service isn't running" }).waitFor();
  const theirs = new PreviewedProject();
  const other = await startService({ data: theirs.path(".lettershop"), port: 0 });
  onTestFinished(() => other.close());
  project.write({ [SERVICE]: JSON.stringify({ url: other.url, domain: "example.test" }) });
  await page.getByRole("heading", { name: "This project's local service isn't running" }).waitFor();
  await page.getByText(theirs.folder).waitFor();
  await expectAccessible("main");
  const { service, mailer } = await serve();
  await page.getByRole("heading", { name: "No emails yet" }).waitFor();

  await mailer.sendMessage({ to: "ada@example.com", subject: "First", text: "One" });
  await rows().getByText("First").waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "First" }).waitFor();
  // The open email stays when others arrive.
  await mailer.sendMessage({ to: "grace@example.com", subject: "Second", text: "Two" });
  await rows().getByText("Second").waitFor();
  await expect
    .poll(() => rows().allInnerTexts())
    .toEqual([expect.stringMatching(/^Unread:\s+grace@example.com/), expect.stringMatching(/^ada@example.com/)]);
  await expect.poll(() => page.getByRole("heading", { level: 2 }).innerText()).toBe("First");

  await page.getByRole("searchbox", { name: "Filter emails" }).fill("grace");
  await expect.poll(() => rows().count()).toBe(1);
  await page.keyboard.press("Escape");
  await service.close();
  await page.getByText("The local service isn't running.").waitFor();
  await expect.poll(() => rows().count()).toBe(2);
  const again = await serve();
  await again.mailer.sendMessage({ to: "ada@example.com", subject: "Third", text: "Three" });
  await rows().getByText("Third").waitFor();
  await expect.poll(() => rows().count()).toBe(3);
});

test("an email is deleted by its button and by keyboard, and the next one is shown; all are deleted after confirmation", async () => {
  await show("#/inbox");
  const { service, mailer } = await serve();
  await service.mail.deleteAll();
  await page.getByRole("heading", { name: "No emails yet" }).waitFor();
  const subjects = ["Four", "Three", "Two", "One"];
  for (const subject of subjects.toReversed()) await mailer.sendMessage({ to: "ada@example.com", subject, text: "Hi" });
  await rows().getByText("Four").waitFor();
  const other = await (await browser()).newPage();
  onTestFinished(() => other.close());
  await other.goto(`${preview.running.url}#/inbox`);
  await other.getByText("Four").first().click();
  await other.getByRole("heading", { name: "Four" }).waitFor();

  const shown = (subject: string) => page.getByRole("heading", { level: 2, name: subject, exact: true }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await rows().getByText("Four").click();
  await shown("Four");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await shown("Three");
  await expect.poll(() => rows().count()).toBe(3);
  await expect.poll(focused).toContain("Three");
  await other.getByRole("heading", { name: "This email no longer exists" }).waitFor();
  expect(service.mail.total()).toBe(3);

  // After the last one of the list, the previous one is shown.
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await shown("One");
  await page.keyboard.down("Backspace");
  await page.keyboard.down("Backspace");
  await page.keyboard.up("Backspace");
  await shown("Two");
  await expect.poll(() => rows().count()).toBe(2);
  await page.keyboard.press("Delete");
  await shown("Three");
  await expect.poll(() => rows().count()).toBe(1);

  await mailer.sendMessage({ to: "ada@example.com", subject: "Five", text: "Hi" });
  await rows().getByText("Five").waitFor();
  await page.getByRole("button", { name: "Delete all emails" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete all 2 sent emails?" });
  await dialog.waitFor();
  await expectAccessible("dialog");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(service.mail.total()).toBe(2);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("delete all emails");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No emails yet" }).waitFor();
  await other.getByRole("heading", { name: "No emails yet" }).waitFor();
  expect(service.mail.total()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");

  await mailer.sendMessage({ to: "ada@example.com", subject: "Six", text: "Hi" });
  await rows().getByText("Six").click();
  await shown("Six");
  await service.close();
  await page.getByText("The local service isn't running.").waitFor();
  for (const name of ["Delete", "Delete all emails"])
    expect(await page.getByRole("button", { name, exact: true }).getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Delete");
  await shown("Six");
  expect(await rows().count()).toBe(1);
});

test("forwarded emails have their own folder, which explains how to get one, and follows them like sent ones", async () => {
  await show("#/inbox?folder=forwarded");
  const { service, mailer } = await serve({ aliases: [{ alias: "sales", forward: "ada@shop.example" }] });
  await service.mail.deleteAll();
  await page.getByRole("heading", { name: "No forwarded emails yet" }).waitFor();
  await page.getByText(`curl smtp://127.0.0.1:${service.smtpPort} --mail-from`).waitFor();
  await expectAccessible("main");
  const receive = (subject: string) =>
    service.receive({ from: "Bob <bob@shop.example>", to: "sales@example.test", subject, html: "<p>Hello</p>" });
  const folder = (name: string) => page.getByRole("tab", { name });

  await receive("First");
  await rows().getByText("First").waitFor();
  await receive("Second");
  await rows().getByText("Second").waitFor();
  await mailer.sendMessage({ to: "grace@example.com", subject: "Receipt", text: "Paid" });
  await expect.poll(() => folder("Sent").innerText()).toMatch(/^Sent\s+1\s+unread$/);
  expect(await folder("Forwarded").innerText()).toMatch(/^Forwarded\s+2\s+unread$/);
  expect(await rows().first().innerText()).toMatch(
    /sales@example\.test\s+→\s+forwarded to\s+ada@shop\.example[^]*Second[^]*Bob <bob@shop\.example>/,
  );
  await expectAccessible("main");

  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "Second" }).waitFor();
  await page.frameLocator("iframe[title]").first().getByText("Hello").waitFor();
  expect(await page.getByRole("article").getByText("Forwarded", { exact: true }).count()).toBe(1);
  expect(await page.getByRole("article").getByText("Bcc").count()).toBe(0);
  await expect.poll(() => page.url()).toContain("?folder=forwarded");
  await expectAccessible("article");
  await page.reload();
  await page.getByRole("heading", { name: "Second" }).waitFor();

  // The filter finds the address that received it, too, and does not stay for the other folder.
  await page.getByRole("searchbox", { name: "Filter emails" }).fill("sales first");
  await expect.poll(() => rows().count()).toBe(1);
  await folder("Forwarded").focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining("Receipt")]);
  await expect.poll(() => page.url()).toMatch(/#\/inbox$/);
  await page.goBack();
  await page.getByRole("heading", { name: "Second" }).waitFor();
  await rows()
    .getByRole("link", { name: /Second/ })
    .focus();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await rows().getByText("Receipt").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("first");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "First" }).waitFor();

  await page.getByRole("button", { name: "Delete all emails" }).click();
  await page
    .getByRole("dialog", { name: "Delete all 2 forwarded emails?" })
    .getByRole("button", { name: "Delete" })
    .click();
  await page.getByRole("heading", { name: "No forwarded emails yet" }).waitFor();
  // The page removes them before the service has.
  await expect.poll(() => [service.mail.total("sent"), service.mail.total("forwarded")]).toEqual([1, 0]);
});

test("the folder for forwarded emails says so if the service does not listen for SMTP", async () => {
  await show("#/inbox?folder=forwarded");
  const { service } = await serve({ smtpPort: false });
  await service.mail.deleteAll();
  await page.getByText("Start the local service again, without --no-smtp").waitFor();
});

test("on a phone the list takes the whole page, then the email, and a button leads back", async () => {
  await show("#/inbox");
  const { mailer } = await serve();
  await mailer.sendMessage({ to: "ada@example.com", subject: "Phone", html: "<p>One</p>" });
  await rows().getByText("Phone").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await rows().getByText("Phone").click();
  await page.getByRole("heading", { name: "Phone" }).waitFor();
  expect(await rows().count()).toBe(0);
  expect((await page.getByRole("article").boundingBox())?.width).toBe(390);
  expect(await page.getByRole("radio", { name: "Phone", exact: true }).isChecked()).toBe(true);
  expect(await page.getByRole("tablist", { name: "Folders" }).count()).toBe(0);
  await page.getByRole("button", { name: "All emails" }).click();
  await rows().getByText("Phone").waitFor();
  await page.getByRole("tab", { name: "Forwarded" }).click();
  await page.getByRole("heading", { name: "No forwarded emails yet" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("an email is shown with its images, headers, source and delivery, and its attachments are downloaded, not opened", async () => {
  const { mailer } = await serve();
  const name = 'evil "<img src=x onerror=alert(1)>.html';
  const { id } = await mailer.sendMessage({
    to: ["ada@example.com", "hard-bounce@example.com", "soft-bounce@example.com", "refused@example.com"],
    subject: "<b>Bold</b>",
    html: '<p>Hello</p><img src="cid:logo" alt="logo"><script>document.title = "taken"</script>',
    text: "Hello",
    attachments: [
      { filename: "logo.png", content: PNG, contentId: "logo" },
      { filename: name, content: Buffer.from("<script>1</script>") },
    ],
  });
  await show(`#/inbox/${id}`);
  await page.getByRole("heading", { name: "<b>Bold</b>" }).waitFor();
  await page.getByText("1 bounced").waitFor();
  const frame = page.frameLocator("iframe[title]").first();
  await frame.getByText("Hello").waitFor();
  await expect
    .poll(() => frame.getByAltText("logo").evaluate((image) => "naturalWidth" in image && image.naturalWidth))
    .toBe(1);
  expect(await page.title()).not.toBe("taken");

  await expectAccessible();
  await page.getByRole("tab", { name: /Attachments/ }).click();
  await expectAccessible("[role=tabpanel]");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /evil/ }).click(),
  ]);
  expect(download.suggestedFilename()).toContain("evil");
  expect(path.basename(download.suggestedFilename())).toBe(download.suggestedFilename());
  expect(await readFile(await download.path(), "utf8")).toBe("<script>1</script>");
  const answer = await page.request.get(new URL(`api/inbox/${id}/attachments/1`, page.url()).href);
  expect(answer.headers()).toMatchObject({
    "content-disposition": expect.stringMatching(/^attachment; filename\*=UTF-8''evil%20%22%3Cimg[\w%.-]+$/),
    "content-security-policy": expect.stringContaining("sandbox"),
    "x-content-type-options": "nosniff",
  });

  await page.getByRole("tab", { name: /Delivery/ }).click();
  await page.getByText("550 5.1.1 User unknown").waitFor();
  await expectAccessible("[role=tabpanel]");
  await page.getByRole("tab", { name: "Headers" }).click();
  await page.getByRole("rowheader", { name: "Message-ID" }).waitFor();
  await page.getByRole("tab", { name: "Source" }).click();
  await page.getByText("MIME-Version: 1.0").waitFor();
  await expect.poll(() => page.url()).toContain(`#/inbox/${id}?part=source`);
});

test("a test is sent as shown, including edits, and leads to the inbox and back to the template", async () => {
  await show(`#/templates/receipt?edited=${encodeURIComponent('{"number":"7","amount":"CHF 99"}')}`);
  await page.getByText("Receipt 7").first().waitFor();
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Send a test" });
  await dialog.getByText("receipt / default, edited").waitFor();
  await expectAccessible("dialog");
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Enter");
  await dialog.getByRole("link", { name: "Show in inbox" }).click();
  await page.getByRole("heading", { name: "Receipt 7" }).waitFor();
  await page.frameLocator("iframe[title]").first().getByText("Paid CHF 99.").waitFor();
  // A narrow window shows its whole width.
  await page.setViewportSize({ width: 1024, height: 700 });
  const mail = page.getByRole("region", { name: "Rendered email" });
  await expect.poll(() => mail.evaluate((place) => place.scrollWidth - place.clientWidth)).toBe(0);
  await expect.poll(() => mail.evaluate((place) => place.querySelector("iframe")?.clientWidth)).toBe(800);

  await page.getByRole("button", { name: "Open receipt" }).click();
  await expect.poll(() => page.url()).toContain("CHF%2099");
  // The email address is remembered.
  await page.keyboard.press("s");
  await expect.poll(() => dialog.getByLabel("To").inputValue()).toBe("ada@example.com");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const opener = page.getByRole("button", { name: "Send test" });
  await opener.click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
});
