import { expect, test } from "vitest";
import type { Seed } from "../../../src/service/index.js";
import { credentials, startApi } from "../harness.js";
import { course, forwardedTo, logOf, opened, rawClient, sendTo } from "./smtp.js";

type Domain = NonNullable<Extract<Seed, { domains?: unknown }>["domains"]>[0];

const ada = "ada@example.com";
const withDomain = (domain: Partial<Domain>, account: object = {}): { seed: Seed } => ({
  seed: { ...account, domains: [{ name: "example.test", ...domain }] },
});

test("an email is accepted, logged and forwarded to where its alias says", async () => {
  const api = await startApi(withDomain({ aliases: [{ alias: "sales", forward: ada }] }));
  const { smtpPort, mail } = api.service;
  expect(
    await sendTo(smtpPort, { from: "Bob <bob@shop.example>", to: "Sales@example.test", subject: "Order" }),
  ).toMatch(/^250/);
  await expect.poll(() => mail.total("forwarded")).toBe(1);
  const [entry] = await logOf(api);
  expect(entry).toMatchObject({
    transport: "mx",
    sender: { email: "bob@shop.example", name: "Bob" },
    recipient: { email: "Sales@example.test" },
    forward: { email: ada },
    subject: "Order",
    message_id: expect.stringMatching(/^<.+@shop\.example>$/),
    hostname: "localhost",
  });
  expect(course(entry)).toEqual(["QUEUED 250", "DELIVERED 250"]);
  const [forwarded] = mail.list({ folder: "forwarded" });
  expect(forwarded).toMatchObject({ subject: "Order", receivedBy: "Sales@example.test", recipients: [{ email: ada }] });
  expect(mail.list()).toEqual([]);
  const source = Buffer.from((await opened(mail, forwarded)).source).toString();
  expect(source).toMatch(
    /^Delivered-To: Sales@example\.test\r\nX-Forwarded-To: ada@example\.com\r\nReceived: from .+\r\n/,
  );
  expect(source).toContain("From: Bob <bob@shop.example>");
});

test("an email without a Message-ID gets one, which the log and each destination have", async () => {
  const api = await startApi(withDomain({ aliases: [{ alias: "sales", forward: `${ada}, ben@example.com` }] }));
  await api.service.receive({ raw: "Subject: Hi\r\n\r\nHello", from: "b@c.example", to: "sales@example.test" });
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(2);
  const [entry] = await logOf(api);
  expect(entry?.message_id).toMatch(/^<[^<>@\s]+@[^<>@\s]+>$/);
  for (const { id } of api.service.mail.list({ folder: "forwarded" }))
    expect((await api.service.mail.open(id))?.headers).toContainEqual({ name: "Message-ID", value: entry?.message_id });
});

test.each<[string, Parameters<typeof withDomain>, string]>([
  ["no alias", [{}], "550 5.1.1"],
  ["a banned domain", [{ banned: true }], "550 5.7.1"],
  ["a domain that is not ready", [{ forwardingReady: false }], "450 4.3.5"],
  ["a disabled domain", [{ routingEngine: null }], "550 5.7.1"],
  ["a locked account", [{}, { locked: "unpaid" }], "550 5.7.1"],
  ["an account over its limit", [{}, { limits: { daily_receive_limit: 0 } }], "452 4.5.3"],
])("%s refuses emails and says so in the log", async (_what, [domain, account], response) => {
  const api = await startApi(withDomain({ ...domain, aliases: [] }, account));
  expect(await sendTo(api.service.smtpPort, { to: "sales@example.test" })).toContain(response);
  const [entry] = await logOf(api, "&status=REFUSED&transport=mx");
  expect(course(entry)).toEqual([`REFUSED ${response.slice(0, 3)}`]);
});

test("emails to other domains are refused and not logged", async () => {
  const api = await startApi();
  expect(await sendTo(api.service.smtpPort, { to: "ada@elsewhere.example" })).toContain("550 5.7.1 Relaying denied");
  expect(await logOf(api)).toEqual([]);
});

test("received emails count against the account's limits", async () => {
  const aliases = [{ alias: "*", forward: ada }];
  const { service } = await startApi(withDomain({ aliases }, { limits: { daily_receive_limit: 2 } }));
  const send = () => sendTo(service.smtpPort, { to: "a@example.test" });
  expect([await send(), await send(), await send()].map((response) => response.slice(0, 3))).toEqual([
    "250",
    "250",
    "452",
  ]);
  service.clock.advance(24 * 60 * 60_000);
  expect(await send()).toMatch(/^250/);
});

test("the exact alias comes before regular expressions, and those before the catch-all", async () => {
  const aliases = ["*", "/^sale/", "sales"].map((alias) => ({
    alias,
    forward: `${alias.replace(/\W/g, "")}x@to.example`,
  }));
  const { service } = await startApi(withDomain({ aliases }));
  for (const name of ["sales", "saleroom", "other"])
    await service.receive({ from: "b@c.example", to: `${name}@example.test` });
  await expect.poll(() => service.mail.total("forwarded")).toBe(3);
  const ways = service.mail
    .list({ folder: "forwarded" })
    .map(({ receivedBy, recipients: [to] }) => [receivedBy, to?.email]);
  expect(Object.fromEntries(ways)).toEqual({
    "other@example.test": "x@to.example",
    "saleroom@example.test": "salex@to.example",
    "sales@example.test": "salesx@to.example",
  });
});

test.each([
  ["o'brien", "O'Brien"],
  ["a+b", "a+b"],
  ["a.b", "A.B"],
  ["jörg", "JÖRG"],
  ["é", "e\u0301"],
  ["!#$%&'-/=?^_`{|}~", "!#$%&'-/=?^_`{|}~"],
])("emails to the alias %s arrive", async (alias, localPart) => {
  const api = await startApi(withDomain({ aliases: [{ alias, forward: ada }] }));
  const { send } = await rawClient(api.service.smtpPort);
  await send("EHLO c.example\r\n");
  expect(await send("MAIL FROM:<b@c.example> SMTPUTF8\r\n")).toEqual([expect.stringMatching(/^250/)]);
  expect(await send(`RCPT TO:<${localPart}@example.test>\r\n`)).toEqual([expect.stringMatching(/^250/)]);
  await send("DATA\r\n");
  expect(await send("From: b@c.example\r\n\r\nHi\r\n.\r\n")).toEqual([expect.stringMatching(/^250/)]);
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(1);
  const v3 = await api.request(`/v3/domains/example.test/logs/${encodeURIComponent(alias)}`, {
    headers: { authorization: credentials("local") },
  });
  expect((JSON.parse(v3.text) as { logs: object[] }).logs).toHaveLength(1);
});

test("rules are tried in order of rank over sender, recipient, subject and body, then the fallback address", async () => {
  const rule = (rank: number, expression: string) => ({
    type: "cel" as const,
    rank,
    config: { expression, forward: `rule-${rank}@to.example` },
  });
  const rules = [
    rule(3, 'body.contains("urgent")'),
    rule(1, 'sender == "boss@shop.example"'),
    rule(2, 'subject.startsWith("Invoice") && headers["x-kind"] == "bill"'),
    { ...rule(0, "true"), active: false },
  ];
  const { service } = await startApi(
    withDomain({ routingEngine: "rules", rules, rulesFallbackEmail: "rest@to.example" }),
  );
  const send = (email: object) => service.receive({ from: "b@c.example", to: "any@example.test", ...email });
  await send({ from: "boss@shop.example", text: "urgent" });
  await send({ subject: "Invoice 1", headers: { "X-Kind": "bill" } });
  await send({ html: "<p>urgent</p>" });
  await send({ text: "hello" });
  await expect.poll(() => service.mail.total("forwarded")).toBe(4);
  expect(forwardedTo(service.mail)).toEqual([
    "rest@to.example",
    "rule-1@to.example",
    "rule-2@to.example",
    "rule-3@to.example",
  ]);
});

test.each(["constructor", "__proto__"])("rules see a header that is called %s", async (name) => {
  const expression = `headers["${name.toLowerCase()}"] == "first"`;
  const rule = { type: "cel" as const, config: { expression, forward: ada } };
  const { service } = await startApi(withDomain({ routingEngine: "rules", rules: [rule] }));
  const raw = `To: any@example.test\r\n${name}: first\r\n${name}: second\r\n\r\nHi`;
  expect(await service.receive(raw)).toEqual({ ids: [expect.any(String)] });
});

test("without a fallback address, what no rule matches is refused after its data", async () => {
  const api = await startApi(withDomain({ routingEngine: "rules" }));
  expect(await sendTo(api.service.smtpPort, { to: "any@example.test", subject: "Stray" })).toMatch(/^550 5\.1\.1/);
  expect((await logOf(api)).map((entry) => [entry.subject, ...course(entry)])).toEqual([["Stray", "REFUSED 550"]]);
});

test("if only some recipients can be forwarded, the sender gets a bounce for the others", async () => {
  const rule = { type: "alias" as const, config: { alias: "known", forward: ada } };
  const api = await startApi(withDomain({ routingEngine: "rules", rules: [rule] }));
  const { smtpPort, mail } = api.service;
  expect(await sendTo(smtpPort, { to: ["known@example.test", "unknown@example.test"] })).toMatch(/^250/);
  await expect.poll(() => mail.total("forwarded")).toBe(2);
  const notice = mail
    .list({ folder: "forwarded" })
    .find(({ recipients }) => recipients[0]?.email === "bob@shop.example");
  const { text, headers, attachments } = await opened(mail, notice);
  expect(text).toContain("unknown@example.test: 550 5.1.1");
  expect(headers.find(({ name }) => name === "Content-Type")?.value).toContain("report-type=delivery-status");
  const report = attachments.map(({ content }) => Buffer.from(content).toString()).join("\n");
  expect(report).toContain("Final-Recipient: rfc822; unknown@example.test");
});

test("an alias that ends at itself is refused as a loop, and the sender learns it", async () => {
  const aliases = [
    { alias: "one", forward: "two@example.test" },
    { alias: "two", forward: "one@example.test" },
  ];
  const api = await startApi(withDomain({ aliases }));
  await api.service.receive({ from: "bob@shop.example", to: "one@example.test" });
  await expect.poll(() => forwardedTo(api.service.mail)).toEqual(["bob@shop.example"]);
  const entries = await logOf(api);
  expect(entries.map((entry) => [entry.recipient.email, ...course(entry)])).toEqual([
    ["one@example.test", "QUEUED 250", "DELIVERED 250"],
    ["two@example.test", "QUEUED 250", "HARD-BOUNCE 554"],
    ["one@example.test", "REFUSED 554"],
  ]);
});

const HEAD = "From: b@c.example\r\nSubject: Hi\r\n\r\n";

test("pipelined commands, dots at line ends, 8-bit content and international addresses arrive as sent", async () => {
  const { service } = await startApi(withDomain({ aliases: [{ alias: "*", forward: ada }] }));
  const { send } = await rawClient(service.smtpPort);
  await send("EHLO client.example\r\n");
  const responses = await send(
    "MAIL FROM:<bü@c.example> SMTPUTF8 BODY=8BITMIME\r\nRCPT TO:<a@example.test>\r\nRCPT TO:<jörg@example.test>\r\nDATA\r\n",
    4,
  );
  expect(responses.map((line) => line.slice(0, 3))).toEqual(["250", "250", "250", "354"]);
  expect(await send(`${HEAD}..dot\r\n.. two\r\nGrüße\r\n.\r\n`)).toEqual([expect.stringMatching(/^250/)]);
  await expect.poll(() => service.mail.total("forwarded")).toBe(2);
  const [newest] = service.mail.list({ folder: "forwarded" });
  expect(Buffer.from((await opened(service.mail, newest)).source).toString()).toContain(
    "\r\n\r\n.dot\r\n. two\r\nGrüße\r\n",
  );
});

test("an end of data with bare line feeds does not end the message", async () => {
  const { service } = await startApi(withDomain({ aliases: [{ alias: "*", forward: ada }] }));
  const { send, socket } = await rawClient(service.smtpPort);
  await send("EHLO client.example\r\n");
  await send("MAIL FROM:<b@c.example>\r\nRCPT TO:<a@example.test>\r\nDATA\r\n", 3);
  socket.write(`${HEAD}one\n.\nMAIL FROM:<admin@example.test>\nRCPT TO:<b@example.test>\nDATA\n${HEAD}smuggled\r\n`);
  expect(await send(".\r\n")).toEqual([expect.stringMatching(/^250/)]);
  expect(await send("QUIT\r\n")).toEqual([expect.stringMatching(/^221/)]);
  const senders = () => service.mail.list({ folder: "forwarded" }).map(({ from }) => from.email);
  await expect.poll(senders).toEqual(["b@c.example"]);
});

test("a message that is too large is refused, announced or not", async () => {
  const api = await startApi(withDomain({ aliases: [{ alias: "*", forward: ada }] }));
  const { service } = api;
  const { send } = await rawClient(service.smtpPort);
  await send("EHLO client.example\r\n");
  expect(await send("MAIL FROM:<b@c.example> SIZE=99999999\r\n")).toEqual([expect.stringMatching(/^552/)]);
  await send("MAIL FROM:<b@c.example>\r\nRCPT TO:<a@example.test>\r\nDATA\r\n", 3);
  const line = Buffer.from(`${"x".repeat(998)}\r\n`);
  expect(
    await send(Buffer.concat([Buffer.from(HEAD), ...Array<Buffer>(27_000).fill(line), Buffer.from(".\r\n")])),
  ).toEqual([expect.stringMatching(/^552/)]);
  expect(service.mail.total("forwarded")).toBe(0);
  const raw = Buffer.alloc(25 * 1024 * 1024 + 1, "x");
  const received = service.receive({ raw, from: "b@c.example", to: "a@example.test" });
  await expect(received).rejects.toMatchObject({ response: { code: 552 } });
  // Before its recipients are known, it is in no domain's log.
  expect((await logOf(api)).map(course)).toEqual([["REFUSED 552"], ["REFUSED 552"]]);
});

test("a message that can't be parsed is refused and logged", async () => {
  const api = await startApi(withDomain({ aliases: [{ alias: "*", forward: ada }] }));
  const raw = `${"X-Header: x\r\n".repeat(200_000)}\r\n`;
  const refused = api.service.receive({ raw, from: "b@c.example", to: ["a@example.test", "b@example.test"] });
  await expect(refused).rejects.toMatchObject({ response: { code: 554 } });
  const entries = await logOf(api);
  expect(entries.map(({ recipient }) => recipient.email)).toEqual(["a@example.test", "b@example.test"]);
  for (const entry of entries) expect(course(entry)).toEqual(["REFUSED 554"]);
});

test.each([
  "EHLO c.example\r\n",
  "MAIL FROM:<b@c.example>\r\n",
  "RCPT TO:<a@example.test>\r\n",
  "DATA\r\n",
  `${HEAD}half`,
])("a connection that breaks after %j leaves nothing behind", async (last) => {
  const api = await startApi(withDomain({ aliases: [{ alias: "*", forward: ada }] }));
  const { send, socket } = await rawClient(api.service.smtpPort);
  const steps = [
    "EHLO c.example\r\n",
    "MAIL FROM:<b@c.example>\r\n",
    "RCPT TO:<a@example.test>\r\n",
    "DATA\r\n",
    `${HEAD}half`,
  ];
  for (const step of steps.slice(0, steps.indexOf(last))) await send(step);
  socket.write(last);
  socket.destroy();
  expect(await sendTo(api.service.smtpPort, { to: "b@example.test" })).toMatch(/^250/);
  expect((await logOf(api)).map(({ recipient }) => recipient.email)).toEqual(["b@example.test"]);
});

test("200 connections at once are all answered", async () => {
  const { service } = await startApi(withDomain({ aliases: [{ alias: "*", forward: ada }] }));
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, index) => sendTo(service.smtpPort, { to: `a${index}@example.test` })),
  );
  expect(responses.filter((response) => !response.startsWith("250"))).toEqual([]);
  await expect.poll(() => service.mail.total("forwarded"), { timeout: 20_000 }).toBe(200);
});
