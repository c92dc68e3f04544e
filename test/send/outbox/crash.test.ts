import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OutboxMessage } from "../../../src/send/store/outbox.js";
import { temporaryFile } from "./open.js";
import { aService, type RoutedOutbox, routeTo, sentBySubject } from "./route.js";

const script = fileURLToPath(new URL("queue-and-work.mjs", import.meta.url));
const kills = process.env["MODE"] === "long" ? 400 : 2;
const TOGETHER = 3;
const LEASE_MS = 1_000;
const LOG_DELAY_MS = 200;

/** The faults of a service that loses answers, before or after a send takes effect. */
const faults = [
  { kind: "cut", when: "after" },
  { kind: "cut", when: "before" },
  { kind: "malformed" },
  { kind: "refuse", status: 500 },
  { kind: "delay", milliseconds: 300 },
] as const;

interface Application {
  readonly pid: number;
  readonly ready: Promise<void>;
  readonly errors: () => string;
  kill(): Promise<void>;
}

function startApplication(options: object, first: number, durable: Set<string>): Application {
  const child = spawn(process.execPath, [script, JSON.stringify(options), String(first)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const lines = createInterface(child.stdout);
  const ready = Promise.race([once(lines, "line"), exited.then(() => Promise.reject(new Error(errors)))]);
  ready.catch(() => {});
  lines.on("line", (line) => void (line.startsWith("key-") && durable.add(line)));
  return {
    pid: Number(child.pid),
    ready: ready.then(() => undefined),
    errors: () => errors,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function everyMessage({ outbox }: RoutedOutbox): Promise<readonly OutboxMessage[]> {
  return outbox.list({ limit: 1_000_000 });
}

describe("processes that are killed while they queue and work", () => {
  it("lose nothing and send nothing twice", { timeout: kills * 10_000 + 120_000 }, async () => {
    const service = await aService();
    const file = temporaryFile();
    const { url, apiKey, domain } = service;
    const options = {
      url,
      apiKey,
      domain,
      from: "shop",
      store: file,
      sendsPerMinute: 12_000,
      timeoutMs: 1_000,
      reconcile: { logDelayMs: LOG_DELAY_MS },
      outbox: { lease: LEASE_MS },
    };
    const durable = new Set<string>();
    const trouble: string[] = [];
    let killed = 0;
    /** Each process repeats keys that others have queued before. */
    const crash = async (): Promise<void> => {
      while (killed < kills) {
        killed += 1;
        const application = startApplication(options, Math.max(0, durable.size - 10), durable);
        await application.ready;
        for (const number of [3 * killed, 3 * killed + 1, 3 * killed + 2]) {
          const fault = faults[number % faults.length];
          if (fault) service.faults.add({ ...fault, endpoint: "emails.send" });
        }
        await sleep(Math.random() * 800);
        await application.kill();
        trouble.push(application.errors());
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, crash));
    expect(trouble.join("")).toBe("");

    service.faults.clear();
    const survivors = [1, 2].map(() => routeTo(service, { file, logDelayMs: LOG_DELAY_MS }));
    const [survivor, ...others] = await Promise.all(survivors);
    if (!survivor) throw new Error("Nobody survived.");
    for (const { outbox } of [survivor, ...others]) outbox.work();
    const left = async () => {
      const { queued, sending } = (await survivor.outbox.stats()).counts;
      return queued + sending;
    };
    await expect.poll(left, { timeout: 60_000 + kills * 1_000, interval: 100 }).toBe(0);

    const sent = sentBySubject(service);
    expect([...sent].filter(([, times]) => times > 1)).toEqual([]);
    const messages = await everyMessage(survivor);
    const stateOf = new Map(messages.map(({ key = "", state }) => [key, state]));
    expect(stateOf.size).toBe(messages.length);
    expect([...durable].filter((key) => !stateOf.has(key))).toEqual([]);
    expect([...stateOf].filter(([key, state]) => state === "accepted" && !sent.has(key))).toEqual([]);
    expect([...sent.keys()].filter((key) => !["accepted", "parked"].includes(stateOf.get(key) ?? ""))).toEqual([]);
    const { accepted, parked, expired } = (await survivor.outbox.stats()).counts;
    expect(accepted + parked + expired).toBe(messages.length);
    expect(accepted).toBeGreaterThan(kills / 2);
  });
});
