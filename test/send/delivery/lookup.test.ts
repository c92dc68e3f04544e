import { expect, test } from "vitest";
import { createClient } from "../../../src/api/client.js";
import type { Settings } from "../../../src/service/index.js";
import { DOMAIN, DrivenClock, newEmail, newParcel, openDesk, startLocalService } from "./harness.js";

const patient = { maxWait: 60_000 };

async function open(options: Parameters<typeof openDesk>[1] = {}, settings: Parameters<Settings["set"]>[0] = {}) {
  const clock = new DrivenClock();
  const service = await startLocalService(clock);
  service.settings.set(settings);
  const desk = await openDesk(service.url, { clock, ...options });
  const lose = (when: "before" | "after", times = 1) =>
    service.faults.add({ kind: "cut", endpoint: "emails.send", when, times });
  return { service, clock, desk, lose };
}

/** Sends without the courier, as another program with the same key does. */
async function sendElsewhere(url: string, email: ReturnType<typeof newEmail>): Promise<string> {
  const client = createClient({ apiKey: "local", baseUrl: url });
  const { message_id } = await client.emails.send(DOMAIN, email);
  await client.close();
  return message_id;
}

test.each([["v4"], ["v3"]] as const)(
  "%s: finds a lost answer, whatever the format of the addresses",
  async (version) => {
    const { desk, lose, service } = await open({ version });
    lose("after");
    const sent = await desk.send({
      email: newEmail({ to: ["Ada Lovelace <Ada@Example.com>", "bob@example.com"], bcc: '"Eve, E" <eve@EXAMPLE.org>' }),
    });
    expect(service.mail.list()).toMatchObject([{ messageId: sent.messageId, recipients: { length: 3 } }]);
  },
);

test.each([["v4"], ["v3"]] as const)("%s: does not match similar messages of other programs", async (version) => {
  const { desk, clock, lose, service } = await open({ version });
  const { url } = service;
  for (const email of [
    newEmail({ subject: "Another" }),
    newEmail({ from: "invoices" }),
    newEmail({ to: ["ada@example.com", "bob@example.com"] }),
    newEmail({ to: ["ada@example.com"], bcc: "bob@example.com" }),
    newEmail({ to: ["ada.b@example.com"] }),
  ])
    await sendElsewhere(url, email);
  lose("before");
  await expect(desk.send({}, patient)).rejects.toMatchObject({ code: "unknown_outcome" });
  expect(clock.now()).toBe(60_000);
});

test("does not match a message that was sent long before", async () => {
  const { desk, clock, lose, service } = await open();
  await desk.send({ email: newEmail({ subject: "Tells the time" }) });
  await sendElsewhere(service.url, newEmail());
  await clock.advance(10_000);
  lose("before");
  await expect(desk.send({}, patient)).rejects.toMatchObject({ code: "unknown_outcome" });
});

test("does not match a message of ours that was accepted", async () => {
  const { desk, lose } = await open();
  await desk.send();
  lose("before");
  await expect(desk.send({}, patient)).rejects.toMatchObject({ code: "unknown_outcome" });
});

test("fills the template's subject, and recognises a subject that the service escaped", async () => {
  for (const escapeSubject of [false, true]) {
    const options = { subjectOf: () => "Receipt {{number}}  for {{name}}" };
    const { desk, service, lose } = await open(options, { mustache: { escapeSubject } });
    const client = createClient({ apiKey: "local", baseUrl: service.url });
    const template = {
      name: "receipt",
      subject: "Receipt {{number}}  for {{name}}",
      html_body: "<p>Hi</p>",
      text_body: "Hi",
    };
    await client.templates.create(DOMAIN, template);
    await client.close();
    lose("after", 2);
    const send = (number: number) =>
      desk.start({
        template: "receipt",
        email: { from: "shop", to: "ada@example.com", template: "receipt", variables: { number, name: "A & B" } },
      });
    const sent = await desk.clock.until(Promise.all([send(1), send(2)]));
    const mails = service.mail.list();
    for (const [index, { messageId }] of sent.entries())
      expect(mails.find((mail) => mail.messageId === messageId)?.subject).toContain(`Receipt ${index + 1}`);
  }
});

test("reads all pages of the log", async () => {
  const { desk, service, lose, clock } = await open({ sendsPerMinute: 1_000_000 });
  const many = Array.from({ length: 450 }, (_, index) => `reader-${index}@example.com`);
  await sendElsewhere(service.url, newEmail({ to: "x@example.com", bcc: many }));
  lose("after");
  const sent = await clock.until(desk.start({ email: newEmail({ to: "ada@example.com", bcc: many }) }));
  const mail = service.mail.list().find(({ messageId }) => messageId === sent.messageId);
  expect(mail?.recipients).toHaveLength(451);
});

test("allows for clock differences", async () => {
  for (const apart of [-3_600_000, 3_600_000]) {
    const clock = new DrivenClock();
    const service = await startLocalService(clock, {
      clock: { now: () => Math.floor(clock.time()) + apart, advance: () => undefined },
    });
    const desk = await openDesk(service.url, { clock });
    await desk.send({ email: newEmail({ subject: "Tells the time" }) });
    service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
    const sent = await desk.send();
    expect(service.mail.list()[0]).toMatchObject({ messageId: sent.messageId });
  }
});

test("retries a log that fails for a while", async () => {
  const { desk, service, lose } = await open();
  lose("after");
  service.faults.add({ kind: "refuse", endpoint: "logs.list", status: 500, times: 2 });
  service.faults.add({ kind: "malformed", endpoint: "logs.list" });
  const sent = await desk.send();
  expect(service.mail.list()).toMatchObject([{ messageId: sent.messageId }]);
});

test("leaves the outcome unknown if the log must not be read", async () => {
  const { desk, service, lose } = await open();
  lose("after");
  service.faults.add({ kind: "refuse", endpoint: "logs.list", status: 403, times: 100 });
  await expect(desk.send({}, { maxWait: Number.POSITIVE_INFINITY })).rejects.toMatchObject({
    code: "unknown_outcome",
    lookedIn: undefined,
    message:
      "The message may or may not have been sent: the connection broke before the answer was complete; the delivery log could not be read.",
  });
});

test.each([500, 429] as const)("reports a log that still answers %i at the deadline as not read", async (status) => {
  const { desk, service, lose } = await open();
  lose("after");
  service.faults.add({ kind: "refuse", endpoint: "logs.list", status, times: 100 });
  await expect(desk.send()).rejects.toMatchObject({
    code: "unknown_outcome",
    message: expect.stringMatching(/; the delivery log could not be read\.$/),
  });
});

test("finds a message with a correlation address among similar ones", async () => {
  const { desk, clock, service, lose } = await open({ correlation: "sent" });
  lose("after");
  lose("before");
  const results = await clock.until(
    Promise.allSettled([
      desk.start({ id: "one", email: newEmail({ text: "One" }) }, patient),
      desk.start({ id: "two", email: newEmail({ text: "Two" }), priority: "high" }, patient),
    ]),
  );
  const [mail] = service.mail.list();
  const addresses = mail?.recipients.map(({ email }) => email);
  const winner = addresses?.includes(`sent+one@${DOMAIN}`) === true ? 0 : 1;
  expect(addresses).toEqual(["ada@example.com", `sent+${winner === 0 ? "one" : "two"}@${DOMAIN}`]);
  expect(results[winner]).toMatchObject({ status: "fulfilled", value: { messageId: mail?.messageId } });
  expect(results[1 - winner]).toMatchObject({ status: "rejected", reason: { code: "unknown_outcome" } });
});

test("answers a waiting caller in time, and looks the same message up first later", async () => {
  const { desk, clock, service, lose } = await open({}, { logDelayMs: 30_000 });
  lose("after");
  await expect(desk.send()).rejects.toMatchObject({
    code: "unknown_outcome",
    lookedIn: expect.stringContaining("10 s"),
  });
  expect(clock.now()).toBeLessThanOrEqual(10_000);
  // By then, the log has the first, which is found; the second is a separate message.
  await clock.advance(25_000);
  const second = await desk.send();
  expect(service.mail.list()).toHaveLength(2);
  expect(service.mail.list()[0]?.messageId).toBe(second.messageId);
});

test("does not send an identical message while one is in doubt", async () => {
  const { desk, clock, service, lose } = await open({}, { logDelayMs: 50_000 });
  lose("after");
  const first = desk.start({ id: "first" }, patient);
  await clock.advance(1000);
  await expect(desk.send()).rejects.toMatchObject({ code: "in_doubt", id: "first" });
  expect(service.mail.list()).toHaveLength(1);
  await clock.until(first);
  await desk.send();
  expect(service.mail.list()).toHaveLength(2);
});

test("delays identical messages until the first is decided, but no others", async () => {
  const { desk, clock, service, lose } = await open({}, { logDelayMs: 5000 });
  lose("after");
  const sending = Promise.all([
    desk.start(),
    desk.start().then((sent) => ({ ...sent, at: clock.now() })),
    desk.start({ email: newEmail({ to: "bob@example.com" }) }).then((sent) => ({ ...sent, at: clock.now() })),
  ]);
  const [, same, other] = await clock.until(sending);
  expect(same.at).toBeGreaterThanOrEqual(5000);
  expect(other.at).toBeLessThan(5000);
  expect(new Set(service.mail.list().map(({ messageId }) => messageId)).size).toBe(3);
});

test("finds a late message before it sends a given-up parcel again", async () => {
  const { desk, clock, service, lose } = await open({}, { logDelayMs: 90_000 });
  lose("after");
  const parcel = newParcel();
  await expect(desk.send(parcel, patient)).rejects.toMatchObject({ code: "unknown_outcome" });
  await clock.advance(60_000);
  const sent = await desk.send(parcel);
  expect(service.mail.list()).toMatchObject([{ messageId: sent.messageId }]);
  // Once more, as after a crash: now it is known.
  expect(await desk.send(parcel)).toEqual(sent);
  expect(service.mail.list()).toHaveLength(1);
});

test("sends a parcel again if it was given up and does not appear", async () => {
  const { desk, service, lose } = await open();
  lose("before");
  const parcel = newParcel();
  await expect(desk.send(parcel, patient)).rejects.toMatchObject({ code: "unknown_outcome" });
  const sent = await desk.send(parcel);
  expect(service.mail.list()).toMatchObject([{ messageId: sent.messageId }]);
  expect(desk.events.map(({ type }) => type)).toEqual([
    "attempt",
    "unknown",
    "parked",
    "resent",
    "attempt",
    "accepted",
  ]);
});

test("does not resend forever", async () => {
  const { desk, service, lose } = await open();
  lose("before", 100);
  const promise = desk.send({ onUnknown: "resend" }, { maxWait: Number.POSITIVE_INFINITY });
  await expect(promise).rejects.toMatchObject({ code: "unknown_outcome" });
  expect(desk.events.filter(({ type }) => type === "attempt")).toHaveLength(6);
  expect(service.mail.list()).toEqual([]);
});

test.each([
  ["for as long as the log may take, if nobody waits for it", "normal", Number.POSITIVE_INFINITY, 1],
  ["for five seconds, if it is queued and urgent", "high", Number.POSITIVE_INFINITY, 2],
  ["for five seconds, if its caller waits", "normal", 30_000, 2],
] as const)("looks for a message that may be sent twice %s", async (_, priority, maxWait, mails) => {
  const { desk, service, lose } = await open({}, { logDelayMs: 20_000 });
  lose("after");
  await desk.send({ priority, onUnknown: "resend" }, { maxWait });
  expect(service.mail.list()).toHaveLength(mails);
});
