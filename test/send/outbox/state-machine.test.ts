import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OUTBOX_SCHEMA, SqliteOutbox } from "../../../src/send/store/sqlite-outbox.js";
import type { OutboxState } from "../../../src/send/store/outbox.js";
import { openStoreFile } from "../../../src/send/store/sqlite-file.js";
import { VirtualClock } from "../virtual-clock.js";
import { temporaryFile } from "./open.js";
import { mail } from "./outbox.js";
import { type Fate, FATES, SimulatedService, type SimulatedProcess, startProcess } from "./simulation.js";

const LEASE_MS = 15_000;
const KEYS = ["a", "b", "c", "d"];

/** The caller's arguments, by key. */
interface Asked {
  readonly id: string;
  readonly resend: boolean;
  /** How often someone decided to send it again, although it may have been sent. */
  retries: number;
  /** It was discarded, after it had been sent this often. */
  discardedAfter?: number;
}

type Model = Map<string, Asked>;

interface Real {
  readonly store: SqliteOutbox;
  readonly service: SimulatedService;
  readonly clock: VirtualClock;
  processes: SimulatedProcess[];
}

/** Lets time pass, and everything that follows. */
async function pass({ clock }: Real, milliseconds: number): Promise<void> {
  const end = clock.now() + milliseconds;
  while (clock.now() < end) {
    await clock.advance(Math.min(500, end - clock.now()));
    for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

function start(real: Real): SimulatedProcess {
  const started = startProcess(real.store, real.service, real.clock);
  started.outbox.work();
  real.processes.push(started);
  return started;
}

function someProcess(real: Real): SimulatedProcess {
  return real.processes[0] ?? start(real);
}

async function check(model: Model, real: Real): Promise<void> {
  const { outbox } = startProcess(real.store, real.service, real.clock);
  expect(await outbox.list()).toHaveLength(model.size);
  for (const [key, { id, resend, retries, discardedAfter }] of model) {
    const message = await outbox.byKey(key);
    expect(message?.id).toBe(id);
    const times = real.service.sent.get(id) ?? 0;
    if (!resend) expect(times).toBeLessThanOrEqual(1 + retries);
    if (message?.state === "accepted") expect(times).toBeGreaterThan(0);
    if (message?.state === "rejected") expect(times).toBeLessThanOrEqual(retries);
    if (discardedAfter !== undefined) expect([message?.state, times]).toEqual(["discarded", discardedAfter]);
    expect(message?.hasContents).toBe(true);
  }
}

type Command = fc.AsyncCommand<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      await check(model, real);
    },
    toString: () => name,
  };
}

const commands = [
  fc.tuple(fc.constantFrom(...KEYS), fc.boolean(), fc.boolean()).map(([key, high, resend]) =>
    command(`queue ${key}`, async (model, real) => {
      const { outbox } = someProcess(real);
      const known = model.get(key);
      const wantsResend = known?.resend ?? resend;
      const priority = high ? "high" : "normal";
      const queued = await outbox.queue(
        mail({ key, priority, onUnknown: wantsResend ? "resend" : "park", args: { key } }),
      );
      expect(queued.duplicate).toBe(known !== undefined);
      if (known) expect(queued.id).toBe(known.id);
      else model.set(key, { id: queued.id, resend: wantsResend, retries: 0 });
    }),
  ),
  fc.array(fc.constantFrom<Fate>(...FATES), { maxLength: 4 }).map((fates) =>
    command(`the next requests are ${fates.join(", ")}`, async (_, real) => {
      real.service.fates.splice(0, Number.POSITIVE_INFINITY, ...fates);
      await pass(real, 1_500);
    }),
  ),
  fc.constant(command("a process starts", async (_, real) => void start(real))),
  fc.constant(
    command("a process is killed", async (_, real) => {
      real.processes.shift()?.kill();
    }),
  ),
  fc.constant(command("a lease's time passes", async (_, real) => pass(real, LEASE_MS + 1_500))),
  fc.constantFrom<OutboxState>("parked", "rejected").map((state) =>
    command(`someone retries ${state} messages`, async (model, real) => {
      const { ids } = await someProcess(real).outbox.retry({ state });
      for (const wantsResend of model.values()) if (ids.includes(wantsResend.id)) wantsResend.retries += 1;
    }),
  ),
  fc.constantFrom(...KEYS).map((key) =>
    command(`someone discards ${key}`, async (model, real) => {
      const { outbox } = someProcess(real);
      const wantsResend = model.get(key);
      if (!wantsResend) return;
      const { ids, skipped } = await outbox.discard(wantsResend.id);
      if (ids.length > 0) wantsResend.discardedAfter = real.service.sent.get(wantsResend.id) ?? 0;
      else expect(skipped).toMatchObject([{ id: wantsResend.id }]);
    }),
  ),
];

describe("an outbox's states", () => {
  it("lose nothing and send nothing twice, whatever happens in any order", async () => {
    const runs = process.env["MODE"] === "long" ? 2_000 : 30;
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 25 }), async (steps) => {
        const database = await openStoreFile(temporaryFile(), [OUTBOX_SCHEMA]);
        // No real process ends here, so nothing needs to be on disk.
        database.exec(`PRAGMA ${database.schema}.synchronous = OFF`);
        const clock = new VirtualClock();
        const real: Real = {
          store: new SqliteOutbox(database, clock),
          service: new SimulatedService(),
          clock,
          processes: [],
        };
        const model: Model = new Map();
        try {
          await fc.asyncModelRun(() => ({ model, real }), steps);
          // Processes whose requests hang would wait forever; a new one finishes everything.
          for (const process of real.processes) process.kill();
          real.service.fates.length = 0;
          const { outbox } = start(real);
          await pass(real, 2 * LEASE_MS + 40_000);
          const { queued, sending } = (await outbox.stats()).counts;
          expect([queued, sending]).toEqual([0, 0]);
          await check(model, real);
        } finally {
          for (const process of real.processes) process.kill();
          database.close();
        }
      }),
      { numRuns: runs },
    );
  });
});
