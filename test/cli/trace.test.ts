import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { createMailer } from "../../src/send/index.js";
import { startService } from "../../src/service/index.js";
import { TestProject } from "./project.js";

const MINUTE_MS = 60_000;

/** An environment at a local service, to which an application sends, by itself and out of its outbox. */
async function setUp(version: "v4" | "v3" = "v4") {
  const service = await startService({ data: ":memory:", port: 0 });
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
  test.each(["v4", "v3"] as const)("tells what happened to a mail, in plain words, %s", async (version) => {
    const { project, env, service, send } = await setUp(version);
    const { id, message_id } = await send("ada@example.org", "soft-bounce@example.org", "hard-bounce@example.org");
    service.clock.advance(6 * MINUTE_MS);
    const { LETTERSHOP_STORE: _, ...alone } = env;
    for (const wanted of [id, message_id]) {
      const { code, stdout } = await project.run(["trace", wanted], alone);
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

  test("joins what was queued with what the log has of it", async () => {
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

  test("says when nothing is known", async () => {
    const { project, env } = await setUp();
    const { LETTERSHOP_STORE: _, ...alone } = env;
    expect(await project.run(["trace", "ada@example.org"], alone)).toMatchObject({
      code: 1,
      stdout: "Nothing is known of mail to this address since then.\n",
    });
    const { code, stderr } = await project.run(["trace", "1500000000000.0a"], alone);
    expect(code).toBe(1);
    expect(stderr).toContain("There is no message with the id 1500000000000.0a");
    expect(await project.run(["trace", "1.a", "--store", "none.db"], alone)).toMatchObject({ code: 2 });
  });
});
