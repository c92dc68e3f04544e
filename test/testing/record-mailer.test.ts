import { expect, onTestFinished, test } from "vitest";
import { createMailer } from "../../src/send/index.js";
import { assertSent, createTestMailer, recordMailer, startLocalService } from "../../src/testing/index.js";
import { registryOf } from "../send/registry.js";

const templates = registryOf({
  production: { url: "https://api.example.com", domain: "mail.example.com", version: "v4", keyVariable: "NO_SUCH_KEY" },
});
const order = { number: "7", total: 12.5 };
const to = "ada@example.com";

// As in an application's module.
const mailer = createMailer({ templates, environment: "production", from: "shop" });
// oxlint-disable-next-line typescript/unbound-method
const { send } = mailer;

test("makes an application's own mailer record until it is restored", async () => {
  const mails = recordMailer(mailer);
  await mailer.send("receipt", { order }, { to });
  await send("receipt", { order: { ...order, number: "8" } }, { to });
  await mailer.queue("receipt", { order }, { to });
  await mailer.outbox.stats();
  expect(mails.sent.map(({ subject }) => subject)).toEqual(["Order 7", "Order 8"]);
  expect(mails.queued).toHaveLength(1);
  expect(mails.sent[0]?.from).toMatch(/^shop@/);
  assertSent(mailer, "receipt", { variables: { order: { number: "8" } } });

  mails.restore();
  await expect(mailer.queue("receipt", { order }, { to })).rejects.toThrow("The mailer has no ");
  expect(() => assertSent(mailer, "receipt")).toThrow("This mailer does not record.");
  expect(mails.sent).toHaveLength(2);
});

test("restores it at the end of the block with `using`", async () => {
  {
    using mails = recordMailer(mailer);
    await mailer.send("receipt", { order }, { to });
    expect(mails.sent).toHaveLength(1);
  }
  await expect(mailer.queue("receipt", { order }, { to })).rejects.toThrow("The mailer has no ");
});

test("reports a clock.advance that was never awaited when the mailer is restored", async () => {
  const mails = recordMailer(mailer);
  void mails.clock.advance("10m");
  expect(() => mails.restore()).toThrow('clock.advance("10m") was not awaited. Write: await clock.advance("10m")');
  await expect(mailer.queue("receipt", { order }, { to })).rejects.toThrow("The mailer has no ");
  mails.restore();

  const usingBlock = () => {
    using recording = recordMailer(mailer);
    void recording.clock.advance(1);
  };
  expect(usingBlock).toThrow("clock.advance(1) was not awaited.");
});

test("starts each recording empty, and records in the latest one", async () => {
  using before = recordMailer(mailer);
  await mailer.queue("receipt", { order }, { to, key: "a" });
  using mails = recordMailer(mailer);
  expect(await mailer.queue("receipt", { order }, { to, key: "a" })).toMatchObject({ duplicate: false });
  await mailer.send("receipt", { order }, { to });
  expect([before.sent.length, mails.sent.length]).toEqual([0, 1]);
  before.restore();
  await mailer.send("receipt", { order }, { to });
  expect(mails.sent).toHaveLength(2);
});

test("makes the mailer really send again, with its open resources", async () => {
  const service = await startLocalService();
  onTestFinished(() => service.close());
  const real = createMailer({ templates, from: "shop", ...service.mailerOptions });
  onTestFinished(() => real.close());
  await real.sendMessage({ to, subject: "First", text: "." });
  const mails = recordMailer(real);
  await real.sendMessage({ to, subject: "Recorded", text: "." });
  mails.restore();
  await real.sendMessage({ to, subject: "Second", text: "." });
  const subjects = [await service.inbox.waitFor({ to }), await service.inbox.waitFor({ to })].map(
    (mail) => mail.subject,
  );
  expect(subjects).toEqual(["First", "Second"]);
  expect(mails.sent.map(({ subject }) => subject)).toEqual(["Recorded"]);
});

test("refuses a mailer that createMailer has not created", () => {
  expect(() => recordMailer(createTestMailer({ templates }))).toThrow("Only a mailer created by createMailer");
});
