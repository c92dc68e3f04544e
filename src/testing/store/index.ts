import { outboxCases } from "./outbox.js";
import { paceCases } from "./pace.js";
import type { MailStore, Suppression, SuppressionStore } from "../../send/store/store.js";
import { deepEqual, equal, ok } from "node:assert/strict";
import type { Ledger, LedgerEntry } from "../../send/store/ledger.js";
import type { Sent } from "../../send/parcel.js";

/**
 * The requirements for a `MailStore`, for any test framework.
 *
 * @example
 * for (const { name, run } of testMailStore({ open: () => openMyStore() })) test(name, run);
 */
export function testMailStore(store: StoreUnderTest): readonly StoreCase[] {
  return [
    ...casesOf("pace", ({ pace }) => pace, paceCases, store),
    ...casesOf("ledger", ({ ledger }) => ledger, ledgerCases, store),
    ...casesOf("suppressions", ({ suppressions }) => suppressions, suppressionCases, store),
    ...casesOf("outbox", ({ outbox }) => outbox, outboxCases, store),
  ];
}

function casesOf<Part>(
  name: string,
  partOf: (store: MailStore) => Part | undefined,
  cases: StoreCases<Part>,
  { open }: StoreUnderTest,
): StoreCase[] {
  return Object.entries(cases).map(([requirement, run]) => ({
    name: `${name}: ${requirement}`,
    async run() {
      const store = await open();
      try {
        const part = partOf(store);
        ok(part, `the store has no ${name}`);
        await run(part);
      } finally {
        await store.close();
      }
    },
  }));
}

/** The requirements for a part of a store, each with its check. */
export type StoreCases<Part> = Readonly<Record<string, (part: Part) => Promise<void>>>;

/** One requirement for a mail store. */
export interface StoreCase {
  /** The requirement, as a sentence. */
  readonly name: string;
  /** @throws {AssertionError} The store does not meet it. */
  readonly run: () => Promise<void>;
}

export interface StoreUnderTest {
  /** Opens an empty store. Each case opens its own, and closes it. */
  readonly open: () => Promise<MailStore>;
}

const bounce: Suppression = {
  email: "ada@example.com",
  reason: "hard-bounced (no such mailbox)",
  since: 1_800_000_000_000,
  event: "event-1",
};

/** The requirements for suppressed addresses. */
const suppressionCases: StoreCases<SuppressionStore> = {
  "finds an address in any case, with reason and time": async (store) => {
    equal(await store.add({ ...bounce, email: "Ada@Example.com" }), true);
    deepEqual(await store.find(["ADA@example.com", "bob@example.com"]), [bounce]);
    deepEqual(await store.find([]), []);
  },
  "lists the latest first": async (store) => {
    const others = ["bob@example.com", "eve@example.com"].map((email, index) => ({
      ...bounce,
      email,
      event: `event-of-${email}`,
      since: bounce.since + 1000 * (2 - index),
    }));
    for (const suppression of [bounce, ...others]) await store.add(suppression);
    deepEqual(await store.list(), [...others, bounce]);
  },
  "keeps one entry per address, for its latest bounce": async (store) => {
    equal(await store.add(bounce), true);
    equal(await store.add(bounce), false);
    const later = { ...bounce, since: bounce.since + 1000, event: "event-2", reason: "hard-bounced" };
    equal(await store.add(later), false);
    equal(await store.add(bounce), false);
    deepEqual(await store.list(), [later]);
  },
  "removes an address once": async (store) => {
    await store.add(bounce);
    equal(await store.remove("ADA@example.com"), true);
    equal(await store.remove("ada@example.com"), false);
    equal(await store.remove("bob@example.com"), false);
    deepEqual(await store.find([bounce.email]), []);
    deepEqual(await store.list(), []);
  },
  "does not add a removed address for the same bounce, but for another one": async (store) => {
    await store.add(bounce);
    await store.remove(bounce.email);
    equal(await store.add(bounce), false);
    equal(await store.add({ ...bounce, since: bounce.since - 1000, event: "event-0" }), false);
    deepEqual(await store.list(), []);
    const inSameSecond = { ...bounce, event: "event-2" };
    equal(await store.add(inSameSecond), true);
    deepEqual(await store.list(), [inSameSecond]);
  },
  "lets a manual addition always count": async (store) => {
    await store.add(bounce);
    await store.remove(bounce.email);
    const { event: _, ...byHand } = { ...bounce, reason: "asked to", since: bounce.since - 1000 };
    equal(await store.add(byHand), true);
    deepEqual(await store.find([bounce.email]), [byHand]);
  },
};

const AT = 1_800_000_000_000;

function entry(id: string, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return { id, fingerprint: "f", likeness: "l", startedAt: AT, aliveUntil: AT + 30_000, ...changes };
}

function mail(name: string): Sent {
  return { outcome: "accepted", id: `${name}.log`, messageId: `<${name}@example.com>` };
}

const claimOf = (id: string, candidates: readonly Sent[], changes = {}) => ({
  id,
  likeness: "l",
  candidates,
  rivalsSince: AT - 1000,
  ...changes,
});

/** The requirements for recording requests. */
const ledgerCases: StoreCases<Ledger> = {
  "finds a request that has begun, and no other": async (ledger) => {
    equal(await ledger.find("a"), undefined);
    equal(await ledger.begin(entry("a")), undefined);
    deepEqual(await ledger.find("a"), { state: "open", entry: entry("a") });
  },
  "returns an identical parcel's entry until that has ended": async (ledger) => {
    await ledger.begin(entry("a"));
    equal(await ledger.begin(entry("other", { fingerprint: "g" })), undefined);
    deepEqual(await ledger.begin(entry("b")), entry("a"));
    equal(await ledger.find("b"), undefined);
    await ledger.end("a", "not sent", AT);
    equal(await ledger.begin(entry("b")), undefined);
  },
  "lets one of many identical parcels begin at once": async (ledger) => {
    const ids = Array.from({ length: 20 }, (_, index) => `parcel-${index}`);
    const begun = await Promise.all(ids.map((id) => ledger.begin(entry(id))));
    equal(begun.filter((twin) => twin === undefined).length, 1);
  },
  "keeps the first start time of a parcel that begins again": async (ledger) => {
    await ledger.begin(entry("a"));
    await ledger.end("a", "undecided", AT + 60_000);
    equal(await ledger.begin(entry("a", { startedAt: AT + 90_000, aliveUntil: AT + 120_000 })), undefined);
    deepEqual(await ledger.find("a"), { state: "open", entry: entry("a", { aliveUntil: AT + 120_000 }) });
  },
  "forgets what was not sent, but not what is undecided or accepted": async (ledger) => {
    for (const id of ["a", "b", "c"]) await ledger.begin(entry(id, { fingerprint: id }));
    await ledger.end("a", "not sent", AT + 1);
    await ledger.end("b", "undecided", AT + 1);
    await ledger.end("c", mail("m"), AT + 1);
    equal(await ledger.find("a"), undefined);
    deepEqual(await ledger.find("b"), {
      state: "undecided",
      entry: entry("b", { fingerprint: "b", aliveUntil: AT + 1 }),
    });
    deepEqual(await ledger.find("c"), { state: "accepted", sent: mail("m") });
    for (const id of ["a", "b", "c"]) equal(await ledger.begin(entry(`${id}2`, { fingerprint: id })), undefined);
  },
  "lets only an expired entry be taken over, and only once": async (ledger) => {
    await ledger.begin(entry("a"));
    equal(await ledger.adopt("a", AT + 29_999, AT + 60_000), false);
    await ledger.keepAlive("a", AT + 40_000);
    equal(await ledger.adopt("a", AT + 39_999, AT + 70_000), false);
    equal(await ledger.adopt("a", AT + 40_000, AT + 70_000), true);
    equal(await ledger.adopt("a", AT + 40_000, AT + 70_000), false);
    await ledger.end("a", "undecided", AT + 41_000);
    equal(await ledger.adopt("a", AT + 99_000, AT + 200_000), false);
    equal(await ledger.adopt("nobody", AT, AT + 1), false);
  },
  "assigns a message to one parcel only": async (ledger) => {
    await ledger.begin(entry("a"));
    deepEqual(await ledger.claim(claimOf("a", [mail("m")]), AT), mail("m"));
    deepEqual(await ledger.claim(claimOf("a", [mail("n"), mail("m")]), AT), mail("m"));
    deepEqual(await ledger.find("a"), { state: "accepted", sent: mail("m") });
    await ledger.end("a", mail("m"), AT);
    await ledger.begin(entry("b"));
    equal(await ledger.claim(claimOf("b", [mail("m")]), AT), "none");
    equal(await ledger.claim(claimOf("b", []), AT), "none");
    deepEqual(await ledger.claim(claimOf("b", [mail("m"), mail("n"), mail("o")]), AT), mail("n"));
  },
  "does not assign a message that ended another parcel's entry": async (ledger) => {
    await ledger.begin(entry("a"));
    await ledger.end("a", mail("m"), AT);
    await ledger.begin(entry("b"));
    equal(await ledger.claim(claimOf("b", [mail("m")]), AT), "none");
    await ledger.end("b", mail("m"), AT);
    await ledger.begin(entry("a2"));
    equal(await ledger.claim(claimOf("a2", [mail("m")]), AT), "none");
  },
  "assigns no message while others may have sent it too": async (ledger) => {
    await ledger.begin(entry("a"));
    await ledger.begin(entry("b", { fingerprint: "g" }));
    await ledger.begin(entry("unlike", { fingerprint: "h", likeness: "k" }));
    equal(await ledger.claim(claimOf("a", [mail("m")]), AT), "ambiguous");
    deepEqual(await ledger.claim(claimOf("a", [mail("m"), mail("n")]), AT), mail("m"));
    await ledger.end("a", mail("m"), AT);
    deepEqual(await ledger.claim(claimOf("b", [mail("m"), mail("n")]), AT), mail("n"));
  },
  "counts a parcel that was given up as a rival while it may still have arrived late": async (ledger) => {
    await ledger.begin(entry("a"));
    await ledger.end("a", "undecided", AT + 60_000);
    await ledger.begin(entry("b", { fingerprint: "g" }));
    equal(await ledger.claim(claimOf("b", [mail("m")], { rivalsSince: AT + 60_000 }), AT), "ambiguous");
    deepEqual(await ledger.claim(claimOf("b", [mail("m")], { rivalsSince: AT + 60_001 }), AT), mail("m"));
  },
  "counts each request of a parcel that was sent again": async (ledger) => {
    await ledger.begin(entry("a"));
    await ledger.begin(entry("a"));
    await ledger.begin(entry("b", { fingerprint: "g" }));
    equal(await ledger.claim(claimOf("b", [mail("m"), mail("n")]), AT), "ambiguous");
    await ledger.end("a", mail("m"), AT + 1);
    deepEqual(await ledger.find("a"), { state: "accepted", sent: mail("m") });
    equal(await ledger.begin(entry("c")), undefined);
    await ledger.end("c", "not sent", AT);
    equal(await ledger.claim(claimOf("b", [mail("m"), mail("n")]), AT), "ambiguous");
    deepEqual(await ledger.claim(claimOf("b", [mail("m"), mail("n"), mail("o")]), AT), mail("n"));
  },
  "gives a message to one of two parcels that claim it at once": async (ledger) => {
    await ledger.begin(entry("a"));
    await ledger.begin(entry("b", { fingerprint: "g" }));
    const claims = ["a", "b"].map((id) => ledger.claim(claimOf(id, [mail("m"), mail("n")]), AT));
    const got = (await Promise.all(claims)).map((sent) => (typeof sent === "object" ? sent.messageId : sent));
    deepEqual(got.toSorted(), [mail("m").messageId, mail("n").messageId]);
  },
};
