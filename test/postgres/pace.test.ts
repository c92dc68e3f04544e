import * as fc from "fast-check";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../src/postgres/store.js";
import { systemClock } from "../../src/send/clock.js";
import { createMemoryPace } from "../../src/send/store/memory.js";
import type { PaceAccount, PaceStore, PaceTicket, SlotEnd } from "../../src/send/store/pace.js";
import { createDatabase } from "./database.js";
import { PostgresProxy } from "./proxy.js";

const database = await createDatabase();
const MINUTE = 60_000;

let last = 0;

/** An account of its own. */
const accountOf = (limit: number, windowMs = MINUTE): PaceAccount => ({ account: `a${(last += 1)}`, limit, windowMs });

const ticket = (differences: Partial<PaceTicket> = {}): PaceTicket => ({
  id: `ticket's \\ $1 lettershop ${(last += 1)}`,
  owner: "owner",
  priority: "high",
  first: false,
  ...differences,
});

/** The pace as another machine has it. */
function openPace(connectionString = database) {
  const store = openPostgres({ connectionString });
  onTestFinished(() => store.close());
  return store.pace;
}

async function startProxy(): Promise<PostgresProxy> {
  const proxy = await PostgresProxy.start(database);
  onTestFinished(() => proxy.close());
  return proxy;
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("has one slot for a ticket that asks again", async () => {
  const [pace, account, asking] = [openPace(), accountOf(1), ticket()];
  const granted = { granted: true, slot: asking.id };
  expect(await pace.reserve(account, asking, MINUTE)).toEqual(granted);
  expect(await pace.reserve(account, asking, MINUTE)).toEqual(granted);
  expect(await pace.reserve(account, ticket(), MINUTE)).toMatchObject({ granted: false });
  expect(await pace.state(account)).toMatchObject({ taken: 1, waiting: { high: 1 } });
});

test("grants no more slots than there are to many machines that ask for the first time", async () => {
  const machines = Array.from({ length: 5 }, () => openPace());
  await Promise.all(machines.map((pace) => pace.state(accountOf(1))));
  for (let round = 0; round < 30; round += 1) {
    const account = accountOf(3);
    const asked = machines.flatMap((pace) => [1, 2, 3].map(() => pace.reserve(account, ticket(), MINUTE)));
    const granted = (await Promise.all(asked)).filter((answer) => answer.granted);
    expect(granted).toHaveLength(3);
  }
});

test("makes a step once, although its answer is lost", async () => {
  const proxy = await startProxy();
  const [pace, account, asking] = [openPace(proxy.url), accountOf(2), ticket()];
  await pace.state(account);
  const loseNext = () => {
    let lost = false;
    proxy.decide = (packet) => {
      if (lost || !packet.includes("; COMMIT")) return "pass";
      lost = true;
      return "lose answer";
    };
    return () => expect(lost).toBe(true);
  };
  // The first step adds the account.
  await pace.hold(account, 1);
  await sleep(5);
  let verify = loseNext();
  expect(await pace.reserve(account, asking, MINUTE)).toEqual({ granted: true, slot: asking.id });
  verify();
  expect((await pace.state(account)).taken).toBe(1);
  verify = loseNext();
  await pace.settle(account, asking.id, { how: "unused" });
  verify();
  expect((await pace.state(account)).taken).toBe(0);
});

test("gives back the slot of a ticket that leaves without knowing of it", async () => {
  const [pace, account, asking] = [openPace(), accountOf(1), ticket()];
  await pace.reserve(account, asking, MINUTE);
  await pace.leave(account, asking.id);
  expect(await pace.reserve(account, ticket(), MINUTE)).toMatchObject({ granted: true });
});

test("does not wait for a process that is suspended in a step", async () => {
  const proxy = await startProxy();
  const [suspended, other, account] = [openPace(proxy.url), openPace(), accountOf(2)];
  await other.reserve(account, ticket(), MINUTE);
  await suspended.state(account);
  let holds = 0;
  proxy.decide = (packet) => {
    if (holds > 0 || !packet.includes("; COMMIT")) return "pass";
    holds += 1;
    return "hold";
  };
  const asking = ticket();
  const reserved = suspended.reserve(account, asking, MINUTE);
  await expect.poll(() => holds).toBe(1);
  const began = performance.now();
  await other.hold(account, 1);
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(await reserved).toEqual({ granted: true, slot: asking.id });
  expect((await other.state(account)).taken).toBe(2);
});

test("goes on if the database's clock is set back by an hour", async () => {
  const WINDOW = 300;
  const [pace, account, asking] = [openPace(), accountOf(1, WINDOW), ticket()];
  const first = ticket();
  await pace.reserve(account, first, MINUTE);
  await pace.settle(account, first.id, { how: "answered" });
  const began = performance.now();
  expect(await pace.reserve(account, asking, MINUTE)).toMatchObject({ granted: false });
  const client = await connect();
  // What was stored is an hour ahead of the clock now.
  const values = [account.account];
  await client.query("UPDATE lettershop.pace_accounts SET latest = latest + 3600000 WHERE account = $1", values);
  await client.query("UPDATE lettershop.pace_slots SET free_at = free_at + 3600000 WHERE account = $1", values);
  await client.query(
    "UPDATE lettershop.pace_owners SET alive_until = alive_until + 3600000 WHERE account = $1",
    values,
  );
  for (;;) {
    const { taken } = await pace.state(account);
    const answer = await pace.reserve(account, asking, MINUTE);
    if (answer.granted) break;
    expect(taken).toBe(1);
    expect(performance.now() - began).toBeLessThan(100 * WINDOW);
    await sleep(10);
  }
  expect(performance.now() - began).toBeGreaterThanOrEqual(WINDOW - 2);
});

test("reads the state where nothing can be written", async () => {
  const [pace, account] = [openPace(), accountOf(2)];
  await pace.reserve(account, ticket(), MINUTE);
  await pace.reserve(account, ticket(), 1);
  await sleep(5);
  const reader = openPace(`${database}?options=-c%20default_transaction_read_only%3Don`);
  expect(await reader.state(account)).toMatchObject({ taken: 1, waiting: { high: 0, normal: 0 } });
  expect(await reader.state(accountOf(2))).toMatchObject({ taken: 0, expectedInMs: { high: 0, normal: 0 } });
});

test("forgets tickets of a dead owner, although the owner comes back", async () => {
  const [pace, account, client] = [openPace(), accountOf(1), await connect()];
  const [slot, lost, next] = [ticket(), ticket(), ticket()];
  await pace.reserve(account, slot, MINUTE);
  await pace.reserve(account, lost, MINUTE);
  await client.query("UPDATE lettershop.pace_owners SET alive_until = 0 WHERE account = $1", [account.account]);
  expect(await pace.reserve(account, next, MINUTE)).toMatchObject({ granted: false });
  expect((await pace.state(account)).waiting.high).toBe(1);
  await pace.settle(account, slot.id, { how: "unused" });
  expect(await pace.reserve(account, next, MINUTE)).toMatchObject({ granted: true });
});

test("takes as little with a high limit as with a low one", async () => {
  const [pace, account, client] = [openPace(), accountOf(6000), await connect()];
  await pace.reserve(account, ticket(), 1);
  await client.query(
    `INSERT INTO lettershop.pace_slots
      SELECT $1, 'slot-' || n, 'owner', 1000 * extract(epoch FROM clock_timestamp()) + 60000 + n, n > 4000
      FROM generate_series(1, 5995) AS n`,
    [account.account],
  );
  expect((await pace.state(account)).taken).toBe(5995);
  await pace.settle(account, "slot-5995", { how: "unused" });
  await pace.settle(account, "slot-1", { how: "lost" });
  expect((await pace.state(account)).taken).toBe(5994);
  const answers = [];
  for (let number = 0; number < 7; number += 1) answers.push(await pace.reserve(account, ticket(), MINUTE));
  expect(answers.map(({ granted }) => granted)).toEqual([true, true, true, true, true, true, false]);
});

test("does not wait for the lock of an account without a limit", async () => {
  const [pace, account, client] = [openPace(), accountOf(Infinity), await connect()];
  await pace.hold(account, 1);
  await sleep(5);
  await client.query("BEGIN");
  await client.query("SELECT FROM lettershop.pace_accounts WHERE account = $1 FOR UPDATE", [account.account]);
  const asking = ticket();
  expect(await pace.reserve(account, asking, MINUTE)).toEqual({ granted: true, slot: asking.id });
  await pace.settle(account, asking.id, { how: "answered", status: 200 });
  await client.query("COMMIT");
  await pace.hold(account, 10 * MINUTE);
  expect(await pace.reserve(account, ticket(), MINUTE)).toMatchObject({ granted: false });
});

const ends: readonly SlotEnd[] = [
  { how: "answered", status: 200 },
  { how: "answered", status: 200, rateLimit: { limit: 6, remaining: 3 } },
  { how: "answered", status: 429, rateLimit: { limit: 9, remaining: 0 } },
  { how: "lost" },
  { how: "unused" },
];

const calls = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        call: fc.constant("enter" as const),
        urgent: fc.boolean(),
        again: fc.boolean(),
        owner: fc.nat(2),
      }),
    },
    { weight: 3, arbitrary: fc.record({ call: fc.constant("ask" as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ call: fc.constant("leave" as const), which: fc.nat() }) },
    {
      weight: 3,
      arbitrary: fc.record({ call: fc.constant("settle" as const), which: fc.nat(), how: fc.constantFrom(...ends) }),
    },
    { weight: 1, arbitrary: fc.record({ call: fc.constant("hold" as const), forMs: fc.nat(2 * MINUTE) }) },
    { weight: 3, arbitrary: fc.record({ call: fc.constant("wait" as const), forMs: fc.nat(MINUTE) }) },
  ),
  { maxLength: 60, size: "max" },
);
type Call = typeof calls extends fc.Arbitrary<readonly (infer Value)[]> ? Value : never;

/** Makes the calls, and returns all results. */
async function resultsOf(
  pace: PaceStore,
  account: PaceAccount,
  all: readonly Call[],
  wait: (milliseconds: number) => Promise<void>,
): Promise<unknown[]> {
  const results: unknown[] = [];
  const waiting: PaceTicket[] = [];
  const granted: string[] = [];
  async function ask(asking: PaceTicket): Promise<void> {
    const answer = await pace.reserve(account, asking, 2 * MINUTE);
    const position = waiting.findIndex(({ id }) => id === asking.id);
    if (position !== -1) waiting.splice(position, 1);
    if (answer.granted) granted.push(answer.slot);
    else waiting.push({ ...asking, place: answer.place });
    results.push(answer.granted ? answer : { place: answer.place, expected: answer.expectedInMs });
  }
  for (const [number, each] of all.entries()) {
    if (each.call === "enter") {
      const priority = each.urgent ? "high" : "normal";
      await ask({ id: `t${number}`, owner: `o${each.owner}`, priority, first: each.again });
    } else if (each.call === "hold") await pace.hold(account, each.forMs);
    else if (each.call === "wait") await wait(each.forMs);
    else if (each.call === "settle") {
      const [slot] = granted.splice(each.which % Math.max(1, granted.length), 1);
      if (slot !== undefined) results.push(await pace.settle(account, slot, each.how));
    } else {
      const chosen = waiting[each.which % Math.max(1, waiting.length)];
      if (chosen === undefined) continue;
      if (each.call === "ask") await ask(chosen);
      else {
        await pace.leave(account, chosen.id);
        waiting.splice(waiting.indexOf(chosen), 1);
      }
    }
    results.push(await pace.state(account));
  }
  return results;
}

test("decides like the store in memory", async () => {
  const client = await connect();
  const START = 1_800_000_000_000;
  // Both have the same time. In memory, owners never die.
  await client.query(`
    CREATE SCHEMA stopped;
    CREATE TABLE stopped.clock AS SELECT ${START}::float8 AS ms;
    CREATE FUNCTION stopped.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
      'SELECT to_timestamp(ms / 1000) FROM stopped.clock';`);
  const pace = openPace(`${database}?options=-c%20search_path%3Dstopped,pg_catalog`);
  await pace.state(accountOf(1));
  await client.query(`
    CREATE FUNCTION stopped.immortal() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN NEW.alive_until = 1e18; RETURN NEW; END';
    CREATE TRIGGER immortal BEFORE INSERT OR UPDATE ON lettershop.pace_owners
      FOR EACH ROW EXECUTE FUNCTION stopped.immortal()`);
  onTestFinished(async () => {
    await client.query("DROP SCHEMA stopped CASCADE");
  });
  const runs = fc.asyncProperty(fc.constantFrom(1, 2, 5, 10, 30, Infinity), calls, async (limit, all) => {
    const account = accountOf(limit);
    await client.query("UPDATE stopped.clock SET ms = $1", [START]);
    const stored = await resultsOf(pace, account, all, async (milliseconds) => {
      await client.query("UPDATE stopped.clock SET ms = ms + $1", [milliseconds]);
    });
    let now = START;
    const memory = createMemoryPace({ ...systemClock, now: () => now });
    const expected = await resultsOf(memory, account, all, async (milliseconds) => {
      now += milliseconds;
    });
    expect(stored).toEqual(expected);
  });
  const outlivesItsSlot: readonly Call[] = [
    { call: "enter", urgent: false, again: false, owner: 0 },
    { call: "wait", forMs: 2 * MINUTE },
    { call: "settle", which: 0, how: { how: "lost" } },
  ];
  await fc.assert(runs, {
    numRuns: process.env["MODE"] === "long" ? 1000 : 30,
    // So that a failure is shown before the test is ended.
    interruptAfterTimeLimit: 100_000,
    examples: [[1, [...outlivesItsSlot]]],
  });
});
