import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";
import type { Seed } from "../../../src/service/index.js";
import { openDatabase } from "../../../src/service/store/database.js";
import { type Api, startApi, temporaryFolder } from "../harness.js";
import { startDnsServer } from "../dns-server.js";
import { verifyDkim } from "./dkim.js";

const seed: Seed = { domains: [{ name: "example.test", credentials: [{ username: "app", password: "secret" }] }] };

async function recordOf(api: Api): Promise<string> {
  const { record } = JSON.parse((await api.request("/local/dkim")).text) as { record: string };
  expect(record).toMatch(/^v=DKIM1; k=rsa; p=[\w+/=]+$/);
  return record;
}

async function sourceOf({ service }: Api): Promise<Uint8Array> {
  const [newest] = service.mail.list();
  return (await service.mail.open(newest?.id ?? ""))?.source ?? new Uint8Array();
}

async function submit({ service }: Api, message: object): Promise<void> {
  const transport = createTransport({
    host: "127.0.0.1",
    port: Number(service.smtpPort),
    tls: { rejectUnauthorized: false },
    auth: { user: "app@example.test", pass: "secret" },
  });
  await transport.sendMail({ from: "Shop <shop@example.test>", to: "ada@example.com", ...message });
  transport.close();
}

const signature = { d: "example.test", s: "ls1" };

test.each([
  { subject: "Grüße", text: "Hello\n\n  world \n\n\n" },
  { subject: "Two\tbodies", text: "Hello", html: "<p>Grüße</p>", attachments: [{ filename: "a.bin", content: "x" }] },
  { subject: "No body" },
  { raw: "From: shop@example.test\r\nSubject: 8 bit ü\r\n\r\nüü \t x\r\n.dot\r\nno line break at the end" },
])("a submitted message is signed with the domain's key: %j", async (message) => {
  const api = await startApi({ seed });
  await submit(api, { ...message, envelope: { from: "shop@example.test", to: "ada@example.com" } });
  const source = await sourceOf(api);
  expect(verifyDkim(source, await recordOf(api))).toMatchObject(signature);
  const changed = Buffer.from(source).toString("latin1").replace("Subject: ", "Subject: Not ");
  expect(verifyDkim(Buffer.from(changed, "latin1"), await recordOf(api))).toBe("the headers have been changed");
});

test("what the API sends is signed, in files too, with a key that survives a restart", async () => {
  const data = await temporaryFolder();
  const first = await startApi({ data, seed });
  const email = { from: "shop", to: "ada@example.com", subject: "Grüße", text: "Hello", html: "<p>Hello</p>" };
  const { id } = JSON.parse((await first.post("/domains/example.test/emails/outbound", email)).text) as { id: string };
  const source = Buffer.from(await sourceOf(first));
  const record = await recordOf(first);
  expect(verifyDkim(source, record)).toMatchObject(signature);
  expect(await readFile(join(data, "mail", `${id}.eml`))).toEqual(source);
  await first.service.close();

  const second = await startApi({ data });
  expect(await recordOf(second)).toBe(record);
  expect(Buffer.from(await sourceOf(second))).toEqual(source);
});

test("a key that could not be stored is stored with the next email", async () => {
  const data = await temporaryFolder();
  const api = await startApi({ data, seed });
  const database = await openDatabase(join(data, "service.db"));
  onTestFinished(() => database.close());
  database.exec("CREATE TRIGGER full BEFORE UPDATE ON secrets BEGIN SELECT raise(ABORT, 'disk full'); END");
  expect((await api.request("/local/dkim")).status).toBe(500);
  database.exec("DROP TRIGGER full");
  await recordOf(api);
});

test("SMTP is blocked until DNS has DKIM and DMARC, then messages are signed as long as it has them", async () => {
  const dns = await startDnsServer({});
  const api = await startApi({
    dns: { servers: [dns.address] },
    seed: { domains: [{ name: "example.test", sendReady: false }] },
  });
  const verify = () => api.post("/domains/example.test/verify", {});
  await api.post("/domains/example.test/credentials", { username: "app", password: "secret" });
  const message = { subject: "Hi", text: "Hello" };
  dns.zone = {
    "ls1._domainkey.example.test CNAME": ["dkim1.service.test"],
    "ls2._domainkey.example.test CNAME": ["dkim2.service.test"],
  };
  await verify();
  await expect(submit(api, message)).rejects.toThrow(
    "SMTP is blocked until POST /v4/domains/example.test/verify finds DKIM and DMARC",
  );
  dns.zone = { ...dns.zone, "_dmarc.example.test TXT": ["v=DMARC1; p=none"] };
  await verify();
  await submit(api, message);
  expect(verifyDkim(await sourceOf(api), await recordOf(api))).toMatchObject(signature);
  dns.zone = {};
  await verify();
  await submit(api, message);
  expect(verifyDkim(await sourceOf(api), await recordOf(api))).toBe("no signature");
});

test("a domain whose DNS is not set up has no key: its messages are not signed", async () => {
  const api = await startApi({
    seed: {
      domains: [{ name: "example.test", sendReady: false, credentials: [{ username: "app", password: "secret" }] }],
    },
  });
  await submit(api, { subject: "Hi", text: "Hello" });
  expect(verifyDkim(await sourceOf(api), await recordOf(api))).toBe("no signature");
});
