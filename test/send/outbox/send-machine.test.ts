import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Sent } from "../../../src/send/parcel.js";
import { SendError } from "../../../src/send/errors.js";
import { OUTBOX_SCHEMA, SqliteOutbox } from "../../../src/send/store/sqlite-outbox.js";
import { openStoreFile } from "../../../src/send/store/sqlite-file.js";
import { VirtualClock } from "../virtual-clock.js";
import { temporaryFile } from "./open.js";
import { mail } from "./outbox.js";
import { type Fate, FATES, SimulatedService, type SimulatedProcess, startProcess } from "./simulation.js";

const LEASE_MS = 15_000;
const KEYS = ["a", "b", "c"];

/** What the callers of a key know. */
class KeyCalls {
  /** Calls that have not ended, including those of killed processes. */
  pending = 0;
  queued = false;
  inDoubt = false;
  readonly sent: Sent[] = [];

  /** Whether every call has ended, and all reported that nothing was sent. */
  get nothingLeft(): boolean {
    return this.pending === 0 && !this.queued && !this.inDoubt && this.sent.length === 0;
  }
}

interface Real {
  readonly store: SqliteOutbox;
  readonly service: SimulatedService;
  readonly clock: VirtualClock;
  readonly calls: Map<string, KeyCalls>;
  processes: SimulatedProcess[];
}

/** Lets time pass, and everything that follows. */
async function pass({ clock }: Real, milliseconds: number): Promise<void> {
  const end = clock.now() + milliseconds;
  do {
    await clock.advance(Math.min(500, end - clock.now()));
    for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  } while (clock.now() < end);
}

function start(real: Real, works: boolean): SimulatedProcess {
  const started = startProcess(real.store, real.service, real.clock);
  if (works) started.outbox.work();
  real.processes.push(started);
  return started;
}

const aMail = (key: string) =>
  mail({ key, args: { key }, email: { from: "shop", to: "ada@example.com", subject: key } });

/** Calls `send`, and records the result once it has ended, which may be never. */
async function send(real: Real, key: string, maxWait: number): Promise<void> {
  const { outbox } = real.processes[0] ?? start(real, false);
  const calls = real.calls.get(key) ?? new KeyCalls();
  real.calls.set(key, calls);
  calls.pending += 1;
  const closing = new AbortController().signal;
  try {
    calls.sent.push(await outbox.send({ ...aMail(key), key }, { maxWait, closing }));
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    if (error.code === "unknown_outcome") calls.inDoubt = true;
  }
  calls.pending -= 1;
}

/** How often each key was sent. */
function timesSent({ service, calls }: Real): Map<string, number> {
  return new Map([...calls.keys()].map((key) => [key, service.sentBySubject.get(key) ?? 0]));
}

function check(real: Real): void {
  const times = timesSent(real);
  for (const [key, calls] of real.calls) {
    expect(times.get(key)).toBeLessThanOrEqual(1);
    if (calls.nothingLeft) expect([key, times.get(key)]).toEqual([key, 0]);
    if (calls.sent.length > 0) expect(times.get(key)).toBe(1);
    expect(new Set(calls.sent.map(({ messageId }) => messageId)).size).toBeLessThanOrEqual(1);
    expect(calls.sent.filter(({ duplicate }) => duplicate === false).length).toBeLessThanOrEqual(1);
  }
}

type Command = fc.AsyncCommand<object, Real>;

function command(name: string, run: (real: Real) => Promise<unknown>): Command {
  return {
    check: () => true,
    async run(_, real) {
      await run(real);
      check(real);
    },
    toString: () => name,
  };
}

const commands = [
  fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(0, 2_000, 30_000), fc.boolean()).map(([key, maxWait, waits]) =>
    command(`send ${key} within ${maxWait}${waits ? ", and wait" : ""}`, async (real) => {
      void send(real, key, maxWait);
      await pass(real, waits ? 1_500 : 0);
    }),
  ),
  fc.constantFrom(...KEYS).map((key) =>
    command(`queue ${key}`, async (real) => {
      const { outbox } = real.processes[0] ?? start(real, true);
      const calls = real.calls.get(key) ?? new KeyCalls();
      real.calls.set(key, calls);
      const { duplicate, sent } = await outbox.queue(aMail(key));
      calls.queued = true;
      if (sent) expect([duplicate, real.service.sentBySubject.get(key)]).toEqual([true, 1]);
    }),
  ),
  fc.array(fc.constantFrom<Fate>(...FATES), { maxLength: 4 }).map((fates) =>
    command(`the next requests are ${fates.join(", ")}`, async (real) => {
      real.service.fates.splice(0, Number.POSITIVE_INFINITY, ...fates);
    }),
  ),
  fc
    .boolean()
    .map((works) => command(`a process starts${works ? ", and works" : ""}`, async (real) => start(real, works))),
  fc.constant(
    command("a process is killed", async (real) => {
      real.processes.shift()?.kill();
    }),
  ),
  fc.constant(
    command("another process comes first", async (real) => real.processes.push(...real.processes.splice(0, 1))),
  ),
  fc.constant(command("a lease's time passes", async (real) => pass(real, LEASE_MS + 1_500))),
];

it("sends each key once, and not at all if nothing was reported as sent, whatever happens in any order", async () => {
  const runs = process.env["MODE"] === "long" ? 2_000 : 30;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 30, size: "max" }), async (steps) => {
      const database = await openStoreFile(temporaryFile(), [OUTBOX_SCHEMA]);
      // No real process ends here, so nothing needs to be on disk.
      database.exec(`PRAGMA ${database.schema}.synchronous = OFF`);
      const clock = new VirtualClock();
      const real: Real = {
        store: new SqliteOutbox(database, clock),
        service: new SimulatedService(),
        clock,
        calls: new Map(),
        processes: [],
      };
      try {
        await fc.asyncModelRun(() => ({ model: {}, real }), steps);
        for (const each of real.processes.splice(0)) each.kill();
        real.service.fates.length = 0;
        start(real, true);
        await pass(real, 3 * LEASE_MS);
        check(real);
        // Nothing remains in between, and every key can be decided.
        const { counts } = await startProcess(real.store, real.service, real.clock).outbox.stats();
        expect([counts.queued, counts.sending]).toEqual([0, 0]);
        const last = [...real.calls.keys()].map((key) => send(real, key, 30_000));
        await pass(real, 31_000);
        await Promise.all(last);
        check(real);
        for (const calls of real.calls.values()) expect(calls.sent.length > 0 || calls.inDoubt).toBe(true);
      } finally {
        for (const each of real.processes) each.kill();
        database.close();
      }
    }),
    { numRuns: runs },
  );
});
