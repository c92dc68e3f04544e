import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createMailer } from "../../src/send/index.js";
import { smtp } from "../../src/smtp/index.js";
import { startApi, temporaryFolder } from "../service/harness.js";
import { startProcess } from "../service/processes.js";
import { temporaryFile } from "../send/outbox/open.js";

const script = fileURLToPath(new URL("queue-and-work.mjs", import.meta.url));
const rounds = process.env["MODE"] === "long" ? 60 : 3;

test(
  "an application and the service that are killed again and again lose nothing and send nothing twice",
  { timeout: rounds * 20_000 + 120_000 },
  async () => {
    const data = await temporaryFolder();
    const credentials = [{ username: "app", password: "secret-password" }];
    const first = await startApi({ data, limits: false, seed: { domains: [{ name: "example.test", credentials }] } });
    const { url, apiKey, port, smtpPort } = first.service;
    await first.service.close();

    const server = { host: "127.0.0.1", port: Number(smtpPort), user: "app@example.test", password: "secret-password" };
    const options = {
      url,
      apiKey,
      from: "shop",
      store: temporaryFile(),
      sendsPerMinute: 12_000,
      timeoutMs: 2_000,
      reconcile: { logDelayMs: 300 },
      outbox: { lease: 1_000 },
    };
    const durable = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const service = await startProcess(data, port);
      const application = startApplication([options, server, durable.size], durable);
      await application.ready;
      await sleep(Math.random() * 600);
      if (round % 3 === 1) await application.kill();
      await service.kill("SIGKILL");
      await sleep(Math.random() * 300);
      const again = round % 3 === 2 ? await startProcess(data, port) : undefined;
      await sleep(Math.random() * 600);
      await application.kill();
      await again?.kill("SIGKILL");
    }

    const api = await startApi({ data, port, limits: false });
    const mailer = createMailer({ ...options, transport: smtp(server) });
    onTestFinished(() => mailer.close());
    mailer.work();
    const left = async () => {
      const { queued, sending } = (await mailer.outbox.stats()).counts;
      return queued + sending;
    };
    await expect.poll(left, { timeout: 100_000, interval: 100 }).toBe(0);

    const messages = await mailer.outbox.list({ limit: 1_000_000 });
    const stateOf = new Map(messages.map(({ key = "", state }) => [key, state]));
    expect([...durable].filter((key) => !stateOf.has(key))).toEqual([]);
    const captured: string[] = [];
    for (let page = api.service.mail.after(0); page.length > 0; page = api.service.mail.after(page.at(-1)?.seq ?? 0))
      captured.push(...page.map(({ subject }) => subject));
    expect(captured.filter((subject, index) => captured.indexOf(subject) !== index)).toEqual([]);
    expect([...stateOf].filter(([key, state]) => state === "accepted" && !captured.includes(key))).toEqual([]);
    const states = messages.map(({ state }) => state);
    expect(states.filter((state) => state !== "accepted" && state !== "parked")).toEqual([]);
    // Whatever the service has is known to be accepted: the Message-ID identifies it in the log.
    expect(captured.filter((subject) => stateOf.get(subject) !== "accepted")).toEqual([]);
    expect(states.filter((state) => state === "accepted").length).toBeGreaterThan(states.length / 2);
    for (const { sent, id, state } of messages)
      if (state === "accepted") expect(sent?.messageId).toBe(`<${id}@example.test>`);
  },
);

function startApplication(parameters: readonly unknown[], durable: Set<string>) {
  const child = spawn(process.execPath, [script, ...parameters.map((each) => JSON.stringify(each))], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const lines = createInterface(child.stdout);
  const ready = Promise.race([once(lines, "line"), exited.then(() => Promise.reject(new Error(errors)))]);
  lines.on("line", (line) => void durable.add(line));
  return {
    ready,
    async kill() {
      child.kill("SIGKILL");
      await exited;
      expect(errors).toBe("");
    },
  };
}
