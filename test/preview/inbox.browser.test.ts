import { readFile } from "node:fs/promises";
import path from "node:path";
import { type AxeResults, source as axe } from "axe-core";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { createMailer, type Mailer } from "../../src/send/index.js";
import { type RunningService, startService } from "../../src/service/index.js";
import { browser } from "./browser.js";
import { mailAccess, nobodysAddress } from "./mail-access.js";
import { PreviewedProject } from "./server/harness.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

interface Shop {
  readonly page: Page;
  readonly project: PreviewedProject;
  /** The local service, beside the preview. */
  readonly serve: () => Promise<{ readonly service: RunningService; readonly mailer: Mailer<object> }>;
}

/** The page of a shop with one template, whose local service does not run yet. */
async function openShop(at: string): Promise<Shop> {
  const project = new PreviewedProject({
    ".lettershop/service.json": JSON.stringify({ url: await nobodysAddress(), domain: "example.test" }),
    "templates/receipt/receipt.html":
      '<!doctype html><html lang="en"><head><title>Receipt {{number}}</title></head><body><p>Paid {{amount}}.</p></body></html>',
    "templates/receipt/fixtures/default.json": JSON.stringify({ number: "1042", amount: "CHF 12" }),
  });
  const { environments, inbox, mailer } = await mailAccess(project.folder);
  const preview = await project.preview({ access: { environments, inbox, mailer } });
  const page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  onTestFinished(() => page.close());
  await page.goto(`${preview.running.url}${at}`);
  return {
    page,
    project,
    async serve() {
      const service = await startService({ data: project.path(".lettershop"), port: 0, limits: false });
      onTestFinished(() => service.close());
      const sender = createMailer({ environment: "local", url: service.url, from: "shop" });
      onTestFinished(() => sender.close());
      return { service, mailer: sender };
    },
  };
}

const rows = (page: Page) => page.getByRole("region", { name: "Emails" }).getByRole("listitem");

test("the inbox says how to get something into it, and shows what the application sends at once", async () => {
  const { page, serve } = await openShop("#/inbox");
  await page.getByRole("heading", { name: "The local service isn’t running" }).waitFor();
  const { service, mailer } = await serve();
  await page.getByRole("heading", { name: "No mail yet" }).waitFor();

  await mailer.sendMessage({ to: "ada@example.com", subject: "First", text: "One" });
  await rows(page).getByText("First").waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "First" }).waitFor();
  // What is read stays, whatever comes.
  await mailer.sendMessage({ to: "grace@example.com", subject: "Second", text: "Two" });
  await rows(page).getByText("Second").waitFor();
  await expect
    .poll(() => rows(page).allInnerTexts())
    .toEqual([expect.stringMatching(/^Unread:\s+grace@example.com/), expect.stringMatching(/^ada@example.com/)]);
  await expect.poll(() => page.getByRole("heading", { level: 2 }).innerText()).toBe("First");

  await page.getByRole("searchbox", { name: "Filter emails" }).fill("grace");
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.keyboard.press("Escape");
  await service.close();
  await page.getByText("The local service isn’t running.").waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
  const again = await serve();
  await again.mailer.sendMessage({ to: "ada@example.com", subject: "Third", text: "Three" });
  await rows(page).getByText("Third").waitFor();
  await expect.poll(() => rows(page).count()).toBe(3);
});

test("on a phone the list has the whole page, then the mail, and a button leads back", async () => {
  const { page, serve } = await openShop("#/inbox");
  const { mailer } = await serve();
  await mailer.sendMessage({ to: "ada@example.com", subject: "First", text: "One" });
  await page.setViewportSize({ width: 390, height: 844 });
  await rows(page).getByText("First").click();
  await page.getByRole("heading", { name: "First" }).waitFor();
  expect(await rows(page).count()).toBe(0);
  expect((await page.getByRole("article").boundingBox())?.width).toBe(390);
  await page.getByRole("button", { name: "All emails" }).click();
  await rows(page).getByText("First").waitFor();
});

test("a mail is shown with its images, headers, source and course, and its attachments are kept, not opened", async () => {
  const { page, serve } = await openShop("#/inbox");
  const { mailer } = await serve();
  const name = 'evil "<img src=x onerror=alert(1)>.html';
  const { id } = await mailer.sendMessage({
    to: ["ada@example.com", "hard-bounce@example.com"],
    subject: "<b>Bold</b>",
    html: '<p>Hello</p><img src="cid:logo" alt="logo"><script>document.title = "taken"</script>',
    text: "Hello",
    attachments: [
      { filename: "logo.png", content: PNG, contentId: "logo" },
      { filename: name, content: Buffer.from("<script>1</script>") },
    ],
  });
  await page.goto(page.url().replace(/#.*/, `#/inbox/${id}`));
  await page.getByRole("heading", { name: "<b>Bold</b>" }).waitFor();
  await page.getByText("1 bounced").waitFor();
  const frame = page.frameLocator("iframe").first();
  await frame.getByText("Hello").waitFor();
  await expect
    .poll(() => frame.getByAltText("logo").evaluate((image) => "naturalWidth" in image && image.naturalWidth))
    .toBe(1);
  expect(await page.title()).not.toBe("taken");

  await page.getByRole("tab", { name: /Attachments/ }).click();
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
  await page.getByRole("tab", { name: "Headers" }).click();
  await page.getByRole("rowheader", { name: "Message-ID" }).waitFor();
  await page.getByRole("tab", { name: "Source" }).click();
  await page.getByText("MIME-Version: 1.0").waitFor();
  await expect.poll(() => page.url()).toContain(`#/inbox/${id}?part=source`);
});

test("a test is sent as it is shown, edits too, and leads to the inbox and back to the template", async () => {
  const { page } = await openShop(
    `#/templates/receipt?edited=${encodeURIComponent('{"number":"7","amount":"CHF 99"}')}`,
  );
  await page.getByText("Receipt 7").first().waitFor();
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Send a test" });
  await dialog.getByText("receipt / default, edited").waitFor();
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Enter");
  await dialog.getByRole("link", { name: "Show in inbox" }).click();
  await page.getByRole("heading", { name: "Receipt 7" }).waitFor();
  await page.frameLocator("iframe").first().getByText("Paid CHF 99.").waitFor();
  // All of its width is seen where there is less room than it takes.
  await page.setViewportSize({ width: 1024, height: 700 });
  const mail = page.getByRole("region", { name: "Rendered email" });
  await expect.poll(() => mail.evaluate((place) => place.scrollWidth - place.clientWidth)).toBe(0);
  await expect.poll(() => mail.evaluate((place) => place.querySelector("iframe")?.clientWidth)).toBe(800);

  await page.getByRole("button", { name: "Open receipt" }).click();
  await expect.poll(() => page.url()).toContain("CHF%2099");
  // The address is remembered.
  await page.keyboard.press("s");
  await expect.poll(() => dialog.getByLabel("To").inputValue()).toBe("ada@example.com");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const opener = page.getByRole("button", { name: "Send test" });
  await opener.click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
});

test("axe finds nothing in the inbox and in the dialog, light and dark", async () => {
  const { page, project, serve } = await openShop("#/inbox");
  await page.evaluate(axe);
  const look = async () => {
    // In the dark, what differs is colours.
    for (const [colorScheme, rules] of [
      ["light", ""],
      ["dark", "runOnly: ['color-contrast']"],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(`axe.run({ exclude: ['iframe'] }, { iframes: false, ${rules} })`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- axe's own
      const { violations } = found as AxeResults;
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  };
  await page.getByRole("heading", { name: "The local service isn’t running" }).waitFor();
  const theirs = new PreviewedProject();
  const other = await startService({ data: theirs.path(".lettershop"), port: 0 });
  onTestFinished(() => other.close());
  project.write({ ".lettershop/service.json": JSON.stringify({ url: other.url, domain: "example.test" }) });
  await page.getByRole("heading", { name: "This project’s local service isn’t running" }).waitFor();
  await page.getByText(theirs.folder).waitFor();
  await look();
  const { mailer } = await serve();
  await mailer.sendMessage({
    to: ["ada@example.com", "soft-bounce@example.com", "refused@example.com"],
    subject: "Receipt",
    html: "<p>Paid</p>",
    attachments: [{ filename: "terms.txt", content: Buffer.from("Terms") }],
  });
  await rows(page).getByText("Receipt").waitFor();
  await expect.poll(() => rows(page).first().innerText()).toMatch(/1\s+attachment/);
  await page.keyboard.press("j");
  for (const part of [/Attachments/, /Delivery/, /Rendered/]) {
    await page.getByRole("tab", { name: part }).click();
    await look();
  }
  await page.keyboard.press("s");
  await page.getByRole("dialog", { name: "Send a test" }).waitFor();
  await look();
});
