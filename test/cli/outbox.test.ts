import { writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadDriver } from "../../src/sqlite/driver.js";
import type { Courier } from "../../src/send/delivery/courier.js";
import { systemClock } from "../../src/send/clock.js";
import { RejectedError } from "../../src/send/errors.js";
import { createOutbox } from "../../src/send/outbox/outbox.js";
import { openMailStore } from "../../src/send/store/sqlite.js";
import { TestProject } from "./project.js";

const url = "https://mail.example";

/** Accepts receipts, and rejects everything else. */
const courier: Courier = {
  async deliver({ template, id }, { decided, mayLeave }) {
    await mayLeave?.();
    const outcome =
      template === "receipt"
        ? ({ outcome: "accepted", id: `1.${id.slice(0, 4)}`, messageId: `<${id}@mail.example>` } as const)
        : new RejectedError(400, "no such address: bob@example.org", {}, { cause: undefined });
    await decided?.(outcome);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  },
  reconcile: async () => "never sent",
  close: async () => undefined,
};

/** A project whose store has messages of two templates, one of which was sent. */
async function setUp({ work = true } = {}) {
  const project = new TestProject();
  const file = project.path("mail.db");
  const store = await openMailStore(file, systemClock);
  const outbox = (domain: string) =>
    createOutbox({
      store: store.outbox,
      url,
      domain,
      courier,
      pace: { expectedWait: () => 0 },
      clock: systemClock,
      publish: () => undefined,
      sendsPerMinute: 10,
    });
  const box = outbox("example.com");
  const queue = (template: string, to: string, more: object = {}) =>
    box.queue({
      id: randomUUID(),
      priority: "normal",
      onUnknown: "park",
      email: { from: "shop", to: [to], template, variables: { name: "Ada" } },
      template,
      ...more,
    });
  await queue("receipt", "Ada Lovelace <ada@example.org>", { key: "receipt-7" });
  await queue("welcome", "bob@example.org");
  await queue("welcome", "eve@example.org");
  if (work) {
    const worker = box.work();
    await worker.idle();
    await worker.stop();
  }
  return {
    project,
    file,
    store,
    queue,
    outbox,
    run: (...args: string[]) => project.run(["outbox", ...args, "--store", "mail.db"]),
  };
}

// Each starts several processes.
describe("templates outbox", () => {
  test("lists messages by state, template and age, without addresses", async () => {
    const { store, run, project } = await setUp();
    await store.close();
    const all = await run("list");
    expect(all).toMatchObject({ code: 0, stderr: "" });
    const [head, ...rows] = all.stdout.trim().split("\n");
    expect(head).toMatch(/^QUEUED +STATE +TEMPLATE +TO +ID$/);
    expect(rows).toHaveLength(3);
    expect(all.stdout).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ +accepted +receipt +a…@example\.org +[\da-f-]{36}$/m);
    expect(all.stdout).not.toMatch(/\b(?:ada|bob|eve)\b/i);
    expect((await run("list", "--show-addresses")).stdout).toContain("bob@example.org");

    const rejected = await run("list", "--state", "rejected", "--state", "parked", "--json");
    expect(JSON.parse(rejected.stdout).messages).toMatchObject([
      {
        state: "rejected",
        template: "welcome",
        recipients: ["e…@example.org"],
        variables: ["name"],
        for: `${url} example.com`,
      },
      { state: "rejected", template: "welcome", recipients: ["b…@example.org"] },
    ]);
    expect(rejected.stdout).not.toMatch(/bob@|Ada/);
    expect((await run("list", "--template", "welcome", "--limit", "1")).stderr).toContain("There are more");
    expect((await run("list", "--since", "2099-01-01T00:00:00Z")).stdout).toBe("No matching messages.\n");
    const byVariable = await project.run(["outbox", "list"], { LETTERSHOP_STORE: project.path("mail.db") });
    expect(byVariable.stdout).toBe(all.stdout);
  });

  test("shows a message by ID or key, and reports an unknown one", async () => {
    const { store, run } = await setUp();
    await store.close();
    const details = await run("show", "receipt-7");
    expect(details.code).toBe(0);
    expect(details.stdout).toMatch(/^state +accepted$/m);
    expect(details.stdout).toMatch(/^recipients +a…@example\.org$/m);
    expect(details.stdout).toMatch(/^variables +name$/m);
    expect(await run("show", "nothing")).toMatchObject({ code: 2, stderr: expect.stringContaining("no message") });
  });

  test("retries and discards messages by ID, or many after confirmation", async () => {
    const { store, run } = await setUp();
    const dry = await run("retry", "--state", "rejected", "--dry-run");
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 messages would be queued again\.\n/) });
    const [id = ""] = /[\da-f-]{36}/.exec(dry.stdout) ?? [];
    const result = await run("retry", "--state", "rejected");
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --yes") });
    expect((await store.outbox.counts(`${url} example.com`)).states).toMatchObject({ rejected: 2 });

    expect(await run("retry", id)).toMatchObject({ code: 0, stdout: "1 message queued again.\n" });
    expect(await run("discard", id, "none")).toMatchObject({
      code: 4,
      stdout: "1 message discarded.\n",
      stderr: "none was not changed: not found.\n",
    });
    expect(await run("discard", id)).toMatchObject({ code: 1, stderr: expect.stringContaining("it is discarded") });
    expect(await run("discard", "--template", "welcome", "--yes", "--json")).toMatchObject({ code: 0 });
    expect((await store.outbox.counts(`${url} example.com`)).states).toMatchObject({
      accepted: 1,
      rejected: 0,
      queued: 0,
      discarded: 2,
    });
    await store.close();
  });

  test("counts messages and reports problems for each service of a store", async () => {
    const { store, run, outbox, queue } = await setUp();
    await queue("receipt", "ada@example.org");
    await outbox("other.example").queue({
      id: randomUUID(),
      priority: "normal",
      onUnknown: "park",
      email: { from: "shop", to: ["ada@example.org"], subject: "Hi", text: "Hi" },
    });
    await store.close();
    const { code, stdout } = await run("stats");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^For https:\/\/mail\.example, example\.com\n {2}queued +1\n {2}accepted +1\n {2}rejected +2\n {2}due +1, the oldest for \d+ s$/m,
    );
    expect(stdout).toContain("For https://mail.example, other.example\n  queued     1\n");
    expect(stdout).not.toContain("bob@");
    expect(JSON.parse((await run("stats", "--json")).stdout).outboxes).toMatchObject([
      { for: `${url} example.com`, counts: { accepted: 1, rejected: 2 }, due: 1 },
      { for: `${url} other.example`, counts: { queued: 1 } },
    ]);
    expect((await run("list")).stdout).toMatch(/ FOR\n/);
  });

  test("shows only one environment with --env, without a key", async () => {
    const { store, run, project } = await setUp();
    await store.close();
    project.write({
      "lettershop.config.json": JSON.stringify({
        environments: {
          production: { url, domain: "example.com" },
          staging: { url, domain: "staging.example" },
          relay: { transport: "smtp", domain: "example.com" },
        },
      }),
    });
    expect((await run("list", "--env", "production")).stdout).toContain("receipt");
    expect((await run("list", "--env", "staging")).stdout).toBe("No matching messages.\n");
    // During development, mailers of such an environment would use the local service.
    const args = ["outbox", "list", "--store", "mail.db", "--env", "relay"];
    const relay = await project.run(args, { NODE_ENV: "development" });
    expect(relay).toMatchObject({ code: 2, stderr: expect.stringContaining("no server is set") });
  });

  test("reports problems with a store, without creating one", async () => {
    const project = new TestProject({ "text.db": "no database ".repeat(1000), "empty.db": "" });
    const stats = (...args: string[]) => project.run(["outbox", "stats", ...args]);
    expect(await stats()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--store or set LETTERSHOP_STORE"),
    });
    expect(await stats("--store", "none.db")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no store at"),
    });
    expect(await stats("--store", "none.db")).toMatchObject({ code: 2 });
    expect(await stats("--store", "empty.db")).toMatchObject({ code: 2, stderr: expect.stringContaining("is empty") });
    expect(await stats("--store", ".")).toMatchObject({ code: 2, stderr: expect.stringContaining("not a file") });
    const text = await stats("--store", "text.db");
    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).not.toContain("    at ");

    const { store, file, run } = await setUp({ work: false });
    await store.close();
    const open = await loadDriver("a test");
    const database = open(file);
    onTestFinished(() => database.close());
    database.exec("PRAGMA user_version = 99");
    expect(await run("stats")).toMatchObject({ code: 2, stderr: expect.stringContaining("newer") });
  });

  test.each([
    [["lst"], "Did you mean: templates outbox list?"],
    [["list", "--dry-run"], '"templates outbox list" does not accept --dry-run.'],
    [["stats", "--state", "queued"], "does not accept --state"],
    [["show"], "needs the ID of a message"],
    [["list", "some-id"], "does not accept IDs"],
    [["retry", "some-id", "--template", "one"], "by ID or with --template, not both"],
    [["list", "--state", "prked"], "Did you mean parked?"],
    [["list", "--limit", "0"], "--limit must be a whole number"],
    [["list", "--since", "yesterday"], "--since must be a time"],
  ])("refuses %j", async (args, message) => {
    const project = new TestProject();
    writeFileSync(project.path("mail.db"), "x");
    expect(await project.run(["outbox", ...args, "--store", "mail.db"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});
