import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createMailer, SendError } from "../../../src/send/index.js";
import type { RunningService } from "../../../src/service/start.js";
import { temporaryFile } from "./open.js";
import { aService } from "./route.js";

const script = fileURLToPath(new URL("send-with-keys.mjs", import.meta.url));
const kills = process.env["MODE"] === "long" ? 300 : 2;
const TOGETHER = 3;

/** The faults of a service that loses answers, before or after a send takes effect. */
const faults = [
  { kind: "cut", when: "after" },
  { kind: "cut", when: "before" },
  { kind: "malformed" },
  { kind: "refuse", status: 500 },
  { kind: "refuse", status: 403 },
  { kind: "delay", milliseconds: 300 },
] as const;

/** The errors that mean that nothing was sent. */
const NOTHING_LEFT = new Set(["aborted", "rate_limited", "unreachable", "expired", "rejected", "store"]);

type Results = Map<string, string[]>;

function startApplication(options: object, results: Results, { works, name }: { works: boolean; name: string }) {
  const child = spawn(process.execPath, [script, JSON.stringify(options), name, works ? "works" : ""], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const lines = createInterface(child.stdout);
  const ready = once(lines, "line");
  let ended = 0;
  lines.on("line", (line) => {
    const [key = "", result = ""] = line.split(" ");
    if (key === "ready") return;
    ended += 1;
    results.set(key, [...(results.get(key) ?? []), result]);
  });
  return {
    ready,
    /** Resolves when this many calls have ended. */
    ended: (calls: number) =>
      new Promise<void>((resolve) => {
        lines.on("line", () => ended >= calls && resolve());
      }),
    errors: () => errors,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** The Message-IDs of what was sent, by subject. */
function sentBySubject(service: RunningService): Map<string, string[]> {
  const sent = new Map<string, string[]>();
  for (let seq = 0, page = service.mail.after(seq); page.length > 0; page = service.mail.after(seq)) {
    for (const { subject, messageId } of page) sent.set(subject, [...(sent.get(subject) ?? []), messageId]);
    seq = page.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  }
  return sent;
}

test(
  "sends nothing twice, and nothing that was given up, when processes are killed while they send with keys",
  { timeout: kills * 10_000 + 120_000 },
  async () => {
    const service = await aService();
    const { url, apiKey, domain } = service;
    const options = {
      url,
      apiKey,
      domain,
      from: "shop",
      store: temporaryFile(),
      sendsPerMinute: 12_000,
      timeoutMs: 1_000,
      reconcile: { logDelayMs: 200 },
      outbox: { lease: 1_000 },
    };
    const results: Results = new Map();
    const trouble: string[] = [];
    let started = 0;
    const crash = async (): Promise<void> => {
      while (started < kills) {
        started += 1;
        const name = String(started);
        const application = startApplication(options, results, { name, works: started % 2 === 0 });
        await application.ready;
        for (const number of [3 * started, 3 * started + 1, 3 * started + 2]) {
          const fault = faults[number % faults.length];
          if (fault) service.faults.add({ ...fault, endpoint: "emails.send" });
        }
        // A busy machine is slow: the process is killed after a while, but not before it has done something.
        await Promise.race([application.ended(1 + Math.random() * 15), sleep(10_000)]);
        await sleep(Math.random() * 500);
        await application.kill();
        trouble.push(application.errors());
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, crash));
    expect(trouble.join("")).toBe("");

    service.faults.clear();
    const survivor = createMailer({ ...options, timeoutMs: 5_000 });
    onTestFinished(() => survivor.close());
    const keys = [...results.keys()].filter((key) => key.startsWith("shared"));
    const again = async (key: string): Promise<void> => {
      for (;;) {
        const message = { to: "ada@example.com", subject: key, text: key, key };
        const sent = await survivor.sendMessage({ ...message, maxWait: 2_000 }).catch((error: unknown) => error);
        const code = sent instanceof SendError ? sent.code : "";
        results.get(key)?.push(sent instanceof Error ? code : (sent as { messageId: string }).messageId);
        if (code !== "in_doubt") return;
      }
    };
    await Promise.all(keys.map(again));
    survivor.work();
    const underWay = async () => {
      const { queued, sending } = (await survivor.outbox.stats()).counts;
      return queued + sending;
    };
    await expect.poll(underWay, { timeout: 60_000, interval: 100 }).toBe(0);

    const sent = sentBySubject(service);
    expect([...sent].filter(([, mails]) => mails.length > 1)).toEqual([]);
    const accepted = [...results].flatMap(([key, all]) =>
      all.filter((result) => result.includes("@")).map((id) => [key, id]),
    );
    expect(accepted.filter(([key = "", id]) => sent.get(key)?.[0] !== id)).toEqual([]);
    expect(accepted.length).toBeGreaterThan(0);
    // What was tried once and given up has not been sent, not even by a worker later.
    const givenUp = [...results].filter(
      ([key, all]) => key.startsWith("own") && all.every((code) => NOTHING_LEFT.has(code)),
    );
    expect(givenUp.length).toBeGreaterThan(0);
    expect(givenUp.filter(([key]) => sent.has(key))).toEqual([]);
    // Every job that was tried until the end is sent, or its outcome is unknown.
    const last = keys.map((key) => [key, results.get(key)?.at(-1) ?? ""] as const);
    expect(last.filter(([key, result]) => result !== sent.get(key)?.[0] && result !== "unknown_outcome")).toEqual([]);
    const stateOf = new Map(
      (await survivor.outbox.list({ limit: 1_000_000 })).map(({ key = "", state }) => [key, state]),
    );
    expect([...sent.keys()].filter((key) => !["accepted", "parked"].includes(stateOf.get(key) ?? ""))).toEqual([]);
    expect([...stateOf].filter(([key, state]) => state === "accepted" && !sent.has(key))).toEqual([]);
  },
);
