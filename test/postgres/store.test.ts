import { afterAll, describe, test } from "vitest";
import { openPostgres } from "../../src/postgres/store.js";
import { testMailStore } from "../../src/testing/index.js";
import { createDatabase } from "./database.js";

process.env["LETTERSHOP_TEST_STORES"] = await createDatabase();
afterAll(() => void delete process.env["LETTERSHOP_TEST_STORES"]);

describe("a store in Postgres", () => {
  const open = async (name: string) =>
    openPostgres({ connectionString: process.env["LETTERSHOP_TEST_STORES"], schema: name });
  const module = new URL("open-store.mjs", import.meta.url);
  for (const { name, run } of testMailStore({ open, module })) test(name, run);
});
