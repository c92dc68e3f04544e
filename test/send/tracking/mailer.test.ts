import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMailer, type MailerOptions, onSendEvent } from "../../../src/send/index.js";
import { startService } from "../../../src/service/index.js";
import { removeFolder } from "../../remove-folder.js";

/** A mailer as applications create it, with a local service. */
async function open(options: Partial<MailerOptions<object>> = {}) {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  onTestFinished(() => service.close());
  const { url, domain, apiKey } = service;
  const mailer = createMailer({ url, domain, apiKey, from: "shop", sendsPerMinute: 1000, ...options });
  onTestFinished(() => mailer.close());
  return { mailer, service };
}

function storeFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "tracking-"));
  onTestFinished(() => removeFolder(folder));
  return path.join(folder, "mail.db");
}

const content = { subject: "Your order", text: "Thanks" };

test("reports the status of what it sent, and bounces since the call", async () => {
  const { mailer } = await open();
  const bounces = mailer.bounces()[Symbol.asyncIterator]();
  const sent = await mailer.sendMessage({ ...content, to: ["ada@example.org", "hard-bounce@example.org"] });
  await expect(mailer.waitFor(sent.id, "DELIVERED", { recipients: "any" })).resolves.toMatchObject({
    messageId: sent.messageId,
    state: "failed",
    recipients: [{ email: "ada@example.org" }, { email: "hard-bounce@example.org" }],
  });
  await expect(mailer.waitFor(sent.messageId, "DELIVERED")).rejects.toMatchObject({ code: "not_delivered" });
  const { value } = await bounces.next();
  expect(value).toMatchObject({ email: "hard-bounce@example.org", state: "HARD-BOUNCE", messageId: sent.messageId });
  await mailer.close();
  expect(await bounces.next()).toEqual({ done: true, value: undefined });
});

test("follows a message of the outbox from the queue on", async () => {
  const { mailer } = await open({ store: storeFile() });
  const { id } = await mailer.queueMessage({ ...content, to: "ada@example.org" });
  expect(await mailer.status(id)).toMatchObject({ state: "unsent", outbox: "queued", recipients: [] });
  const delivered = mailer.waitFor(id, "DELIVERED");
  mailer.work();
  const status = await delivered;
  expect(status).toMatchObject({ id, state: "delivered", outbox: "accepted" });
  expect(await mailer.status(status.messageId ?? "")).toMatchObject({ outbox: "accepted" });

  const discarded = await mailer.queueMessage({
    ...content,
    to: "ada@example.org",
    sendAt: new Date(Date.now() + 60_000),
  });
  const never = mailer.waitFor(discarded.id, "DELIVERED");
  await mailer.outbox.discard(discarded.id);
  await expect(never).rejects.toMatchObject({ code: "not_delivered", status: { outbox: "discarded" } });
});

test.each([
  ["in memory", false],
  ["in a file", true],
])("refuses an address that hard-bounced, at its path, %s", async (_, inFile) => {
  const { mailer } = await open({ suppressHardBounces: true, ...(inFile && { store: storeFile() }) });
  await mailer.sendMessage({ ...content, to: "hard-bounce@example.org" });
  const again = mailer.sendMessage({ ...content, to: "ada@example.org", cc: ["Hard-Bounce@example.org"] });
  await expect(again).rejects.toMatchObject({
    code: "invalid_message",
    problems: [{ path: "cc[0]", message: expect.stringContaining("hard-bounced (no such mailbox)") }],
  });
  expect(await mailer.suppressions.remove("hard-bounce@example.org")).toBe(true);
  await expect(mailer.sendMessage({ ...content, to: "hard-bounce@example.org" })).resolves.toMatchObject({
    outcome: "accepted",
  });
});

test("does not send a queued message to an address that was suppressed since", async () => {
  const { mailer, service } = await open({ suppressHardBounces: true, store: storeFile() });
  const rejected: string[] = [];
  onTestFinished(onSendEvent((event) => event.type === "rejected" && rejected.push(event.id)));
  const { id } = await mailer.queueMessage({ ...content, to: "ada@example.org", cc: ["Left <left@example.org>"] });
  await mailer.suppressions.add("left@example.org", "asked to");
  const worker = mailer.work();
  await worker.idle();
  expect(await mailer.outbox.get(id)).toMatchObject({
    state: "rejected",
    reason: expect.stringMatching(/^cc\[0\] is suppressed since [\d-]+: asked to$/),
  });
  expect(rejected).toEqual([id]);
  expect(service.mail.list()).toEqual([]);

  await mailer.suppressions.remove("left@example.org");
  await mailer.outbox.retry(id);
  await worker.idle();
  expect(await mailer.outbox.get(id)).toMatchObject({ state: "accepted" });
});

test("verifies whether a mailer can send", async () => {
  const { mailer } = await open();
  expect(await mailer.verify()).toMatchObject({
    ok: true,
    checks: [{ name: "key" }, { name: "plan" }, { name: "domain" }, { name: "sending" }],
  });
});
