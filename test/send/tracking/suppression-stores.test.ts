import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/send/clock.js";
import { memoryStore } from "../../../src/send/store/memory.js";
import { openMailStore } from "../../../src/send/store/sqlite.js";
import { testMailStore } from "../../../src/testing/store/index.js";
import { removeFolder } from "../../remove-folder.js";

function storeFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "suppressions-"));
  onTestFinished(() => removeFolder(folder));
  return path.join(folder, "mail.db");
}

describe.each([
  ["in memory", async () => memoryStore(systemClock)],
  ["in a file", async () => openMailStore(storeFile(), systemClock)],
])("a store %s", (_, open) => {
  test.each(
    testMailStore({ open })
      .filter(({ name }) => name.startsWith("suppressions:"))
      .map((each) => [each.name, each] as const),
  )("%s", (_name, each) => each.run());
});

test("outlives its process in a file, and shows others what is written", async () => {
  const file = storeFile();
  const [one, other] = [await openMailStore(file, systemClock), await openMailStore(file, systemClock)];
  await one.suppressions.add({ email: "ada@example.com", reason: "hard-bounced", since: 1, event: "1" });
  expect(await other.suppressions.find(["ada@example.com"])).toHaveLength(1);
  await one.close();
  await other.suppressions.remove("ada@example.com");
  await other.close();
  const again = await openMailStore(file, systemClock);
  expect(await again.suppressions.add({ email: "ada@example.com", reason: "", since: 1, event: "1" })).toBe(false);
  await again.close();
});
