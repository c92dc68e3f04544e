import { describe, expect, test } from "vitest";
import type { SyncEvent } from "../../../src/sync/events.js";
import { type Mishap, startGateway } from "./gateway.js";
import { content, local, machine, startLocalService, storedHashes, temporaryFolder, versions } from "./machine.js";
import { repeated } from "./traces.js";

const names = Array.from({ length: 60 }, (_, i) => `t${String(i).padStart(2, "0")}`);
const all = names.map((name) => local(name));
const changed = names.map((name) => local(name, content(`${name} new`)));

/** Only writes fail. */
const writes = (mishap: Mishap) => (method: string) => (method === "GET" ? undefined : mishap);

describe.each(process.env["MODE"] === "long" ? versions : versions.slice(0, 1))("over version %s", (version) => {
  async function start() {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    const options = { service: { ...service, url: gateway.url }, version, retries: 0 };
    return { service, gateway, ...(await machine(options)) };
  }

  test.each(["500", "503", "cut"] as const)(
    "makes few requests in an outage of writes from the beginning (%s), however many templates there are",
    async (mishap) => {
      const { gateway, sync } = await start();
      gateway.mishapOf = writes(mishap);
      const creating = await sync(all);
      expect(countOf(creating.outcomes)).toEqual({ failed: 3, notAttempted: 57 });
      const message = "The service has not accepted a write for 6 requests.";
      expect(creating.stopped).toMatchObject({ code: "outage", message });
      // The list, four tries with a lookup after each, and one try with a lookup for each of two more.
      expect(gateway.requests).toHaveLength(13);

      gateway.mishapOf = undefined;
      await sync(all);
      gateway.forget();
      gateway.mishapOf = writes(mishap);
      expect(countOf((await sync(changed)).outcomes)).toEqual({ failed: 3, notAttempted: 57 });
      // The plan takes the list and every body; applying reads the list, and each template before its first try.
      expect(gateway.requests.length - 61).toBeLessThanOrEqual(18);
    },
  );

  test("costs one try of what was in progress in an outage in the middle, and the next run continues", async () => {
    const { gateway, sync, client, service } = await start();
    let left = 20;
    gateway.mishapOf = (method) => (method === "GET" || (left -= 1) >= 0 ? undefined : "500");
    const { outcomes, stopped } = await sync(all);
    const { applied, failed = 0, notAttempted = 0 } = countOf(outcomes);
    // Three in a row end it; others of the six in progress may have failed by then.
    expect({ applied, others: failed + notAttempted }).toEqual({ applied: 20, others: 40 });
    expect(failed).toBeGreaterThanOrEqual(3);
    expect(failed).toBeLessThanOrEqual(6);
    expect(stopped).toMatchObject({ code: "outage" });
    // Apart from the list: six in progress, three more tries and two of others, each looked up, and the last check.
    expect(gateway.requests.length - 20).toBeLessThanOrEqual(30);
    gateway.mishapOf = undefined;
    const next = await sync(all);
    expect(next.plan.held).toEqual([]);
    expect(countOf(next.outcomes)).toEqual({ applied: 40 });
    expect([...(await storedHashes({ client }, service.domain)).keys()]).toEqual(names);
    expect(repeated(gateway.writes)).toEqual([]);
  });

  test.each([
    [1, "500"],
    [20, "cut"],
  ] as const)("survives an outage of a few seconds from write %i on", async (from, mishap) => {
    const { gateway, sync } = await start();
    let count = 0;
    let isOver = false;
    gateway.mishapOf = (method) => {
      if (method !== "GET") count += 1;
      return method !== "GET" && count >= from && !isOver ? mishap : undefined;
    };
    const wait = async (milliseconds: number) => {
      isOver ||= milliseconds === 4_000;
    };
    const { outcomes, stopped } = await sync(all, {}, { wait });
    expect(countOf(outcomes)).toEqual({ applied: 60 });
    expect(stopped).toBeUndefined();
    expect(repeated(gateway.writes)).toEqual([]);
  });

  test("waits for a service that is unreachable for a few seconds, in a create and an update", async () => {
    const data = await temporaryFolder();
    const service = await startLocalService({ data });
    const port = Number(new URL(service.url).port);
    const { sync, plan, apply } = await machine({ service, version, retries: 0 });
    await sync(all.slice(0, 1));
    const planned = await plan([...changed.slice(0, 1), ...all.slice(1, 2)]);
    await service.close();
    let waited = 0;
    const wait = async (milliseconds: number) => {
      waited += milliseconds;
      if (milliseconds >= 3_000) await startLocalService({ data, port });
    };
    const { outcomes } = await apply(planned, { wait, now: () => performance.now() + 3_000 });
    expect(countOf(outcomes)).toEqual({ applied: 2 });
    expect(waited).toBeLessThan(10_000);
  });

  test("does not stop other templates because of one that the service always fails", async () => {
    const { gateway, sync } = await start();
    gateway.mishapOf = (method, _path, body) => (method === "POST" && body.includes('"t07"') ? "500" : undefined);
    const { outcomes, stopped } = await sync(all);
    expect(countOf(outcomes)).toEqual({ applied: 59, failed: 1 });
    expect(stopped).toBeUndefined();
  });

  test("reports what was in progress as unknown after few requests if reads fail too", async () => {
    const { gateway, sync } = await start();
    let left = 20;
    gateway.mishapOf = (method) => ((left -= Number(method === "POST")) >= 0 ? undefined : "500 after");
    const { outcomes } = await sync(all);
    const { applied = 0, unknown = 0, notAttempted = 0 } = countOf(outcomes);
    expect(applied + unknown + notAttempted).toBe(60);
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(6);
    // The list, the writes, the first lookup with its retries, and the last one with its retries.
    expect(gateway.requests.length).toBeLessThanOrEqual(1 + 26 + 4 + 4);
    gateway.mishapOf = undefined;
    const next = await sync(all);
    expect(next.plan.held).toEqual([]);
    expect(countOf(next.outcomes)).toEqual({ applied: notAttempted });
  });

  test("ends a run of updates in an outage of reads", async () => {
    const { gateway, sync, plan, apply } = await start();
    await sync(all);
    const planned = await plan(changed);
    gateway.forget();
    gateway.mishapOf = (method) => (method === "GET" ? "500" : undefined);
    const { outcomes, stopped } = await apply(planned, { now: () => performance.now() + 3_000 });
    expect(countOf(outcomes)).toEqual({ failed: 3, notAttempted: 57 });
    expect(stopped).toMatchObject({ message: "The service could not be read for 3 templates in a row." });
    expect(gateway.requests).toHaveLength(12);
  });

  test("treats an endless rate limit as an outage", async () => {
    const { gateway, sync } = await start();
    gateway.mishapOf = writes("429");
    const { outcomes, stopped } = await sync(all);
    expect(countOf(outcomes)).toEqual({ failed: 3, notAttempted: 57 });
    expect(stopped).toMatchObject({ code: "outage" });
    expect(gateway.requests).toHaveLength(1 + 3 * 6);
  });

  test("waits as long as the service says, and announces it", async () => {
    const { gateway, sync } = await start();
    gateway.mishaps = [undefined, "503"];
    const waits: number[] = [];
    const events: SyncEvent[] = [];
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    const { outcomes } = await sync([local("t00")], {}, { wait, onEvent: (event) => events.push(event) });
    expect(countOf(outcomes)).toEqual({ applied: 1 });
    expect(waits).toContain(9_000);
    expect(events).toContainEqual(expect.objectContaining({ kind: "waiting", seconds: 9 }));
  });

  test("ends the wait for a service that is down at a signal, and looks the write up", async () => {
    const { gateway, sync } = await start();
    const controller = new AbortController();
    gateway.mishapOf = writes("500");
    const wait = async (_milliseconds: number, signal?: AbortSignal) => {
      controller.abort();
      signal?.throwIfAborted();
    };
    const { outcomes } = await sync(all, {}, { wait, signal: controller.signal });
    expect(countOf(outcomes)).toEqual({ notAttempted: 60 });
    expect(gateway.requests).toHaveLength(3);
  });
});

function countOf(outcomes: readonly { readonly result: string }[]): Partial<Record<string, number>> {
  const counts: Partial<Record<string, number>> = {};
  for (const { result } of outcomes) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
