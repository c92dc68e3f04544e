import "../../src/testing/vitest.js";
import { expect as jestExpect } from "expect";
import { expect, test } from "vitest";
import { createTestClock, createTestMailer, matchers, recordMailer } from "../../src/testing/index.js";
import { createMailer } from "../../src/send/index.js";
import { registryOf } from "../send/registry.js";

jestExpect.extend(matchers);

const templates = registryOf();
const order = { number: "7", total: 12.5 };
const to = "ada@example.com";

async function mailerWithReceipt() {
  const mailer = createTestMailer({ templates, from: "shop" });
  await mailer.send("receipt", { order }, { to });
  return mailer;
}

/** Removes the colours that the two frameworks may print. */
function messageOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    // oxlint-disable-next-line no-control-regex
    if (error instanceof Error) return error.message.replaceAll(/\u001b\[\d+m/g, "");
  }
  throw new Error("It did not fail.");
}

test("finds what was sent by template, recipient, subject and variables", async () => {
  const mailer = await mailerWithReceipt();
  expect(mailer).toHaveSent();
  expect(mailer).toHaveSent("receipt");
  expect(mailer).toHaveSent("receipt", { to, subject: "Order 7", times: 1, variables: { order: { number: "7" } } });
  expect(mailer).toHaveSent("receipt", { variables: { order: { total: expect.any(Number) } } });
  expect(mailer).not.toHaveSent("no-subject");
  expect(mailer).not.toHaveSent("receipt", { to: "bob@example.com" });
  await mailer.queue("receipt", { order: { ...order, number: "8" } }, { to });
  expect(mailer).toHaveQueued("receipt", { variables: { order: { number: "8" } } });
  expect(mailer).not.toHaveQueued("receipt", { variables: { order: { number: "7" } } });
});

test("accepts an application's own mailer while it records", async () => {
  const own = createMailer({ templates, environment: "local", from: "shop" });
  using mails = recordMailer(own);
  await own.send("receipt", { order }, { to });
  expect(own).toHaveSent("receipt", { to });
  expect(mails).toHaveSent("receipt", { to });
});

test("checks names and variables at compile time", async () => {
  const mailer = await mailerWithReceipt();
  // @ts-expect-error There is no such template.
  expect(() => expect(mailer).not.toHaveSent("reciept")).toThrow('Did you mean "receipt"?');
  // @ts-expect-error There is no such variable.
  expect(mailer).not.toHaveSent("receipt", { variables: { ordr: {} } });
  // @ts-expect-error The number is a string.
  jestExpect(mailer).not.toHaveSent("receipt", { variables: { order: { number: 7 } } });
  jestExpect(mailer).toHaveSent("receipt", { variables: { order: { number: "7" } } });
});

test.each([
  ["vitest", expect],
  ["Jest", jestExpect],
])("shows with %s what there is, and where it differs", async (_, framework) => {
  const mailer = await mailerWithReceipt();
  const sent = () => framework(mailer) as ReturnType<typeof expect<typeof mailer>>;
  expect(messageOf(() => sent().toHaveSent("no-subject"))).toBe(
    'No "no-subject" was sent.\nSent:\n- "receipt" to ada@example.com: Order 7',
  );
  expect(messageOf(() => sent().not.toHaveSent("receipt"))).toBe(
    '"receipt" was sent.\nSent:\n- "receipt" to ada@example.com: Order 7',
  );
  const message = messageOf(() =>
    sent().toHaveSent("receipt", { to, variables: { order: { number: "8", total: expect.any(Number) as never } } }),
  );
  expect(message).toMatch(/^No "receipt" to ada@example.com with these variables was sent\./);
  expect(message).toMatch(/-\s+"number": "8"/);
  expect(message).toMatch(/\+\s+"number": "7"/);
  expect(message).not.toMatch(/[-+]\s+"total"/);
});

test("refuses a mailer that does not record", () => {
  expect(() => expect({}).toHaveSent("receipt")).toThrow(
    "This mailer does not record. Use createTestMailer(), or recordMailer(mailer).",
  );
});

test("reports a clock.advance that was not awaited", async () => {
  const mailer = await mailerWithReceipt();
  const advancing = mailer.clock.advance(1);
  for (const run of [
    () => expect(mailer).toHaveSent("receipt"),
    () => expect(mailer).not.toHaveSent("no-subject"),
    () => jestExpect(mailer).not.toHaveQueued("receipt"),
  ])
    expect(run).toThrow("clock.advance(1) was not awaited. Write: await clock.advance(1)");
  await advancing;
  expect(mailer).toHaveSent("receipt");
});

test.fails("fails a test that ends without awaiting clock.advance", () => {
  void createTestClock().advance(1);
});

test.concurrent("lets a concurrent test still wait when another one ends", async () => {
  const advancing = createTestClock().advance(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await advancing;
});

test.concurrent("the other one", async () => {
  await createTestClock().advance(1);
});
