import { expect, test } from "vitest";
import { UnreachableError } from "../../src/api/errors.js";
import { createClient } from "../../src/api/client.js";
import { applyPlan } from "../../src/sync/apply.js";
import type { SyncEvent } from "../../src/sync/events.js";
import { PlanError } from "../../src/sync/obstacles.js";
import { createPlan, type Operation, type Plan } from "../../src/sync/plan.js";
import { readRemote } from "../../src/sync/remote.js";
import type { TemplateFields } from "../../src/template/template.js";
import { answerJson, rejection, unusedUrl } from "../api/servers.js";
import { domain, fields, serveTemplates, type TemplateService } from "./service.js";

const all = ["a", "b", "c", "d"].map((name) => fields(name));

test("templates are created and only the fields that differ are sent", async () => {
  const service = await serveTemplates([fields("a"), fields("b"), fields("theirs")]);
  const local = [fields("a"), fields("b", { subject: "New" }), fields("c")];
  const plan = await planOf(service, local);
  const result = await applyPlan({ plan, client: service.client, domain });

  expect(namesOf(result.applied)).toEqual(["c", "b"]);
  expect(result).toMatchObject({ failed: [], notAttempted: [] });
  expect([...service.stored.values()]).toEqual([
    fields("a"),
    fields("b", { subject: "New" }),
    fields("theirs"),
    fields("c"),
  ]);
  expect(service.seen.filter(({ method }) => method !== "GET")).toMatchObject([
    { method: "POST", url: `/v4/domains/${domain}/templates`, body: JSON.stringify(fields("c")) },
    { method: "PUT", url: `/v4/domains/${domain}/templates/b`, body: '{"subject":"New"}' },
  ]);
});

test("a second run changes nothing and writes nothing", async () => {
  const service = await serveTemplates([fields("b", { text_body: "" })]);
  await applyPlan({ plan: await planOf(service, all), client: service.client, domain });
  const requests = service.seen.length;
  const plan = await planOf(service, all);
  expect(plan).toEqual({ operations: [], unchanged: ["a", "b", "c", "d"], unmanaged: [], obstacles: [] });
  expect(await applyPlan({ plan, client: service.client, domain })).toEqual({
    applied: [],
    failed: [],
    notAttempted: [],
  });
  expect(service.seen.slice(requests).every(({ method }) => method === "GET")).toBe(true);
});

test("one that is refused is named with the service's words, and the others are applied", async () => {
  const service = await serveTemplates([], ({ body }, response) => {
    if (!body.includes('"name":"b"')) return false;
    answerJson(response, 400, {
      message: "Malformed Mustache in html_body",
      errors: { html_body: ["Malformed Mustache in html_body"] },
    });
    return true;
  });
  const events: SyncEvent[] = [];
  const result = await applyPlan({
    plan: await planOf(service, all),
    client: service.client,
    domain,
    onEvent: (event) => events.push(event),
  });
  expect(namesOf(result.applied)).toEqual(["a", "c", "d"]);
  expect(result.failed).toMatchObject([
    {
      operation: { name: "b" },
      error: {
        status: 400,
        serviceMessage: "Malformed Mustache in html_body",
        fieldErrors: { html_body: [expect.any(String)] },
      },
    },
  ]);
  expect(result.notAttempted).toEqual([]);
  expect(
    events.map((event) =>
      "operation" in event ? `${event.kind} ${event.operation.name} ${event.position}/${event.total}` : event.kind,
    ),
  ).toEqual([
    "started a 1/4",
    "applied a 1/4",
    "started b 2/4",
    "failed b 2/4",
    "started c 3/4",
    "applied c 3/4",
    "started d 4/4",
    "applied d 4/4",
  ]);
});

test("an answer that is lost is a failure that may have taken effect; the others are applied, and the next run finds it", async () => {
  let lost = false;
  const service = await serveTemplates([], ({ method, body }, response) => {
    if (method !== "POST" || !body.includes('"name":"b"') || lost) return false;
    lost = true;
    service.stored.set("b", fields("b"));
    response.socket?.destroy();
    return true;
  });
  const result = await applyPlan({ plan: await planOf(service, all), client: service.client, domain });
  expect(namesOf(result.applied)).toEqual(["a", "c", "d"]);
  expect(result.failed).toMatchObject([
    { operation: { name: "b" }, error: { code: "unreachable", requestSent: true } },
  ]);
  expect((await planOf(service, all)).unchanged).toEqual(["a", "b", "c", "d"]);
});

test.each([401, 403])("a %i would meet the others too, so they are not attempted", async (status) => {
  const service = await serveTemplates([], ({ body }, response) => {
    if (!body.includes('"name":"b"')) return false;
    answerJson(response, status, { message: "No", errors: {} });
    return true;
  });
  const result = await applyPlan({ plan: await planOf(service, all), client: service.client, domain });
  expect(namesOf(result.applied)).toEqual(["a"]);
  expect(result.failed).toMatchObject([{ operation: { name: "b" }, error: { status } }]);
  expect(namesOf(result.notAttempted)).toEqual(["c", "d"]);
});

test("a service out of reach is tried once", async () => {
  const client = createClient({ apiKey: "key-of-the-test", baseUrl: await unusedUrl(), retries: 0 });
  const plan = createPlan({ local: all, remote: { names: [], templates: new Map() } });
  const result = await applyPlan({ plan, client, domain });
  expect(result.applied).toEqual([]);
  expect(result.failed.map(({ error }) => error)).toEqual([expect.any(UnreachableError)]);
  expect(namesOf(result.notAttempted)).toEqual(["b", "c", "d"]);
});

test("a rate limit is waited out, and the same write goes out again", async () => {
  const service = await serveTemplates([], ({ method, body }, response, count) => {
    if (method !== "POST" || !body.includes('"name":"b"') || count > 4) return false;
    answerJson(response, 429, { message: "Too many requests", errors: {} }, { "retry-after": "7" });
    return true;
  });
  const waits: number[] = [];
  const result = await applyPlan({
    plan: await planOf(service, all),
    client: service.client,
    domain,
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  expect(namesOf(result.applied)).toEqual(["a", "b", "c", "d"]);
  expect(waits).toEqual([7000, 7000]);
});

test("an abort during a write lets it finish, and no other begins", async () => {
  const controller = new AbortController();
  const service = await serveTemplates([], ({ method, body }) => {
    if (method === "POST" && body.includes('"name":"b"')) controller.abort();
    return false;
  });
  const result = await applyPlan({
    plan: await planOf(service, all),
    client: service.client,
    domain,
    signal: controller.signal,
  });
  expect(namesOf(result.applied)).toEqual(["a", "b"]);
  expect(result.failed).toEqual([]);
  expect(namesOf(result.notAttempted)).toEqual(["c", "d"]);
  expect([...service.stored.keys()]).toEqual(["a", "b"]);
});

test("an abort during a wait for the rate limit leaves that write unattempted", async () => {
  const controller = new AbortController();
  const service = await serveTemplates([], ({ body }, response) => {
    if (!body.includes('"name":"b"')) return false;
    answerJson(response, 429, { message: "Too many requests", errors: {} }, { "retry-after": "60" });
    return true;
  });
  const onEvent = ({ kind }: SyncEvent) => (kind === "waiting" ? controller.abort() : undefined);
  const result = await applyPlan({
    plan: await planOf(service, all),
    client: service.client,
    domain,
    signal: controller.signal,
    onEvent,
  });
  expect(namesOf(result.applied)).toEqual(["a"]);
  expect(result.failed).toEqual([]);
  expect(namesOf(result.notAttempted)).toEqual(["b", "c", "d"]);
});

test("a plan with an obstacle is refused before the first write", async () => {
  const service = await serveTemplates(Array.from({ length: 200 }, (_, i) => fields(`remote-${i}`)));
  const plan = await planOf(service, [...all, fields("long", { subject: "s".repeat(251) })]);
  const error = await rejection(applyPlan({ plan, client: service.client, domain }));
  expect(error).toBeInstanceOf(PlanError);
  expect(error).toMatchObject({ code: "plan", obstacles: plan.obstacles });
  expect(String(error)).toContain('The subject of "long" has 251 characters');
  expect(String(error)).toContain("at most 200");
  expect(service.seen.every(({ method }) => method === "GET")).toBe(true);
});

async function planOf({ client }: TemplateService, local: readonly TemplateFields[]): Promise<Plan> {
  return createPlan({ local, remote: await readRemote({ client, domain, local }) });
}

function namesOf(operations: readonly Operation[]): string[] {
  return operations.map(({ name }) => name);
}
