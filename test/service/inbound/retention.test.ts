import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { frozenClock, type Seed } from "../../../src/service/index.js";
import { openDatabase } from "../../../src/service/store/database.js";
import { startApi, temporaryFolder } from "../harness.js";
import { course, firstCourse, forwardedTo, logOf, sendTo, webhook } from "./smtp.js";

const DAY = 24 * 60 * 60_000;
const start = Date.parse("2026-11-20T10:00:00Z");

const TABLES = ["log_entries", "log_events", "received", "forwards", "mails", "drafts", "coming_events"];

/** Numbers of rows, by table, of those that have any. */
async function rowsOf(data: string) {
  const database = await openDatabase(join(data, "service.db"));
  onTestFinished(() => database.close());
  return () =>
    Object.fromEntries(
      TABLES.flatMap((table) => {
        const count = Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
        return count === 0 ? [] : [[table, count]];
      }),
    );
}

function forwarding(forward: string, account: object = {}): Seed {
  return { ...account, domains: [{ name: "example.test", aliases: [{ alias: "in", forward }] }] };
}

const email = { from: "bob@shop.example", to: "in@example.test", subject: "Order", text: "Hello" };

test("received emails, forwards, bounces and captured messages are deleted with their log entries", async () => {
  const data = await temporaryFolder();
  const clock = frozenClock(start);
  const api = await startApi({ data, clock, seed: forwarding("ada@example.com, hard-bounce@example.com") });
  const rows = await rowsOf(data);
  const receiveAndSend = async () => {
    for (let count = 0; count < 5; count += 1) await api.service.receive(email);
    await sendTo(api.service.smtpPort, { to: "nobody@example.test" });
    const sent = { from: "shop", to: "ada@example.com", subject: "Receipt", text: "Thanks" };
    await api.post("/domains/example.test/emails/outbound", sent);
  };
  await receiveAndSend();
  // Five for each of ada and the sender, who gets bounces.
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(10);
  await expect.poll(rows).toEqual({ log_entries: 7, log_events: 18, received: 10, forwards: 15, mails: 11 });

  for (let month = 0; month < 3; month += 1) {
    api.service.clock.advance(30 * DAY + 1);
    await expect.poll(rows).toEqual({});
    await expect.poll(() => readdir(join(data, "mail"), { recursive: true })).toEqual(["forwarded"]);
    expect(api.service.mail.list({ folder: "forwarded" })).toEqual([]);
    await receiveAndSend();
    await expect.poll(() => api.service.mail.total("forwarded")).toBe(10);
  }
});

test("an email that is still to be delivered is kept longer than the log", async () => {
  const { posts, host } = await webhook((count) => (count <= 8 ? 503 : 200));
  const data = await temporaryFolder();
  const clock = frozenClock(start);
  const seed = forwarding(`http://${host}/`, { profile: { email_log_retention_days: 1 } });
  const api = await startApi({ data, clock, seed });
  const rows = await rowsOf(data);
  await api.service.receive(email);
  for (const [index, minutes] of [1, 5, 15, 60, 180, 360, 720, 1_440].entries()) {
    await expect.poll(() => posts.length).toBe(index + 1);
    await expect.poll(() => rows()["log_events"]).toBe(index + 2);
    api.service.clock.advance(minutes * 60_000);
  }
  await expect.poll(() => posts.length).toBe(9);
  expect(await logOf(api)).toEqual([]);
  await expect.poll(rows).toEqual({});
});

test("a captured copy keeps its files while another destination waits", async () => {
  const { host } = await webhook(() => 503);
  const data = await temporaryFolder();
  const clock = frozenClock(start);
  const seed: Seed = {
    profile: { email_log_retention_days: 1 },
    domains: [
      {
        name: "example.test",
        aliases: [
          { alias: "in", forward: `http://${host}/, ada@example.com` },
          { alias: "other", forward: "ben@example.com" },
        ],
      },
    ],
  };
  const api = await startApi({ data, clock, seed });
  await api.service.receive(email);
  const [copy] = api.service.mail.list({ folder: "forwarded" });
  await api.service.receive({ ...email, to: "other@example.test" });
  const files = async () => (await readdir(join(data, "mail/forwarded"))).filter((name) => name.endsWith(".eml"));
  await expect.poll(files).toHaveLength(2);
  api.service.clock.advance(DAY + 1);
  await expect.poll(files).not.toHaveLength(2);
  expect(await files()).toEqual([`${copy?.id}.eml`]);
});

test("a deleted domain takes its emails with it, delivered or not", async () => {
  const { host, posts } = await webhook(() => 503);
  const data = await temporaryFolder();
  const api = await startApi({ data, seed: forwarding(`ada@example.com, http://${host}/`) });
  const rows = await rowsOf(data);
  await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toHaveLength(3);
  expect(posts).toHaveLength(1);
  await api.post("/domains/example.test/emails/outbound", {
    from: "shop",
    to: "ada@example.com",
    subject: "Hi",
    text: "Hi",
  });
  const files = () => readdir(join(data, "mail"), { recursive: true });
  await expect.poll(async () => (await files()).filter((name) => name.endsWith(".eml"))).toHaveLength(2);
  expect((await api.delete("/domains/example.test")).status).toBe(204);
  expect(rows()).toEqual({});
  expect(await files()).toEqual(["forwarded"]);
});

test("a domain may be deleted while its emails are delivered", async () => {
  const errors: Error[] = [];
  const { posts, host } = await webhook(async () => {
    await api.delete("/domains/example.test");
    return 404;
  });
  const aliases = [{ alias: "in", forward: `http://${host}/` }];
  const seed: Seed = {
    domains: [
      { name: "example.test", aliases },
      { name: "other.test", aliases },
    ],
  };
  const api = await startApi({ seed, onError: (error) => void errors.push(error) });
  await api.service.receive(email);
  await expect.poll(() => posts.length).toBe(1);
  await api.service.receive({ ...email, to: "in@other.test" });
  await expect.poll(() => forwardedTo(api.service.mail)).toEqual(["bob@shop.example"]);
  expect(errors).toEqual([]);
});

test("deleting captured messages leaves the log, and what is still to be delivered", async () => {
  const { posts, host } = await webhook((count) => (count === 1 ? 503 : 200));
  const api = await startApi({ seed: forwarding(`ada@example.com, http://${host}/`) });
  await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toHaveLength(3);
  expect(await api.service.mail.deleteAll()).toBe(1);
  expect(api.service.mail.total("forwarded")).toBe(0);
  api.service.clock.advance(60_000);
  await expect.poll(() => posts.length).toBe(2);
  await expect.poll(() => firstCourse(api)).toHaveLength(4);
});

test("receive limits count across a restart, and are shown as over quota", async () => {
  const data = await temporaryFolder();
  const clock = frozenClock(start);
  const limits = { daily_receive_limit: 3, monthly_receive_limit: 5 };
  const seed = forwarding("ada@example.com", { limits });
  const isOver = async (api: Awaited<ReturnType<typeof startApi>>) =>
    (JSON.parse((await api.get("/account")).text) as { account: { over_quota: boolean } }).account.over_quota;
  const first = await startApi({ data, clock, seed });
  for (const _ of [1, 2]) await first.service.receive(email);
  expect(await isOver(first)).toBe(false);
  await first.service.close();

  const second = await startApi({ data, clock });
  await second.service.receive(email);
  expect(await isOver(second)).toBe(true);
  await expect(second.service.receive(email)).rejects.toThrow("4.5.3");
  second.service.clock.advance(DAY);
  expect(await isOver(second)).toBe(false);
  for (const _ of [1, 2]) await second.service.receive(email);
  await expect(second.service.receive(email)).rejects.toThrow("4.5.3");
  second.service.clock.advance(15 * DAY);
  await second.service.receive(email);
});

test("neither many recipients nor many emails at once exceed a limit", async () => {
  const seed: Seed = {
    limits: { daily_receive_limit: 10 },
    domains: [{ name: "example.test", aliases: [{ alias: "*", forward: "ada@example.com" }] }],
  };
  const api = await startApi({ seed });
  const { smtpPort } = api.service;
  const to = Array.from({ length: 11 }, (_, index) => `a${index}@example.test`);
  expect(await sendTo(smtpPort, { to })).toContain("452 4.5.3");
  const refused = await logOf(api);
  expect(refused).toHaveLength(11);
  expect(refused.map(course)).toEqual(refused.map(() => ["REFUSED 452"]));
  const responses = await Promise.all(Array.from({ length: 20 }, () => sendTo(smtpPort, { to: "a@example.test" })));
  expect(responses.filter((response) => response.startsWith("250"))).toHaveLength(10);
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(10);
});
