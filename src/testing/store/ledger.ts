import { deepEqual, equal, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sent } from "../../send/parcel.js";
import type { Ledger, NewLedgerEntry } from "../../send/store/ledger.js";
import type { StoreCases } from "./index.js";

const ALIVE_MS = 30_000;

function entry(id: string, changes: Partial<NewLedgerEntry> = {}): NewLedgerEntry {
  return { id, fingerprint: "f", likeness: "l", ...changes };
}

/** What the ledger has of an entry, apart from its times. */
async function found(ledger: Ledger, id: string) {
  const finding = await ledger.find(id);
  if (finding === undefined || finding.state === "accepted") return finding;
  const { ageMs: _age, aliveForMs: _alive, ...facts } = finding.entry;
  return { state: finding.state, entry: facts };
}

function mail(name: string): Sent {
  return { outcome: "accepted", id: `${name}.log`, messageId: `<${name}@example.com>` };
}

const claimOf = (id: string, candidates: readonly Sent[], changes = {}) => ({
  id,
  likeness: "l",
  candidates,
  rivalsWithinMs: 60_000,
  ...changes,
});

/** The requirements for recording requests. */
export const ledgerCases: StoreCases<Ledger> = {
  "finds a request that has begun, and no other": async (ledger) => {
    equal(await ledger.find("a"), undefined);
    equal(await ledger.begin(entry("a"), ALIVE_MS), undefined);
    deepEqual(await found(ledger, "a"), { state: "open", entry: entry("a") });
  },
  "says how old a request is, and for how long its process counts as alive": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    const ageOf = async () => {
      const finding = await ledger.find("a");
      ok(finding?.state === "open");
      const { ageMs, aliveForMs } = finding.entry;
      ok(ageMs >= 0 && Math.abs(ageMs + aliveForMs - ALIVE_MS) < 1, "both are by the same clock");
      return ageMs;
    };
    const before = await ageOf();
    await sleep(20);
    ok((await ageOf()) > before, "it grows older");
    await ledger.keepAlive("a", -5_000);
    const dead = await ledger.find("a");
    ok(dead?.state === "open" && dead.entry.aliveForMs <= -5_000, "its process is gone");
  },
  "returns an identical parcel's entry until that has ended": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    equal(await ledger.begin(entry("other", { fingerprint: "g" }), ALIVE_MS), undefined);
    equal((await ledger.begin(entry("b"), ALIVE_MS))?.id, "a");
    equal(await ledger.find("b"), undefined);
    await ledger.end("a", "not sent");
    equal(await ledger.begin(entry("b"), ALIVE_MS), undefined);
  },
  "lets one of many identical parcels begin at once": async (ledger) => {
    const ids = Array.from({ length: 20 }, (_, index) => `parcel-${index}`);
    const begun = await Promise.all(ids.map((id) => ledger.begin(entry(id), ALIVE_MS)));
    equal(begun.filter((twin) => twin === undefined).length, 1);
  },
  "keeps the age of a parcel that begins again": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.end("a", "undecided");
    await sleep(50);
    equal(await ledger.begin(entry("a"), 2 * ALIVE_MS), undefined);
    const finding = await ledger.find("a");
    ok(finding?.state === "open" && finding.entry.ageMs >= 45 && finding.entry.aliveForMs > ALIVE_MS);
  },
  "forgets what was not sent, but not what is undecided or accepted": async (ledger) => {
    for (const id of ["a", "b", "c"]) await ledger.begin(entry(id, { fingerprint: id }), ALIVE_MS);
    await ledger.end("a", "not sent");
    await ledger.end("b", "undecided");
    await ledger.end("c", mail("m"));
    equal(await ledger.find("a"), undefined);
    deepEqual(await found(ledger, "b"), { state: "undecided", entry: entry("b", { fingerprint: "b" }) });
    deepEqual(await ledger.find("c"), { state: "accepted", sent: mail("m") });
    for (const id of ["a", "b", "c"])
      equal(await ledger.begin(entry(`${id}2`, { fingerprint: id }), ALIVE_MS), undefined);
  },
  "keeps the entry of a parcel for which another process has begun a request, if this one sends nothing": async (
    ledger,
  ) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.end("a", "not sent");
    deepEqual(await found(ledger, "a"), { state: "open", entry: entry("a") });
    equal((await ledger.begin(entry("b"), ALIVE_MS))?.id, "a");
    await ledger.end("a", "not sent");
    equal(await ledger.find("a"), undefined);
  },
  "lets only an expired entry be taken over, and only once": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    equal(await ledger.adopt("a", ALIVE_MS), false);
    await ledger.keepAlive("a", 0);
    equal(await ledger.adopt("a", ALIVE_MS), true);
    equal(await ledger.adopt("a", ALIVE_MS), false);
    await ledger.end("a", "undecided");
    equal(await ledger.adopt("a", ALIVE_MS), false);
    equal(await ledger.adopt("nobody", ALIVE_MS), false);
  },
  "assigns a message to one parcel only": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    deepEqual(await ledger.claim(claimOf("a", [mail("m")])), mail("m"));
    deepEqual(await ledger.claim(claimOf("a", [mail("n"), mail("m")])), mail("m"));
    deepEqual(await ledger.find("a"), { state: "accepted", sent: mail("m") });
    await ledger.end("a", mail("m"));
    await ledger.begin(entry("b"), ALIVE_MS);
    equal(await ledger.claim(claimOf("b", [mail("m")])), "none");
    equal(await ledger.claim(claimOf("b", [])), "none");
    deepEqual(await ledger.claim(claimOf("b", [mail("m"), mail("n"), mail("o")])), mail("n"));
  },
  "does not assign a message that ended another parcel's entry": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.end("a", mail("m"));
    await ledger.begin(entry("b"), ALIVE_MS);
    equal(await ledger.claim(claimOf("b", [mail("m")])), "none");
    await ledger.end("b", mail("m"));
    await ledger.begin(entry("a2"), ALIVE_MS);
    equal(await ledger.claim(claimOf("a2", [mail("m")])), "none");
  },
  "assigns no message while others may have sent it too": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.begin(entry("b", { fingerprint: "g" }), ALIVE_MS);
    await ledger.begin(entry("unlike", { fingerprint: "h", likeness: "k" }), ALIVE_MS);
    equal(await ledger.claim(claimOf("a", [mail("m")])), "ambiguous");
    deepEqual(await ledger.claim(claimOf("a", [mail("m"), mail("n")])), mail("m"));
    await ledger.end("a", mail("m"));
    deepEqual(await ledger.claim(claimOf("b", [mail("m"), mail("n")])), mail("n"));
  },
  "counts a parcel that was given up as a rival while it may still have arrived late": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.end("a", "undecided");
    await ledger.begin(entry("b", { fingerprint: "g" }), ALIVE_MS);
    equal(await ledger.claim(claimOf("b", [mail("m")])), "ambiguous");
    // Those that would still be in progress in a minute: none.
    deepEqual(await ledger.claim(claimOf("b", [mail("m")], { rivalsWithinMs: -60_000 })), mail("m"));
  },
  "counts each request of a parcel that was sent again": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.begin(entry("b", { fingerprint: "g" }), ALIVE_MS);
    equal(await ledger.claim(claimOf("b", [mail("m"), mail("n")])), "ambiguous");
    await ledger.end("a", mail("m"));
    deepEqual(await ledger.find("a"), { state: "accepted", sent: mail("m") });
    equal(await ledger.begin(entry("c"), ALIVE_MS), undefined);
    await ledger.end("c", "not sent");
    equal(await ledger.claim(claimOf("b", [mail("m"), mail("n")])), "ambiguous");
    deepEqual(await ledger.claim(claimOf("b", [mail("m"), mail("n"), mail("o")])), mail("n"));
  },
  "gives a message to one of two parcels that claim it at once": async (ledger) => {
    await ledger.begin(entry("a"), ALIVE_MS);
    await ledger.begin(entry("b", { fingerprint: "g" }), ALIVE_MS);
    const claims = ["a", "b"].map((id) => ledger.claim(claimOf(id, [mail("m"), mail("n")])));
    const got = (await Promise.all(claims)).map((sent) => (typeof sent === "object" ? sent.messageId : sent));
    deepEqual(got.toSorted(), [mail("m").messageId, mail("n").messageId]);
  },
};
