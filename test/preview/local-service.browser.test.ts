import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
import { browser, violations } from "./browser.js";
import { type Api, apiOf, startApi, temporaryFolder } from "../service/harness.js";
import { startService } from "../../src/service/index.js";

let api: Api;
let page: Page;

beforeAll(async () => {
  api = await startApi({}, afterAll);
  page = await (await browser()).newPage({ reducedMotion: "reduce", viewport: { width: 1440, height: 900 } });
});

afterAll(() => page.close());

async function send(mail: object, to: Api = api): Promise<string> {
  const answer = await to.post("/domains/example.test/emails/outbound", {
    from: "hello",
    to: "ada@example.com",
    subject: "Hi",
    text: "Hello",
    ...mail,
  });
  return answer.read(outboundEmailResponse).id;
}

const rows = () => page.getByRole("region", { name: "Emails" }).getByRole("listitem");

test("the page shows only the inbox: emails as they arrive, and all of them page by page", async () => {
  await page.goto(`${api.service.url}/`);
  await page.getByRole("heading", { name: "No emails yet" }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.title()).toBe("Inbox · Local service");
  expect(await page.getByRole("navigation", { name: "Screens" }).getByRole("link").allInnerTexts()).toEqual(["Inbox"]);
  for (const name of ["Template list", "Variables", "Send test"])
    expect(await page.getByRole("button", { name }).count()).toBe(0);

  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Go to an email or run a command" }).waitFor();
  await page.keyboard.press("Escape");

  for (let count = 1; count <= 201; count += 1) await send({ subject: `Number ${count}` });
  await rows().getByText("Number 201").waitFor();
  await page.reload();
  await rows().getByText("Number 201").waitFor();
  await expect.poll(() => rows().count()).toBe(200);
  await page.getByRole("button", { name: "Show older emails" }).click();
  await expect.poll(() => rows().count()).toBe(201);
  expect(await page.getByRole("button", { name: "Show older emails" }).count()).toBe(0);

  await page.getByRole("searchbox", { name: "Filter emails" }).fill("number 17");
  await expect.poll(() => rows().count()).toBe(12);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete all emails" }).click();
  await page
    .getByRole("dialog", { name: "Delete all 201 sent emails?" })
    .getByRole("button", { name: "Delete" })
    .click();
  await page.getByRole("heading", { name: "No emails yet" }).waitFor();
  expect(api.service.mail.total()).toBe(0);
});

test("the URL of an email opens it with all its parts, and nothing of it runs or is loaded from elsewhere", async () => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(api.service.url) && !/^(?:data|blob|about):/.test(request.url()))
      elsewhere.push(request.url());
  });
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const id = await send({
    to: "Ada Lovelace <ada@example.com>",
    cc: "cc@example.com",
    bcc: "hidden@example.com",
    reply_to: "reply@example.com",
    subject: "<b>Receipt</b>",
    html:
      '<p>The html</p><script>document.title = "taken"; parent.document.title = "taken"</script>' +
      '<a href="https://example.com/next">Next</a><img src="cid:logo" alt="logo">' +
      '<img src="https://example.com/x.png" alt="remote">',
    attachments: [
      { filename: "logo.png", content: png, content_id: "logo" },
      { filename: "terms.txt", content: Buffer.from("Terms").toString("base64") },
    ],
  });
  await page.goto(`${api.service.url}/mail/${id}`);
  await page.getByRole("heading", { name: "<b>Receipt</b>" }).waitFor();
  for (const address of ["Ada Lovelace", "cc@example.com", "hidden@example.com", "reply@example.com"])
    expect(await page.getByRole("article").getByText(address).count()).toBeGreaterThan(0);
  const frame = page.frameLocator("iframe[title]").first();
  await frame.getByText("The html").waitFor();
  await expect
    .poll(() => frame.getByAltText("logo").evaluate((image) => "naturalWidth" in image && image.naturalWidth))
    .toBe(1);
  expect(await page.title()).not.toBe("taken");
  expect(await page.locator("iframe[title]").first().getAttribute("sandbox")).not.toContain("allow-scripts");
  expect(await frame.getByText("Next").evaluate((link) => link.closest("a")?.target)).toBe("_blank");
  expect(elsewhere).toEqual([]);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page
      .goto(`${api.service.url}/mail/${id}/attachments`)
      .then(() => page.getByRole("link", { name: /terms/ }).click()),
  ]);
  expect(download.suggestedFilename()).toBe("terms.txt");
  await page.goto(`${api.service.url}/mail/${id}/source`);
  await page.getByText("MIME-Version: 1.0").waitFor();
  const [source] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `Download ${id}.eml` }).click(),
  ]);
  expect(source.url()).toBe(`${api.service.url}/mail/${id}/message.eml`);
  expect(await page.title()).toBe("<b>Receipt</b> · Local service");
  await page.goto(`${api.service.url}/mail/${id}/events`);
  await page.getByRole("heading", { name: "hidden@example.com" }).waitFor();
  expect(await page.getByRole("region", { name: "Delivery" }).getByText(id, { exact: true }).count()).toBe(1);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.poll(() => api.service.mail.total()).toBe(0);
});

test("the page has both folders, and the URL of a forwarded email opens it in its own", async () => {
  await api.post("/domains/example.test/aliases", { alias: "sales", forward: "ada@shop.example" });
  await page.goto(`${api.service.url}/#/inbox?folder=forwarded`);
  await page.getByText(`curl smtp://127.0.0.1:${api.service.smtpPort} --mail-from`).waitFor();
  await api.service.receive({ from: "bob@shop.example", to: "sales@example.test", subject: "Order", text: "Hello" });
  await rows().getByText("Order").waitFor();
  const [mail] = api.service.mail.list({ folder: "forwarded" });
  await page.goto(`${api.service.url}/mail/${mail?.id}/events`);
  await page.getByRole("heading", { name: "Order" }).waitFor();
  expect(await page.getByRole("tab", { name: "Forwarded" }).getAttribute("aria-selected")).toBe("true");
  const delivery = page.getByRole("region", { name: "Delivery" });
  await delivery.getByText("Captured: nothing leaves this machine").waitFor();
  expect(await delivery.getByText(mail?.receivedAs ?? "", { exact: true }).count()).toBe(1);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { name: "No forwarded emails yet" }).waitFor();
  expect(api.service.mail.total("forwarded")).toBe(0);
});

test("the service's own images are shown under each name of this machine", async () => {
  for (const name of ["localhost", "127.0.0.1"]) {
    const { port } = api.service;
    const id = await send({ html: `<img alt="logo" src="http://${name}:${port}/assets/logo.png">` });
    const requested = page.waitForRequest((request) => request.url().endsWith("/assets/logo.png"));
    await page.goto(`${api.service.url}/mail/${id}`);
    expect((await requested).url()).toBe(`${api.service.url}/assets/logo.png`);
  }
});

test("a stopped service is reported, and the page follows it again once it is back", async () => {
  const data = await temporaryFolder();
  const first = await startService({ data, port: 0, limits: false });
  const { port } = first;
  await send({ subject: "One" }, apiOf(first));
  await page.goto(`${first.url}/`);
  await rows().getByText("One").waitFor();
  await first.close();
  await page.getByText("The local service stopped.").waitFor();
  expect(await page.getByRole("button", { name: "Delete all emails" }).getAttribute("aria-disabled")).toBe("true");

  const second = await startService({ data, port, limits: false });
  onTestFinished(() => second.close());
  await send({ subject: "Two" }, apiOf(second));
  await rows().getByText("Two").waitFor();
  expect(await page.getByText("The local service stopped.").count()).toBe(0);
});
