import { expect, expectTypeOf, test } from "vitest";
import { assertNotSent, assertSent, createTestMailer } from "../../src/testing/index.js";
import type { Mailer } from "../../src/send/index.js";
import { registryOf, type TemplateVariables } from "../send/registry.js";

const templates = registryOf();
const order = { number: "7", total: 12.5 };

test("it records what would be sent", async () => {
  const mailer = createTestMailer({ templates, from: "shop", locale: "de-DE" });
  const application: Mailer<TemplateVariables> = mailer;
  const sent = await application.send(
    "receipt",
    { order },
    {
      to: [{ name: "Ada", email: "ada@example.com" }, "bob@example.com"],
      bcc: "eve@example.com",
      attachments: [{ filename: "a.txt", content: "aGk=" }],
    },
  );
  await application.sendMessage({ to: "ops@example.com", from: "robot", subject: "Done", text: "Done." });
  expect(mailer.sent).toEqual([
    {
      id: sent.id,
      messageId: sent.messageId,
      template: "receipt",
      variables: { order },
      filled: { order: { ...order, note: null }, total: "12,50\u00a0€" },
      from: "shop@example.test",
      to: ["Ada <ada@example.com>", "bob@example.com"],
      cc: [],
      bcc: ["eve@example.com"],
      attachments: [{ filename: "a.txt", content: new Uint8Array(Buffer.from("hi")) }],
    },
    {
      id: "test.2",
      messageId: "<test.2@example.test>",
      from: "robot@example.test",
      to: ["ops@example.com"],
      cc: [],
      bcc: [],
      attachments: [],
      subject: "Done",
      text: "Done.",
    },
  ]);
  mailer.clear();
  expect(mailer.sent).toEqual([]);
});

test("it checks as the real mailer does, and has no pace", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  await expect(mailer.send("receipt", { order: {} } as never, { to: "ada@example.com" })).rejects.toMatchObject({
    code: "invalid_variables",
  });
  await expect(mailer.send("receipt", { order }, { to: "ada" })).rejects.toMatchObject({ code: "invalid_message" });
  await expect(mailer.sendMessage({ to: "ada@example.com", subject: "", text: "Hi" })).rejects.toMatchObject({
    code: "invalid_message",
  });
  expect(mailer.sent).toEqual([]);
  for (let count = 0; count < 30; count += 1) await mailer.send("receipt", { order }, { to: "ada@example.com" });
  expect(mailer.sent).toHaveLength(30);
});

async function mailerWithReceipts() {
  const mailer = createTestMailer({ templates, from: "shop" });
  await mailer.send("receipt", { order }, { to: "Ada <ada@Example.com>" });
  await mailer.send(
    "receipt",
    { order: { number: "8", total: 1, note: "x" } },
    { to: ["bob@example.com", "eve@example.com"] },
  );
  return mailer;
}

test("assertSent gives the message, with the template's types", async () => {
  const mailer = await mailerWithReceipts();
  const mail = assertSent(mailer, "receipt", { to: "eve@example.COM" });
  expectTypeOf(mail.variables).toEqualTypeOf<TemplateVariables["receipt"]>();
  expect(mail.variables.order.number).toBe("8");
  expect(assertSent(mailer, "receipt").variables.order.number).toBe("7");
  expect(assertSent(mailer, "receipt", { variables: { order: { note: "x" } } }).to).toEqual([
    "bob@example.com",
    "eve@example.com",
  ]);
  expect(
    assertSent(mailer, "receipt", {
      variables: { order: { total: expect.any(Number), number: expect.stringMatching("8") } },
    }).variables.order.number,
  ).toBe("8");
  const [first] = mailer.sent;
  if (first?.template === "receipt") expectTypeOf(first.variables).toEqualTypeOf<TemplateVariables["receipt"]>();
});

test("what was not sent is told, with what was", async () => {
  const mailer = await mailerWithReceipts();
  expect(() => assertSent(mailer, "no-subject")).toThrow(
    /^No "no-subject" was sent\. Sent:\n- "receipt" to Ada <ada@example.com>\n- "receipt" to bob@example.com, eve@example.com$/,
  );
  expect(() => assertSent(mailer, "receipt", { to: "ada@example.org" })).toThrow(
    'No "receipt" to ada@example.org was sent.',
  );
  expect(() => assertSent(mailer, "receipt", { to: "ada@example.com", variables: { order: { number: "8" } } })).toThrow(
    'No "receipt" to ada@example.com with these variables was sent.',
  );
  expect(() => assertSent(mailer, "receipt", { variables: { order: { note: undefined, total: 99 } } })).toThrow();
  mailer.clear();
  expect(() => assertSent(mailer, "receipt")).toThrow('No "receipt" was sent. Nothing was sent.');
});

test("a single message of the template is there to compare with", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  await mailer.send("receipt", { order }, { to: "ada@example.com" });
  expect(() => assertSent(mailer, "receipt", { variables: { order: { number: "8" } } })).toThrow(
    expect.objectContaining({
      name: "AssertionError",
      actual: { to: ["ada@example.com"], variables: { order } },
      expected: { variables: { order: { number: "8" } } },
    }),
  );
});

test("assertNotSent is the opposite", async () => {
  const mailer = await mailerWithReceipts();
  assertNotSent(mailer, "no-subject");
  assertNotSent(mailer, "receipt", { to: "nobody@example.com" });
  expect(() => assertNotSent(mailer, "receipt")).toThrow('A "receipt" was sent.');
  expect(() => assertNotSent(mailer, "receipt", { to: "ada@example.com" })).toThrow(
    'A "receipt" to ada@example.com was sent.',
  );
  expect(() => assertNotSent(mailer)).toThrow("A message was sent.");
  mailer.clear();
  assertNotSent(mailer);
});
