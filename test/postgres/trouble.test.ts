import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isRefused, storeErrorOf } from "../../src/postgres/errors.js";
import { StoreError } from "../../src/send/errors.js";
import { postgresStore } from "../../src/postgres/index.js";
import { PostgresServer } from "./server.js";

const PASSWORD = "hunter2";
let server: PostgresServer;
/** Of a user whose password the tests look for in errors. */
let url: string;

beforeAll(async () => {
  server = await PostgresServer.start();
  await asAdmin(`CREATE ROLE shop LOGIN SUPERUSER PASSWORD '${PASSWORD}'`);
  url = addressWith({ username: "shop", password: PASSWORD });
});
afterAll(() => server.remove());

async function asAdmin(sql: string) {
  const admin = new Client({ connectionString: server.url() });
  await admin.connect();
  const result = await admin.query(sql);
  await admin.end();
  return result.rows;
}

function addressWith(parts: Partial<Record<"username" | "password" | "pathname" | "search" | "port", string>>): string {
  return Object.assign(new URL(server.url()), { username: "shop", password: PASSWORD }, parts).href;
}

function open(connectionString = url) {
  const store = postgresStore({ connectionString });
  onTestFinished(() => store.close());
  return store;
}

/** The error of a call. It and its causes contain neither the password nor the address that was passed. */
async function failureOf(call: Promise<unknown>): Promise<StoreError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StoreError)) throw new Error("It did not fail with a StoreError.", { cause: error });
  expect(inspect(error, { depth: 20 })).not.toContain(PASSWORD);
  expect(error.message).not.toMatch(/shop:|ada@/);
  return error;
}

/** Uses the store without a pause until it is stopped: how often that worked and failed, and when it worked last. */
function useAllTheTime(store: ReturnType<typeof postgresStore>, callers = 8) {
  const counts = { done: 0, failures: [] as unknown[] };
  const stopping = new AbortController();
  const callings = Array.from({ length: callers }, async (_, caller) => {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const entry = { id: `${caller}-${number}`, fingerprint: `${caller}-${number}`, likeness: "l" };
      try {
        await store.ledger.begin(entry, 60_000);
        await store.ledger.end(entry.id, "not sent");
        counts.done += 1;
      } catch (error) {
        counts.failures.push(error);
        await sleep(5);
      }
    }
  });
  return {
    counts,
    /** Resolves when every caller has had time for several uses that work. */
    async works() {
      const before = counts.done;
      await expect.poll(() => counts.done).toBeGreaterThan(before + 100);
    },
    async stop() {
      stopping.abort();
      await Promise.all(callings);
      for (const failure of counts.failures) await failureOf(Promise.reject(failure));
    },
  };
}

async function postmaster(): Promise<number> {
  const [{ data_directory: folder }] = await asAdmin("SHOW data_directory");
  return Number.parseInt(await readFile(path.join(folder, "postmaster.pid"), "utf8"), 10);
}

describe("while the store is in use", () => {
  test("connections that are terminated one by one are replaced", async () => {
    const use = useAllTheTime(open());
    await use.works();
    for (let round = 0; round < 20; round += 1) {
      await asAdmin(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lettershop' LIMIT 1",
      );
      await sleep(20);
    }
    await use.works();
    await use.stop();
    // Only what was running on them.
    expect(use.counts.failures.length).toBeLessThanOrEqual(20);
  });

  test.each(["SIGINT", "SIGQUIT"] as const)("the server restarts after %s", async (signal) => {
    const use = useAllTheTime(open());
    await use.works();
    for (let round = 0; round < 3; round += 1) {
      await server.end(signal);
      await server.resume();
      await use.works();
    }
    await use.stop();
  });

  test("a server that accepts no connections is reported in time, and used again", async () => {
    const store = open();
    const pid = await postmaster();
    process.kill(pid, "SIGSTOP");
    const began = performance.now();
    const failure = await failureOf(store.suppressions.list()).finally(() => process.kill(pid, "SIGCONT"));
    expect(failure.message).toContain("connecting took too long");
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(await store.suppressions.list()).toEqual([]);
  });

  // Takes as long as a store waits for an answer: 30 s.
  test.runIf(process.env["MODE"] === "long")("a statement that hangs ends, and so does its connection", async () => {
    const store = open();
    await store.suppressions.list();
    const [{ pid }] = await asAdmin("SELECT pid FROM pg_stat_activity WHERE application_name = 'lettershop'");
    process.kill(pid, "SIGSTOP");
    const failure = await failureOf(store.suppressions.list()).finally(() => process.kill(pid, "SIGCONT"));
    expect(failure.message).toContain("it did not answer in time");
    expect(await store.suppressions.list()).toEqual([]);
    expect(await asAdmin(`SELECT FROM pg_stat_activity WHERE pid = ${pid} AND state <> 'idle'`)).toEqual([]);
  });

  test("a primary that becomes read-only is used again when it is writable", async () => {
    const use = useAllTheTime(open());
    await use.works();
    await asAdmin("ALTER DATABASE postgres SET default_transaction_read_only = on");
    await asAdmin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lettershop'");
    await expect.poll(() => use.counts.failures.some((error) => String(error).includes("it is read-only"))).toBe(true);
    // Its open connections would stay read-only.
    await asAdmin("SET transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only");
    await use.works();
    await use.stop();
  });

  test("an application's pool gets no error of a connection that the store was using", async () => {
    const pool = new Pool({ connectionString: url, application_name: "shop" });
    const errors: Error[] = [];
    pool.on("error", (error) => errors.push(error));
    onTestFinished(() => pool.end());
    const store = postgresStore({ pool });
    await store.suppressions.list();
    await asAdmin(`CREATE FUNCTION lettershop.wait() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_sleep(60); RETURN new; END $$;
      CREATE TRIGGER wait BEFORE INSERT ON lettershop.suppressions FOR EACH ROW EXECUTE FUNCTION lettershop.wait()`);
    const failing = failureOf(store.suppressions.add({ email: "ada@example.com", reason: "added", since: 0 }));
    await expect
      .poll(() => asAdmin("SELECT FROM pg_stat_activity WHERE application_name = 'shop' AND wait_event = 'PgSleep'"))
      .toHaveLength(1);
    await asAdmin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    expect((await failing).message).toContain("it is shutting down or starting");
    await asAdmin("DROP TRIGGER wait ON lettershop.suppressions");
    expect(await store.suppressions.list()).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe("errors say what is wrong", () => {
  test.each([
    ["a wrong password", { password: "wrong-secret" }, "it refused the user, the password"],
    ["an unknown user", { username: "nobody" }, "it refused the user, the password"],
    ["no password", { password: "" }, "it refused the user, the password"],
    ["an unknown database", { pathname: "/nowhere" }, "the database does not exist"],
    ["TLS that the server does not have", { search: "?sslmode=verify-full" }, "it refused a TLS connection"],
    ["a certificate that does not exist", { search: "?sslrootcert=/no.pem" }, "a file that its address names"],
    ["a port on which nothing listens", { port: "1" }, "the connection was refused"],
  ])("%s", async (_, parts, expected) => {
    const failure = await failureOf(open(addressWith(parts)).suppressions.list());
    expect(failure.message).toContain(expected);
    expect(failure.message).toMatch(/store postgres:\/\/127\.0\.0\.1:\d+\/\w+:/);
    expect(inspect(failure, { depth: 20 })).not.toContain("wrong-secret");
    expect(failure.hint).toBeTypeOf("string");
  });

  test("a password that the driver misses, without leaving a connection open", async () => {
    const [{ hba_file: file }] = await asAdmin("SHOW hba_file");
    await writeFile(file, `host all shop 127.0.0.1/32 scram-sha-256\n${await readFile(file, "utf8")}`);
    await asAdmin("SELECT pg_reload_conf()");
    const sockets = () => process.getActiveResourcesInfo().filter((resource) => resource === "TCPSocketWrap").length;
    await expect.poll(sockets, { timeout: 10_000 }).toBe(0);
    await expect
      .poll(async () => (await failureOf(open(addressWith({ password: "" })).suppressions.list())).message)
      .toContain("it needs a password");
    await expect.poll(sockets, { timeout: 10_000 }).toBe(0);
  });

  test.each([
    ["EHOSTUNREACH", "connect EHOSTUNREACH 10.0.0.1:5432", "its host can't be reached"],
    ["EAI_AGAIN", "getaddrinfo EAI_AGAIN db.example.com", "its host name can't be looked up"],
    [undefined, "timeout exceeded when trying to connect", "the pool had no free connection in time"],
    [undefined, "Connection terminated due to connection timeout", "connecting took too long"],
  ])("%s: %s", async (code, message, expected) => {
    const failure = await failureOf(Promise.reject(storeErrorOf(Object.assign(new Error(message), { code }), "s")));
    expect(failure.message).toBe(`Can't use the mailer's store s: ${expected}.`);
  });

  test("too many connections", async () => {
    await asAdmin("CREATE ROLE few LOGIN CONNECTION LIMIT 0 PASSWORD 'few-secret'");
    const failure = await failureOf(open(addressWith({ username: "few", password: "few-secret" })).suppressions.list());
    expect(failure.message).toContain("it has too many connections");
    // Otherwise, a message would be added again, and the wait would be twice as long.
    expect(isRefused(failure)).toBe(false);
  });

  test.each([
    ["53100", "its disk is full"],
    ["53200", "it is out of memory"],
    ["55P03", "another transaction held a lock for too long"],
    ["XX001", "it reported an error (SQLSTATE XX001)"],
  ])("%s, without the database's own words", async (state, expected) => {
    const store = open();
    await store.suppressions.list();
    await asAdmin(`CREATE OR REPLACE FUNCTION lettershop.fail() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'failing row contains %', new.email USING ERRCODE = '${state}'; END $$;
      CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON lettershop.suppressions
        FOR EACH ROW EXECUTE FUNCTION lettershop.fail()`);
    onTestFinished(async () => void (await asAdmin("DROP TRIGGER fail ON lettershop.suppressions")));
    const adding = store.suppressions.add({ email: "ada@example.com", reason: "added", since: 0 });
    const failure = await failureOf(adding);
    expect(failure.message).toContain(expected);
    expect(failure.message + failure.hint).not.toContain("ada");
    expect(failure.cause).toMatchObject({ message: "failing row contains ada@example.com" });
  });
});
