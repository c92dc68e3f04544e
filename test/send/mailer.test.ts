import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { inspect } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../src/api/client.js";
import { createMailer, type Mailer, type MailerOptions, onSendEvent, SendError } from "../../src/send/index.js";
import { startService } from "../../src/service/index.js";
import { answerJson, rejection, serve } from "../api/servers.js";
import { registryOf, type TemplateVariables } from "./registry.js";
import { VirtualClock } from "./virtual-clock.js";

const order = { number: "7", total: 12.5 };
const to = "ada@example.org";

function open(options: Partial<MailerOptions<TemplateVariables>>): Mailer<TemplateVariables> {
  const mailer = createMailer({
    templates: registryOf(),
    domain: "example.com",
    apiKey: "key-of-the-test",
    from: "shop",
    clock: new VirtualClock(),
    ...options,
  });
  onTestFinished(() => mailer.close());
  return mailer;
}

/** A service that accepts everything, and the requests that it received. */
async function accepting() {
  const { url, seen } = await serve((_, response) =>
    answerJson(response, 200, { id: "1.a", message_id: "<1@example.com>" }),
  );
  // A mailer also requests the account's plan.
  const sends = () => seen.filter(({ method }) => method === "POST");
  return { url, sends, bodies: () => sends().map(({ body }): unknown => JSON.parse(body)) };
}

test("sends many messages at once without a warning about listeners", async () => {
  const { url, sends } = await accepting();
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const mailer = open({ url, clock: undefined, sendsPerMinute: Number.POSITIVE_INFINITY });
  await Promise.all(Array.from({ length: 40 }, () => mailer.send("receipt", { order }, { to })));
  expect(sends()).toHaveLength(40);
  expect(warnings).not.toContain("MaxListenersExceededWarning");
});

test("ends a send with a stalled stream after the message's or the mailer's timeout", async () => {
  const { url, sends } = await accepting();
  const mailer = open({ url, timeoutMs: 60_000, clock: undefined });
  const stalled = () => [{ filename: "a.txt", content: new PassThrough() }];
  const problems = [
    { path: "attachments[0].content", message: "was not read completely within 0.03 s; increase timeoutMs" },
  ];
  const plain = { to, subject: "Hi", text: "Hi" };
  expect(
    await rejection(mailer.send("receipt", { order }, { to, attachments: stalled(), timeoutMs: 30 })),
  ).toMatchObject({ code: "invalid_message", problems });
  expect(await rejection(mailer.sendMessage({ ...plain, attachments: stalled(), timeoutMs: 30 }))).toMatchObject({
    problems,
  });
  const store = path.join(await mkdtemp(path.join(tmpdir(), "lettershop-")), "mail.db");
  onTestFinished(() => rm(path.dirname(store), { recursive: true }));
  const brief = open({ url, timeoutMs: 30, store, clock: undefined });
  expect(await rejection(brief.queueMessage({ ...plain, attachments: stalled() }))).toMatchObject({ problems });
  expect(sends()).toEqual([]);
});

test("delivers a message made from a template through the local service", async () => {
  const service = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => service.close());
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(() => client.close());
  await client.templates.create(service.domain, {
    name: "receipt",
    subject: "Order {{{order.number}}}",
    html_body: "<p>{{order.number}}: {{total}}{{#order.note}} ({{order.note}}){{/order.note}}</p>",
    text_body: "{{{order.number}}}: {{{total}}}",
  });

  const mailer = open({ url: service.url, domain: service.domain, apiKey: service.apiKey, locale: "de-DE" });
  const sent = await mailer.send(
    "receipt",
    { order },
    {
      to: [{ name: "Lovelace, Ada", email: to }],
      cc: "Bob <bob@example.org>",
      bcc: "eve@example.org",
      replyTo: "help@example.com",
      from: `receipts@${service.domain}`,
      attachments: [{ filename: "terms.txt", content: Buffer.from("Terms") }],
    },
  );
  expect(sent).toEqual({ outcome: "accepted", id: expect.any(String), messageId: expect.stringContaining("@") });
  const mail = await service.mail.open(sent.id);
  expect(mail).toMatchObject({
    messageId: sent.messageId,
    subject: "Order 7",
    html: "<p>7: 12,50\u00a0€</p>",
    text: "7: 12,50\u00a0€",
    from: { email: `receipts@${service.domain}` },
    to: [{ name: "Lovelace, Ada", email: to }],
    cc: [{ name: "Bob", email: "bob@example.org" }],
    bcc: [{ email: "eve@example.org" }],
    replyTo: [{ email: "help@example.com" }],
  });
  expect(mail?.attachments).toMatchObject([{ filename: "terms.txt", content: new Uint8Array(Buffer.from("Terms")) }]);
});

test("delivers a message without a template through the local service", async () => {
  const service = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => service.close());
  const mailer = open({ url: service.url, domain: service.domain, apiKey: service.apiKey });
  const { id } = await mailer.sendMessage({ to, subject: "Hi Zoë", text: "Hi", html: "<p>Hi {{name}}" });
  expect(await service.mail.open(id)).toMatchObject({
    subject: "Hi Zoë",
    text: "Hi",
    from: { email: `shop@${service.domain}` },
  });
  await expect(mailer.send("receipt", { order }, { to })).rejects.toMatchObject({ code: "rejected", status: 404 });
});

test("sends the documented request", async () => {
  const { url, bodies } = await accepting();
  const environments = {
    production: {
      url,
      domain: "example.com",
      version: "v4",
      keyVariable: "MAIL_KEY",
      namePrefix: "shop-",
      nameSuffix: "-v2",
    },
  } as const;
  const mailer = open({ templates: registryOf(environments, "production"), url, apiKey: "key-of-the-test" });
  await mailer.send("receipt", { order }, { to, subject: "Your order {{{order.number}}}" });
  await mailer.send("no-subject", { name: "Ada" }, { to: [to], cc: [], subject: "Hi" });
  expect(bodies()).toEqual([
    {
      from: "shop",
      to: [to],
      subject: "Your order {{{order.number}}}",
      template: "shop-receipt-v2",
      variables: { order: { ...order, note: null }, total: "€12.50" },
    },
    { from: "shop", to: [to], subject: "Hi", template: "shop-no-subject-v2", variables: { name: "Ada" } },
  ]);
});

test("reports every problem at once, and sends nothing", async () => {
  const { url, sends } = await accepting();
  const mailer = open({ url });
  const sending = mailer.send("receipt", { order: { number: 7 } } as never, {
    to: ["ada", to],
    cc: "bob@example.org\nBcc: eve@example.org",
    replyTo: "help",
    from: "Shop <shop@example.com>",
    subject: "x".repeat(251),
    attachments: [{ filename: "a.exe", content: "eA==" }],
  });
  await expect(sending).rejects.toMatchObject({
    name: "InvalidMessageError",
    code: "invalid_message",
    problems: [
      { path: "subject", message: "has 251 characters; the limit is 250" },
      { path: "from", message: expect.stringContaining("display name") },
      { path: "replyTo", message: "is not an address: it has no @" },
      { path: "to[0]", message: "is not an address: it has no @" },
      { path: "cc", message: "contains a line break" },
      { path: "attachments[0].filename", message: expect.stringContaining(".exe") },
      { path: "variables.order.number", message: "Invalid input: expected string, received number" },
      { path: "variables.order.total", message: expect.stringContaining("is missing") },
    ],
  });
  expect(sends()).toEqual([]);
});

test("reports problems of only the variables with a separate error", async () => {
  const { url, sends } = await accepting();
  await expect(open({ url }).send("receipt", { order: { number: "7" } } as never, { to })).rejects.toMatchObject({
    name: "InvalidVariablesError",
    code: "invalid_variables",
    template: "receipt",
    problems: [{ path: "variables.order.total", message: expect.stringContaining("is missing") }],
  });
  expect(sends()).toEqual([]);
});

test("suggests the similar name for one that is not in the registry", async () => {
  const mailer = open({ url: "http://127.0.0.1:9" });
  for (const [name, message] of [
    ["reciept", 'is not in the registry. Did you mean "receipt"?'],
    ["constructor", "is not in the registry. Run: templates types"],
    ["toString", "is not in the registry. Run: templates types"],
  ] as const) {
    await expect(mailer.send(name as "receipt", { order }, { to })).rejects.toMatchObject({
      code: "invalid_message",
      problems: [{ path: "template", message }],
    });
  }
});

test.each([
  [undefined, "is missing: the template has no subject"],
  ["", "is empty"],
  ["a\nb", "line break"],
  ["{{#name}}", "is not valid Mustache"],
  ["{{{name}}}", "after filling, it contains a line break"],
  ["{{missing}}", "has a tag at column 1 that is not a variable of the template"],
  ["{{{long}}}", "after filling, it has 251 characters"],
])("refuses the subject %j: %s", async (subject, message) => {
  const mailer = open({ url: "http://127.0.0.1:9" });
  const name = subject === "{{{long}}}" ? "x".repeat(251) : "Ada\nBcc: eve@example.org";
  const sending = mailer.send("no-subject", { name }, { to, subject: subject?.replace("long", "name") });
  await expect(sending).rejects.toMatchObject({
    code: "invalid_message",
    problems: [{ path: "subject", message: expect.stringContaining(message) }],
  });
});

test("requires a subject and a body, and nothing to fill, without a template", async () => {
  const mailer = open({ url: "http://127.0.0.1:9" });
  await expect(mailer.sendMessage({ to: [], subject: "{{name}}", text: "" })).rejects.toMatchObject({
    code: "invalid_message",
    problems: [
      { path: "subject", message: expect.stringContaining("contains {{") },
      { path: "text", message: expect.stringContaining("is missing") },
      { path: "to", message: expect.stringContaining("is missing") },
    ],
  });
  await expect(mailer.sendMessage({ text: "Hi" } as never)).rejects.toMatchObject({
    problems: [{ path: "subject" }, { path: "to" }],
  });
});

test("sends messages without a template if there is no registry", async () => {
  const { url, bodies } = await accepting();
  const mailer = createMailer({
    url,
    domain: "example.com",
    apiKey: "key-of-the-test",
    from: "shop",
    clock: new VirtualClock(),
  });
  onTestFinished(() => mailer.close());
  await mailer.sendMessage({ to, subject: "Hi", text: "Hi" });
  expect(bodies()).toEqual([{ from: "shop", to: [to], subject: "Hi", text: "Hi" }]);
  // @ts-expect-error It has no templates.
  await expect(mailer.send("receipt", {}, { to })).rejects.toMatchObject({
    code: "invalid_message",
    problems: [{ path: "template" }],
  });
});

test("sends ten messages a minute per key across mailers; the eleventh waits or fails at once", async () => {
  const { url, sends } = await accepting();
  const clock = new VirtualClock();
  const [one, two] = [open({ url, clock }), open({ url: `${url}/`, clock })];
  const send = (mailer: Mailer<TemplateVariables>, number: number, options: object = {}) =>
    mailer.send("receipt", { order: { ...order, number: String(number) } }, { to, ...options });

  await Promise.all(Array.from({ length: 8 }, (_, number) => send(number % 2 ? one : two, number)));
  await expect(send(one, 8)).rejects.toMatchObject({ code: "rate_limited" });
  await Promise.all([send(one, 9, { priority: "high" }), send(two, 10, { priority: "high" })]);
  await clock.advance(20_000);
  await expect(send(one, 11, { priority: "high" })).rejects.toMatchObject({
    code: "rate_limited",
    expectedWaitMs: 40_000,
  });
  await send(open({ url, clock, apiKey: "another-key" }), 12);
  expect(sends()).toHaveLength(11);

  const waiting = send(two, 13, { maxWait: 40_000, priority: "high" });
  await expect.poll(() => clock.waiting).toBeGreaterThan(0);
  await clock.advance(39_999);
  expect(sends()).toHaveLength(11);
  await clock.advance(1);
  await expect(waiting).resolves.toMatchObject({ outcome: "accepted" });
});

test("sends more to a service without limits", async () => {
  const { url, sends } = await accepting();
  const mailer = open({ url, sendsPerMinute: Number.POSITIVE_INFINITY });
  const numbers = Array.from({ length: 30 }, (_, number) => String(number));
  await Promise.all(numbers.map((number) => mailer.send("receipt", { order: { ...order, number } }, { to })));
  expect(sends()).toHaveLength(30);
});

test("ends what waits and lets requests finish when it closes", async () => {
  const answers: (() => void)[] = [];
  const { url, seen } = await serve(
    (_, response) => void answers.push(() => answerJson(response, 200, { id: "1.a", message_id: "<1>" })),
  );
  const mailer = open({ url, sendsPerMinute: 1, maxWait: 600_000 });
  const [underWay, waiting] = [
    mailer.send("receipt", { order }, { to }),
    rejection(mailer.send("receipt", { order }, { to })),
  ];
  await expect.poll(() => seen).toHaveLength(1);
  const closing = mailer.close();
  await expect(waiting).resolves.toMatchObject({ code: "aborted" });
  answers[0]?.();
  await expect(underWay).resolves.toMatchObject({ outcome: "accepted" });
  await closing;
  await expect(mailer.send("receipt", { order }, { to })).rejects.toMatchObject({ code: "aborted" });
  expect(seen).toHaveLength(1);
});

test("quotes no recipient, value or key in error messages", async () => {
  const { url } = await serve((_, response) =>
    answerJson(response, 400, {
      message: `Invalid address ${to}; key-of-the-test`,
      errors: { to: [`${to} is invalid`] },
    }),
  );
  const mailer = open({ url });
  const errors = [
    await rejection(mailer.send("receipt", { order }, { to })),
    await rejection(mailer.send("receipt", { order: { number: "Secret7", total: "Secret7" } } as never, { to })),
    await rejection(
      mailer.send(
        "receipt",
        { order },
        { to: "Secret7", from: "Secret 7", attachments: [{ filename: "Secret7.exe", content: "Secret7!" }] },
      ),
    ),
    await rejection(mailer.sendMessage({ to, subject: "Secret7\n", text: "x" })),
  ];
  for (const error of errors) {
    expect(error).toBeInstanceOf(SendError);
    expect(String(error)).not.toMatch(/ada@|Secret7|key-of-the-test/);
    expect(inspect(error)).not.toContain("key-of-the-test");
  }
});

test("throws for a missing key when the mailer is created, except during development", () => {
  const environments = {
    production: {
      url: "https://api.example.com",
      domain: "example.com",
      version: "v4",
      keyVariable: "MAIL_KEY_OF_THE_TEST",
    },
  } as const;
  const templates = registryOf(environments, "production");
  const make = () => createMailer({ templates, from: "shop@example.com" });
  for (const mode of ["production", ""]) {
    vi.stubEnv("NODE_ENV", mode);
    expect(make).toThrow(
      expect.objectContaining({ code: "configuration", message: expect.stringContaining("MAIL_KEY_OF_THE_TEST") }),
    );
  }
  for (const mode of ["development", "test"]) {
    vi.stubEnv("NODE_ENV", mode);
    expect(make).not.toThrow();
  }
  vi.stubEnv("NODE_ENV", "production");
  expect(() => createMailer({ templates, environment: "local" })).not.toThrow();
  expect(() => createMailer({ templates, environment: "prodution" })).toThrow(/no environment "prodution"/);
  vi.unstubAllEnvs();
});

test("throws for unusable options when the mailer is created", () => {
  expect(() => open({ url: "ftp://example.com" })).toThrow(expect.objectContaining({ code: "configuration" }));
  expect(() => open({ url: "http://mail.internal" })).toThrow(/would receive the API key unencrypted/);
  expect(() => open({ url: "http://mail.internal", allowInsecure: true })).not.toThrow();
  const url = "http://127.0.0.1:9";
  expect(() => open({ url, maxWait: Number.NaN })).toThrow(/maxWait is NaN/);
  expect(() => open({ url, sendsPerMinute: 0 })).toThrow(/sendsPerMinute is 0/);
  expect(() => open({ url, reconcile: { logDelayMs: -1 } })).toThrow(/logDelayMs is -1/);
  for (const correlation of ["", "a b", "sent+x", "sent@example.com", "x".repeat(28), "-sent"])
    expect(() => open({ url, reconcile: { correlation } })).toThrow(
      expect.objectContaining({
        code: "configuration",
        message: expect.stringContaining(`correlation is "${correlation}"`),
      }),
    );
  expect(() => open({ url, outbox: { keepKeys: 0 } })).toThrow(/keepKeys is 0/);
  expect(() => open({ url, outbox: { lease: 0.5 } })).toThrow(/lease is 0.5/);
  expect(() => open({ url: "http://127.0.0.1:9", timeoutMs: -1 })).toThrow(/timeoutMs/);
  const wrong = ["Shop <shop@example.com>", "shop@example.org", "the shop", "", null as unknown as string];
  for (const from of wrong)
    expect(() => open({ url, from })).toThrow(
      expect.objectContaining({ code: "configuration", message: expect.stringMatching(/^from (?:has|is) /) }),
    );
  expect(() => open({ url, from: undefined })).not.toThrow();
});

// To this machine, by an address that is not one of its loopback names.
test.skipIf(process.platform === "win32")("sends all of a mailer's calls over http if that is allowed", async () => {
  const { url, sends } = await accepting();
  const mailer = open({ url: url.replace("127.0.0.1", "0.0.0.0"), allowInsecure: true });
  expect((await mailer.sendMessage({ to, subject: "Hi", text: "Hi" })).id).toBe("1.a");
  expect(sends()).toHaveLength(1);
  // The service answers something else; only that it is called matters.
  expect(await rejection(mailer.status("1.a"))).toMatchObject({ code: "contract" });
});

test.each([
  [
    { enviroment: "production" },
    'createMailer has no option "enviroment" (did you mean environment?). Its options: templates, environment, url,',
  ],
  [
    { version: "v3", api_key: "k" },
    'createMailer has no option "version" (set it in the environment, in lettershop.config.ts), no option "api_key" (did you mean apiKey?).',
  ],
  [{ baseUrl: "https://api.example.com" }, 'createMailer has no option "baseUrl" (did you mean url?).'],
  [{ outbox: { keepKey: "1d" } }, 'createMailer has no option "outbox.keepKey" (did you mean outbox.keepKeys?).'],
  [{ reconcile: { delay: 1 } }, 'createMailer has no option "reconcile.delay".'],
  [{ toString: 1, ["__proto__"]: 2 }, 'createMailer has no option "toString", no option "__proto__".'],
  [undefined, "createMailer takes an object with options, such as { templates, from }."],
])("throws for unknown options when the mailer is created: %j", (options, message) => {
  // As JavaScript may call it.
  expect(() => createMailer(options as object)).toThrow(
    expect.objectContaining({ code: "configuration", message: expect.stringContaining(message) }),
  );
});

test("uses version 3 for an environment of version 3", async () => {
  const { url, seen } = await serve((_, response) =>
    answerJson(response, 200, { id: "1.a", message_id: "<1@example.com>", success: true }),
  );
  const old = { url, domain: "example.com", version: "v3", keyVariable: "MAIL_KEY" } as const;
  const mailer = createMailer({
    templates: registryOf({ old }),
    environment: "old",
    apiKey: "key-of-the-test",
    from: "shop",
    clock: new VirtualClock(),
  });
  onTestFinished(() => mailer.close());
  expect(await mailer.send("receipt", { order }, { to })).toMatchObject({ outcome: "accepted", id: "1.a" });
  expect(seen.map((request) => request.url)).toEqual(["/v3/domains/example.com/emails/outbound"]);
});

test("refuses to send, queue and work once it is closed, and says so", async () => {
  const { url, sends } = await accepting();
  const folder = await mkdtemp(path.join(tmpdir(), "lettershop closed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const options of [{ url }, { url, store: path.join(folder, "mail.db") }]) {
    const mailer = open(options);
    await mailer.sendMessage({ to, subject: "Hi", text: "Hi" });
    await mailer.close();
    await expect(mailer.sendMessage({ to, subject: "Hi", text: "Hi" })).rejects.toMatchObject({ code: "aborted" });
    await expect(mailer.suppressions.list()).rejects.toMatchObject({ code: "aborted" });
    if (!("store" in options)) continue;
    await expect(mailer.queueMessage({ to, subject: "Hi", text: "Hi" })).rejects.toMatchObject({ code: "aborted" });
    await expect(mailer.outbox.stats()).rejects.toMatchObject({ code: "aborted" });
    expect(() => mailer.work()).toThrow(expect.objectContaining({ code: "aborted" }));
  }
  expect(sends()).toHaveLength(2);
});

test("works with a clock that has fractions of milliseconds", async () => {
  const { url, sends } = await accepting();
  const folder = await mkdtemp(path.join(tmpdir(), "lettershop fractions-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const whole = new VirtualClock();
  const clock = {
    now: () => whole.now(),
    time: () => whole.time() + 0.25,
    after: (milliseconds: number, callback: () => void) => whole.after(milliseconds, callback),
  };
  const mailer = open({ url, clock, store: path.join(folder, "mail.db") });
  const trouble: unknown[] = [];
  onTestFinished(onSendEvent((event) => event.type === "store-failed" && trouble.push(event)));
  await mailer.sendMessage({ to, subject: "Hi", text: "Hi" });
  const { id } = await mailer.queueMessage({ to, subject: "Later", text: "Hi", key: "k" });
  expect(Number.isInteger((await mailer.outbox.get(id))?.queuedAt)).toBe(true);
  expect(sends()).toHaveLength(1);
  expect(trouble).toEqual([]);
});

test("starts a worker whose store can't be opened yet, reports that, and sends later", async () => {
  const { url, sends } = await accepting();
  const folder = await mkdtemp(path.join(tmpdir(), "store-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const inTheWay = path.join(folder, "data");
  await writeFile(inTheWay, "");
  const troubles: string[] = [];
  onTestFinished(onSendEvent((event) => event.type === "outbox-trouble" && troubles.push(event.reason)));
  const clock = new VirtualClock();
  const mailer = open({ url, clock, store: path.join(inTheWay, "mail.db") });

  const worker = mailer.work();
  await expect.poll(() => troubles).toEqual([expect.stringContaining("Can't open the mailer's store")]);
  await rm(inTheWay);
  await mailer.queue("receipt", { order }, { to });
  const later = async () => {
    await clock.advance(1_000);
    return sends();
  };
  await expect.poll(later).toHaveLength(1);
  await worker.stop();
  await worker.done;
});

test("ends a worker whose store can't be opened with its mailer", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "store-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, "data"), "");
  const mailer = open({ url: "http://127.0.0.1:9", store: path.join(folder, "data", "mail.db") });
  const { done } = mailer.work();
  await mailer.close();
  await expect(done).resolves.toBeUndefined();
});
