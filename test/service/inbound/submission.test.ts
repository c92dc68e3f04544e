import { readFile } from "node:fs/promises";
import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { frozenClock, type Seed } from "../../../src/service/index.js";
import { type Api, startApi } from "../harness.js";
import { course, logOf, opened, rawClient } from "./smtp.js";
import { matchesPassword } from "../../../src/service/credentials.js";

const credentials = [{ username: "app", password: "secret" }];
const seed = (domain: object = {}, account: object = {}): Seed => ({
  ...account,
  domains: [{ name: "example.test", credentials, ...domain }, { name: "other.test" }],
});

interface Login {
  readonly user?: string;
  readonly pass?: string;
  readonly from?: string;
  readonly to?: string | string[];
  readonly method?: string;
  readonly ignoreTLS?: boolean;
}

async function submit(port: number | undefined, options: Login = {}): Promise<string> {
  const { user = "app@example.test", pass = "secret", method, ignoreTLS = false } = options;
  const { from = "Shop <shop@example.test>", to = "Ada <ada@example.com>" } = options;
  const transport = createTransport({
    host: "127.0.0.1",
    port: Number(port),
    tls: { rejectUnauthorized: false },
    auth: { user, pass },
    ignoreTLS,
    ...(method !== undefined && { authMethod: method }),
  });
  try {
    return (await transport.sendMail({ from, to, subject: "Grüße", text: "Hello" })).response;
  } catch (error) {
    return String(error instanceof Error && "response" in error ? error.response : error);
  }
}

const MAIL = "MAIL FROM:<shop@example.test>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n";

/** A client that has logged in without TLS. */
async function loggedIn({ smtpPort }: Api["service"]) {
  const { send } = await rawClient(smtpPort);
  await send("EHLO c.example\r\n");
  await send(`AUTH PLAIN ${Buffer.from("\0app@example.test\0secret").toString("base64")}\r\n`);
  return send;
}

test("an email that is submitted with a credential is sent like one of the API", async () => {
  const api = await startApi({ seed: seed() });
  const to = ["Ada <ada@example.com>", "bo+hard-bounce@example.com"];
  expect(await submit(api.service.smtpPort, { to })).toMatch(/^250/);
  const entries = await logOf(api, "&transport=smtp");
  expect(entries.map((entry) => [entry.recipient, ...course(entry)])).toEqual([
    [{ email: "ada@example.com", name: "Ada" }, "QUEUED 250", "DELIVERED 250"],
    [{ email: "bo+hard-bounce@example.com", name: null }, "QUEUED 250", "HARD-BOUNCE 550"],
  ]);
  expect(entries[0]).toMatchObject({
    sender: { email: "shop@example.test", name: "Shop" },
    subject: "Grüße",
    forward: null,
  });
  const [captured] = api.service.mail.list();
  expect((await opened(api.service.mail, captured)).text).toBe("Hello");
  expect(JSON.parse((await api.get("/domains/example.test/credentials")).text)).toMatchObject({
    credentials: [{ username: "app", usage: 1 }],
  });
});

test("both methods log in, after STARTTLS", async () => {
  const { service } = await startApi({ seed: seed() });
  for (const method of ["PLAIN", "LOGIN"]) expect(await submit(service.smtpPort, { method })).toMatch(/^250/);
  expect(await submit(service.smtpPort, { ignoreTLS: true })).toMatch(/^538/);
});

test("old clients may log in without TLS if the service allows it", async () => {
  const { service } = await startApi({ seed: seed(), allowInsecureAuth: true });
  expect(await submit(service.smtpPort, { ignoreTLS: true })).toMatch(/^250/);
});

test("a wrong password, user or domain is refused without a hint at what is wrong", async () => {
  const { service } = await startApi({ seed: seed() });
  const logins = [{ pass: "Secret" }, { user: "nobody@example.test" }, { user: "app@other.test" }, { user: "app" }];
  const responses = await Promise.all(logins.map((login) => submit(service.smtpPort, login)));
  const wrong = "535 5.7.8 The user name or password is wrong. The user name is NAME@DOMAIN";
  expect(responses).toEqual([wrong, wrong, wrong, wrong]);
});

test("after ten wrong passwords in a minute, the user name is refused for a while", async () => {
  const { service } = await startApi({ seed: seed(), allowInsecureAuth: true, clock: frozenClock(1_795_000_000_000) });
  const wrong = { pass: "wrong", ignoreTLS: true };
  const tries = await Promise.all(Array.from({ length: 12 }, () => submit(service.smtpPort, wrong)));
  expect(tries.filter((response) => response.startsWith("535"))).toHaveLength(10);
  expect(tries.filter((response) => response.startsWith("454"))).toHaveLength(2);
  service.clock.advance(60_000);
  expect(await submit(service.smtpPort)).toMatch(/^250/);
});

test.each<[string, Seed, Login, string]>([
  ["another domain's sender", seed(), { from: "shop@other.test" }, "553 5.7.1"],
  ["a free plan", seed({}, { plan: "free" }), {}, "550 5.7.1 This needs a premium plan"],
  ["a banned domain", seed({ banned: true }), {}, "550 5.7.1"],
  ["a locked account", seed({}, { locked: "unpaid" }), {}, "550 5.7.1"],
  ["the plan's limit", seed({}, { limits: { daily_send_limit: 0 } }), {}, "550 5.7.1 This would exceed"],
])("%s is refused", async (_what, content, login, response) => {
  const api = await startApi({ seed: content });
  expect(await submit(api.service.smtpPort, login)).toContain(response);
  expect(await logOf(api)).toEqual([]);
});

test("after the first credential, SMTP is blocked until DKIM and DMARC are found", async () => {
  const api = await startApi({ seed: { domains: [{ name: "example.test" }] } });
  await api.post("/domains/example.test/credentials", credentials[0]);
  expect(await submit(api.service.smtpPort)).toContain(
    "550 5.7.1 SMTP is blocked until POST /v4/domains/example.test/verify finds DKIM and DMARC",
  );
  await api.post("/domains/example.test/verify", {});
  expect(await submit(api.service.smtpPort)).toMatch(/^250/);
});

test("ten emails a minute are accepted", async () => {
  const { service } = await startApi({ seed: seed(), limits: true, allowInsecureAuth: true });
  const send = await loggedIn(service);
  const submitNext = async () => {
    await send(MAIL, 3);
    return (await send("From: shop@example.test\r\n\r\nHello\r\n.\r\n"))[0];
  };
  for (let count = 0; count < 10; count += 1) expect(await submitNext()).toMatch(/^250/);
  expect(await submitNext()).toMatch(/^451 4\.7\.1 10 emails a minute/);
});

test("wrong passwords for many user names are refused by the client's address", async () => {
  const { service } = await startApi({ seed: seed(), allowInsecureAuth: true, clock: frozenClock(1_795_000_000_000) });
  const users = Array.from({ length: 55 }, (_, index) => `user${index}@example.test`);
  const tries = await Promise.all(users.map((user) => submit(service.smtpPort, { user, ignoreTLS: true })));
  expect(tries.filter((response) => response.startsWith("535"))).toHaveLength(50);
  expect(await submit(service.smtpPort)).toMatch(/^454 4\.7\.0 Too many wrong passwords\. Try again in \d+ s$/);
  service.clock.advance(60_000);
  expect(await submit(service.smtpPort)).toMatch(/^250/);
});

test("many right passwords at once are not tries", async () => {
  const { service } = await startApi({ seed: seed(), allowInsecureAuth: true });
  const responses = await Promise.all(Array.from({ length: 30 }, () => submit(service.smtpPort, { ignoreTLS: true })));
  expect(responses.filter((response) => !response.startsWith("250"))).toEqual([]);
});

test("a From header with anything but an address of the domain is refused, whatever the envelope says", async () => {
  const api = await startApi({ seed: seed(), allowInsecureAuth: true });
  const send = await loggedIn(api.service);
  for (const header of [
    "From: Shop <shop@other.test>",
    "From: shop@example.test, eve@other.test",
    "From: shop@example.test\r\nFrom: eve@other.test",
    'From: "shop@example.test" <eve@other.test>',
    "From: shop@a.example.test",
    "Subject: No author",
  ]) {
    await send(MAIL, 3);
    expect((await send(`${header}\r\n\r\nHello\r\n.\r\n`))[0], header).toMatch(/^550 5\.7\.1 .*From/);
  }
  expect(await logOf(api)).toEqual([]);
});

test.each(["the password is changed", "the credential is deleted"])("an open connection ends when %s", async (what) => {
  const api = await startApi({ seed: seed(), allowInsecureAuth: true });
  const send = await loggedIn(api.service);
  const path = "/domains/example.test/credentials/app";
  await (what.includes("deleted") ? api.delete(path) : api.put(path, { password: "another" }));
  expect(await send("MAIL FROM:<shop@example.test>\r\n")).toEqual([expect.stringMatching(/^530 5\.7\.0/)]);
});

test("an email is refused if its domain is deleted while the email is read", async () => {
  const domains = [{ name: "other.test" }, { name: "example.test", credentials }] as const;
  const api = await startApi({ seed: { domains }, allowInsecureAuth: true });
  const send = await loggedIn(api.service);
  await send(MAIL, 3);
  // Parsing it takes some hundred milliseconds.
  const parts = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${"\r\n".repeat(400_000)}--b--`;
  const answer = send(`From: shop@example.test\r\n${parts}\r\n.\r\n`);
  expect((await api.delete("/domains/example.test")).status).toBe(204);
  expect(await answer).toEqual([expect.stringMatching(/^530 5\.7\.0/)]);
});

test("a password is never in a response", async () => {
  const { service } = await startApi({ seed: seed(), allowInsecureAuth: true });
  const { send } = await rawClient(service.smtpPort);
  await send("EHLO c.example\r\n");
  const [response] = await send(`AUTH PLAIN ${Buffer.from("\0app@example.test\0hunter2").toString("base64")}\r\n`);
  expect(response).toMatch(/^535/);
  expect(response).not.toContain("hunter2");
});

test("many logins at once leave threads for reading files", async () => {
  let checked = 0;
  const checks = Array.from({ length: 40 }, () => matchesPassword("wrong").then(() => (checked += 1)));
  await readFile(new URL(import.meta.url));
  expect(checked).toBeLessThan(20);
  await Promise.all(checks);
});
