import { expect, onTestFinished, test } from "vitest";
import { type Seed, startService } from "../../src/service/index.js";
import { webhook } from "../service/inbound/smtp.js";
import { TestProject } from "./project.js";

const byPattern = {
  type: "cel" as const,
  rank: 1.5,
  config: { expression: 'sender == "boss@shop.example"', forward: "ada@example.com" },
};
const rule = {
  type: "alias" as const,
  rank: 3,
  config: { alias: "invoice", forward: "ada@example.com, ben@example.com" },
};

/** A service whose account has a domain with aliases and one with rules, and a project with it as environment. */
async function setUp(aliases: Record<string, string>, version: "v4" | "v3" = "v4") {
  const seed: Seed = {
    domains: [
      { name: "example.test", aliases: Object.entries(aliases).map(([alias, forward]) => ({ alias, forward })) },
      { name: "rules.test", routingEngine: "rules", rules: [rule, byPattern] },
    ],
  };
  const service = await startService({ data: ":memory:", port: 0, seed });
  onTestFinished(() => service.close());
  const { url, domain } = service;
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments: { staging: { url, domain, version } } }),
  });
  const trace = (...args: string[]) =>
    project.run(["trace", ...args], { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: service.apiKey });
  const receive = async (alias: string, from = "bob@shop.example") => {
    const raw = `From: Bob <${from}>\r\nSubject: Invoice 17\r\nMessage-ID: <17.${alias}.${from}>\r\n\r\nHi`;
    const { ids } = await service.receive({ raw, from, to: `${alias}@example.test` });
    return { id: `${ids[0]}`, messageId: `<17.${alias}.${from}>` };
  };
  return { service, trace, receive };
}

test.each(["v4", "v3"] as const)("a received email's way is explained, with what matched, %s", async (version) => {
  const hook = await webhook((count) => (count === 1 ? 503 : 200));
  const forward = `ada@example.com, http://user:hunter2@${hook.host}/in, ben+hard-bounce@example.com`;
  const { service, trace, receive } = await setUp({ sales: forward }, version);
  const { id, messageId } = await receive("sales");
  await expect.poll(() => hook.posts.length).toBe(1);
  await expect.poll(async () => (await trace(id)).stdout).toContain("1 waiting");
  service.clock.advance(60_000);
  await expect.poll(async () => (await trace(id)).stdout).not.toContain("waiting");
  for (const wanted of [id, messageId, "sales@example.test", "ADA@example.com"]) {
    const { code, stdout } = await trace(wanted);
    expect(code).toBe(0);
    expect(
      stdout
        .replaceAll(/\d\d:\d\d/g, "10:02")
        .replaceAll(hook.host, "hook")
        .split("\n")
        .slice(1),
    ).toEqual([
      '  s…@example.test  received 10:02: alias "sales" → 3 destinations, 1 retried, 1 failed',
      "    hook  soft-bounced 10:02 (the receiving server has a problem), delivered 10:02",
      "    a…@example.com  delivered 10:02",
      "    b…@example.com  hard-bounced 10:02 (no such mailbox)",
      "",
    ]);
  }
  const document = await trace(messageId, "--json");
  expect(JSON.parse(document.stdout).messages).toMatchObject([
    {
      state: "failed",
      messageId,
      subject: "Invoice 17",
      meaning: expect.stringContaining('alias "sales" → 3 destinations, 1 retried, 1 failed'),
      routes: [
        { by: ['alias "sales"'], total: 3, destinations: [{}, { to: "a…@example.com", state: "DELIVERED" }, {}] },
      ],
    },
  ]);
  expect(document.stdout).not.toMatch(/hunter2|ada@/);
});

test("webhooks of the same host are counted each", async () => {
  const { host } = await webhook();
  const { trace, receive } = await setUp({ sales: `http://${host}/in, http://${host}/copy` });
  const { id } = await receive("sales");
  await expect.poll(async () => (await trace(id)).stdout).toMatch(/→ 2 destinations\n/);
  expect(JSON.parse((await trace(id, "--json")).stdout).messages).toMatchObject([{ state: "delivered" }]);
});

test("an email is followed to the account's other addresses", async () => {
  const { trace, receive } = await setUp({ sales: "invoice@rules.test" });
  const { id } = await receive("sales");
  await expect
    .poll(async () => (await trace(id, "--show-addresses")).stdout)
    .toMatch(/sales@example\.test {2}received \d\d:\d\d: alias "sales" → rule 3 "invoice" → 2 destinations\n/);
  expect((await trace("invoice@rules.test")).stdout).toContain('alias "sales" → rule 3 "invoice" → 2 destinations');
  const boss = await receive("sales", "boss@shop.example");
  await expect
    .poll(async () => (await trace(boss.id)).stdout)
    .toContain('alias "sales" → rule 1.5 (sender == "b…@shop.example") → a…@example.com, delivered');
  const { stdout } = await trace(id, "--json");
  expect(JSON.parse(stdout).messages).toMatchObject([
    { state: "delivered", routes: [{ entries: [{ email: "s…@example.test" }, { email: "i…@rules.test" }] }] },
  ]);
});

test("a log that can't be read at the moment is an error, not the end of the way", async () => {
  const { service, trace, receive } = await setUp({ sales: "invoice@rules.test" });
  const { id } = await receive("sales");
  await expect.poll(async () => (await trace(id)).stdout).toContain("2 destinations");
  // The first call reads the log of example.test.
  service.faults.add({ kind: "delay", endpoint: "logs.list", milliseconds: 0 });
  service.faults.add({ kind: "refuse", endpoint: "logs.list", status: 500, times: 100 });
  expect(await trace(id)).toMatchObject({ code: 3, stderr: expect.stringContaining("/domains/rules.test/logs") });
});

test("one destination needs no further line, and a loop ends", async () => {
  const { trace, receive } = await setUp({
    sales: "ada@example.com",
    one: "two@example.test",
    two: "one@example.test",
  });
  const sales = await receive("sales");
  await expect
    .poll(async () => (await trace(sales.id)).stdout)
    .toMatch(/\n {2}s…@example\.test {2}received \d\d:\d\d: alias "sales" → a…@example\.com, delivered \d\d:\d\d\n$/);
  const loop = await receive("one");
  await expect.poll(async () => (await trace(loop.messageId)).stdout).toMatch(/o…@example\.test {2}refused \d\d:\d\d/);
});

test("times of another day than that of receiving the email have their date", async () => {
  const hook = await webhook((count) => (count === 1 ? 503 : 200));
  const { service, trace, receive } = await setUp({ sales: `http://${hook.host}/in, ben@example.com` });
  const { id } = await receive("sales");
  await expect.poll(async () => (await trace(id)).stdout).toContain("1 waiting");
  service.clock.advance(3 * 24 * 60 * 60_000);
  await expect.poll(async () => (await trace(id)).stdout).toMatch(/, delivered \d{4}-\d\d-\d\d \d\d:\d\d$/m);
});

test("a refused email is explained by its log id, without a Message-ID", async () => {
  const { service, trace, receive } = await setUp({});
  await expect(receive("nobody")).rejects.toThrow("5.1.1");
  const response = await fetch(`${service.url}/v4/domains/example.test/logs`, {
    headers: { authorization: `Basic ${btoa("api:local")}` },
  });
  const { logs } = (await response.json()) as { logs: { id: string }[] };
  const { code, stdout } = await trace(`${logs[0]?.id}`);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n {2}n…@example\.test {2}refused \d\d:\d\d \(no such mailbox\)\n$/);
});
