import { once } from "node:events";
import { createServer } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { createMailer } from "../../src/send/index.js";
import { postgresStore } from "../../src/postgres/index.js";
import { createDatabase } from "../postgres/database.js";
import { startService } from "../../src/service/index.js";
import { htmlTemplate, TestProject } from "./project.js";

let url: string;
let client: Client;
const outbox = (...args: string[]) => new TestProject().run(["outbox", ...args], { LETTERSHOP_STORE: url });

beforeAll(async () => {
  url = await createDatabase();
  client = new Client({ connectionString: url });
  await client.connect();
});
afterAll(() => client.end());

/** Columns, indexes, triggers and functions of a schema. */
async function catalog(schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = $1
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = $1
    UNION ALL SELECT trigger_name || action_statement FROM information_schema.triggers WHERE trigger_schema = $1
    UNION ALL SELECT routine_name || routine_definition FROM information_schema.routines WHERE routine_schema = $1
    ORDER BY line`,
    [schema],
  );
  return rows.map(({ line }) => line.replaceAll(schema, "lettershop").replaceAll('"', "")).toSorted();
}

describe("templates outbox with a store in Postgres", () => {
  test("says that the tables are missing, and creates them once", async () => {
    const missing = await outbox("stats");
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("Run: templates outbox migrate") });
    expect(await outbox("migrate")).toMatchObject({
      code: 0,
      stdout: "The tables were created: version 1.\n",
    });
    expect(await outbox("migrate")).toMatchObject({ code: 0, stdout: "The tables are up to date: version 1.\n" });
    expect(await outbox("stats")).toMatchObject({ code: 0 });
  });

  test("prints SQL that creates the same tables, and can run again", async () => {
    const printed = await outbox("migrate", "--print", "--schema", "by hand");
    expect(printed.code).toBe(0);
    for (let times = 0; times < 2; times += 1) await client.query(printed.stdout);
    expect(await catalog("by hand")).toEqual(await catalog("lettershop"));
    expect(await outbox("stats", "--schema", "by hand")).toMatchObject({ code: 0 });
  });

  test("lists, and erases what was decided", async () => {
    const store = postgresStore({ connectionString: url });
    const mailer = createMailer({
      url: "https://mail.example",
      domain: "example.com",
      apiKey: "k",
      from: "shop",
      store,
    });
    const [discarded, queued] = await Promise.all(
      ["a", "b"].map((subject) => mailer.queueMessage({ to: "ada@example.org", subject, text: "Hi" })),
    );
    await mailer.outbox.discard(discarded?.id ?? "");
    expect(await outbox("list")).toMatchObject({ stdout: expect.stringContaining("a…@example.org") });
    const erased = await outbox("erase", "Ada@example.org", "--yes");
    expect(erased).toMatchObject({ code: 0, stdout: "1 message erased.\n" });
    expect(erased.stderr).toBe(`${queued?.id} was not changed: it is queued.\n`);
    expect((await mailer.outbox.get(discarded?.id ?? ""))?.hasContents).toBe(false);
    expect(await outbox("erase", "Ada@example.org")).toMatchObject({ code: 0, stdout: "0 messages erased.\n" });
    await mailer.close();
    await store.close();
  });

  test("never shows a password", async () => {
    const address = "postgres://shop:hunter2@127.0.0.1:1/mail";
    const project = new TestProject();
    const down = await project.run(["outbox", "stats", "--store", address]);
    expect(down).toMatchObject({ code: 2, stderr: expect.stringContaining("postgres://127.0.0.1:1/mail") });
    expect(down.stderr).toContain("the connection was refused");
    expect(JSON.stringify(down)).not.toContain("hunter2");
    const file = await project.run(["outbox", "migrate", "--store", "data/mail.db"]);
    expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining("The store is a file") });
  });

  test("tries to connect once", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = Object(server.address());
    const failed = await new TestProject().run(["outbox", "stats", "--store", `postgres://127.0.0.1:${port}/mail`]);
    server.close();
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining("the connection was lost") });
    expect(connections).toBe(1);
  });

  test("is the store of other commands that send", async () => {
    const service = await startService({ data: ":memory:", port: 0 });
    onTestFinished(() => service.close());
    const { url: address, domain, apiKey } = service;
    const api = createClient({ baseUrl: address, apiKey });
    onTestFinished(() => api.close());
    await api.templates.create(domain, { name: "welcome", subject: "Hi", html_body: "<p>Hi</p>", text_body: "Hi" });
    const config = { environments: { staging: { url: address, domain } } };
    const project = new TestProject({
      "lettershop.config.json": JSON.stringify(config),
      ...htmlTemplate("welcome", "Hi"),
    });
    const variables = { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: apiKey };
    const send = (store: string) =>
      project.run(["send", "welcome", "--to", "ada@example.org"], { ...variables, LETTERSHOP_STORE: store });
    expect(await send(url)).toMatchObject({ code: 0, stdout: expect.stringContaining("Accepted: ") });
    const { rows } = await client.query("SELECT FROM lettershop.pace_slots");
    expect(rows).toHaveLength(1);
    expect(await send("postgres://shop:hunter2@127.0.0.1:1/mail")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("store postgres://127.0.0.1:1/mail: the connection was refused."),
    });
  });

  test("sends a mailer to the module for Postgres", () => {
    const create = () =>
      createMailer({ url: "https://mail.example", domain: "example.com", apiKey: "k", from: "s", store: url });
    expect(create).toThrow(expect.objectContaining({ code: "configuration" }));
    expect(create).toThrow("postgresStore()");
  });
});
