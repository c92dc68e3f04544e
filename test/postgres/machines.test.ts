import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { postgresStore } from "../../src/postgres/index.js";
import { createMailer } from "../../src/send/index.js";
import type { OutboxMessage } from "../../src/send/index.js";
import { type RunningService, startService } from "../../src/service/start.js";
import { sentBySubject } from "../send/outbox/route.js";
import { PostgresPooler } from "./pooler.js";
import { type Fate, PostgresProxy } from "./proxy.js";
import { PostgresServer } from "./server.js";

const script = fileURLToPath(new URL("machine.mjs", import.meta.url));
const [rounds, machineCount] = process.env["MODE"] === "long" ? [100, 8] : [2, 4];
const LEASE_MS = 1_000;
const HOUR_MS = 3_600_000;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

async function aService(limits: boolean): Promise<RunningService> {
  const service = await startService({ data: ":memory:", port: 0, limits });
  onTestFinished(() => service.close());
  return service;
}

function optionsFor({ url, apiKey, domain }: RunningService, sendsPerMinute: number) {
  const reconcile = { logDelayMs: 200 };
  return {
    url,
    apiKey,
    domain,
    from: "shop",
    sendsPerMinute,
    timeoutMs: 1_000,
    reconcile,
    outbox: { lease: LEASE_MS },
  };
}

/** A process of an application that queues messages and sends them. */
class Machine {
  /** What it has reported. */
  errors = "";
  #process: ChildProcess | undefined;

  /** @param durable Keys that machines have queued. */
  constructor(
    private readonly options: object,
    private readonly durable: Set<string>,
  ) {}

  /** Starts it, unless it is running. Resolves when it has queued a message. */
  async start(): Promise<void> {
    if (this.#process !== undefined) return;
    const options = { ...this.options, first: Math.max(0, this.durable.size - 10) };
    const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.errors += text));
    const lines = createInterface(child.stdout).on("line", (line) => void this.durable.add(line));
    const ended = once(child, "exit").then(() => Promise.reject(new Error(`A machine has ended. ${this.errors}`)));
    await Promise.race([once(lines, "line"), ended]);
  }

  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.#process?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Breaks one of a proxy's connections every few seconds, most often while it commits. */
function breaking(random: () => number): (packet: string) => Fate {
  return (packet) => {
    if (random() > (packet.includes("COMMIT") ? 0.01 : 0.001)) return "pass";
    const [fate = "pass"] = shuffled<Fate>(["cut", "lose answer", "cut answer"], random);
    return fate;
  };
}

/** What the database and its network do to an application. */
const troubles = [
  async () => {
    const client = new Client({ connectionString: postgres.url() });
    await client.connect();
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND random() < 0.5 AND datname IS NOT NULL",
    );
    await client.end();
  },
  async () => {
    await postgres.end();
    await sleep(300);
    await postgres.resume();
  },
  async () => {
    await postgres.end("SIGQUIT");
    await postgres.resume();
  },
];

const faults = [
  { kind: "cut", when: "after" },
  { kind: "cut", when: "before" },
  { kind: "refuse", status: 500 },
  { kind: "delay", milliseconds: 300 },
] as const;

test(
  "machines lose nothing and send nothing twice, whatever happens",
  { timeout: rounds * 30_000 + 120_000 },
  async () => {
    const service = await aService(false);
    const options = optionsFor(service, 12_000);
    const connectionString = postgres.url();
    const [proxy, pooler] = [
      await PostgresProxy.start(connectionString),
      await PostgresPooler.start(connectionString, 5),
    ];
    onTestFinished(() => [proxy, pooler].forEach((each) => each.close()));
    const random = randomFrom(1);
    proxy.decide = breaking(randomFrom(2));
    const places = [
      { connectionString, aheadMs: 0 },
      { connectionString, aheadMs: HOUR_MS },
      { connectionString: proxy.url, aheadMs: -HOUR_MS },
      { connectionString: pooler.url, aheadMs: 0 },
      { connectionString, aheadMs: 0 },
      { connectionString, aheadMs: -HOUR_MS },
      { connectionString: proxy.url, aheadMs: 0 },
      { connectionString: proxy.url, aheadMs: HOUR_MS },
    ];
    const durable = new Set<string>();
    const machines = places.slice(0, machineCount).map((place) => new Machine({ ...options, ...place }, durable));
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(machines.map((machine) => machine.start()));
      for (const fault of faults) service.faults.add({ ...fault, endpoint: "emails.send" });
      const [paused, ...others] = shuffled(machines, random);
      const kills = others.slice(0, machineCount / 2 - 1).map(async (machine) => {
        await sleep(random() * 1.5 * LEASE_MS);
        await machine.kill();
      });
      paused?.signal("SIGSTOP");
      await sleep(random() * 500);
      await troubles[round % troubles.length]?.();
      await sleep(LEASE_MS + random() * 500);
      paused?.signal("SIGCONT");
      await Promise.all(kills);
    }
    await Promise.all(machines.map((machine) => machine.kill()));
    expect(machines.map(({ errors }) => errors).join("")).toBe("");

    service.faults.clear();
    const survivor = createMailer({ ...options, store: postgresStore({ connectionString }) });
    onTestFinished(() => survivor.close());
    survivor.work();
    const left = async () => {
      const { queued, sending } = (await survivor.outbox.stats()).counts;
      return queued + sending;
    };
    await expect.poll(left, { timeout: 120_000 + rounds * 2_000, interval: 200 }).toBe(0);

    const sent = sentBySubject(service);
    expect([...sent].filter(([, times]) => times > 1)).toEqual([]);
    const messages: readonly OutboxMessage[] = await survivor.outbox.list({ limit: 1_000_000 });
    const stateOf = new Map(messages.map(({ key = "", state }) => [key, state]));
    expect(stateOf.size).toBe(messages.length);
    expect([...durable].filter((key) => !stateOf.has(key))).toEqual([]);
    expect([...stateOf].filter(([key, state]) => state === "accepted" && !sent.has(key))).toEqual([]);
    expect([...sent.keys()].filter((key) => !["accepted", "parked"].includes(stateOf.get(key) ?? ""))).toEqual([]);
  },
);

test("machines with one key stay within its limit, with turns for what is urgent", async () => {
  const service = await aService(true);
  const connectionString = postgres.url();
  const client = new Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("DROP SCHEMA IF EXISTS lettershop CASCADE");
  const options = { ...optionsFor(service, 10), connectionString };
  const durable = new Set<string>();
  const machines = [0, HOUR_MS, -HOUR_MS, 0].map((aheadMs) => new Machine({ ...options, aheadMs }, durable));
  await Promise.all(machines.map((machine) => machine.start()));
  await expect.poll(() => service.mail.list().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(8);
  await sleep(3_000);
  const { rows } = await client.query<{ n: string }>("SELECT count(*)::text AS n FROM lettershop.pace_slots");
  expect(Number(rows[0]?.n)).toBeLessThanOrEqual(10);
  expect(service.mail.list().length).toBeLessThanOrEqual(10);
  await Promise.all(machines.map((machine) => machine.kill()));
  const { rows: states } = await client.query<{ reason: string }>(
    "SELECT reason FROM lettershop.messages WHERE reason LIKE '%limit%'",
  );
  expect(states).toEqual([]);
});

test("a worker starts what another machine has queued at once", async () => {
  const service = await aService(false);
  const options = optionsFor(service, 12_000);
  const open = () => {
    const mailer = createMailer({ ...options, store: postgresStore({ connectionString: postgres.url() }) });
    onTestFinished(() => mailer.close());
    return mailer;
  };
  const [queueing, working] = [open(), open()];
  const worker = working.work();
  await worker.idle();
  const waits: number[] = [];
  for (let number = 0; number < 10; number += 1) {
    await sleep(50 + Math.random() * 100);
    const before = service.mail.list().length;
    await queueing.queueMessage({ to: "ada@example.com", subject: `at once ${number}`, text: "Hi" });
    const queuedAt = performance.now();
    while (service.mail.list().length === before) await sleep(2);
    waits.push(performance.now() - queuedAt);
  }
  // Polling alone would take half a second.
  expect(waits.toSorted((a, b) => a - b)[5]).toBeLessThan(300);
});
