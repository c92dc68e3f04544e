import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/send/clock.js";
import { memoryLedger, processLedger } from "../../../src/send/store/memory.js";
import { openMailStore } from "../../../src/send/store/sqlite.js";
import { VirtualClock } from "../virtual-clock.js";
import { DrivenClock } from "./harness.js";
import { removeFolder } from "../../remove-folder.js";

const ALIVE_MS = 30_000;
const entry = { id: "a", fingerprint: "f", likeness: "l" };
const mail = (name: string) =>
  ({ outcome: "accepted", id: `${name}.log`, messageId: `<${name}@example.com>` }) as const;

function storeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  onTestFinished(() => removeFolder(folder));
  return join(folder, "mail.db");
}

test("outlives its process in a file, and shows others what is written", async () => {
  const file = storeFile();
  const [one, other] = [await openMailStore(file, systemClock), await openMailStore(file, systemClock)];
  await one.ledger.begin(entry, 0);
  expect(await other.ledger.begin({ ...entry, id: "b" }, ALIVE_MS)).toMatchObject(entry);
  await one.close();
  expect(await other.ledger.adopt("a", ALIVE_MS)).toBe(true);
  await other.ledger.end("a", mail("m"));
  await other.close();
  const again = await openMailStore(file, systemClock);
  expect(await again.ledger.find("a")).toEqual({ state: "accepted", sent: mail("m") });
  await again.close();
});

test("forgets messages and undecided requests after a month in a file, but no open one", async () => {
  const clock = new VirtualClock();
  const store = await openMailStore(storeFile(), clock);
  const { ledger } = store;
  for (const id of ["a", "b", "c"]) await ledger.begin({ ...entry, id, fingerprint: id }, ALIVE_MS);
  await ledger.end("a", mail("m"));
  await ledger.end("b", "undecided");
  await ledger.begin({ ...entry, id: "d", fingerprint: "d" }, ALIVE_MS);
  await clock.advance(31 * 24 * 60 * 60 * 1000);
  await ledger.end("d", "not sent");
  expect(await Promise.all(["a", "b", "c"].map((id) => ledger.find(id)))).toMatchObject([
    undefined,
    undefined,
    { state: "open" },
  ]);
  await store.close();
});

test("does not grow without limit in memory", async () => {
  const ledger = memoryLedger(systemClock);
  for (let index = 0; index < 20_001; index += 1) {
    const id = `parcel-${index}`;
    await ledger.begin({ ...entry, id, fingerprint: id }, ALIVE_MS);
    await ledger.end(id, mail(id));
  }
  expect(await ledger.find("parcel-0")).toBeUndefined();
  expect(await ledger.find("parcel-10001")).toMatchObject({ state: "accepted" });
});

test("is shared by mailers with the same clock", () => {
  const clock = new DrivenClock();
  expect(processLedger(clock)).toBe(processLedger(clock));
  expect(processLedger(clock)).not.toBe(processLedger(new DrivenClock()));
});
