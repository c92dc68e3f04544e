import { expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../src/api/client.js";
import { frozenClock, type RunningService, type ServiceOptions, startService } from "../../src/service/index.js";
import { type ApplyResult, applyPlan } from "../../src/sync/apply.js";
import { createPlan, type Plan } from "../../src/sync/plan.js";
import { readRemote } from "../../src/sync/remote.js";
import type { TemplateFields } from "../../src/template/template.js";
import { fields } from "./service.js";

test("what is synced is what the service has; a second run changes nothing, a third only what differs", async () => {
  const { client, domain, run } = await start();
  const local = [fields("receipt"), fields("welcome", { text_body: "" }), fields("code", { subject: "Grüße 🎉" })];

  const first = await run(local);
  expect(first.result.applied.map(({ name }) => name)).toEqual(["code", "receipt", "welcome"]);
  expect(await client.templates.get(domain, "code")).toMatchObject(fields("code", { subject: "Grüße 🎉" }));

  const second = await run(local);
  expect(second.plan).toMatchObject({ operations: [], unchanged: ["code", "receipt", "welcome"] });

  const third = await run(
    local.map((template) => (template.name === "receipt" ? { ...template, description: "New" } : template)),
  );
  expect(third.result.applied).toEqual([
    { kind: "update", name: "receipt", changes: [{ field: "description", from: "About receipt", to: "New" }] },
  ]);
});

test("Mustache that the service refuses is reported in its words, and the others are applied", async () => {
  const { run } = await start();
  const { result } = await run([fields("bad", { html_body: "{{#items}}never closed" }), fields("good")]);
  expect(result.applied.map(({ name }) => name)).toEqual(["good"]);
  expect(result.failed).toMatchObject([
    { operation: { name: "bad" }, error: { status: 400, fieldErrors: { html_body: [expect.any(String)] } } },
  ]);
});

test("a domain that is not in the account, and a wrong key, are refused before anything is written", async () => {
  const { service, client } = await start();
  await expect(readRemote({ client, domain: "elsewhere.test", local: [] })).rejects.toMatchObject({
    code: "refused",
    status: 404,
  });
  const stranger = createClient({ apiKey: "not-the-key", baseUrl: service.url });
  onTestFinished(() => stranger.close());
  await expect(readRemote({ client: stranger, domain: service.domain, local: [] })).rejects.toMatchObject({
    code: "refused",
    status: 401,
  });
});

test("more templates than a minute's requests are read after waiting as long as the service says", async () => {
  const clock = frozenClock(Date.parse("2026-11-20T10:00:00Z"));
  const { client, domain, run } = await start({ clock });
  const local = Array.from({ length: 200 }, (_, i) => fields(`template-${i}`));
  expect((await run(local)).result.applied).toHaveLength(200);

  for (let i = 0; i < 10; i += 1) await client.templates.get(domain, "template-0");
  const waits: number[] = [];
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds);
    clock.advance(milliseconds);
  };
  const remote = await readRemote({ client, domain, local, wait });
  expect(remote.templates.size).toBe(200);
  expect(waits.length).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
});

interface Started {
  readonly service: RunningService;
  readonly client: Client;
  readonly domain: string;
  readonly run: (local: readonly TemplateFields[]) => Promise<{ plan: Plan; result: ApplyResult }>;
}

async function start(options: Partial<ServiceOptions> = {}): Promise<Started> {
  const service = await startService({ data: ":memory:", port: 0, ...options });
  const { domain } = service;
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url, pacing: false, retries: 0 });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return {
    service,
    client,
    domain,
    async run(local) {
      const plan = createPlan({ local, remote: await readRemote({ client, domain, local }) });
      return { plan, result: await applyPlan({ plan, client, domain }) };
    },
  };
}
