import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createOutboxReader } from "../../src/cli/preview/outbox.js";
import { openPostgres } from "../../src/postgres/store.js";
import { createDatabase } from "../postgres/database.js";

test("a message that does not exist leaves the store open for others who read it", async () => {
  const database = await createDatabase();
  const store = openPostgres({ connectionString: database });
  onTestFinished(() => store.close());
  await store.ready();
  const client = new Client({ connectionString: database });
  await client.connect();
  onTestFinished(() => client.end());
  const connections = async (): Promise<number[]> => {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    return rows.map(({ pid }) => pid);
  };

  const reader = createOutboxReader({ store: database, schema: undefined, cwd: undefined });
  onTestFinished(() => reader.close());
  expect(await reader.read({ limit: 10 })).toMatchObject({ outbox: { messages: [] } });
  const opened = await connections();
  await expect(reader.message("deleted")).rejects.toThrow("no message with this ID");
  expect(await reader.read({ limit: 10 })).toMatchObject({ outbox: { messages: [] } });
  expect(await connections()).toEqual(expect.arrayContaining(opened));
});
