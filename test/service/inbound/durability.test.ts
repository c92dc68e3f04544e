import { spawn } from "node:child_process";
import { on } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { RunningService, Seed } from "../../../src/service/index.js";
import { startApi, temporaryFolder } from "../harness.js";
import { startProcess } from "../processes.js";
import { logOf, rawClient, relayServer, sendTo, webhook } from "./smtp.js";

const ROUNDS = process.env["MODE"] === "long" ? 100 : 5;
const CLIENTS = 4;
const ada = "ada@example.com";
const sender = "bob@shop.example";

function forwardingTo(...destinations: string[]): Seed {
  return { domains: [{ name: "example.test", aliases: [{ alias: "*", forward: destinations.join(", ") }] }] };
}

async function smtpPortIn(data: string): Promise<number> {
  return JSON.parse(await readFile(join(data, "service.json"), "utf8")).smtpPort;
}

/**
 * Sends over several connections while the service is killed in each round, somewhere between its first acceptance and
 * its last delivery. Returns the subjects of the accepted emails.
 */
async function sendWhileKilling(data: string, relay?: string): Promise<string[]> {
  const accepted: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await startProcess(data, 0, relay);
    const smtpPort = await smtpPortIn(data);
    const killed = new AbortController();
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let number = 0; !killed.signal.aborted; number += 1) {
        const subject = `${round}-${client}-${number}`;
        const response = await sendTo(smtpPort, { from: sender, to: "a@example.test", subject });
        if (response.startsWith("250")) accepted.push(subject);
      }
    });
    const before = accepted.length;
    await expect.poll(() => accepted.length, { interval: 1 }).toBeGreaterThan(before + (round % 7));
    await service.kill("SIGKILL");
    killed.abort();
    await Promise.all(clients);
  }
  return accepted;
}

/** The subjects of all captured emails to an address. */
function capturedFor({ mail }: RunningService, address: string): string[] {
  const subjects: string[] = [];
  for (let before: number | undefined; ;) {
    const page = mail.list({ folder: "forwarded", limit: 200, ...(before !== undefined && { before }) });
    subjects.push(...page.filter(({ recipients }) => recipients[0]?.email === address).map(({ subject }) => subject));
    before = page.at(-1)?.seq;
    if (before === undefined) return subjects.toSorted();
  }
}

test(`killed ${ROUNDS} times, every accepted email is captured once for each address, and posted to the webhook`, async () => {
  const data = await temporaryFolder();
  const { posts, host } = await webhook((count) => (count % 5 === 0 ? 503 : 200));
  const seed = forwardingTo(ada, `http://${host}/`, "hard-bounce@example.com");
  await (await startApi({ data, seed })).service.close();
  const accepted = (await sendWhileKilling(data)).toSorted();

  const api = await startApi({ data });
  // What was recorded but not answered any more may have arrived too.
  const stored = () => capturedFor(api.service, ada);
  await expect
    .poll(() => {
      api.service.clock.advance(60_000);
      const posted = new Set(posts.map(({ body }) => body.subject));
      return stored().filter((subject) => !posted.has(subject));
    })
    .toEqual([]);
  const captured = stored();
  expect(captured).toEqual([...new Set(captured)]);
  expect(accepted.filter((subject) => !captured.includes(subject))).toEqual([]);
  // One delivery status notification for each email: an address refuses them all.
  await expect.poll(() => capturedFor(api.service, sender).length).toBe(captured.length);
  const entries = await logOf(api, "&limit=50");
  const statuses = entries.map(({ events }) => events.filter(({ status }) => status === "HARD-BOUNCE").length);
  expect(new Set(statuses)).toEqual(new Set([1]));
});

test(`killed ${ROUNDS} times, every accepted email reaches the relay, and its sender learns of what the relay refuses`, async () => {
  const data = await temporaryFolder();
  const refuses = "refuses@example.com";
  const relay = await relayServer((count, to) => (to === refuses ? 550 : count % 4 === 0 ? 451 : 250));
  await (await startApi({ data, seed: forwardingTo(ada, refuses) })).service.close();
  const accepted = await sendWhileKilling(data, relay.url);

  const { service } = await startApi({ data, relay: relay.url });
  const missingAt = (address: string) => {
    const sources = relay.got.filter(({ to }) => to.includes(address)).map(({ source }) => source);
    const arrived = new Set(sources.flatMap((source) => /^Subject: (\d\S+)\r$/m.exec(source)?.[1] ?? []));
    return accepted.filter((subject) => !arrived.has(subject));
  };
  await expect
    .poll(() => {
      service.clock.advance(60_000);
      return missingAt(ada);
    })
    .toEqual([]);
  await expect
    .poll(() => {
      service.clock.advance(60_000);
      return missingAt(sender);
    })
    .toEqual([]);
  for (const { from, to } of relay.got) expect(from).toMatch(to.includes(sender) ? /^$/ : /^SRS0=/);
});

const [serve, holdFlushes] = ["../serve.mjs", "./hold-flushes.mjs"].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);

test.skipIf(process.platform === "win32")("an email is answered only when it is on the disk", async () => {
  const data = await temporaryFolder();
  await (await startApi({ data, seed: forwardingTo(ada) })).service.close();
  const child = spawn(process.execPath, ["--import", String(holdFlushes), String(serve), data, "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = on(createInterface(child.stdout), "line");
  const until = async (word: RegExp) => {
    for (let line = ""; !word.test(line);) line = String((await lines.next()).value);
  };
  await until(/^http/);
  const { send } = await rawClient(await smtpPortIn(data));
  await send("EHLO client.example\r\n");
  await send("MAIL FROM:<b@c.example>\r\nRCPT TO:<a@example.test>\r\nDATA\r\n", 3);
  child.kill("SIGUSR2");
  await until(/holding/);
  let isAnswered = false;
  const answer = send("Subject: Hi\r\n\r\nHello\r\n.\r\n").finally(() => (isAnswered = true));
  await until(/held/);
  // The service goes on with everything else meanwhile.
  const other = await rawClient(await smtpPortIn(data));
  for (let turn = 0; turn < 10; turn += 1) await other.send("NOOP\r\n");
  expect(isAnswered).toBe(false);
  child.kill("SIGUSR2");
  expect(await answer).toEqual([expect.stringMatching(/^250/)]);
});
