import { deepEqual, equal } from "node:assert/strict";
import type { Ledger, LedgerEntry } from "../../send/delivery/ledger.js";
import type { Sent } from "../../send/delivery/parcel.js";
import type { StoreCase, StoreUnderTest } from "./case.js";

const AT = 1_800_000_000_000;

function entry(id: string, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return { id, fingerprint: "f", likeness: "l", startedAt: AT, aliveUntil: AT + 30_000, ...changes };
}

function mail(name: string): Sent {
  return { outcome: "accepted", id: `${name}.log`, messageId: `<${name}@example.com>` };
}

/** What a store has to keep to about requests that left. */
export function ledgerCases({ open }: StoreUnderTest): readonly StoreCase[] {
  const withLedger = (name: string, run: (ledger: Ledger) => Promise<void>): StoreCase => ({
    name: `ledger: ${name}`,
    async run() {
      const store = await open();
      try {
        await run(store.ledger);
      } finally {
        await store.close();
      }
    },
  });
  const claimOf = (id: string, candidates: readonly Sent[], changes = {}) => ({
    id,
    likeness: "l",
    candidates,
    rivalsSince: AT - 1000,
    ...changes,
  });
  return [
    withLedger("a request that has begun is found, one that has not is not", async (ledger) => {
      equal(await ledger.find("a"), undefined);
      equal(await ledger.begin(entry("a")), undefined);
      deepEqual(await ledger.find("a"), { state: "open", entry: entry("a") });
    }),
    withLedger("of two that are the same, the second is told of the first until that has ended", async (ledger) => {
      await ledger.begin(entry("a"));
      equal(await ledger.begin(entry("other", { fingerprint: "g" })), undefined);
      deepEqual(await ledger.begin(entry("b")), entry("a"));
      equal(await ledger.find("b"), undefined);
      await ledger.end("a", "not sent", AT);
      equal(await ledger.begin(entry("b")), undefined);
    }),
    withLedger("of many that are the same and begin at once, one does", async (ledger) => {
      const ids = Array.from({ length: 20 }, (_, index) => `parcel-${index}`);
      const begun = await Promise.all(ids.map((id) => ledger.begin(entry(id))));
      equal(begun.filter((twin) => twin === undefined).length, 1);
    }),
    withLedger("a parcel that begins again keeps the time when it first did", async (ledger) => {
      await ledger.begin(entry("a"));
      await ledger.end("a", "undecided", AT + 60_000);
      equal(await ledger.begin(entry("a", { startedAt: AT + 90_000, aliveUntil: AT + 120_000 })), undefined);
      deepEqual(await ledger.find("a"), { state: "open", entry: entry("a", { aliveUntil: AT + 120_000 }) });
    }),
    withLedger("what was not sent is forgotten, what is undecided or accepted is not", async (ledger) => {
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
    }),
    withLedger("only an entry whose time is over is taken over, and only once", async (ledger) => {
      await ledger.begin(entry("a"));
      equal(await ledger.adopt("a", AT + 29_999, AT + 60_000), false);
      await ledger.keepAlive("a", AT + 40_000);
      equal(await ledger.adopt("a", AT + 39_999, AT + 70_000), false);
      equal(await ledger.adopt("a", AT + 40_000, AT + 70_000), true);
      equal(await ledger.adopt("a", AT + 40_000, AT + 70_000), false);
      await ledger.end("a", "undecided", AT + 41_000);
      equal(await ledger.adopt("a", AT + 99_000, AT + 200_000), false);
      equal(await ledger.adopt("nobody", AT, AT + 1), false);
    }),
    withLedger("a mail is the answer to one parcel", async (ledger) => {
      await ledger.begin(entry("a"));
      deepEqual(await ledger.claim(claimOf("a", [mail("m")]), AT), mail("m"));
      deepEqual(await ledger.claim(claimOf("a", [mail("n"), mail("m")]), AT), mail("m"));
      deepEqual(await ledger.find("a"), { state: "accepted", sent: mail("m") });
      await ledger.end("a", mail("m"), AT);
      await ledger.begin(entry("b"));
      equal(await ledger.claim(claimOf("b", [mail("m")]), AT), "none");
      equal(await ledger.claim(claimOf("b", []), AT), "none");
      deepEqual(await ledger.claim(claimOf("b", [mail("m"), mail("n"), mail("o")]), AT), mail("n"));
    }),
    withLedger("a mail that was answered with is nobody else's", async (ledger) => {
      await ledger.begin(entry("a"));
      await ledger.end("a", mail("m"), AT);
      await ledger.begin(entry("b"));
      equal(await ledger.claim(claimOf("b", [mail("m")]), AT), "none");
      await ledger.end("b", mail("m"), AT);
      await ledger.begin(entry("a2"));
      equal(await ledger.claim(claimOf("a2", [mail("m")]), AT), "none");
    }),
    withLedger("while others may have sent it, too, nobody gets a mail", async (ledger) => {
      await ledger.begin(entry("a"));
      await ledger.begin(entry("b", { fingerprint: "g" }));
      await ledger.begin(entry("unlike", { fingerprint: "h", likeness: "k" }));
      equal(await ledger.claim(claimOf("a", [mail("m")]), AT), "ambiguous");
      deepEqual(await ledger.claim(claimOf("a", [mail("m"), mail("n")]), AT), mail("m"));
      await ledger.end("a", mail("m"), AT);
      deepEqual(await ledger.claim(claimOf("b", [mail("m"), mail("n")]), AT), mail("n"));
    }),
    withLedger("one that was given up is a rival for as long as it may have arrived late", async (ledger) => {
      await ledger.begin(entry("a"));
      await ledger.end("a", "undecided", AT + 60_000);
      await ledger.begin(entry("b", { fingerprint: "g" }));
      equal(await ledger.claim(claimOf("b", [mail("m")], { rivalsSince: AT + 60_000 }), AT), "ambiguous");
      deepEqual(await ledger.claim(claimOf("b", [mail("m")], { rivalsSince: AT + 60_001 }), AT), mail("m"));
    }),
    withLedger("of one that was sent again, each request may be the one that arrived", async (ledger) => {
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
    }),
    withLedger("of two that claim the same mail at once, one gets it", async (ledger) => {
      await ledger.begin(entry("a"));
      await ledger.begin(entry("b", { fingerprint: "g" }));
      const claims = ["a", "b"].map((id) => ledger.claim(claimOf(id, [mail("m"), mail("n")]), AT));
      const got = (await Promise.all(claims)).map((sent) => (typeof sent === "object" ? sent.messageId : sent));
      deepEqual(got.toSorted(), [mail("m").messageId, mail("n").messageId]);
    }),
  ];
}
