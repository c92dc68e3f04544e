import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { createMailer } from "../../src/send/index.js";
import { type Seed, startService } from "../../src/service/index.js";
import { smtp } from "../../src/smtp/index.js";
import { TestProject } from "./project.js";

const MINUTE_MS = 60_000;

/** An environment on a local service, to which an application sends directly and from its outbox. */
async function setUp(version: "v4" | "v3" = "v4") {
  const credentials = [{ username: "app", password: "secret" }];
  const seed = { domains: [{ name: "example.test", credentials }] } satisfies Seed;
  const service = await startService({ data: ":memory:", port: 0, seed });
  onTestFinished(() => service.close());
  const { url, domain, apiKey } = service;
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments: { staging: { url, domain, version } } }),
  });
  const client = createClient({ apiKey, baseUrl: url });
  onTestFinished(() => client.close());
  const env = { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: apiKey, LETTERSHOP_STORE: project.path("mail.db") };
  return {
    service,
    project,
    env,
    mailer: createMailer({ url, domain, apiKey, from: "shop", store: env.LETTERSHOP_STORE }),
    send: (...to: string[]) => client.emails.send(domain, { from: "shop", to, subject: "Your order", text: "Thanks" }),
  };
}

describe("templates trace", () => {
  test.each(["v4", "v3"] as const)("explains what happened to an email, %s", async (version) => {
    const { project, env, service, send } = await setUp(version);
    const { id, message_id } = await send("ada@example.org", "soft-bounce@example.org", "hard-bounce@example.org");
    service.clock.advance(6 * MINUTE_MS);
    const { LETTERSHOP_STORE: _, ...alone } = env;
    for (const identifier of [id, message_id]) {
      const { code, stdout } = await project.run(["trace", identifier], alone);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^\d{4}-\d\d-\d\d {2}"Your order" {2}<.+>$/m);
      expect(stdout).toMatch(/^ {2}a…@example\.org {2}accepted \d\d:\d\d, delivered \d\d:\d\d$/m);
      expect(stdout).toMatch(
        /^ {2}s…@example\.org {2}accepted .+, soft-bounced twice \(greylisted\), delivered .*\d\d:\d\d$/m,
      );
      expect(stdout).toMatch(/^ {2}h…@example\.org {2}accepted .+, hard-bounced \d\d:\d\d \(no such mailbox\)$/m);
    }
    const document = await project.run(["trace", id, "--json"], alone);
    expect(JSON.parse(document.stdout).messages).toMatchObject([{ state: "failed", messageId: message_id }]);
    expect(document.stdout).not.toContain("soft-bounce@");

    await send("ADA@example.org");
    const all = await project.run(["trace", "ada@example.org", "--show-addresses"], alone);
    expect(all.stdout.match(/^ {2}ada@example\.org {2}accepted/gim)).toHaveLength(2);
    expect(all.stdout).not.toContain("soft-bounce");
    expect(all.stderr).toContain("Times are in UTC.");
  });

  test("finds messages that an application queued for an SMTP server", async () => {
    const { service, project, env } = await setUp();
    const mailer = createMailer({
      transport: smtp({
        host: "127.0.0.1",
        port: Number(service.smtpPort),
        user: "app@example.test",
        password: "secret",
      }),
      domain: service.domain,
      from: "shop",
      store: env.LETTERSHOP_STORE,
    });
    onTestFinished(() => mailer.close());
    const message = { subject: "Your order", text: "Thanks", to: "ada@example.org" };
    const sent = await mailer.queueMessage(message);
    const worker = mailer.work();
    await worker.idle();
    await worker.stop();
    const later = new Date(Date.now() + 60 * MINUTE_MS);
    const waiting = await mailer.queueMessage({ ...message, sendAt: later });

    const one = await project.run(["trace", sent.id], env);
    expect(one.stdout).toMatch(/^ {2}a…@example\.org {2}queued \d\d:\d\d, accepted \d\d:\d\d, delivered \d\d:\d\d$/m);
    const other = await project.run(["trace", waiting.id], env);
    expect(other.stdout).toMatch(/^ {2}a…@example\.org {2}queued \d\d:\d\d, to be sent .*\d\d:\d\d or later$/m);
    const all = await project.run(["trace", "ada@example.org"], env);
    expect(all.stdout.match(/^ {2}a…@example\.org {2}queued/gm)).toHaveLength(2);
  });

  test("combines queued messages with their log entries", async () => {
    const { project, env, mailer } = await setUp();
    const message = { subject: "Your order", text: "Thanks" };
    const sent = await mailer.queueMessage({ ...message, to: "ada@example.org" });
    const worker = mailer.work();
    await worker.idle();
    await worker.stop();
    const later = new Date(Date.now() + 60 * MINUTE_MS);
    const waiting = await mailer.queueMessage({ ...message, to: "ada@example.org", sendAt: later });
    await mailer.close();

    const one = await project.run(["trace", sent.id], env);
    expect(one.stdout).toMatch(/^ {2}a…@example\.org {2}queued \d\d:\d\d, accepted \d\d:\d\d, delivered \d\d:\d\d$/m);
    const other = await project.run(["trace", waiting.id], env);
    expect(other.stdout).toMatch(/^ {2}a…@example\.org {2}queued \d\d:\d\d, to be sent .*\d\d:\d\d or later$/m);
    const both = await project.run(["trace", "ada@example.org", "--json"], env);
    expect(JSON.parse(both.stdout).messages).toMatchObject([
      { outbox: "accepted", queued: { id: sent.id }, state: "delivered" },
      { outbox: "queued", queued: { id: waiting.id }, state: "unsent" },
    ]);
  });

  test("reports unknown messages and addresses", async () => {
    const { project, env } = await setUp();
    const { LETTERSHOP_STORE: _, ...alone } = env;
    expect(await project.run(["trace", "ada@example.org"], alone)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^No messages to this address since \S+\.\n$/),
    });
    const { code, stderr } = await project.run(["trace", "1500000000000.0a"], alone);
    expect(code).toBe(1);
    expect(stderr).toContain("There is no message with the id 1500000000000.0a");
    expect(await project.run(["trace", "1.a", "--store", "none.db"], alone)).toMatchObject({ code: 2 });
  });
});
