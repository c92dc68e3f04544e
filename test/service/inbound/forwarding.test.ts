import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { frozenClock, type Seed } from "../../../src/service/index.js";
import { LOCAL_WEBHOOK_SECRET } from "../../../src/api/local.js";
import { startApi, temporaryFolder } from "../harness.js";
import { receiver } from "../webhook-receiver.js";
import { course, firstCourse, forwardedTo, logOf, opened, relayServer, sendTo, webhook } from "./smtp.js";

const MINUTE = 60_000;

function forwarding(forward: string, settings: object = {}): Seed {
  return { domains: [{ name: "example.test", aliases: [{ alias: "in", forward }], ...settings }] };
}

const email = {
  from: "Bob <bob@shop.example>",
  to: "in@example.test",
  subject: "Order",
  text: "Hello",
  html: "<p>Hello</p>",
};

test("a webhook gets the email as JSON, signed as in Standard Webhooks, with its URL's login", async () => {
  const { posts, host } = await webhook();
  const api = await startApi({ seed: forwarding(`http://ada:p%40ss@${host}/in?a=1#raw`) });
  const attachments = [
    { filename: "a.txt", content: Buffer.from("notes").toString("base64"), contentType: "text/plain" },
  ];
  await api.service.receive({ ...email, headers: { "X-Kind": "bill" }, attachments });
  await expect.poll(() => posts.length).toBe(1);
  const [{ body, headers, text }] = posts as [(typeof posts)[0]];
  expect(body).toMatchObject({
    envelope: { sender: "bob@shop.example", recipient: "in@example.test" },
    headers: expect.arrayContaining([{ name: "X-Kind", value: "bill" }]),
    subject: "Order",
    text: expect.stringMatching(/^Hello\s*$/),
    html: expect.stringMatching(/^<p>Hello<\/p>\s*$/),
    attachments: [{ filename: "a.txt", content_type: "text/plain", content_id: null, content: "bm90ZXM=" }],
  });
  expect(Buffer.from(body.raw ?? "", "base64").toString()).toContain("Subject: Order");
  expect(headers["authorization"]).toBe(`Basic ${Buffer.from("ada:p@ss").toString("base64")}`);
  const signed = [headers["webhook-id"], headers["webhook-timestamp"], text].join(".");
  const key = Buffer.from(LOCAL_WEBHOOK_SECRET.slice("whsec_".length), "base64");
  expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  const [entry] = await logOf(api);
  expect(entry?.events.at(-1)).toMatchObject({ status: "DELIVERED", server: host });
  expect(JSON.stringify(entry)).not.toContain("p@ss");
});

test.each([
  [404, ["QUEUED 250", "HARD-BOUNCE 554"]],
  [429, ["QUEUED 250", "HARD-BOUNCE 554"]],
  [500, ["QUEUED 250", "SOFT-BOUNCE 451"]],
  [302, ["QUEUED 250", "SOFT-BOUNCE 451"]],
])("a webhook that responds with %i", async (status, expected) => {
  const { posts, host } = await webhook(() => status);
  const api = await startApi({ seed: forwarding(`http://${host}/`) });
  await api.service.receive(email);
  await expect.poll(() => posts.length).toBe(1);
  await expect.poll(() => firstCourse(api)).toEqual(expected);
});

test.each([
  ["bounced", "BOUNCED 554"],
  ["refused", "HARD-BOUNCE 554"],
  ["queued", "SOFT-BOUNCE 451"],
])("an address that asks for the outcome %s", async (outcome, expected) => {
  const api = await startApi({ seed: forwarding(`${outcome}@example.org`) });
  await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250", expected]);
});

test("each destination is delivered by itself; a hard bounce tells the sender", async () => {
  const api = await startApi({ seed: forwarding("ada@example.com, hard-bounce@example.org") });
  await api.service.receive(email);
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(2);
  const [entry] = await logOf(api);
  expect(course(entry).toSorted()).toEqual(["DELIVERED 250", "HARD-BOUNCE 550", "QUEUED 250"]);
  expect(forwardedTo(api.service.mail)).toEqual(["ada@example.com", "bob@shop.example"]);
});

test("a bounce names the address at the domain, and not where it is forwarded to", async () => {
  const api = await startApi({ seed: forwarding("hard-bounce@example.org") });
  await api.service.receive({ ...email, headers: { "X-Kind": "bill" } });
  await expect.poll(() => forwardedTo(api.service.mail)).toEqual(["bob@shop.example"]);
  const [notice] = api.service.mail.list({ folder: "forwarded" });
  const { source } = await opened(api.service.mail, notice);
  const text = Buffer.from(source).toString();
  expect(text).toContain("in@example.test: 550 5.1.1 User unknown");
  expect(text).toMatch(/Final-Recipient: rfc822; in@example\.test\r\nAction: failed\r\nStatus: 5\.1\.1\r\n/);
  expect(text).toContain("X-Kind: bill");
  expect(text).not.toContain("example.org");
  expect(text).toContain(`Message-ID: ${notice?.messageId}\r\n`);
});

test("a bounce that can't be delivered causes no further bounce", async () => {
  const tries: string[] = [];
  const relay = await relayServer((_count, to) => {
    tries.push(to);
    return 550;
  });
  const api = await startApi({ relay: relay.url, seed: forwarding("ada@example.com") });
  const both = ["ada@example.com", "bob@shop.example"];
  await api.service.receive(email);
  await expect.poll(() => tries).toEqual(both);
  await api.service.receive(email);
  await expect.poll(() => tries).toEqual([...both, ...both]);
});

const SCHEDULE = [1, 5, 15, 60, 180, 360, 720, 1_440];

test("a temporary failure is tried again on schedule, by the service's clock, and given up in the end", async () => {
  const { posts, host } = await webhook(() => 503);
  const clock = frozenClock(1_795_000_000_000);
  const api = await startApi({ clock, seed: forwarding(`http://${host}/`) });
  await api.service.receive(email);
  for (const [index, minutes] of SCHEDULE.entries()) {
    await expect.poll(async () => (await logOf(api))[0]?.events.length).toBe(index + 2);
    clock.advance(minutes * MINUTE - 1);
    await api.get("/account");
    expect(posts.length).toBe(index + 1);
    api.service.clock.advance(1);
  }
  await expect.poll(async () => (await firstCourse(api)).at(-1)).toBe("BOUNCED 451");
  expect(posts.length).toBe(SCHEDULE.length + 1);
  expect(new Set(posts.map(({ body }) => body.id)).size).toBe(1);
  await expect.poll(() => forwardedTo(api.service.mail)).toEqual(["bob@shop.example"]);
  expect(api.service.mail.list({ folder: "forwarded" })).toMatchObject([{ sentAt: clock.now() }]);
});

test("a relay gets the message with a rewritten sender, to whom bounces come back", async () => {
  const relay = await relayServer();
  const api = await startApi({ relay: relay.url, seed: forwarding("ada@example.com") });
  await api.service.receive(email);
  await expect.poll(() => relay.got.length).toBe(1);
  const [{ from, to, source }] = relay.got as [(typeof relay.got)[0]];
  expect(from).toMatch(/^SRS0=[\w-]{8}=[A-Z2-7]{2}=shop\.example=bob@example\.test$/);
  expect(to).toEqual(["ada@example.com"]);
  expect(source).toContain("From: Bob <bob@shop.example>");
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250", "DELIVERED 250"]);

  expect(await sendTo(api.service.smtpPort, { from: "", to: from, subject: "Undelivered" })).toMatch(/^250/);
  await expect.poll(() => relay.got.length).toBe(2);
  expect(relay.got[1]).toMatchObject({ from: "", to: ["bob@shop.example"] });
  for (const forged of [from.replace("bob", "eve"), from.replace(/=.{8}=/, "=AAAAAAAA=")])
    expect(await sendTo(api.service.smtpPort, { from: "", to: forged })).toContain("550 5.1.1");
  api.service.clock.advance(22 * 24 * 60 * MINUTE);
  expect(await sendTo(api.service.smtpPort, { from: "", to: from })).toContain("550 5.1.1");
});

test.each(["smtp://", "http://relay.example", "relay.example"])("%j is refused as a relay", async (relay) => {
  await expect(startApi({ relay })).rejects.toThrow("The relay is not the URL of an SMTP server.");
});

test("a relay on this machine may have a self-signed certificate", async () => {
  const relay = await relayServer(undefined, { tls: true });
  const api = await startApi({ relay: relay.url, seed: forwarding("ada@example.com") });
  await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250", "DELIVERED 250"]);
});

test("bounces come back whatever a domain's rules are", async () => {
  const relay = await relayServer();
  const rules = { routingEngine: "rules", rulesFallbackEmail: "rest@example.com" } as const;
  const api = await startApi({ relay: relay.url, seed: { domains: [{ name: "example.test", ...rules }] } });
  await api.service.receive(email);
  await expect.poll(() => relay.got.map(({ to }) => to)).toEqual([["rest@example.com"]]);
  expect(await sendTo(api.service.smtpPort, { from: "", to: relay.got[0]?.from ?? "" })).toMatch(/^250/);
  await expect.poll(() => relay.got.map(({ to }) => to)).toEqual([["rest@example.com"], ["bob@shop.example"]]);
});

test.each([
  [452, "SOFT-BOUNCE 452"],
  [552, "HARD-BOUNCE 552"],
])("a relay's response %i is the event's code", async (code, event) => {
  const relay = await relayServer((count) => (count === 1 ? code : 250));
  const api = await startApi({ relay: relay.url, seed: forwarding("ada@example.com") });
  await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250", event]);
  expect((await logOf(api))[0]?.events.at(-1)?.message).toBe("5.2.2 <ADA@EXAMPLE.COM>: Mailbox full");
});

test("a bounce does not repeat the destination that a relay's response names", async () => {
  const relay = await relayServer((_count, to) => (to === "bob@shop.example" ? 250 : 552));
  const api = await startApi({ relay: relay.url, seed: forwarding("Ada@example.com") });
  await api.service.receive(email);
  await expect.poll(() => relay.got.length).toBe(1);
  expect(relay.got[0]?.source).toContain("552 5.2.2 <in@example.test>: Mailbox full");
  expect(relay.got[0]?.source).not.toMatch(/ada@example\.com/i);
});

test("a relay that is down is tried again", async () => {
  const api = await startApi({ relay: "smtp://127.0.0.1:9", seed: forwarding("ada@example.com") });
  await api.service.receive(email);
  await expect.poll(() => firstCourse(api)).toEqual(["QUEUED 250", "SOFT-BOUNCE 451"]);
});

test("the domain's own webhook hears of received emails and refusals", async () => {
  const { got, url } = await receiver();
  const api = await startApi({ seed: forwarding("ada@example.com", { webhook: url }) });
  await api.service.receive(email);
  await sendTo(api.service.smtpPort, { to: "nobody@example.test" });
  await expect.poll(() => got.map(({ event }) => event.status).toSorted()).toEqual(["DELIVERED", "QUEUED", "REFUSED"]);
});

test("deliveries that wait survive a restart", async () => {
  const data = await temporaryFolder();
  const clock = frozenClock(1_795_000_000_000);
  const first = await startApi({ data, clock, seed: forwarding("soft-bounce@example.org") });
  await first.service.receive(email);
  await expect.poll(() => firstCourse(first)).toEqual(["QUEUED 250", "SOFT-BOUNCE 451"]);
  await first.service.close();
  clock.advance(6 * MINUTE);
  const second = await startApi({ data, clock });
  await expect.poll(() => firstCourse(second)).toEqual(["QUEUED 250", "SOFT-BOUNCE 451", "SOFT-BOUNCE 451"]);
  second.service.clock.advance(5 * MINUTE);
  await expect.poll(() => second.service.mail.total("forwarded")).toBe(1);
});
