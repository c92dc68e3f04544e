import { deepEqual, equal, ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MailStore } from "../../send/store/store.js";
import type { PaceAccount, PaceTicket } from "../../send/store/pace.js";
import type { CasesOfMany } from "./index.js";
import { HOUR_MS, message, TARGET } from "./outbox.js";
import type { StoreProcess, WholeStore } from "./process.js";

const ALIVE_MS = 30_000;
const HANDLES = 4;

const taking = (id: string, forMs = ALIVE_MS) =>
  ({ target: TARGET, priority: "normal", lease: { id, forMs } }) as const;

const account: PaceAccount = { account: "account", limit: 10, windowMs: 60_000 };

function ticket(owner: string): PaceTicket {
  return { id: randomUUID(), owner, priority: "high", first: false };
}

const entry = (id: string, fingerprint = "f") => ({ id, fingerprint, likeness: "l" });

const numbered = (count: number) => Array.from({ length: count }, (_, number) => number);

/** What each of them must decide together, whoever asks first. */
async function decideTogether(stores: readonly WholeStore[]): Promise<void> {
  const onAll = async <Result>(run: (store: WholeStore, number: number) => Promise<Result>) =>
    Promise.all(
      numbered(5).flatMap((round) => stores.map((store, index) => run(store, round * stores.length + index))),
    );

  const slots = await onAll(({ pace }, number) => pace.reserve(account, ticket(`owner-${number}`), 60_000));
  equal(slots.filter(({ granted }) => granted).length, account.limit, "as many slots are granted as there are");

  const key = { text: "k", hash: "hash of k", contents: "contents" };
  const added = await onAll(({ outbox }) => outbox.add(message({ key })));
  equal(added.filter((each) => each.added).length, 1, "one message is added for a key");
  equal(new Set(added.map((each) => each.message.id)).size, 1, "all calls return it");

  const taken = await onAll(({ outbox }, number) => outbox.take(taking(`lease-${number}`)));
  equal(taken.filter(Boolean).length, 1, "one of them takes it");

  const begun = await onAll(({ ledger }, number) => ledger.begin(entry(`parcel-${number}`), ALIVE_MS));
  equal(begun.filter((twin) => twin === undefined).length, 1, "one of identical parcels begins");
}

/** The requirements for several handles of a store. */
export const handleCases: CasesOfMany<MailStore> = {
  "see what others have written": async (open) => {
    const [one, other] = [await open(), await open()];
    await one.outbox?.add(message({ id: "a" }));
    await one.ledger.begin(entry("a"), ALIVE_MS);
    await one.suppressions.add({ email: "ada@example.com", reason: "asked to", since: 1 });
    equal((await other.outbox?.get(TARGET, "a"))?.state, "queued");
    equal((await other.ledger.find("a"))?.state, "open");
    equal((await other.suppressions.find(["ada@example.com"])).length, 1);
  },

  "decide together": async (open) => {
    const stores = await Promise.all(numbered(HANDLES).map(() => open()));
    await decideTogether(stores.map(whole));
  },

  "take each of many messages once": async (open) => {
    const stores = (await Promise.all(numbered(HANDLES).map(() => open()))).map(whole);
    const ids = numbered(40).map((number) => `queued-${number}`);
    await Promise.all(ids.map(async (id, index) => stores[index % HANDLES]?.outbox.add(message({ id }))));
    const takeAll = async ({ outbox }: WholeStore, index: number) => {
      const taken: string[] = [];
      for (;;) {
        const next = await outbox.take(taking(`lease-${index}-${taken.length}`));
        if (next === undefined) return taken;
        taken.push(next.id);
      }
    };
    const taken = (await Promise.all(stores.map(takeAll))).flat();
    deepEqual(taken.toSorted(), ids.toSorted());
  },
};

function whole({ outbox, ...store }: MailStore): WholeStore {
  ok(outbox, "the store has no outbox");
  return { ...store, outbox };
}

/** The requirements for several processes that have a store open. */
export const processCases: CasesOfMany<StoreProcess, [aheadMs?: number]> = {
  "decide together, whatever their clocks say": async (open) => {
    const processes = await Promise.all([0, HOUR_MS, -HOUR_MS].map((aheadMs) => open(aheadMs)));
    await decideTogether(processes.map(({ store }) => store));
  },

  "lose nothing that was stored when a process is killed": async (open) => {
    const [killed, other] = [await open(), await open()];
    const stored: string[] = [];
    const adding = (async () => {
      for (let number = 0; ; number += 1) {
        const { message: added } = await killed.store.outbox.add(message({ id: `added-${number}` }));
        stored.push(added.id);
      }
    })().catch(() => undefined);
    await killed.store.ledger.begin(entry("begun"), ALIVE_MS);
    await killed.store.suppressions.add({ email: "ada@example.com", reason: "asked to", since: 1 });
    while (stored.length < 20) await sleep(5);
    await killed.kill();
    await adding;
    for (const id of stored) equal((await other.store.outbox.get(TARGET, id))?.state, "queued", id);
    equal((await other.store.ledger.find("begun"))?.state, "open");
    equal((await other.store.suppressions.find(["ada@example.com"])).length, 1);
  },

  "take over from a killed process only once its lease is over": async (open) => {
    const [killed, other] = [await open(), await open()];
    await killed.store.outbox.add(message({ id: "a" }));
    const leaseMs = 2_000;
    equal((await killed.store.outbox.take(taking("of the killed process", leaseMs)))?.id, "a");
    const takenAt = performance.now();
    await killed.kill();
    for (;;) {
      const abandoned = await other.store.outbox.takeAbandoned(taking("of the other one"));
      const elapsed = performance.now() - takenAt;
      if (abandoned !== undefined) {
        ok(elapsed >= leaseMs - 100, `its lease of ${leaseMs} ms is respected: ${Math.round(elapsed)} ms`);
        return;
      }
      ok(elapsed < 30 * leaseMs, "it is taken over");
      await sleep(20);
    }
  },

  "respect each other's leases, slots and requests, whatever their clocks say": async (open) => {
    for (const [one, other] of [
      [await open(HOUR_MS), await open()],
      [await open(), await open(HOUR_MS)],
      [await open(-HOUR_MS), await open()],
    ] as const) {
      const id = randomUUID();
      const lease = taking(`lease of ${id}`);
      await one.store.outbox.add({ ...message({ id }), lease: lease.lease });
      equal(await other.store.outbox.takeAbandoned(taking("too early")), undefined, "the lease is not over");
      await one.store.outbox.keepAlive([lease.lease.id], 0);
      equal((await other.store.outbox.takeAbandoned(taking(`next lease of ${id}`)))?.id, id, "now it is");

      await one.store.ledger.begin(entry(id, id), ALIVE_MS);
      equal(await other.store.ledger.adopt(id, ALIVE_MS), false, "its process is alive");
      await one.store.ledger.keepAlive(id, 0);
      equal(await other.store.ledger.adopt(id, ALIVE_MS), true, "now it is not");

      const single = { account: id, limit: 1, windowMs: 60_000 };
      ok((await one.store.pace.reserve(single, ticket("one"), 60_000)).granted);
      const answer = await other.store.pace.reserve(single, ticket("other"), 60_000);
      ok(!answer.granted && answer.expectedInMs > 30_000 && answer.expectedInMs <= 60_000, "the slot is taken");
    }
  },
};
