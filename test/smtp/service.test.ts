import { createServer, connect, type Socket } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { createMailer, RejectedError, UnknownOutcomeError } from "../../src/send/index.js";
import { recordMailer } from "../../src/testing/index.js";
import { smtp } from "../../src/smtp/index.js";
import { type RunningService, type Seed, startService } from "../../src/service/index.js";
import { temporaryFile } from "../send/outbox/open.js";
import { eventsOfTest, failureOf, mailerTo, MESSAGE } from "./mailers.js";

const credentials = [{ username: "app", password: "secret-password" }];
const login = { user: "app@example.test", password: "secret-password" };

async function aService(options: { seed?: Seed; allowInsecureAuth?: boolean } = {}): Promise<RunningService> {
  const seed = { domains: [{ name: "example.test", credentials }] } satisfies Seed;
  const service = await startService({ data: ":memory:", port: 0, limits: false, seed, ...options });
  onTestFinished(() => service.close());
  return service;
}

/**
 * A way to the service on which the first connection breaks right before the response to a message. It hides STARTTLS,
 * so that it can read the dialogue.
 */
async function losingProxy(target: number): Promise<number> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const isFirst = (connections += 1) === 1;
    const upstream = connect({ host: "127.0.0.1", port: target });
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => undefined));
    let isSent = false;
    client.on("data", (chunk: Buffer) => {
      isSent ||= chunk.includes("\r\n.\r\n");
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      if (isFirst && isSent) client.destroy();
      else client.write(chunk.toString("latin1").replace("250-STARTTLS\r\n", ""), "latin1");
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

test("a message by SMTP is in the service's log, with its recipients, and can be followed", async () => {
  const service = await aService();
  const mailer = mailerTo(service.smtpPort, { url: service.url, apiKey: service.apiKey }, login);
  const sent = await mailer.sendMessage({
    ...MESSAGE,
    to: [{ name: 'Ada "the first" Löw', email: "ada@example.com" }],
    bcc: "bo+hard-bounce@example.com",
    replyTo: "help@example.test",
  });
  expect(sent).toEqual({ outcome: "accepted", id: sent.messageId, messageId: sent.messageId });
  const status = await mailer.waitFor(sent.id, "DELIVERED", { timeoutMs: 5_000 }).catch(() => mailer.status(sent.id));
  expect(status.recipients.map(({ email, state }) => [email, state])).toEqual([
    ["ada@example.com", "DELIVERED"],
    ["bo+hard-bounce@example.com", "HARD-BOUNCE"],
  ]);
  const [captured] = service.mail.list();
  const mail = await service.mail.open(captured?.id ?? "");
  expect(mail).toMatchObject({
    messageId: sent.messageId,
    from: { email: "shop@example.test" },
    to: [{ name: 'Ada "the first" Löw', email: "ada@example.com" }],
    replyTo: [{ email: "help@example.test" }],
    subject: "Receipt",
    text: "Thanks!",
  });
  expect(Buffer.from(mail?.source ?? "").toString()).not.toContain("bo+hard-bounce");
});

test("a lost answer is looked up in the service's log by Message-ID", async () => {
  const service = await aService({ allowInsecureAuth: true });
  const port = await losingProxy(Number(service.smtpPort));
  const events = eventsOfTest();
  const mailer = mailerTo(port, { url: service.url, apiKey: service.apiKey }, login);
  const others = mailerTo(service.smtpPort, {}, login);
  const twins = Array.from({ length: 3 }, () => others.sendMessage({ ...MESSAGE, text: "Other" }));
  const [sent] = await Promise.all([mailer.sendMessage(MESSAGE), ...twins]);
  expect(events.map(({ type }) => type)).toContain("reconciled");
  const own = service.mail.list().filter(({ messageId }) => messageId === sent.messageId);
  expect(own).toHaveLength(1);
  expect(service.mail.list()).toHaveLength(4);
});

test("without a key for the log, a lost answer stays unknown, and the key of the message sends nothing again", async () => {
  const service = await aService({ allowInsecureAuth: true });
  const port = await losingProxy(Number(service.smtpPort));
  const mailer = mailerTo(port, { store: temporaryFile() }, login);
  const message = { ...MESSAGE, key: "receipt-1" };
  expect(await failureOf(mailer.sendMessage(message))).toBeInstanceOf(UnknownOutcomeError);
  expect(await failureOf(mailer.sendMessage(message))).toBeInstanceOf(UnknownOutcomeError);
  expect(service.mail.list()).toHaveLength(1);
});

test("a key sends once, also for two mailers with the same store", async () => {
  const service = await aService();
  const store = temporaryFile();
  const mailers = [1, 2].map(() => mailerTo(service.smtpPort, { store }, login));
  const sent = await Promise.all(mailers.map((mailer) => mailer.sendMessage({ ...MESSAGE, key: "receipt-1" })));
  expect(sent.map(({ duplicate }) => duplicate)).toEqual(expect.arrayContaining([false, true]));
  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
  expect(service.mail.list()).toHaveLength(1);
});

test("a wrong password is a rejection of the account: queued messages wait until it is right", async () => {
  const service = await aService();
  const store = temporaryFile();
  const wrong = mailerTo(service.smtpPort, { store }, { ...login, password: "wrong-password" });
  const error = await failureOf(wrong.sendMessage(MESSAGE));
  expect(error).toBeInstanceOf(RejectedError);
  expect(error).toMatchObject({ status: 535, refusesAccount: true, hint: "Check the user name and the password." });
  const { id } = await wrong.queueMessage({ ...MESSAGE, subject: "Queued" });
  const worker = wrong.work();
  await expect.poll(async () => (await wrong.outbox.get(id))?.reason, { timeout: 5_000 }).toContain("535");
  await worker.stop();
  expect((await wrong.outbox.get(id))?.state).toBe("queued");
  await wrong.close();
  const right = mailerTo(service.smtpPort, { store }, login);
  await right.outbox.retry([id]).catch(() => undefined);
  right.work();
  await expect.poll(async () => (await right.outbox.get(id))?.state, { timeout: 40_000 }).toBe("accepted");
  expect(service.mail.list()).toHaveLength(1);
});

test("verify reports whether the server accepts the login", async () => {
  const service = await aService();
  expect(await mailerTo(service.smtpPort, {}, login).verify()).toMatchObject({ ok: true });
  expect(await mailerTo(service.smtpPort, {}, { ...login, password: "wrong" }).verify()).toMatchObject({
    ok: false,
    checks: [{ name: "service", message: expect.stringContaining("535 5.7.8") }],
  });
  expect(await mailerTo(1, {}, login).verify()).toMatchObject({ ok: false });
});

test("the pace of 10 messages a minute applies, and urgent messages have slots", async () => {
  const service = await aService();
  const mailer = createMailer({
    transport: smtp({ host: "127.0.0.1", port: Number(service.smtpPort), ...login }),
    from: "shop",
    maxWait: 100,
  });
  onTestFinished(() => mailer.close());
  const sends = Array.from({ length: 12 }, (_, number) => mailer.sendMessage({ ...MESSAGE, subject: `${number}` }));
  const results = await Promise.allSettled(sends);
  const accepted = results.filter(({ status }) => status === "fulfilled").length;
  expect(accepted).toBeGreaterThan(5);
  expect(accepted).toBeLessThanOrEqual(10);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "rate_limited" });
});

test("a mailer by SMTP can be recorded", async () => {
  const mailer = mailerTo(1, {}, login);
  const mails = recordMailer(mailer);
  const { messageId } = await mailer.sendMessage(MESSAGE);
  expect(mails.sent.map((mail) => [mail.subject, mail.messageId])).toEqual([["Receipt", messageId]]);
  mails.restore();
});

test("a refused attachment is never sent", async () => {
  const service = await aService();
  const mailer = mailerTo(service.smtpPort, {}, login);
  const attachments = [{ filename: "run.exe", content: Buffer.from("MZ") }];
  expect(await failureOf(mailer.sendMessage({ ...MESSAGE, attachments }))).toMatchObject({ code: "invalid_message" });
  expect(service.mail.list()).toEqual([]);
});
