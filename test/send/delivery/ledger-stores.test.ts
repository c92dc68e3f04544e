import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/send/clock.js";
import { memoryLedger, processLedger, memoryStore } from "../../../src/send/store/memory.js";
import { openMailStore } from "../../../src/send/store/sqlite.js";
import { testMailStore } from "../../../src/testing/store/index.js";
import { DrivenClock } from "./harness.js";
import { removeFolder } from "../../remove-folder.js";

const AT = 1_800_000_000_000;
const entry = { id: "a", fingerprint: "f", likeness: "l", startedAt: AT, aliveUntil: AT + 1 };
const mail = (name: string) =>
  ({ outcome: "accepted", id: `${name}.log`, messageId: `<${name}@example.com>` }) as const;

function storeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  onTestFinished(() => removeFolder(folder));
  return join(folder, "mail.db");
}

describe.each([
  ["in memory", async () => ({ ...memoryStore(systemClock), ledger: memoryLedger() })],
  ["in a file", async () => openMailStore(storeFile(), systemClock)],
])("a store %s", (_, open) => {
  test.each(
    testMailStore({ open })
      .filter(({ name }) => name.startsWith("ledger:"))
      .map((each) => [each.name, each] as const),
  )("%s", (_name, each) => each.run());
});

test("outlives its process in a file, and shows others what is written", async () => {
  const file = storeFile();
  const [one, other] = [await openMailStore(file, systemClock), await openMailStore(file, systemClock)];
  await one.ledger.begin(entry);
  expect(await other.ledger.begin({ ...entry, id: "b" })).toEqual(entry);
  await one.close();
  expect(await other.ledger.adopt("a", AT + 1, AT + 2)).toBe(true);
  await other.ledger.end("a", mail("m"), AT);
  await other.close();
  const again = await openMailStore(file, systemClock);
  expect(await again.ledger.find("a")).toEqual({ state: "accepted", sent: mail("m") });
  await again.close();
});

test("forgets messages and undecided requests after a month in a file, but no open one", async () => {
  const store = await openMailStore(storeFile(), systemClock);
  const { ledger } = store;
  for (const id of ["a", "b", "c"]) await ledger.begin({ ...entry, id, fingerprint: id });
  await ledger.end("a", mail("m"), AT);
  await ledger.end("b", "undecided", AT);
  await ledger.begin({ ...entry, id: "d", fingerprint: "d" });
  await ledger.end("d", "not sent", AT + 31 * 24 * 60 * 60 * 1000);
  expect(await Promise.all(["a", "b", "c"].map((id) => ledger.find(id)))).toMatchObject([
    undefined,
    undefined,
    { state: "open" },
  ]);
  await store.close();
});

test("does not grow without limit in memory", async () => {
  const ledger = memoryLedger();
  for (let index = 0; index < 20_001; index += 1) {
    const id = `parcel-${index}`;
    await ledger.begin({ ...entry, id, fingerprint: id });
    await ledger.end(id, mail(id), AT);
  }
  expect(await ledger.find("parcel-0")).toBeUndefined();
  expect(await ledger.find("parcel-10001")).toMatchObject({ state: "accepted" });
});

test("is shared by mailers with the same clock", () => {
  const clock = new DrivenClock();
  expect(processLedger(clock)).toBe(processLedger(clock));
  expect(processLedger(clock)).not.toBe(processLedger(new DrivenClock()));
});
