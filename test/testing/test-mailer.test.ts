import { expect, expectTypeOf, test } from "vitest";
import { assertNotSent, assertSent, createTestClock, createTestMailer } from "../../src/testing/index.js";
import { type Mailer, onSendEvent, RejectedError } from "../../src/send/index.js";
import { registryOf, type TemplateVariables } from "../send/registry.js";
import { registryWithBodies } from "./registry.js";

const templates = registryOf();
const order = { number: "7", total: 12.5 };
const to = "ada@example.com";

test("refuses an unknown option, but none of the real mailer", () => {
  const shared = { from: "shop", store: "data/mail.db", maxWait: 1000 };
  expect(() => createTestMailer({ templates, ...shared })).not.toThrow();
  const mistyped = { templates, form: "shop" };
  expect(() => createTestMailer(mistyped)).toThrow('createTestMailer has no option "form" (did you mean from?).');
});

test.each([
  [{ tmplate: "receipt" }, 'failNext has no option "tmplate" (did you mean template?). Its options: template, times.'],
  [{ template: "reciept" }, 'failNext: the mailer has no template "reciept". Did you mean "receipt"?'],
  [{ times: 0 }, "failNext: times is 0; it must be a whole number, 1 or more."],
])("refuses failNext with %j", (options, message) => {
  const mailer = createTestMailer({ templates, from: "shop" });
  expect(() => mailer.failNext("rejected", options as object)).toThrow(message);
});

test("refuses a status in letBounce that is not a bounce", () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  expect(() => mailer.letBounce(to, "HARDBOUNCE" as never)).toThrow(
    'letBounce: status is "HARDBOUNCE"; it must be one of SOFT-BOUNCE, HARD-BOUNCE, BOUNCED, REFUSED.',
  );
  expect(() => mailer.letBounce({ email: to } as never)).toThrow("letBounce: email is ");
});

test("does not allow reading sent and queued before clock.advance is awaited", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  const forgotten = 'clock.advance("1h") was not awaited. Write: await clock.advance("1h")';
  await mailer.queue("receipt", { order }, { to, sendAt: new Date(Date.now() + 60_000) });
  const advancing = mailer.clock.advance("1h");
  await mailer.drain();
  for (const read of [
    () => mailer.sent,
    () => mailer.queued,
    () => assertSent(mailer, "receipt"),
    () => assertNotSent(mailer),
    () => mailer.clock.advance(1),
  ])
    expect(read).toThrow(forgotten);
  await advancing;
  await mailer.drain();
  assertSent(mailer, "receipt");
});

test("reports a clock.advance that was never awaited in clear and close, once", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  void mailer.clock.advance(1);
  expect(() => mailer.clear()).toThrow("clock.advance(1) was not awaited.");
  mailer.clear();
  expect(mailer.sent).toEqual([]);
  void mailer.clock.advance(2);
  await expect(mailer.close()).rejects.toThrow("clock.advance(2) was not awaited.");
  await mailer.close();
  void mailer.clock.advance(3);
  expect(() => mailer.sent).toThrow("clock.advance(3) was not awaited.");
  expect(() => mailer.clear()).not.toThrow();
});

test("allows advancing the time while something else is awaited", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  const send = () => mailer.send("receipt", { order }, { to });
  await Promise.all([mailer.clock.advance(1000), send()]);
  assertSent(mailer, "receipt", { times: 1 });
  const sending = send();
  await mailer.clock.advance(1000);
  const { id } = await sending;
  const advancing = mailer.clock.advance(5000);
  await mailer.waitFor(id, "DELIVERED");
  await mailer.outbox.stats();
  await advancing;
  assertSent(mailer, "receipt", { times: 2 });
  mailer.clear();
  await mailer.close();
});

test("records what would be sent", async () => {
  const mailer = createTestMailer({ templates, from: "shop", locale: "de-DE" });
  const application: Mailer<TemplateVariables> = mailer;
  const sent = await application.send(
    "receipt",
    { order },
    {
      to: [{ name: "Ada", email: to }, "bob@example.com"],
      bcc: "eve@example.com",
      attachments: [{ filename: "a.txt", content: "aGk=" }],
    },
  );
  await application.sendMessage({
    to: "ops@example.com",
    from: "robot",
    subject: "Done",
    text: "Done.",
    priority: "high",
  });
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
      priority: "normal",
      attachments: [expect.objectContaining({ filename: "a.txt", content: new Uint8Array(Buffer.from("hi")) })],
      subject: "Order 7",
    },
    {
      id: "test.2",
      messageId: "<test.2@example.test>",
      from: "robot@example.test",
      to: ["ops@example.com"],
      cc: [],
      bcc: [],
      priority: "high",
      attachments: [],
      subject: "Done",
    },
  ]);
  const [first, second] = mailer.sent;
  expectTypeOf(mailer.sent[0]?.variables).toEqualTypeOf<TemplateVariables[keyof TemplateVariables] | undefined>();
  if (first?.template === "receipt") expectTypeOf(first.variables).toEqualTypeOf<TemplateVariables["receipt"]>();
  expect([second?.text, second?.html]).toEqual(["Done.", undefined]);
  mailer.clear();
  expect(mailer.sent).toEqual([]);
});

test("has the real mailer's checks, and waits for no turn", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  await expect(mailer.send("receipt", { order: {} } as never, { to })).rejects.toMatchObject({
    code: "invalid_variables",
  });
  await expect(mailer.send("receipt", { order }, { to: "ada" })).rejects.toMatchObject({ code: "invalid_message" });
  await expect(mailer.sendMessage({ to, subject: "", text: "Hi" })).rejects.toMatchObject({ code: "invalid_message" });
  expect(mailer.sent).toEqual([]);
  for (let count = 0; count < 30; count += 1) await mailer.send("receipt", { order }, { to });
  expect(mailer.sent).toHaveLength(30);
});

test("lets messages be read as recipients see them, if the registry has the bodies", async () => {
  const mailer = createTestMailer({ templates: registryWithBodies(), from: "shop" });
  await mailer.send("receipt", { order: { ...order, number: "<7>" } }, { to });
  await mailer.send("receipt", { order }, { to, subject: "Thanks for {{order.number}}", render: "local" });
  const [named, local] = mailer.sent;
  expect(named?.subject).toBe("Order <7>");
  expect(named?.html).toContain("<p>Order &lt;7&gt;: <b>€12.50</b></p>");
  expect(named?.text).toBe("Your code is 123456. Order <7>: €12.50");
  expect(local?.subject).toBe("Thanks for 7");
  expect(local?.link("See it")).toBe("https://shop.example/o/7");
  expect(local?.code()).toBe("123456");
});

test("has the subject without bodies, and says how to get these", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  await mailer.send("receipt", { order }, { to });
  const [mail] = mailer.sent;
  expect(mail?.subject).toBe("Order 7");
  for (const [read, part] of [
    [() => mail?.html, "html"],
    [() => mail?.text, "text"],
    [() => mail?.link(), "html"],
    [() => mail?.code(), "text"],
  ] as const)
    expect(read).toThrow(
      `The registry has no bodies of "receipt". To read its ${part} in tests, run: templates types --bodies`,
    );
});

test("keeps queued messages until drain, and their time", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  const first = await mailer.queue("receipt", { order }, { to, key: "order-7" });
  const again = await mailer.queue("receipt", { order }, { to, key: "order-7" });
  const later = new Date(Date.now() + 3_600_000);
  await mailer.queue("receipt", { order: { ...order, number: "8" } }, { to, sendAt: later });
  expect([first.duplicate, again.duplicate, again.id]).toEqual([false, true, first.id]);
  expect(mailer.sent).toEqual([]);
  expect(mailer.queued.map(({ subject }) => subject)).toEqual(["Order 7", "Order 8"]);

  await mailer.drain();
  expect(mailer.sent.map(({ subject }) => subject)).toEqual(["Order 7"]);
  expect(mailer.queued.map(({ subject }) => subject)).toEqual(["Order 8"]);
  expect(await mailer.queue("receipt", { order }, { to, key: "order-7" })).toMatchObject({
    state: "accepted",
    duplicate: true,
    sent: { id: mailer.sent[0]?.id },
  });

  await mailer.clock.advance(3_600_000);
  await mailer.drain();
  expect(mailer.sent.map(({ subject }) => subject)).toEqual(["Order 7", "Order 8"]);
  expect(mailer.queued).toEqual([]);
  expect(await mailer.outbox.stats()).toMatchObject({ counts: { accepted: 2, queued: 0 } });
});

test("does not send what expires in the queue", async () => {
  const mailer = createTestMailer({ templates, from: "shop", clock: createTestClock({ at: new Date("2027-01-15") }) });
  const { id } = await mailer.queue("receipt", { order }, { to, expiresAfter: "10m" });
  await mailer.clock.advance(600_000);
  await mailer.drain();
  expect(mailer.sent).toEqual([]);
  expect(mailer.queued).toEqual([]);
  expect(await mailer.outbox.get(id)).toMatchObject({ state: "expired" });
});

test("sends with a worker of the application", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  const worker = mailer.work();
  await mailer.queue("receipt", { order }, { to });
  await worker.idle();
  expect(mailer.sent).toHaveLength(1);
  await mailer.queue("receipt", { order }, { to, sendAt: new Date(Date.now() + 60_000) });
  await mailer.clock.advance(61_000);
  await worker.idle();
  expect(mailer.sent).toHaveLength(2);
  await mailer.close();
});

test("makes sends fail with the real mailer's errors", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  const send = () => mailer.send("receipt", { order }, { to });
  for (const code of ["rejected", "rate_limited", "expired", "unknown_outcome", "unreachable", "aborted"] as const) {
    mailer.failNext(code);
    await expect(send()).rejects.toMatchObject({ code });
  }
  const own = new RejectedError(403, "The account is suspended.", {}, { cause: undefined });
  mailer.failNext(own, { template: "receipt", times: 2 });
  await mailer.sendMessage({ to, subject: "Hi", text: "Hi" });
  await expect(send()).rejects.toBe(own);
  await expect(send()).rejects.toBe(own);
  await send();
  expect(mailer.sent).toHaveLength(2);
  expect(() => mailer.failNext("unknown" as never)).toThrow(
    'failNext: failure is "unknown"; it must be an error of a send, or one of rejected, rate_limited,',
  );
});

test("makes queued messages fail too", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  const parked = await mailer.queue("receipt", { order }, { to });
  mailer.failNext("unknown_outcome");
  await mailer.drain();
  const refused = await mailer.queue("receipt", { order }, { to });
  mailer.failNext("rejected");
  await mailer.drain();
  const unreached = await mailer.queue("receipt", { order }, { to });
  mailer.failNext("unreachable");
  await mailer.drain();
  const stateOf = async ({ id }: { id: string }) => (await mailer.outbox.get(id))?.state;
  expect(await Promise.all([parked, refused, unreached].map(stateOf))).toEqual(["parked", "rejected", "queued"]);
  await mailer.clock.advance(60_000);
  await mailer.drain();
  expect(await stateOf(unreached)).toBe("accepted");
  await mailer.outbox.retry(parked.id);
  await mailer.drain();
  expect(await stateOf(parked)).toBe("accepted");
});

test("reports what was sent in status, waitFor and bounces", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  mailer.letBounce("Eve@example.com");
  const { id } = await mailer.send("receipt", { order }, { to });
  expect(await mailer.waitFor(id, "DELIVERED")).toMatchObject({ state: "delivered" });
  const lost = await mailer.send("receipt", { order }, { to: "eve@example.com" });
  expect(await mailer.status(lost.id)).toMatchObject({ state: "failed" });
  await expect(mailer.waitFor(lost.messageId, "DELIVERED")).rejects.toMatchObject({ code: "not_delivered" });
  const since = new Date(mailer.clock.time() - 1000);
  for await (const bounce of mailer.bounces({ since })) {
    expect(bounce).toMatchObject({ email: "eve@example.com", state: "HARD-BOUNCE" });
    break;
  }
});

test("suppresses addresses that hard-bounced, if the application asks for that", async () => {
  const mailer = createTestMailer({ templates, from: "shop", suppressHardBounces: true });
  await mailer.suppressions.add("bob@example.com");
  await expect(mailer.send("receipt", { order }, { to: "bob@example.com" })).rejects.toMatchObject({
    code: "invalid_message",
  });
  await mailer.suppressions.remove("bob@example.com");
  await mailer.send("receipt", { order }, { to: "bob@example.com" });
});

test("verifies successfully, and publishes the real mailer's events", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  expect(await mailer.verify()).toEqual({ ok: true, checks: [] });
  const eventTypes: string[] = [];
  const stop = onSendEvent(({ type }) => eventTypes.push(type));
  await mailer.send("receipt", { order }, { to });
  mailer.failNext("rejected");
  await mailer.send("receipt", { order }, { to }).catch(() => undefined);
  stop();
  expect(eventTypes).toEqual(["attempt", "accepted", "attempt", "rejected"]);
});

test("sends once with a key, and again after a failure without a request", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  const send = (number = "7") =>
    mailer.send("receipt", { order: { ...order, number } }, { to, key: "order-7", maxWait: 0 });
  mailer.failNext("unreachable");
  await expect(send()).rejects.toMatchObject({ code: "unreachable" });
  await mailer.drain();
  expect([mailer.sent, mailer.queued]).toEqual([[], []]);

  const sent = await send();
  expect(sent).toMatchObject({ outcome: "accepted", duplicate: false });
  expect(await send()).toEqual({ ...sent, duplicate: true });
  expect(mailer.sent).toMatchObject([{ template: "receipt", variables: { order }, id: sent.id }]);
  await expect(send("8")).rejects.toMatchObject({ code: "invalid_message", problems: [{ path: "key" }] });
  expect(await mailer.queue("receipt", { order }, { to, key: "order-7" })).toMatchObject({ state: "accepted" });

  mailer.clear();
  mailer.failNext("unknown_outcome");
  for (let call = 0; call < 2; call += 1) await expect(send()).rejects.toMatchObject({ code: "unknown_outcome" });
  expect(mailer.sent).toEqual([]);
});

test("also forgets keys and failures in clear", async () => {
  const mailer = createTestMailer({ templates, from: "shop" });
  await mailer.queue("receipt", { order }, { to, key: "order-7" });
  mailer.failNext("rejected");
  mailer.clear();
  expect(mailer.queued).toEqual([]);
  expect(await mailer.queue("receipt", { order }, { to, key: "order-7" })).toMatchObject({ duplicate: false });
  await mailer.drain();
  expect(mailer.sent).toHaveLength(1);
});
