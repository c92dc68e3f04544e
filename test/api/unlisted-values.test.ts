import { expect, test } from "vitest";
import { all } from "./exchange.js";
import { answerJson, clientOf, clientV3Of, rejection, serve } from "./servers.js";
import { domain, logEntry, rules } from "./shapes.js";
import { logEntryV3 } from "./shapes-v3.js";

const name = "example.com";
const [aliasRule, regexRule] = rules;

/** A service that answers everything with this. */
async function answering(body: unknown): Promise<string> {
  return (await serve((_request, response) => answerJson(response, 200, body))).url;
}

const page = { limit: 20, page: 1, total: 2 };
const event = { ...logEntry.events[0], id: "e2", status: "DEFERRED" };
const oddDomain = { ...domain, domain: "other.example", routing_engine: "scripts" };
const oddEntry = { ...logEntry, id: "1786527000123.4f2b", transport: "lmtp", events: [...logEntry.events, event] };
const scriptRule = { ...aliasRule, id: "3b8d", type: "script", config: { source: "accept()", limits: { ms: 5 } } };
const headerRule = { ...regexRule, id: "4b8d", config: { ...regexRule.config, scopes: ["subject", "header"] } };

test("reads a list with undocumented values, including those values", async () => {
  const domains = clientOf(await answering({ domains: [domain, oddDomain], ...page })).domains;
  expect(await all(domains.list())).toEqual([domain, oddDomain]);

  const odd = [aliasRule, scriptRule, headerRule];
  const client = clientOf(await answering({ rules: odd, ...page, total: 3 }));
  expect(await all(client.rules.list(name))).toEqual(odd);

  const updated = { updated: [scriptRule], updated_count: 1, failed: [], failed_count: 0 };
  const batches = clientOf(await answering(updated)).rules;
  expect(await batches.updateMany(name, [{ id: scriptRule.id, active: true }])).toEqual(updated);
  expect(await clientOf(await answering({ rule: scriptRule })).rules.get(name, "3b8d")).toEqual(scriptRule);

  const logs = [logEntry, oddEntry];
  const log = clientOf(await answering({ logs, limit: 100, cursor: null, next_cursor: null })).logs;
  for (const unreadable of ["fail", "skip"] as const)
    expect(await all(log.list(name, {}, { unreadable }))).toEqual(logs);
});

test("does the same in version 3", async () => {
  const { created_at: created, updated_at: _, ...script } = scriptRule;
  const rule = { ...script, created: Date.parse(created) };
  const client = clientV3Of(await answering({ rules: [rule], limit: 100, page: 1, total: 1, success: true }));
  expect(await all(client.rules.list(name))).toEqual([rule]);
  expect(await clientV3Of(await answering(rule)).rules.get(name, rule.id)).toEqual(rule);

  const odd = { ...logEntryV3, events: logEntryV3.events.map((each) => ({ ...each, status: "DEFERRED" })) };
  const logs = clientV3Of(await answering({ logs: [odd], next_cursor: null, success: true })).logs;
  expect(await all(logs.list(name))).toEqual([odd]);
});

test("can send back what was read", async () => {
  const odd = [scriptRule, headerRule];
  const { url, seen } = await serve(({ method }, response) =>
    method === "GET"
      ? answerJson(response, 200, { rules: odd, ...page })
      : answerJson(response, 200, method === "PUT" ? { rule: odd[0] } : addedOf(odd)),
  );
  const client = clientOf(url);
  const { rules: read } = await client.rules.page(name);
  await client.rules.createMany("copy.example", read);
  for (const { id, config } of read)
    await client.rules.update(name, id, { config: { ...config, forward: "a@b.example" } });
  const [, batch, ...updates] = seen.map(({ body }): unknown => (body === "" ? undefined : JSON.parse(body)));
  expect(batch).toEqual({ rules: odd });
  expect(updates).toEqual(odd.map(({ config }) => ({ config: { ...config, forward: "a@b.example" } })));
});

function addedOf(added: readonly object[]) {
  return { added, added_count: added.length, failed: [], failed_count: 0 };
}

test.each([
  ["a number", { ...oddDomain, routing_engine: 7 }, "domains.0.routing_engine: expected a string"],
  ["nothing", { ...oddDomain, routing_engine: undefined }, "domains.0.routing_engine: expected a string"],
])("refuses %s, which can't be a value of an enum", async (_, odd, problem) => {
  const { domains } = clientOf(await answering({ domains: [odd], ...page }));
  expect(String(await rejection(domains.page()))).toContain(problem);
});

test.each([
  ["a listed type without its configuration", { ...regexRule, config: { forward: "a" } }, "rules.0.config.regex: "],
  ["an unlisted type without a configuration", { ...scriptRule, config: "accept()" }, "rules.0."],
  ["a rule without a type", { ...scriptRule, type: null }, "rules.0.type: "],
])("still reports %s as a contract violation, with its position", async (_, odd, problem) => {
  const client = clientOf(await answering({ rules: [aliasRule, odd].slice(1), ...page }));
  const error = await rejection(client.rules.page(name));
  expect(error).toMatchObject({ code: "contract" });
  expect(String(error)).toContain(problem);
});
