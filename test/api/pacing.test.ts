import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { ClientOptions } from "../../src/api/calls/caller.js";
import type { Client } from "../../src/api/client.js";
import { frozenClock, startService } from "../../src/service/index.js";
import { IdleClock } from "./idle-clock.js";
import { answerJson, clientOf, rejection, serve } from "./servers.js";

const START = Date.parse("2026-11-20T10:00:00Z");

/** How a service counts: given the times of what it accepted before, whether it accepts one more, and its headers. */
type Window = (
  counted: readonly number[],
  now: number,
  limit: number,
) => { readonly used: number; readonly resetAt: number };

const sliding: Window = (counted, now) => {
  const inWindow = counted.filter((time) => now - time < 60_000);
  return { used: inWindow.length, resetAt: (inWindow[0] ?? now) + 60_000 };
};

const fixed: Window = (counted, now) => {
  const start = Math.floor(now / 60_000) * 60_000;
  return { used: counted.filter((time) => time >= start).length, resetAt: start + 60_000 };
};

interface Service {
  readonly url: string;
  readonly clock: IdleClock;
  /** Statuses of all answers. */
  readonly statuses: number[];
  /** When each was accepted, as the service counts. */
  readonly counted: Map<string, number[]>;
  /** Requests in progress, by the clients. */
  readonly underWay: Set<number>;
}

async function serveLimited(
  window: Window,
  limit: number,
  { round = Math.ceil, latency = 0 }: { round?: (seconds: number) => number; latency?: number } = {},
): Promise<Service> {
  let now = START + 31_234;
  const underWay = new Set<number>();
  const statuses: number[] = [];
  const counted = new Map<string, number[]>();
  const { url } = await serve(({ method, url: target }, response) => {
    const key = `${method} ${target.replace(/\/(domains|templates)\/[^/?]+/g, "/$1/:")}`;
    const times = counted.get(key) ?? [];
    counted.set(key, times);
    const allowed = window(times, now, limit).used < limit;
    if (allowed) times.push(now);
    const { used, resetAt } = window(times, now, limit);
    const headers = {
      date: new Date(now).toUTCString(),
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(limit - used),
      "x-ratelimit-reset": String(round(resetAt / 1000)),
    };
    const answer = () => {
      statuses.push(allowed ? 200 : 429);
      if (allowed) answerJson(response, 200, { total: 1 }, headers);
      else
        answerJson(
          response,
          429,
          { message: "Too many requests", errors: {} },
          { ...headers, "retry-after": String(Math.ceil((resetAt - now) / 1000)) },
        );
    };
    if (latency === 0) answer();
    else setTimeout(answer, Math.random() * latency);
  });
  const clock = new IdleClock(
    () => underWay.size > 0,
    (milliseconds) => (now += milliseconds),
  );
  return { url, clock, statuses, counted, underWay };
}

let clients = 0;

function paced({ url, clock, underWay }: Service, options: Partial<Omit<ClientOptions, "version">> = {}): Client {
  clients += 1;
  const first = clients * 1e6;
  return clientOf(url, {
    clock,
    onRequest: ({ call }) => underWay.add(first + call),
    onResponse: ({ call }) => underWay.delete(first + call),
    ...options,
  });
}

test.each([
  ["sliding", sliding, Math.ceil, 0],
  ["sliding, with answers out of order", sliding, Math.ceil, 6],
  ["fixed", fixed, Math.ceil, 0],
  ["fixed, with answers out of order and times rounded down", fixed, Math.floor, 6],
] as const)("needs no 429 for hundreds of calls on a free account: window %s", async (_, window, round, latency) => {
  const service = await serveLimited(window, 30, { round, latency });
  const client = paced(service);
  const calls = Array.from({ length: 200 }, () => client.logs.count("example.com"));
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 200 }, () => 1));
  expect(service.statuses.filter((status) => status === 429)).toEqual([]);
  // 200 calls at 30 a minute take six windows after the first, and not much more.
  expect(service.clock.now()).toBeLessThan(8 * 61_500);
});

test("keeps to the limit for consecutive calls, and makes them at once while it can", async () => {
  const service = await serveLimited(sliding, 30);
  const client = paced(service);
  for (let call = 0; call < 30; call += 1) await client.logs.count("example.com");
  expect(service.clock.now()).toBe(0);
  for (let call = 0; call < 40; call += 1) await client.logs.count("example.com");
  expect(service.statuses).not.toContain(429);
});

test("learns a limit that others also use from each answer", async () => {
  const service = await serveLimited(sliding, 30);
  const [one, two] = [paced(service), paced(service)];
  for (let call = 0; call < 20; call += 1) await one.logs.count("example.com");
  await Promise.all(Array.from({ length: 40 }, () => two.logs.count("example.com")));
  expect(service.statuses).not.toContain(429);
});

test("paces each endpoint separately, whatever the path's parameters are", async () => {
  const service = await serveLimited(sliding, 30);
  const client = paced(service);
  const calls = Array.from({ length: 60 }, (_, i) => [
    client.logs.count(`d${i}.example.com`),
    rejection(client.templates.get(`d${i}.example.com`, "receipt")),
  ]);
  await Promise.all(calls.flat());
  expect(service.statuses).not.toContain(429);
  expect([...service.counted.keys()]).toHaveLength(2);
});

test("is never refused, whatever the limit, the window and the number of calls are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(sliding, fixed),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }),
      async (window, limit, bursts) => {
        const service = await serveLimited(window, limit, { latency: 2 });
        const client = paced(service);
        for (const burst of bursts)
          await Promise.all(Array.from({ length: burst }, () => client.logs.count("example.com")));
        expect(service.statuses).not.toContain(429);
        await client.close();
      },
    ),
    { numRuns: 8 },
  );
});

test("paces calls that were refused together, and all succeed", async () => {
  const service = await serveLimited(sliding, 30);
  // It does not know what others do between its calls.
  const client = paced(service, { timeoutMs: 120_000 });
  const other = paced(service);
  await client.logs.count("example.com");
  for (let call = 0; call < 29; call += 1) await other.logs.count("example.com");
  await Promise.all(Array.from({ length: 20 }, () => client.logs.count("example.com")));
  expect(service.statuses.filter((status) => status === 429)).toHaveLength(20);
});

test("prefers a refusal's Retry-After to the window's end, and announces a wait to the first waiting call", async () => {
  let now = START;
  let requests = 0;
  const underWay = new Set<number>();
  const { url } = await serve((_, response) => {
    requests += 1;
    const headers = {
      date: new Date(now).toUTCString(),
      "x-ratelimit-limit": "30",
      "x-ratelimit-remaining": "20",
      "x-ratelimit-reset": String(now / 1000 + 50),
    };
    if (requests === 2) answerJson(response, 429, { message: "Slow", errors: {} }, { ...headers, "retry-after": "7" });
    else answerJson(response, 200, { total: 1 }, headers);
  });
  const clock = new IdleClock(
    () => underWay.size > 0,
    (milliseconds) => (now += milliseconds),
  );
  const client = clientOf(url, {
    clock,
    retries: 0,
    onRequest: ({ call }) => underWay.add(call),
    onResponse: ({ call }) => underWay.delete(call),
  });
  const waits: number[] = [];
  const count = () => client.logs.count("example.com", {}, { onWait: (milliseconds) => waits.push(milliseconds) });
  await count();
  expect(await rejection(count())).toMatchObject({ status: 429 });
  expect(await Promise.all([count(), count()])).toEqual([1, 1]);
  expect(clock.now()).toBe(7000);
  expect(waits).toEqual([7000]);
});

test("calls a service without limits without waiting", async () => {
  const held: (() => void)[] = [];
  const { url, seen } = await serve((_, response) => {
    const answer = () => answerJson(response, 200, { total: 1 });
    if (seen.length === 1) answer();
    else held.push(answer);
  });
  const client = clientOf(url);
  await client.logs.count("example.com");
  const calls = Array.from({ length: 50 }, () => client.logs.count("example.com"));
  await expect.poll(() => held.length).toBe(50);
  for (const answer of held) answer();
  await Promise.all(calls);
});

test("does not delay others if the first answer takes long", async () => {
  const held: (() => void)[] = [];
  const { url } = await serve((_, response) => held.push(() => answerJson(response, 200, { total: 1 })));
  const client = clientOf(url);
  const calls = Array.from({ length: 5 }, () => client.logs.count("example.com"));
  await expect.poll(() => held.length).toBe(5);
  for (const answer of held) answer();
  await Promise.all(calls);
});

test("can be aborted while waiting, has its full timeout afterwards, and fails when the client closes", async () => {
  const service = await serveLimited(sliding, 1);
  const client = paced(service, { timeoutMs: 5000 });
  await client.logs.count("example.com");
  const controller = new AbortController();
  const aborted = rejection(client.logs.count("example.com", {}, { signal: controller.signal }));
  const waiting = client.logs.count("example.com");
  controller.abort(new Error("enough"));
  expect(await aborted).toMatchObject({ code: "aborted", requestSent: false, cause: { message: "enough" } });
  expect(await waiting).toBe(1);
  expect(service.clock.now()).toBeGreaterThan(58_000);

  const left = rejection(client.logs.count("example.com"));
  await client.close();
  expect(await left).toMatchObject({ code: "unreachable", requestSent: false });
});

test("makes every call at once without pacing", async () => {
  const service = await serveLimited(sliding, 3);
  const client = paced(service, { pacing: false, retries: 0 });
  await Promise.allSettled(Array.from({ length: 9 }, () => client.logs.count("example.com")));
  expect(service.statuses.filter((status) => status === 429)).toHaveLength(6);
});

test("makes hundreds of calls to the local service, with a free account and its own clock, without a 429", async () => {
  const clock = frozenClock(START);
  const service = await startService({ data: ":memory:", port: 0, clock, seed: { plan: "free" } });
  onTestFinished(() => service.close());
  const underWay = new Set<number>();
  const statuses: (number | undefined)[] = [];
  const client = clientOf(service.url, {
    apiKey: service.apiKey,
    clock: new IdleClock(
      () => underWay.size > 0,
      (milliseconds) => clock.advance(milliseconds),
    ),
    onRequest: ({ call }) => underWay.add(call),
    onResponse({ call, status }) {
      underWay.delete(call);
      statuses.push(status);
    },
  });
  await Promise.all(
    Array.from({ length: 150 }, () => [client.account.get(), client.domains.get(service.domain)]).flat(),
  );
  expect(statuses).toEqual(Array.from({ length: 300 }, () => 200));
});
