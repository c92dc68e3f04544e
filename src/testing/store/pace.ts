import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { PaceAccount, PaceAnswer, PaceStore, PaceTicket, PlanUpdate } from "../../send/store/pace.js";
import type { StoreCases } from "./index.js";

const MINUTE = 60_000;
/** Long enough to be measurable, short enough to wait for. */
const SHORT = 150;

const ten: PaceAccount = { account: "account", limit: 10, windowMs: MINUTE };
const one: PaceAccount = { ...ten, limit: 1 };
const oneInAMoment: PaceAccount = { ...one, windowMs: SHORT };

let last = 0;

function ticket(differences: Partial<PaceTicket> = {}): PaceTicket {
  last += 1;
  return { id: `ticket-${last}`, owner: "owner", priority: "high", first: false, ...differences };
}

const normal = (differences: Partial<PaceTicket> = {}) => ticket({ priority: "normal", ...differences });

function slotOf(answer: PaceAnswer): string {
  assert.ok(answer.granted, "the slot is granted");
  return answer.slot;
}

function refused(answer: PaceAnswer): Exclude<PaceAnswer, { readonly granted: true }> {
  assert.ok(!answer.granted, "the slot is not granted");
  assert.ok(answer.askInMs > 0, "there is a time after which to ask again");
  return answer;
}

async function take(store: PaceStore, account: PaceAccount, { holdMs = 2 * MINUTE, asking = ticket() } = {}) {
  return slotOf(await store.reserve(account, asking, holdMs));
}

/** Polls as often as the store says until a slot is granted. Returns how long that took. */
async function waitFor(store: PaceStore, account: PaceAccount, asking: PaceTicket): Promise<number> {
  const began = performance.now();
  for (;;) {
    const answer = await store.reserve(account, asking, 2 * MINUTE);
    if (answer.granted) return performance.now() - began;
    assert.ok(performance.now() - began < 100 * SHORT, "its turn comes");
    await sleep(answer.askInMs);
  }
}

/** Gives each waiting ticket a slot as soon as the previous one has returned it. Returns the order. */
async function order(store: PaceStore, account: PaceAccount, asking: Readonly<Record<string, PaceTicket>>) {
  const served: string[] = [];
  const waiting = new Map(Object.entries(asking));
  while (waiting.size > 0) {
    const before = served.length;
    for (const [name, each] of waiting) {
      const answer = await store.reserve(account, each, MINUTE);
      if (!answer.granted) continue;
      served.push(name);
      waiting.delete(name);
      await store.settle(account, answer.slot, { how: "unused" });
      break;
    }
    assert.ok(served.length > before, "a ticket's turn has come");
  }
  return served;
}

/** The requirements for the pace. They take some real time, because a store has its own clock. */
export const paceCases: StoreCases<PaceStore> = {
  "grants as many slots as the limit, however many tickets ask at once": async (store) => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => store.reserve(ten, ticket(), 2 * MINUTE)));
    assert.equal(answers.filter(({ granted }) => granted).length, 10);
    const { taken, waiting } = await store.state(ten);
    assert.deepEqual({ taken, waiting }, { taken: 10, waiting: { high: 15, normal: 0 } });
  },

  "frees a slot one window after its answer": async (store) => {
    const slot = await take(store, oneInAMoment);
    const asking = ticket();
    await sleep(SHORT);
    refused(await store.reserve(oneInAMoment, asking, MINUTE));
    const answered = performance.now();
    await store.settle(oneInAMoment, slot, { how: "answered", status: 200 });
    await waitFor(store, oneInAMoment, asking);
    // The store's timer may be slightly early by this process's clock.
    assert.ok(performance.now() - answered >= SHORT - 2, "it is not granted before");
  },

  "says when a turn comes": async (store) => {
    await store.settle(one, await take(store, one), { how: "answered", status: 200 });
    const first = refused(await store.reserve(one, ticket(), MINUTE)).expectedInMs;
    const second = refused(await store.reserve(one, ticket(), MINUTE)).expectedInMs;
    assert.ok(first > MINUTE - 5000 && first <= MINUTE, "the first in a window");
    assert.ok(second > 2 * MINUTE - 5000 && second <= 2 * MINUTE, "the second in two");
    const { expectedInMs } = await store.state(one);
    assert.ok(expectedInMs.high > 3 * MINUTE - 5000 && expectedInMs.high <= 3 * MINUTE, "one more in three");
  },

  "frees an unused slot at once": async (store) => {
    const slot = await take(store, one);
    const asking = ticket();
    refused(await store.reserve(one, asking, MINUTE));
    await store.settle(one, slot, { how: "unused" });
    await take(store, one, { asking });
  },

  "frees a lost slot, and one that is never settled, when its time is over": async (store) => {
    const two = { ...one, limit: 2 };
    const began = performance.now();
    const lost = await take(store, two, { holdMs: 2 * SHORT });
    await take(store, two, { holdMs: 2 * SHORT });
    await store.settle(two, lost, { how: "lost" });
    await waitFor(store, two, ticket());
    await waitFor(store, two, ticket());
    assert.ok(performance.now() - began >= 2 * SHORT - 2, "not before");
    assert.ok(performance.now() - began < 60 * SHORT, "without a window more");
  },

  "counts a slot that is answered after its time": async (store) => {
    const slot = await take(store, one, { holdMs: 1 });
    await sleep(20);
    await store.settle(one, slot, { how: "answered", status: 200 });
    refused(await store.reserve(one, ticket(), MINUTE));
  },

  "orders by priority, then by further tries, then by arrival": async (store) => {
    const blocking = await take(store, one);
    const asking = { a: normal(), b: normal(), again: normal({ first: true }), code: ticket(), late: ticket() };
    for (const each of Object.values(asking)) refused(await store.reserve(one, each, MINUTE));
    await store.settle(one, blocking, { how: "unused" });
    assert.deepEqual(await order(store, { ...one, limit: 5 }, asking), ["code", "late", "again", "a", "b"]);
  },

  "does not wait for a ticket that has left": async (store) => {
    const blocking = await take(store, one);
    const [gone, next] = [ticket({ owner: "other" }), ticket()];
    refused(await store.reserve(one, gone, MINUTE));
    refused(await store.reserve(one, next, MINUTE));
    await store.leave(one, gone.id);
    await store.settle(one, blocking, { how: "unused" });
    await take(store, one, { asking: next });
    assert.deepEqual((await store.state(one)).waiting, { high: 0, normal: 0 });
  },

  "gives a forgotten ticket its place again": async (store) => {
    await take(store, one);
    const asking = ticket();
    const { place } = refused(await store.reserve(one, asking, MINUTE));
    refused(await store.reserve(one, ticket(), MINUTE));
    await store.leave(one, asking.id);
    const again = refused(await store.reserve(one, { ...asking, place }, MINUTE));
    assert.equal(again.place, place);
    assert.ok(again.expectedInMs <= MINUTE, "it is the first");
  },

  "reserves two of ten slots for urgent requests": async (store) => {
    for (let slot = 0; slot < 8; slot += 1) await take(store, ten, { asking: normal() });
    refused(await store.reserve(ten, normal(), MINUTE));
    await take(store, ten);
    await take(store, ten);
    refused(await store.reserve(ten, ticket(), MINUTE));
  },

  "gives a normal request its turn after one fewer urgent ones than the limit": async (store) => {
    const two = { ...one, limit: 3 };
    const slots = [await take(store, two), await take(store, two), await take(store, two)];
    const asking: Record<string, PaceTicket> = { receipt: normal() };
    for (const name of ["a", "b", "c", "d"]) asking[name] = ticket();
    for (const each of Object.values(asking)) refused(await store.reserve(two, each, MINUTE));
    for (const slot of slots) await store.settle(two, slot, { how: "unused" });
    assert.deepEqual(await order(store, two, asking), ["a", "b", "receipt", "c", "d"]);
  },

  "grants nothing while the service asks to wait": async (store) => {
    await store.hold(ten, MINUTE);
    await store.hold(ten, 1);
    const { expectedInMs } = refused(await store.reserve(ten, ticket(), MINUTE));
    assert.ok(expectedInMs > MINUTE / 2 && expectedInMs <= MINUTE, "it says for how long");
    const other = { ...ten, account: "other" };
    const began = performance.now();
    await store.hold(other, SHORT);
    await waitFor(store, other, ticket());
    // The store's timer may be slightly early by this process's clock.
    assert.ok(performance.now() - began >= SHORT - 2, "it waits");
  },

  "takes slots for requests of other software with the same key": async (store) => {
    const rateLimit = { limit: 10, remaining: 3 };
    const answered = { how: "answered", status: 200, rateLimit } as const;
    assert.equal(await store.settle(ten, await take(store, ten), answered), 6);
    assert.equal((await store.state(ten)).taken, 7);
    const next = { ...answered, rateLimit: { limit: 10, remaining: 2 } };
    assert.equal(await store.settle(ten, await take(store, ten), next), 0);
  },

  "tolerates arbitrary headers": async (store) => {
    const boundless = { ...ten, limit: Infinity };
    const rateLimit = { limit: 999_999_999_999_999, remaining: 0 };
    await store.settle(boundless, await take(store, boundless), { how: "answered", status: 200, rateLimit });
    await take(store, boundless);
  },

  "respects a limit that is smaller than ours": async (store) => {
    const rateLimit = { limit: 2, remaining: 1 };
    await store.settle(ten, await take(store, ten), { how: "answered", status: 200, rateLimit });
    await take(store, ten);
    refused(await store.reserve(ten, ticket(), MINUTE));
  },

  "ignores the limit of a service that counts nothing": async (store) => {
    const rateLimit = { limit: 2, remaining: 2 };
    assert.equal(await store.settle(ten, await take(store, ten), { how: "answered", status: 200, rateLimit }), 0);
    for (let slot = 0; slot < 9; slot += 1) await take(store, ten);
  },

  "separates accounts": async (store) => {
    const other = { ...one, account: "other" };
    await take(store, one);
    await store.hold(one, MINUTE);
    await store.plan(one, [{ period: "2027-01", sent: 5 }]);
    await take(store, other);
    assert.equal((await store.state(other)).taken, 1);
    assert.deepEqual(await store.plan(other, [{ period: "2027-01" }]), [{ sent: 0, limit: 0 }]);
  },

  "counts emails in a plan's periods": async (store) => {
    const day = "2027-01-15";
    const use = async (news: Omit<PlanUpdate, "period"> = {}, period = day) => {
      const [only] = await store.plan(one, [{ period, ...news }]);
      return only;
    };
    assert.deepEqual(await use(), { sent: 0, limit: 0 });
    assert.deepEqual(await use({ sent: 3 }), { sent: 3, limit: 0 });
    assert.deepEqual(await use({ sentInAll: 8, limit: 100 }), { sent: 8, limit: 100 });
    assert.deepEqual(await use({ sentInAll: 5 }), { sent: 8, limit: 100 });
    await Promise.all(Array.from({ length: 20 }, () => use({ sent: 1 })));
    assert.deepEqual(await use(), { sent: 28, limit: 100 });
    assert.deepEqual(await use({}, "2027-01"), { sent: 0, limit: 0 });
    const both = [
      { period: day, sent: 2 },
      { period: "2027-01", sent: 2 },
    ];
    assert.deepEqual(await store.plan(one, both), [
      { sent: 30, limit: 100 },
      { sent: 2, limit: 0 },
    ]);
  },
};
