import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect as connectPlain, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RunningService } from "../../../src/service/index.js";
import { startApi, temporaryFolder } from "../harness.js";
import { startProcess } from "../processes.js";
import { logOf, rawClient, relayServer, sendTo } from "./smtp.js";

const ada = "ada@example.com";
const seed = { domains: [{ name: "example.test", aliases: [{ alias: "*", forward: ada }] }] } as const;
const HEAD = "From: b@c.example\r\nSubject: Hi\r\n\r\n";
const TRANSACTION = "MAIL FROM:<b@c.example>\r\nRCPT TO:<a@example.test>\r\nDATA\r\n";

/** The end of data with what some servers also take for a line break, then the commands of another message. */
const SMUGGLED = ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r.\r\n", "\r\n.\r", "\n.\r", "\r.\n"];

test.each(SMUGGLED)("%j does not end a message, neither here nor at the relay", async (end) => {
  const relay = await relayServer();
  const { service } = await startApi({ seed, relay: relay.url });
  const { send } = await rawClient(service.smtpPort);
  await send("EHLO client.example\r\n");
  await send(TRANSACTION, 3);
  const second = `MAIL FROM:<admin@example.test>\r\nRCPT TO:<b@example.test>\r\nDATA\r\n${HEAD}smuggled`;
  expect(await send(`${HEAD}one${end}${second}\r\n.\r\n`)).toEqual([expect.stringMatching(/^250/)]);
  expect(await send("QUIT\r\n")).toEqual([expect.stringMatching(/^221/)]);
  await expect.poll(() => relay.got.length).toBe(1);
  await service.close();
  expect(relay.got).toEqual([
    { from: expect.stringMatching(/^SRS0=/), to: [ada], source: expect.stringContaining("smuggled") },
  ]);
});

/** The sources of the forwarded messages, newest first. */
async function sourcesOf({ mail }: RunningService): Promise<Buffer[]> {
  const mails = mail.list({ folder: "forwarded" });
  return await Promise.all(mails.map(async ({ id }) => Buffer.from((await mail.open(id))?.source ?? [])));
}

test("a message of any bytes is captured as it was sent, with its own headers for each destination", async () => {
  const domain = { name: "example.test", aliases: [{ alias: "*", forward: `${ada}, bob@example.com` }] };
  const { service } = await startApi({ seed: { domains: [domain] } });
  const { send } = await rawClient(service.smtpPort);
  await send("EHLO client.example\r\n");
  await send(TRANSACTION, 3);
  const body = Buffer.from(Array.from({ length: 1_024 }, (_, index) => index % 256).filter((byte) => byte !== 0x2e));
  expect(await send(Buffer.concat([Buffer.from(HEAD), body, Buffer.from("\r\n.\r\n")]))).toEqual([
    expect.stringMatching(/^250/),
  ]);
  const [first, second] = await sourcesOf(service);
  expect(first?.toString("latin1")).toMatch(/^Delivered-To: a@example\.test\r\nX-Forwarded-To: bob@example\.com\r\n/);
  expect(second?.toString("latin1")).toMatch(/^Delivered-To: a@example\.test\r\nX-Forwarded-To: ada@example\.com\r\n/);
  for (const source of [first, second]) expect(source?.subarray(-body.length - 2, -2)).toEqual(body);
});

test("a message that arrives byte by byte is taken as it is, and nobody waits for it", async () => {
  const { service } = await startApi({ seed });
  const { send, socket } = await rawClient(service.smtpPort);
  await send("EHLO client.example\r\n");
  await send(TRANSACTION, 3);
  const message = `${HEAD}..one\r\n..\r\ntwo\r\n`;
  for (const [index, byte] of Buffer.from(message).entries()) {
    socket.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
    if (index === 5) expect(await sendTo(service.smtpPort, { to: "b@example.test" })).toMatch(/^250/);
  }
  expect(await send(".\r\n")).toEqual([expect.stringMatching(/^250/)]);
  const [newest] = await sourcesOf(service);
  expect(newest?.toString().split("\r\n\r\n")[1]).toBe(".one\r\n.\r\ntwo\r\n");
});

test("a message is recorded once if its connection breaks right after the final dot", async () => {
  const api = await startApi({ seed });
  const { send, socket } = await rawClient(api.service.smtpPort);
  await send("EHLO client.example\r\n");
  await send(TRANSACTION, 3);
  socket.end(`${HEAD}one\r\n.\r\n`);
  socket.destroySoon();
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(1);
  expect(await sendTo(api.service.smtpPort, { to: "b@example.test" })).toMatch(/^250/);
  expect((await logOf(api)).map(({ recipient }) => recipient.email)).toEqual(["a@example.test", "b@example.test"]);
});

test("a connection carries 1,000 messages", async () => {
  const { service } = await startApi({ seed });
  const pool = { pool: true, maxConnections: 1, maxMessages: Infinity } as const;
  const transport = createTransport({ host: "127.0.0.1", port: Number(service.smtpPort), ...pool, ignoreTLS: true });
  onTestFinished(() => transport.close());
  const send = (index: number) =>
    transport.sendMail({ from: "b@c.example", to: `a${index}@example.test`, subject: "Hi", text: "Hello" });
  const sent = await Promise.all(Array.from({ length: 1_000 }, (_, index) => send(index)));
  expect(new Set(sent.map(({ response }) => response.slice(0, 3)))).toEqual(new Set(["250"]));
  expect(service.mail.total("forwarded")).toBe(1_000);
});

test("STARTTLS uses a certificate that clients can verify with the data folder's file", async () => {
  const data = await temporaryFolder();
  const { service } = await startApi({ seed, data });
  const { cert: ca } = JSON.parse(await readFile(join(data, "smtp-certificate.json"), "utf8"));
  const tls = { ca, servername: "localhost" };
  const transport = createTransport({ host: "127.0.0.1", port: Number(service.smtpPort), requireTLS: true, tls });
  onTestFinished(() => transport.close());
  const { response } = await transport.sendMail({ from: "b@c.example", to: "a@example.test", subject: "Hi" });
  expect(response).toMatch(/^250/);
});

test("commands that were sent in plain text behind STARTTLS are discarded", async () => {
  const api = await startApi({ seed });
  const socket = connectPlain({ host: "127.0.0.1", port: Number(api.service.smtpPort) });
  onTestFinished(() => void socket.destroy());
  const until = async (from: Socket, pattern: RegExp) => {
    let text = "";
    while (!pattern.test(text)) text += String((await once(from, "data"))[0]);
    return text;
  };
  await until(socket, /^220/);
  socket.write("EHLO client.example\r\n");
  await until(socket, /^250 /m);
  // More than the hundred commands after which the server's parser pauses.
  socket.write(`STARTTLS\r\n${"NOOP\r\n".repeat(300)}EHLO evil.example\r\n${TRANSACTION}${HEAD}evil\r\n.\r\n`);
  await until(socket, /^220/);
  const secure = connectTls({ socket, rejectUnauthorized: false });
  onTestFinished(() => void secure.destroy());
  await once(secure, "secureConnect");
  secure.write("RCPT TO:<a@example.test>\r\n");
  expect(await until(secure, /\r\n/)).toMatch(/^503 /);
  secure.write("EHLO client.example\r\n");
  await until(secure, /^250 /m);
  secure.write("DATA\r\n");
  expect(await until(secure, /\r\n/)).toMatch(/^503 /);
  expect(await logOf(api)).toEqual([]);
});

async function open(port: number | undefined): Promise<{ readonly socket: Socket; readonly greeting: string }> {
  const socket = connectPlain({ host: "127.0.0.1", port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  const [greeting] = await once(socket, "data");
  return { socket, greeting: String(greeting) };
}

test("idle connections beyond the maximum are turned away, and there is room again when others end", async () => {
  const { service } = await startApi({ seed });
  const idle = await Promise.all(Array.from({ length: 500 }, () => open(service.smtpPort)));
  expect(new Set(idle.map(({ greeting }) => greeting.slice(0, 3)))).toEqual(new Set(["220"]));
  expect((await open(service.smtpPort)).greeting).toMatch(/^421 .*Too many connected clients/);
  for (const { socket } of idle.slice(0, 10)) socket.destroy();
  await expect.poll(() => sendTo(service.smtpPort, { to: "a@example.test" })).toMatch(/^250/);
});

/** Resident memory of a process in MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

const CLIENTS = process.env["MODE"] === "long" ? 200 : 60;

test.runIf(existsSync("/proc/self/status"))(
  `large messages of ${CLIENTS} connections at once stay out of memory`,
  async () => {
    const data = await temporaryFolder();
    await (await startApi({ data, seed })).service.close();
    const { pid } = await startProcess(data);
    const { smtpPort } = JSON.parse(await readFile(join(data, "service.json"), "utf8"));
    expect(await sendTo(smtpPort, { to: "a@example.test" })).toMatch(/^250/);
    const before = await memoryOf(pid);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => open(smtpPort)));
    const line = `${"x".repeat(998)}\r\n`;
    const megabytes = Buffer.from(line.repeat(5_000));
    let most = 0;
    for (const { socket } of clients) {
      socket.write(`EHLO client.example\r\n`);
      await once(socket, "data");
      socket.write(`${TRANSACTION}${HEAD}`);
      socket.write(megabytes);
      most = Math.max(most, (await memoryOf(pid)) - before);
    }
    // The others are still served: a small message, and each large one in its turn.
    expect(await sendTo(smtpPort, { to: "b@example.test" })).toMatch(/^250/);
    most = Math.max(most, (await memoryOf(pid)) - before);
    expect(most).toBeLessThan(400);
    let answered = 0;
    for (const { socket } of clients.slice(0, 20)) {
      socket.on("data", (text) => (answered += String(text).includes("250 OK: message queued") ? 1 : 0));
      socket.write(".\r\n");
    }
    await expect.poll(() => answered).toBe(20);
  },
);

const LARGE = `${"x".repeat(998)}\r\n`.repeat(400);

test("clients that stall in the middle of large messages leave room for others", { timeout: 30_000 }, async () => {
  const { service } = await startApi({ seed });
  const stalled = await Promise.all(Array.from({ length: 20 }, () => rawClient(service.smtpPort)));
  for (const { send } of stalled) {
    await send(`EHLO c.example\r\n${TRANSACTION}`, 4);
    await send(`${HEAD}${LARGE}`, 0);
  }
  const { send } = await rawClient(service.smtpPort);
  await send(`EHLO c.example\r\n${TRANSACTION}`, 4);
  expect(await send(`${HEAD}${LARGE}.\r\n`)).toEqual([expect.stringMatching(/^250/)]);
  for (const client of stalled) expect(await client.send(".\r\n")).toEqual([expect.stringMatching(/^250/)]);
  await expect.poll(() => service.mail.total("forwarded")).toBe(21);
  for (const source of await sourcesOf(service)) expect(source.subarray(-LARGE.length).toString()).toBe(LARGE);
});

test("a client is asked to try again if a large message can't be stored", async () => {
  vi.stubEnv("TMPDIR", "/nowhere").stubEnv("TEMP", "/nowhere");
  onTestFinished(() => void vi.unstubAllEnvs());
  const errors: Error[] = [];
  const { service } = await startApi({ seed, onError: (error) => errors.push(error) });
  const { send } = await rawClient(service.smtpPort);
  await send(`EHLO c.example\r\n${TRANSACTION}`, 4);
  expect(await send(`${HEAD}${LARGE}.\r\n`)).toEqual([expect.stringMatching(/^451/)]);
  expect(errors).toMatchObject([{ code: "ENOENT" }]);
  await send(TRANSACTION, 3);
  expect(await send(`${HEAD}small\r\n.\r\n`)).toEqual([expect.stringMatching(/^250/)]);
});
