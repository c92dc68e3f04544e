import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/send/clock.js";
import { openMailStore } from "../../../src/send/store/sqlite.js";
import { listQuery } from "../../../src/send/store/sqlite-outbox-rows.js";
import { loadDriver } from "../../../src/sqlite/driver.js";
import { temporaryFolder } from "../outbox/open.js";

test.each([{}, { state: "accepted" }] as const)(
  "the newest messages are found in an index, without sorting all messages: %o",
  async (filter) => {
    const file = path.join(temporaryFolder(), "mail.db");
    await (await openMailStore(file, systemClock)).close();
    const database = (await loadDriver("the test"))(file);
    onTestFinished(() => database.close());
    const { sql, values } = listQuery("https://mail.example example.com", filter);
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    expect(plan.map(({ detail }) => String(detail)).join("\n")).toMatch(
      /SEARCH outbox_messages USING INTEGER PRIMARY KEY[^]*SEARCH outbox_messages USING COVERING INDEX outbox_by_state/,
    );
  },
);
