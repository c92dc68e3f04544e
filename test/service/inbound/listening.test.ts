import { once } from "node:events";
import { X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import selfsigned from "selfsigned";
import { expect, onTestFinished, test } from "vitest";
import { startApi, temporaryFolder } from "../harness.js";
import { startProcess } from "../processes.js";
import { course, logOf, rawClient, sendTo, webhook } from "./smtp.js";

const seed = { domains: [{ name: "example.test", aliases: [{ alias: "*", forward: "ada@example.com" }] }] } as const;

async function occupy(port = 0): Promise<number> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

test("a data folder keeps its port, also without SMTP meanwhile, and gets another one if that is taken", async () => {
  const data = await temporaryFolder();
  const first = (await startApi({ data, seed })).service;
  await first.close();
  await (await startApi({ data, smtpPort: false })).service.close();
  const second = (await startApi({ data, port: undefined })).service;
  expect(second.smtpPort).toBe(first.smtpPort);
  await second.close();
  await occupy(first.smtpPort);
  const third = (await startApi({ data, port: undefined })).service;
  expect(third.smtpPort).not.toBe(first.smtpPort);
  expect(await sendTo(third.smtpPort, { to: "a@example.test" })).toMatch(/^250/);
});

test("a taken port that was asked for is an error that names it, and HTTP is closed again", async () => {
  const data = await temporaryFolder();
  const taken = await occupy();
  await expect(startApi({ data, smtpPort: taken })).rejects.toThrow(String(taken));
  const { service } = await startApi({ data, smtpPort: 0, seed });
  expect(await sendTo(service.smtpPort, { to: "a@example.test" })).toMatch(/^250/);
});

test("two services at once have different ports", async () => {
  const services = await Promise.all(
    ["one", "two"].map(async () => (await startApi({ data: await temporaryFolder(), port: undefined, seed })).service),
  );
  expect(new Set(services.map(({ smtpPort }) => smtpPort)).size).toBe(2);
  for (const { smtpPort } of services) expect(await sendTo(smtpPort, { to: "a@example.test" })).toMatch(/^250/);
});

test("without SMTP nothing listens for it, and tests can still receive", async () => {
  const { service } = await startApi({ smtpPort: false, seed });
  expect(service.smtpPort).toBeUndefined();
  await service.receive({ from: "b@c.example", to: "a@example.test" });
  expect(service.mail.total("forwarded")).toBe(1);
});

const interfaces = Object.values(networkInterfaces()).flat();

test.runIf(interfaces.some((each) => each?.address === "::1"))(
  "SMTP listens on IPv6's loopback, with a certificate for it",
  async () => {
    const data = await temporaryFolder();
    const { service } = await startApi({ data, host: "::1", seed });
    const { cert: ca } = JSON.parse(await readFile(join(data, "smtp-certificate.json"), "utf8"));
    const transport = createTransport({ host: "::1", port: Number(service.smtpPort), requireTLS: true, tls: { ca } });
    onTestFinished(() => transport.close());
    const { response } = await transport.sendMail({ from: "b@c.example", to: "a@example.test", subject: "Hi" });
    expect(response).toMatch(/^250/);
  },
);

const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);

test.each([
  ["has expired", async () => await certificate(new Date(Date.now() - 1_000))],
  ["has another key", async () => ({ ...(await certificate(tomorrow)), key: (await certificate(tomorrow)).key })],
  ["is not a certificate", () => ({ key: "key", cert: "cert" })],
  ["is half written", () => undefined],
])("a kept certificate that %s is replaced, and a current one is kept", async (_what, contentOf) => {
  const data = await temporaryFolder();
  const file = join(data, "smtp-certificate.json");
  const restart = async () => {
    await (await startApi({ data, seed })).service.close();
    return JSON.parse(await readFile(file, "utf8")).cert;
  };
  await restart();
  const content = await contentOf();
  await writeFile(file, content ? JSON.stringify(content) : '{ "key": "');
  const renewed = await restart();
  expect(Date.parse(new X509Certificate(renewed).validTo)).toBeGreaterThan(Date.now());
  expect(await restart()).toBe(renewed);
});

async function certificate(notAfterDate: Date): Promise<{ readonly key: string; readonly cert: string }> {
  const notBeforeDate = new Date(notAfterDate.getTime() - 1_000);
  const name = [{ name: "commonName", value: "localhost" }];
  const { private: key, cert } = await selfsigned.generate(name, { keyType: "ec", notBeforeDate, notAfterDate });
  return { key, cert };
}

test("closing tells idle clients, answers the message that is being received, and takes no other", async () => {
  const data = await temporaryFolder();
  const { service } = await startApi({ data, seed });
  const idle = await rawClient(service.smtpPort);
  const sending = await rawClient(service.smtpPort);
  await sending.send("EHLO client.example\r\n");
  await sending.send("MAIL FROM:<b@c.example>\r\nRCPT TO:<a@example.test>\r\nDATA\r\n", 3);
  const told = once(idle.socket, "data");
  const closing = service.close();
  expect(String(await told)).toMatch(/^421 /);
  expect(await sending.send("Subject: Late\r\n\r\nHello\r\n.\r\n")).toEqual([expect.stringMatching(/^250/)]);
  expect(await sending.send("MAIL FROM:<b@c.example>\r\n")).toEqual([expect.stringMatching(/^421/)]);
  await closing;
  const again = (await startApi({ data })).service;
  expect(again.mail.list({ folder: "forwarded" }).map(({ subject }) => subject)).toEqual(["Late"]);
});

test("SIGTERM while emails come in loses none that was accepted", async () => {
  const data = await temporaryFolder();
  await (await startApi({ data, seed })).service.close();
  const service = await startProcess(data);
  const { smtpPort } = JSON.parse(await readFile(join(data, "service.json"), "utf8"));
  const accepted: string[] = [];
  const stopped = new AbortController();
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let number = 0; !stopped.signal.aborted; number += 1) {
      const subject = `${client}-${number}`;
      if ((await sendTo(smtpPort, { to: "a@example.test", subject })).startsWith("250")) accepted.push(subject);
    }
  });
  await expect.poll(() => accepted.length, { interval: 5 }).toBeGreaterThan(20);
  await service.kill("SIGTERM");
  stopped.abort();
  await Promise.all(clients);
  expect(service.errors()).toBe("");
  const { mail } = (await startApi({ data })).service;
  const captured = mail.list({ folder: "forwarded", limit: 1_000 }).map(({ subject }) => subject);
  expect(accepted.filter((subject) => !captured.includes(subject))).toEqual([]);
});

test("a delivery that closing interrupts is not counted as failed, and is repeated at the next start", async () => {
  const data = await temporaryFolder();
  const { posts, host } = await webhook((count) => (count === 1 ? "never" : 200));
  const aliases = [{ alias: "*", forward: `http://${host}/` }];
  const { service } = await startApi({ data, seed: { domains: [{ name: "example.test", aliases }] } });
  await service.receive({ from: "b@c.example", to: "a@example.test" });
  await expect.poll(() => posts.length).toBe(1);
  await service.close();
  const api = await startApi({ data });
  await expect.poll(async () => (await logOf(api)).map(course)).toEqual([["QUEUED 250", "DELIVERED 250"]]);
});
