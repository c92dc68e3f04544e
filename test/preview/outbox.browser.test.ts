import { randomUUID } from "node:crypto";
import { renameSync } from "node:fs";
import type { Page } from "playwright-core";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../src/postgres/store.js";
import { systemClock } from "../../src/send/clock.js";
import { createMailer } from "../../src/send/index.js";
import type { OutboxChange, OutboxStore } from "../../src/send/store/outbox.js";
import { openMailStore } from "../../src/send/store/sqlite.js";
import { startService } from "../../src/service/index.js";
import { createDatabase } from "../postgres/database.js";
import { browser, violations } from "./browser.js";
import { mailAccess } from "./mail-access.js";
import { PreviewedProject } from "./server/harness.js";

const TARGET = "https://mail.example example.com";
const LOST = "the response was lost, and the delivery log does not show it";

/** A project with one template. */
const project = new PreviewedProject(
  {
    "templates/receipt/receipt.html":
      '<!doctype html><html lang="en"><head><title>Receipt</title></head><body><p>Paid.</p></body></html>',
  },
  afterAll,
);
let page: Page;

beforeAll(async () => {
  page = await (await browser()).newPage({ reducedMotion: "reduce" });
});

beforeEach(() => page.setViewportSize({ width: 1440, height: 900 }));

afterAll(() => page.close());

/** Opens the outbox of a store, until the test ends. */
async function show(store?: string, place = "#/inbox?folder=outbox"): Promise<{ readonly answers: string[] }> {
  const { environments, inbox, outbox } = await mailAccess(project.folder, { ...(store !== undefined && { store }) });
  const { running } = await project.preview({ access: { environments, inbox, outbox } });
  const answers: string[] = [];
  const onResponse = async (response: { url(): string; text(): Promise<string> }) => {
    if (response.url().includes("/api/outbox")) answers.push(await response.text().catch(() => ""));
  };
  page.on("response", onResponse);
  onTestFinished(async () => {
    page.off("response", onResponse);
    await page.goto("about:blank");
  });
  await page.goto(`${running.url}${place}`);
  return { answers };
}

interface Message {
  readonly template?: string;
  readonly to?: string;
  readonly key?: string;
  readonly target?: string;
  readonly sendAt?: number;
}

/** Adds a message and, if it gets an outcome, takes it. Returns its ID. */
async function add(
  outbox: OutboxStore,
  { template = "receipt", to = "ada@example.org", key, target = TARGET, sendAt }: Message,
  outcome?: OutboxChange,
): Promise<string> {
  const id = randomUUID();
  await outbox.add({
    id,
    target,
    template,
    priority: "normal",
    onUnknown: "park",
    recipients: [to],
    ...(key !== undefined && { key: { text: key, hash: key, contents: "" } }),
    ...(sendAt !== undefined && { sendAt }),
    email: { from: "shop", to: [to], template, variables: { cardNumber: "4242 4242" } },
  });
  if (outcome === undefined) return id;
  await outbox.takeOver(id, { target, states: ["queued"], lease: { id, forMs: 60_000 } });
  await outbox.change(id, { states: ["sending"] }, outcome);
  return id;
}

const rows = () => page.getByRole("region", { name: "Messages" }).getByRole("listitem");
const state = (name: string) => page.getByRole("tab", { name: new RegExp(`^${name}`) });

async function expectAccessible(within: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  expect(await violations(page, within)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(page, within, { runOnly: ["color-contrast"] })).toEqual([]);
  await page.emulateMedia({ colorScheme: null });
}

test("the outbox of a file shows what is sent as it happens, leads to the received email, and opens the file again after it was replaced", async () => {
  const file = project.path("mail.db");
  await show("mail.db");
  await page.getByText(`There is no store at ${file}.`).waitFor();

  const service = await startService({ data: project.path(".lettershop"), port: 0, limits: false });
  onTestFinished(() => service.close());
  const openMailer = () => createMailer({ environment: "local", url: service.url, from: "shop", store: file });
  const mailer = openMailer();
  await mailer.queueMessage({ to: "ada@example.org", subject: "First", text: "One", key: "order-1" });
  await rows().getByText("order-1").waitFor();
  await page.getByText(file).first().waitFor();
  await page.getByText(/^1 due, the oldest for/).waitFor();
  await expect.poll(() => state("Queued").innerText()).toMatch(/1$/);

  await page.keyboard.press("j");
  await page.getByText("A running worker sends it.").waitFor();
  const worker = mailer.work();
  // The open message follows, too.
  await page.getByText("The service accepted it.").waitFor();
  await expect.poll(() => state("Accepted").innerText()).toMatch(/1$/);
  expect(await rows().allInnerTexts()).toEqual([
    expect.stringMatching(/No template[^]*order-1[^]*1 attempt[^]*Accepted/),
  ]);
  await page.getByRole("link", { name: "Show the received email" }).click();
  await page.getByRole("heading", { name: "First" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await rows().getByText("order-1").waitFor();
  await worker.stop();
  await mailer.close();

  for (const suffix of ["", "-wal", "-shm"])
    try {
      renameSync(`${file}${suffix}`, `${file}.old${suffix}`);
    } catch {
      // The companion files are there only while the file is open.
    }
  await page.getByText(`There is no store at ${file}.`).waitFor();
  expect(await rows().count()).toBe(1);
  const other = openMailer();
  onTestFinished(() => other.close());
  await other.queueMessage({ to: "ada@example.org", subject: "Second", text: "Two", key: "order-2" });
  await rows().getByText("order-2").waitFor();
  expect(await rows().count()).toBe(1);
  expect(await page.getByText("There is no store").count()).toBe(0);
});

test("the outbox of a file lists the newest of many messages, and more on request", async () => {
  const store = await openMailStore(project.path("many.db"), systemClock);
  onTestFinished(() => store.close());
  await Promise.all(Array.from({ length: 250 }, (_, number) => add(store.outbox, { key: `order-${number}` })));
  await show("many.db");
  await expect.poll(() => rows().count()).toBe(100);
  await expect.poll(() => state("All").innerText()).toMatch(/250$/);
  await page.getByRole("button", { name: "Show older messages" }).click();
  await expect.poll(() => rows().count()).toBe(200);
  await page.getByRole("button", { name: "Show older messages" }).click();
  await expect.poll(() => rows().count()).toBe(250);
  expect(await page.getByRole("button", { name: "Show older messages" }).count()).toBe(0);
  await state("Parked").click();
  await page.getByText("No matching messages.").waitFor();
  await page.getByRole("button", { name: "Show all messages" }).click();
  await expect.poll(() => rows().count()).toBe(250);
});

test("the outbox of a database shows states and reasons, filters, and explains each message without personal data", async () => {
  const database = await createDatabase();
  const store = openPostgres({ connectionString: database });
  onTestFinished(() => store.close());
  const { outbox } = store;
  const parked = await add(outbox, { key: "receipt-for-ada@example.org" }, { state: "parked", reason: LOST });
  await add(outbox, {}, { state: "parked", reason: LOST });
  await add(outbox, { template: "welcome" }, { state: "rejected", reason: "refused: bob@example.org is not valid" });
  await add(outbox, { template: "welcome", sendAt: Date.now() + 7_200_000 });
  await add(outbox, { target: "https://eu.mail.example shop.example" });

  const { answers } = await show(database);
  await expect.poll(() => page.getByLabel("Service and domain").inputValue()).toBe("all");
  const shown = new URL(database);
  await page.getByText(`postgres://${shown.host}${shown.pathname}`).first().waitFor();
  const problems = page
    .getByRole("list", { name: "Why messages wait, were rejected or are parked" })
    .getByRole("listitem");
  await expect
    .poll(() => problems.allInnerTexts())
    .toEqual([
      expect.stringMatching(new RegExp(`^2 parked\\s+${LOST}`)),
      expect.stringMatching(/^1 rejected\s+refused: b…@example\.org is not valid/),
    ]);
  expect(await rows().count()).toBe(5);
  expect(await rows().nth(1).innerText()).toMatch(/welcome[^]*Queued[^]*due in 1 hr/);
  await expectAccessible("main");

  await state("Parked").click();
  await expect.poll(() => rows().count()).toBe(2);
  await page.getByLabel("Template", { exact: true }).selectOption("welcome");
  await page.getByText("No matching messages.").waitFor();
  await state("All").click();
  await expect.poll(() => rows().count()).toBe(2);
  await expect.poll(() => page.url()).toMatch(/#\/inbox\?folder=outbox&of=welcome$/);
  await page.reload();
  await expect.poll(() => rows().count()).toBe(2);
  await page.getByLabel("Template", { exact: true }).selectOption("");
  await page.getByLabel("Service and domain").selectOption("https://eu.mail.example shop.example");
  await expect.poll(() => rows().count()).toBe(1);
  await expect.poll(() => state("All").innerText()).toMatch(/1$/);
  await page.getByLabel("Service and domain").selectOption("all");

  await rows().getByText("r…@example.org").click();
  const message = page.getByRole("article");
  await message.getByText("It may have been sent").waitFor();
  const text = await message.innerText();
  expect(text).toMatch(/Recipients\s+a…@example\.org\s+Variables\s+cardNumber\s+Contents\s+Stored, but not shown here/);
  expect(text).toMatch(/Queued\s+\d+ sec ago \w+, \d+ \w+ \d{4} at [\d:]+\s/);
  expect(text).toContain(`npx templates outbox retry ${parked}`);
  expect(text).toContain(`npx templates outbox discard ${parked}`);
  // Nothing on the page changes the store.
  expect(await message.getByRole("button").allInnerTexts()).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/./)]),
  );
  await expectAccessible("article");

  await outbox.change(parked, { states: ["parked"] }, { state: "discarded" });
  await message.getByText("Someone discarded it").waitFor();
  expect(await message.innerText()).not.toContain("outbox retry");
  const all = answers.join();
  expect(all).toContain("cardNumber");
  expect(all).not.toMatch(/ada@|bob@|4242/);
  expect(all).not.toContain(`${shown.password}@`);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "All messages" }).click();
  await rows().first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("a database that is away is reported next to what it contained, the rest works, and the outbox recovers", async () => {
  const database = await createDatabase();
  const name = new URL(database).pathname.slice(1);
  const admin = new Client({ connectionString: process.env["TEST_POSTGRES"] });
  await admin.connect();
  onTestFinished(() => admin.end());
  const store = openPostgres({ connectionString: database });
  await add(store.outbox, { key: "order-1" });
  await store.close();
  const connections = async () =>
    (await admin.query("SELECT 1 FROM pg_stat_activity WHERE datname = $1", [name])).rowCount;
  await expect.poll(connections).toBe(0);

  await show(database, "#/inbox");
  await page.getByRole("tab", { name: "Outbox" }).waitFor();
  expect(await connections(), "before the outbox is opened").toBe(0);
  await page.getByRole("tab", { name: "Outbox" }).click();
  await rows().getByText("order-1").waitFor();

  const rename = async (from: string, to: string) => {
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [from]);
    await admin.query(`ALTER DATABASE ${from} RENAME TO ${to}`);
  };
  await expect
    .poll(() =>
      rename(name, `${name}_away`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await page.getByText("the database does not exist").waitFor();
  await page.getByText("This is what it contained at").waitFor();
  expect(await rows().count()).toBe(1);
  await expectAccessible("main");
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.getByText("Receipt").first().waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.getByText("the database does not exist").waitFor();
  await rename(`${name}_away`, name);
  await rows().getByText("order-1").waitFor();
  expect(await page.getByText("the database does not exist").count()).toBe(0);
});

test("without a store, the page says how to name one", async () => {
  await show();
  await page.getByRole("heading", { name: "No store is named" }).waitFor();
  await page.getByText("LETTERSHOP_STORE=data/mail.db npx templates dev").waitFor();
  await expectAccessible("main");
});
