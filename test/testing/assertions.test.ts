import { expect, expectTypeOf, test } from "vitest";
import { assertNotSent, assertQueued, assertSent, createTestMailer } from "../../src/testing/index.js";
import { registryOf, type TemplateVariables } from "../send/registry.js";

const templates = registryOf();
const order = { number: "7", total: 12.5 };

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

test("returns the message with the template's types from assertSent", async () => {
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
  expect(assertSent(mailer, "receipt", { subject: /^Order 8$/ }).variables.order.number).toBe("8");
  assertSent(mailer, "receipt", { times: 2 });
  assertSent(mailer, "receipt", { to: "bob@example.com", times: 1 });
});

test("reports what was not sent, with what was", async () => {
  const mailer = await mailerWithReceipts();
  expect(() => assertSent(mailer, "no-subject")).toThrow(
    /^No "no-subject" was sent\.\nSent:\n- "receipt" to Ada <ada@example.com>: Order 7\n- "receipt" to bob@example.com, eve@example.com: Order 8$/,
  );
  expect(() => assertSent(mailer, "receipt", { to: "ada@example.org" })).toThrow(
    'No "receipt" to ada@example.org was sent.',
  );
  expect(() => assertSent(mailer, "receipt", { to: "ada@example.com", variables: { order: { number: "8" } } })).toThrow(
    'No "receipt" to ada@example.com with these variables was sent.',
  );
  expect(() => assertSent(mailer, "receipt", { subject: "Order 9", times: 2 })).toThrow(
    '"receipt" with the subject Order 9 was sent 0 times, not 2 times.',
  );
  expect(() => assertSent(mailer, "receipt", { variables: { order: { note: undefined, total: 99 } } })).toThrow();
  mailer.clear();
  expect(() => assertSent(mailer, "receipt")).toThrow('No "receipt" was sent.\nSent: nothing.');
});

test("has the relevant parts of the most similar message to compare with", async () => {
  const mailer = await mailerWithReceipts();
  expect(() => assertSent(mailer, "receipt", { to: "ada@example.com", variables: { order: { number: "8" } } })).toThrow(
    expect.objectContaining({
      name: "AssertionError",
      actual: { to: "ada@example.com", variables: { order: { number: "7" } } },
      expected: { to: "ada@example.com", variables: { order: { number: "8" } } },
    }),
  );
});

test("reports what is only queued, and how to send it", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  await mailer.queue("receipt", { order }, { to: "ada@example.com" });
  expect(() => assertSent(mailer, "receipt")).toThrow(
    'No "receipt" was sent.\nIt is queued; `await mailer.drain()` sends what is due.\nSent: nothing.\nQueued:\n- "receipt" to ada@example.com: Order 7',
  );
  expect(assertQueued(mailer, "receipt", { to: "ada@example.com" }).variables.order.number).toBe("7");
  expect(() => assertQueued(mailer, "no-subject")).toThrow('No "no-subject" was queued.');
});

test("is the opposite with assertNotSent", async () => {
  const mailer = await mailerWithReceipts();
  assertNotSent(mailer, "no-subject");
  assertNotSent(mailer, "receipt", { to: "nobody@example.com" });
  expect(() => assertNotSent(mailer, "receipt")).toThrow('"receipt" was sent.');
  expect(() => assertNotSent(mailer, "receipt", { to: "ada@example.com" })).toThrow(
    '"receipt" to ada@example.com was sent.',
  );
  expect(() => assertNotSent(mailer)).toThrow("A message was sent.");
  mailer.clear();
  assertNotSent(mailer);
});
