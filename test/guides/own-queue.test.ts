import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { generateRegistry } from "../../src/registry/generate.js";
import { type RunningService, startService } from "../../src/service/index.js";
import { createDatabase } from "../postgres/database.js";
import { compiled, makeFolder, repository, type TemplateFacts } from "../registry/templates.js";
import { compile } from "../types/application.js";
import { writeApplication } from "./application.js";
import { sendErrorCodes } from "./send-error-codes.js";

const guide = readFileSync(path.join(repository, "docs/guides/own-queue.md"), "utf8");
/** What is the same for every queue; the blocks after it need a library each. */
const [, receipts = ""] = /^```ts\n([^]*?)^```$/m.exec(guide) ?? [];

const order = { type: "object", properties: { number: { type: "string" } }, required: ["number"] } as const;
const template: TemplateFacts = {
  name: "receipt",
  subject: "Receipt {{{order.number}}}",
  html: "<p>{{order.number}}</p>",
  text: "{{{order.number}}}",
  input: { type: "object", properties: { order }, required: ["order"] },
};

/** A job that prints how it ends. `close` on stdin shuts it down. */
const job = `
  import { closeMailer, JobError, sendReceipt } from "./receipts.js";

  process.stdin.once("data", () => void closeMailer());
  try {
    console.log(JSON.stringify({ messageId: await sendReceipt(JSON.parse(process.argv[2] ?? "")) }));
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    const [code] = error.message.split(":");
    console.log(JSON.stringify({ code, retryInMs: error.retryInMs ?? "never", message: error.message }));
  }
  process.stdin.destroy();
  await closeMailer();
`;

interface Ended {
  readonly messageId?: string;
  readonly code?: string;
  readonly retryInMs?: number | "never";
  readonly message?: string;
}

interface RunningJob {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended | undefined>;
}

interface Shop {
  readonly service: RunningService;
  readonly start: (
    number: string,
    differences?: { readonly email?: string; readonly env?: Readonly<Record<string, string>> },
  ) => RunningJob;
}

let folder: string;
beforeAll(async () => {
  folder = await makeFolder(afterAll);
  const results = [await compiled(folder, template)];
  const environments = {
    production: { url: "https://api.example.com", domain: "example.test", version: "v4", keyVariable: "MAIL_API_KEY" },
  } as const;
  const project = { folder, dataFolder: folder, environments, locale: "en-US", timeZone: "UTC" };
  await writeApplication(folder, {
    packages: ["pg"],
    files: {
      "src/templates.gen.ts": await generateRegistry({ results, project }),
      // The job of a killed process is continued sooner.
      "src/receipts.ts": receipts.replace("maxWait: 120_000", 'maxWait: 120_000, outbox: { lease: "1s" }'),
      "src/job.ts": job,
    },
  });
  expect(await compile({ folder })).toEqual([]);
});

async function openShop(): Promise<Shop> {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  onTestFinished(() => service.close());
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(() => client.close());
  const { name, subject = "", html = "", text = "" } = template;
  await client.templates.create(service.domain, { name, subject, html_body: html, text_body: text });
  const store = await createDatabase();
  return {
    service,
    start(number, { email = "ada@example.com", env = {} } = {}) {
      const data = JSON.stringify({ order: { number }, email });
      const child = spawn(process.execPath, [path.join(folder, "out/job.js"), data], {
        cwd: folder,
        env: {
          ...process.env,
          MAIL_API_KEY: "local",
          LETTERSHOP_URL: service.url,
          LETTERSHOP_DOMAIN: service.domain,
          LETTERSHOP_STORE: store,
          ...env,
        },
        stdio: ["pipe", "pipe", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      let printed = "";
      child.stdout.on("data", (chunk) => (printed += String(chunk)));
      const ended = new Promise<Ended | undefined>((resolve) => {
        child.on("close", () => resolve(printed === "" ? undefined : JSON.parse(printed)));
      });
      return { child, ended };
    },
  };
}

test("a job that runs again sends nothing, and has the same result", async () => {
  const { service, start } = await openShop();
  const [first, second] = await Promise.all([start("1042").ended, start("1042").ended]);
  expect(first).toEqual({ messageId: expect.stringContaining("@") });
  expect(second).toEqual(first);
  expect(await start("1042").ended).toEqual(first);
  expect(service.mail.list()).toHaveLength(1);
});

test("a lost answer is looked up", async () => {
  const { service, start } = await openShop();
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
  const first = await start("1042").ended;
  expect(first).toEqual({ messageId: expect.stringContaining("@") });
  expect(await start("1042").ended).toEqual(first);
  expect(service.mail.list()).toHaveLength(1);
});

test("a job whose process was killed while it sent finds out what happened", async () => {
  const { service, start } = await openShop();
  service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 3_000 });
  const killed = start("1042");
  await expect.poll(() => service.faults.list()).toEqual([]);
  killed.child.kill("SIGKILL");
  expect(await killed.ended).toBeUndefined();
  expect(await start("1042").ended).toEqual({ messageId: expect.stringContaining("@") });
  expect(service.mail.list()).toHaveLength(1);
});

test("a failure says when to run the job again, and nothing about the customer", async () => {
  const { service, start } = await openShop();
  const missing = "postgres://shop:secret@127.0.0.1:9/shop";
  const [invalid, refused, storeless] = await Promise.all([
    start("1", { email: "ada at example.com" }).ended,
    start("2", { env: { MAIL_API_KEY: "wrong" } }).ended,
    start("3", { env: { LETTERSHOP_STORE: missing } }).ended,
  ]);
  expect(invalid).toMatchObject({ code: "invalid_message", retryInMs: "never" });
  expect(invalid?.message).not.toContain("ada at");
  expect(refused).toMatchObject({ code: "rejected", retryInMs: 300_000 });
  expect(storeless).toMatchObject({ code: "store", retryInMs: 60_000 });
  expect(storeless?.message).not.toContain("secret");
  expect(service.mail.list()).toEqual([]);
  // Nothing was sent, so the keys are free.
  const again = await Promise.all(["1", "2"].map((number) => start(number).ended));
  expect(again.map((ended) => ended?.messageId)).toEqual([expect.any(String), expect.any(String)]);
});

test("a job that would wait too long for the rate limit fails with the time to wait", async () => {
  const { service, start } = await openShop();
  service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 429, retryAfter: 300 });
  const limited = await start("1042").ended;
  expect(limited).toMatchObject({ code: "rate_limited", retryInMs: expect.any(Number) });
  expect(limited?.retryInMs).toBeGreaterThan(200_000);
  expect(limited?.retryInMs).toBeLessThan(310_000);
});

test("a shutdown ends a job that waits, and it runs again at once", async () => {
  const { service, start } = await openShop();
  service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 429, retryAfter: 15 });
  const { child, ended } = start("1042");
  await expect.poll(() => service.faults.list()).toEqual([]);
  child.stdin?.write("close\n");
  expect(await ended).toMatchObject({ code: "aborted", retryInMs: 0 });
  expect(service.mail.list()).toEqual([]);
});

test("the table has every error", () => {
  const [, section = ""] = guide.split("### Errors\n");
  const cells = [...(section.split(/^##/m)[0] ?? "").matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell);
  const named = cells.slice(1).flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
  expect(named.toSorted()).toEqual(sendErrorCodes);
});
