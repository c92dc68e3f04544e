import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/send/clock.js";
import { createCourier } from "../../../src/send/delivery/courier.js";
import type { Parcel } from "../../../src/send/parcel.js";
import { createMemoryPace } from "../../../src/send/store/memory.js";
import { createPace } from "../../../src/send/pace/pace.js";
import { openMailStore } from "../../../src/send/store/sqlite.js";
import { type RunningService, startService } from "../../../src/service/index.js";
import { DOMAIN, newEmail, newParcel } from "./harness.js";
import { removeFolder } from "../../remove-folder.js";

const { deliverAll } = await import(new URL("./deliver-all.mjs", import.meta.url).href);
const script = fileURLToPath(new URL("./deliver-process.mjs", import.meta.url));

async function open() {
  const service = await startService({
    data: ":memory:",
    port: 0,
    limits: false,
    seed: { accounts: [{ apiKey: "local", domains: [{ name: DOMAIN }] }] },
  });
  const folder = mkdtempSync(join(tmpdir(), "delivery-"));
  onTestFinished(async () => {
    await service.close();
    await removeFolder(folder);
  });
  return { service, file: join(folder, "mail.db") };
}

interface Line {
  readonly id: string;
  readonly attempt?: boolean;
  readonly messageId?: string;
  readonly code?: string;
}

interface Run {
  readonly child: ChildProcess;
  readonly lines: Line[];
  /** Resolves with the first attempt. */
  readonly began: Promise<unknown>;
  readonly done: Promise<unknown>;
}

function deliverApart(service: RunningService, file: string, parcels: readonly Parcel[], logDelayMs = 1000): Run {
  const task = JSON.stringify({ url: service.url, domain: DOMAIN, file, parcels, logDelayMs });
  const child = spawn(process.execPath, [script, task], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: Line[] = [];
  const output = createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  return { child, lines, began: once(output, "line"), done: once(child, "close") };
}

// Not both at once: after one that did not arrive, nobody can say which an identical message belongs to.
test.each([
  { when: "after", cuts: 4, unknown: 0 },
  { when: "before", cuts: 2, unknown: 2 },
] as const)(
  "never has identical messages in progress in two processes, and matches each to one, cut $when",
  async (lost) => {
    const { service, file } = await open();
    for (let index = 0; index < lost.cuts; index += 1) {
      service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 30 });
      service.faults.add({ kind: "cut", endpoint: "emails.send", when: lost.when });
    }
    const parcels = (process: string) =>
      ["One", "Two", "Two", "Three"].map((text, index) =>
        newParcel({ id: `${process}-${index}`, email: newEmail({ text, subject: text }) }),
      );
    const apart = deliverApart(service, file, parcels("a"), 300);
    await apart.began;
    const lines: Line[] = [];
    const { url } = service;
    const task = { url, domain: DOMAIN, file, parcels: parcels("b"), logDelayMs: 300 };
    await Promise.all([apart.done, deliverAll(task, (line: Line) => lines.push(line))]);
    const results = [...apart.lines, ...lines].filter(({ attempt }) => attempt === undefined);
    expect(results).toHaveLength(8);
    const accepted = results.flatMap(({ messageId }) => messageId ?? []);
    expect(new Set(accepted).size).toBe(accepted.length);
    const others = results.filter(({ messageId }) => messageId === undefined);
    expect(others.map(({ code }) => code)).toEqual(Array.from({ length: lost.unknown }, () => "unknown_outcome"));
    const mails = service.mail.list().map(({ messageId }) => messageId);
    expect(mails.toSorted()).toEqual(accepted.toSorted());
  },
);

/** A later process, when the killed ones are known to be gone. */
async function openLater(service: RunningService, file: string) {
  const clock = { ...systemClock, now: () => systemClock.now() + 120_000, time: () => systemClock.time() + 120_000 };
  const store = await openMailStore(file, clock);
  const publish = () => undefined;
  const sendsPerMinute = 100_000;
  const pace = createPace({ account: "test", store: createMemoryPace(clock), sendsPerMinute, clock, publish });
  const facts = { url: service.url, apiKey: "local", version: "v4", domain: DOMAIN } as const;
  const courier = createCourier({
    ...facts,
    sendsPerMinute,
    ledger: store.ledger,
    pace,
    clock,
    publish,
    timeoutMs: 30_000,
    logDelayMs: 0,
  });
  onTestFinished(async () => {
    await courier.close();
    await pace.close();
    await store.close();
  });
  return courier;
}

async function killWhileSending(service: RunningService, file: string, parcel: Parcel): Promise<void> {
  service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 2_000 });
  const { child, done } = deliverApart(service, file, [parcel]);
  // The failure of a request must not remain after the request.
  while (service.faults.list().length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGKILL");
  await done;
}

async function arrived(service: RunningService, count: number): Promise<void> {
  while (service.mail.list().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("finds what a killed process was sending, sends it once, and does not block others", async () => {
  const { service, file } = await open();
  const killed = newParcel({ id: "killed" });
  await killWhileSending(service, file, killed);
  await arrived(service, 1);
  const courier = await openLater(service, file);
  const closing = new AbortController().signal;
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
  const sent = await courier.deliver(newParcel(), { closing, maxWait: 5000 });
  const [second, first] = service.mail.list();
  expect(sent.messageId).toBe(second?.messageId);
  const found = await courier.reconcile(killed, { closing });
  expect(found).toMatchObject({ messageId: first?.messageId });
  expect(await courier.deliver(killed, { closing, maxWait: 1000 })).toEqual(found);
  expect(await courier.reconcile(newParcel(), { closing })).toBe("never sent");
  expect(service.mail.list()).toHaveLength(2);
});
