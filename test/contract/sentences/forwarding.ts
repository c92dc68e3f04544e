import { expect } from "vitest";
import { logEntrySchema } from "../../../src/api/contract/v4/logs.js";
import { course, forwardedTo, sendTo, webhook } from "../../service/inbound/smtp.js";
import { receiver } from "../../service/webhook-receiver.js";
import type { Json } from "../api.js";
import { eventually } from "../eventually.js";
import { sentence } from "../sentence.js";
import type { Mailing } from "../world.js";

/* What the documents say about the delivery of received emails, and about their log. The emails are sent by SMTP. */

const list = "GET /domains/:domain/logs";
const search = "GET /domains/:domain/logs/search";
const MINUTE_MS = 60_000;

const alias = (forward: string, name = "sales") => ({ aliases: [{ alias: name, forward }] });

async function send({ smtpPort, domain }: Mailing, email: Partial<Parameters<typeof sendTo>[1]> = {}): Promise<string> {
  return await sendTo(smtpPort, { to: `sales@${domain}`, ...email });
}

/** The domain's entries, oldest first. */
async function entries({ v4 }: Mailing, query: Record<string, string> = {}): Promise<Json[]> {
  return (await v4(list, { query: { order: "created_asc", ...query } })).logs;
}

/** Waits until the events of the domain's entries, oldest first, are these. */
async function expectEvents(mailing: Mailing, ...expected: readonly string[][]): Promise<void> {
  const courses = async () => (await entries(mailing)).map((entry) => course(logEntrySchema.parse(entry)));
  await eventually(async () => expect(await courses()).toEqual(expected));
}

sentence(
  'v4 part 1: "forwards inbound email for customer-owned domains to destination addresses or webhooks"',
  [],
  async ({ local }) => {
    const { posts, host } = await webhook();
    // "comma-separated destination emails and/or webhooks"
    const mailing = await local.receive(alias(`ada@example.com,bob@example.com,http://${host}/hook`));
    expect(await send(mailing, { subject: "Order", text: "42 pieces" })).toMatch(/^250/);
    await eventually(async () => expect(forwardedTo(mailing.mail)).toEqual(["ada@example.com", "bob@example.com"]));
    await eventually(async () => expect(posts).toHaveLength(1));
    expect(posts[0]?.body).toMatchObject({
      envelope: { sender: "bob@shop.example", recipient: `sales@${mailing.domain}` },
      subject: "Order",
      text: expect.stringContaining("42 pieces"),
    });
    await expectEvents(mailing, ["QUEUED 250", "DELIVERED 250", "DELIVERED 250", "DELIVERED 250"]);
  },
);

sentence('v4 part 3: "DELIVERED | delivered to the destination"', [], async ({ local }) => {
  const mailing = await local.receive(alias("ada@example.com"));
  await send(mailing);
  // "QUEUED | accepted for processing"
  await expectEvents(mailing, ["QUEUED 250", "DELIVERED 250"]);
});

sentence('v4 part 3: "REFUSED | refused at the SMTP connection"', [], async ({ local }) => {
  const mailing = await local.receive({ aliases: [] });
  expect(await send(mailing)).toMatch(/^550/);
  await expectEvents(mailing, ["REFUSED 550"]);
  expect(mailing.mail.total("forwarded")).toBe(0);
});

sentence('v4 part 3: "SOFT-BOUNCE | temporarily refused; retried with backoff"', [], async ({ local }) => {
  const { posts, host } = await webhook((count) => (count <= 2 ? 503 : 200));
  const mailing = await local.receive({
    aliases: [
      { alias: "sales", forward: `http://${host}/` },
      { alias: "other", forward: "ada@example.com" },
    ],
  });
  await send(mailing);
  await expectEvents(mailing, ["QUEUED 250", "SOFT-BOUNCE 451"]);
  mailing.clock.advance(MINUTE_MS);
  await expectEvents(mailing, ["QUEUED 250", "SOFT-BOUNCE 451", "SOFT-BOUNCE 451"]);
  // "with increasing delay" (version 3): what is due after the same time again is delivered, and this is not.
  mailing.clock.advance(MINUTE_MS);
  await send(mailing, { to: `other@${mailing.domain}` });
  const other = ["QUEUED 250", "DELIVERED 250"];
  await expectEvents(mailing, ["QUEUED 250", "SOFT-BOUNCE 451", "SOFT-BOUNCE 451"], other);
  expect(posts).toHaveLength(2);
  mailing.clock.advance(4 * MINUTE_MS);
  await expectEvents(mailing, ["QUEUED 250", "SOFT-BOUNCE 451", "SOFT-BOUNCE 451", "DELIVERED 250"], other);
  expect(posts).toHaveLength(3);
});

sentence('v4 part 3: "HARD-BOUNCE | rejected by the destination"', [], async ({ local }) => {
  const { posts, host } = await webhook(() => 410);
  const mailing = await local.receive(alias(`http://${host}/`));
  await send(mailing);
  await expectEvents(mailing, ["QUEUED 250", "HARD-BOUNCE 554"]);
  mailing.clock.advance(48 * 60 * MINUTE_MS);
  await mailing.v4("GET /account");
  expect(posts).toHaveLength(1);
});

sentence('v4 part 3: "BOUNCED | delivery failed; a bounce not classified as soft or hard"', [], async ({ local }) => {
  const { host } = await webhook(() => 503);
  const mailing = await local.receive(alias(`http://${host}/`));
  await send(mailing);
  const soft = [];
  for (let tries = 1; tries <= 8; tries += 1) {
    soft.push("SOFT-BOUNCE 451");
    await expectEvents(mailing, ["QUEUED 250", ...soft]);
    mailing.clock.advance(24 * 60 * MINUTE_MS);
  }
  await expectEvents(mailing, ["QUEUED 250", ...soft, "BOUNCED 451"]);
  await eventually(async () => expect(forwardedTo(mailing.mail)).toEqual(["bob@shop.example"]));
});

sentence(
  'v4 part 2, Email log entry: "`mx` (forwarded mail), `smtp` (authenticated SMTP sends), `api` (sent through the API)"',
  ["v4 logs.{list,count,search} query transport = {mx,smtp,api}", "v4 logs.get answer {forward,forward.email}"],
  async ({ local }) => {
    const mailing = await local.receive({
      ...alias("ada@example.com"),
      credentials: [{ username: "app", password: "secret" }],
    });
    const { v4, domain } = mailing;
    await send(mailing, { from: "Bob <bob@shop.example>", subject: "Hello", messageId: "<17@shop.example>" });
    const auth = { user: `app@${domain}`, pass: "secret" };
    await send(mailing, { auth, from: `app@${domain}`, to: "ada@example.com", subject: "Hello" });
    const body = { from: "app", to: "ada@example.com", subject: "Hello", text: "Hello" };
    await v4("POST /domains/:domain/emails/outbound", { body });
    const ids = [];
    for (const transport of ["mx", "smtp", "api"]) {
      const [entry, ...others] = await entries(mailing, { transport });
      expect([entry.transport, others]).toEqual([transport, []]);
      expect(await v4("GET /domains/:domain/logs/count", { query: { transport } })).toEqual({ total: 1 });
      const found = await v4(search, { query: { query: "hello", transport } });
      expect(found.logs).toEqual([entry]);
      ids.push(entry.id);
    }
    expect(await v4("GET /domains/:domain/logs/:id", { id: ids[0] })).toMatchObject({
      message_id: "<17@shop.example>",
      subject: "Hello",
      sender: { email: "bob@shop.example", name: "Bob" },
      recipient: { email: `sales@${domain}`, name: null },
      forward: { email: "ada@example.com", name: null },
      hostname: expect.stringMatching(/./),
    });
  },
);

sentence(
  'v4 part 6: "Each email log entry holds `events`, the delivery timeline", "one log entry exists per recipient"',
  [],
  async ({ local }) => {
    const { domain, ...mailing } = await local.receive(alias("ada@example.com, hard-bounce@example.org", "*"));
    const to = [`one@${domain}`, `two@${domain}`];
    await send({ domain, ...mailing }, { to, messageId: "<17@shop.example>" });
    const logged = await eventually(async () => {
      const found = await entries({ domain, ...mailing });
      expect(found.map(({ events }) => events.length)).toEqual([3, 3]);
      return found;
    });
    expect(logged.map(({ recipient }) => recipient.email)).toEqual(to);
    for (const { message_id, events } of logged) {
      expect(message_id).toBe("<17@shop.example>");
      const times = events.map(({ created_at }: Json) => created_at);
      expect(times).toEqual(times.toSorted());
      const [queued, ...results] = events;
      expect(queued).toMatchObject({ status: "QUEUED", code: 250 });
      expect(Object.fromEntries(results.map(({ server, status }: Json) => [server, status]))).toEqual({
        "example.com": "DELIVERED",
        "example.org": "HARD-BOUNCE",
      });
      for (const event of events)
        expect(event).toMatchObject({ local: expect.any(String), message: expect.any(String) });
    }
  },
);

sentence(
  'v4 part 4, Email logs: "Filter parameters (all optional, combined with AND)"',
  ["v4 logs.{list,count,search} query {sender,recipient,forward,status}", "v4 logs.search answer *"],
  async ({ local }) => {
    const mailing = await local.receive({
      aliases: [
        { alias: "sales", forward: "ada@example.com" },
        { alias: "hard", forward: "hard-bounce@example.org" },
      ],
    });
    const { v4, domain } = mailing;
    await send(mailing, { subject: "Order 17" });
    await send(mailing, { to: `hard@${domain}`, from: "eve@shop.example", subject: "Order 18" });
    await send(mailing, { to: `nobody@${domain}`, subject: "Order 19" });
    await expectEvents(mailing, ["QUEUED 250", "DELIVERED 250"], ["QUEUED 250", "HARD-BOUNCE 550"], ["REFUSED 550"]);
    const found = async (query: Record<string, string>) => {
      const names = (await entries(mailing, query)).map(({ recipient }) => recipient.email.split("@")[0]);
      expect(await v4("GET /domains/:domain/logs/count", { query })).toEqual({ total: names.length });
      return names;
    };
    // "exact match, case-insensitive"
    expect(await found({ forward: "ADA@example.com" })).toEqual(["sales"]);
    expect(await found({ forward: "ada@example" })).toEqual([]);
    expect(await found({ recipient: `Hard@${domain}` })).toEqual(["hard"]);
    expect(await found({ sender: "bob@shop.example" })).toEqual(["sales", "nobody"]);
    expect(await found({ status: "REFUSED" })).toEqual(["nobody"]);
    expect(await found({ status: "HARD-BOUNCE,DELIVERED" })).toEqual(["sales", "hard"]);
    expect(await found({ status: "DELIVERED", sender: "eve@shop.example" })).toEqual([]);
    // "case-insensitive substring", "typo-tolerant across subject, sender, recipient, forward"
    const searched = async (query: Record<string, string>) =>
      (await v4(search, { query: { query: "ordr", ...query } })).logs.map(({ subject }: Json) => subject);
    expect(await searched({ forward: "BOUNCE@example" })).toEqual(["Order 18"]);
    expect(await searched({ sender: "EVE@" })).toEqual(["Order 18"]);
    expect(await searched({ query: "ada" })).toEqual(["Order 17"]);
    expect(await searched({ status: "QUEUED", recipient: "sale" })).toEqual(["Order 17"]);
  },
);

sentence(
  'v3 part 4, Logs: "`text` (case-insensitive match on subject, sender, recipient, destination)", "`failure` for bounces only"',
  ["v3 logs.search query {text,filter = failure}", "v3 logs.list answer {logs.forward,logs.forward.email}"],
  async ({ local }) => {
    const mailing = await local.receive({
      aliases: [
        { alias: "sales", forward: "ada@example.com" },
        { alias: "hard", forward: "hard-bounce@example.org" },
      ],
    });
    const { v3, domain } = mailing;
    await send(mailing, { subject: "Order 17" });
    await send(mailing, { to: `hard@${domain}`, subject: "Order 18" });
    await expectEvents(mailing, ["QUEUED 250", "DELIVERED 250"], ["QUEUED 250", "HARD-BOUNCE 550"]);
    const found = async (query: Record<string, string>) => {
      const { logs } = await v3(search, { query: { after: 0, before: 9_999_999_999, ...query } });
      return logs.map(({ subject }: Json) => subject);
    };
    for (const text of ["ORDER 17", "sales@", "ada@"]) expect(await found({ text })).toEqual(["Order 17"]);
    expect(await found({ text: "bob@SHOP" })).toEqual(["Order 18", "Order 17"]);
    expect(await found({ text: "order", filter: "failure" })).toEqual(["Order 18"]);
    const [newest] = (await v3(list)).logs;
    expect(newest).toMatchObject({ transport: "mx", forward: { email: "hard-bounce@example.org", name: null } });
  },
);

sentence(
  'v3 part 6: "The domain field `webhook` is the URL to which email events for the domain are POSTed."',
  [],
  async ({ local }) => {
    const { got, url } = await receiver();
    const mailing = await local.receive(alias("ada@example.com"));
    await mailing.v3("PUT /domains/:domain", { body: { webhook: url } });
    await send(mailing, { subject: "Order" });
    await send(mailing, { to: `nobody@${mailing.domain}` });
    const kinds = () => got.map(({ event, log }) => `${event.status} ${log.recipient.email.split("@")[0]}`);
    await eventually(async () =>
      expect(new Set(kinds())).toEqual(new Set(["QUEUED sales", "DELIVERED sales", "REFUSED nobody"])),
    );
    expect(got).toHaveLength(3);
    for (const { domain, log } of got) expect([domain, log.transport]).toEqual([mailing.domain, "mx"]);
  },
);

sentence('v4 part 8: "Log retention | reported in email_log_retention_days"', [], async ({ local }) => {
  const mailing = await local.receive(alias("ada@example.com"), { profile: { email_log_retention_days: 7 } });
  expect((await mailing.v4("GET /account")).account.email_log_retention_days).toBe(7);
  await send(mailing);
  await expectEvents(mailing, ["QUEUED 250", "DELIVERED 250"]);
  mailing.clock.advance(7 * 24 * 60 * MINUTE_MS - 10_000);
  expect(await entries(mailing)).toHaveLength(1);
  mailing.clock.advance(20_000);
  expect(await entries(mailing)).toEqual([]);
  await eventually(async () => expect(mailing.mail.total("forwarded")).toBe(0));
});
