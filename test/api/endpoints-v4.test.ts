import { expect, test } from "vitest";
import type { Client } from "../../src/api/client.js";
import { all, type Exchange, serveExchange } from "./exchange.js";
import { answerJson, clientOf, serve } from "./servers.js";
import { account, alias, credential, domain, logEntry, records, rules, template } from "./shapes.js";

const D = "/v4/domains/example.com";
const name = "example.com";
const [aliasRule, regexRule, celRule] = rules;
const added = { added: [alias], added_count: 1, failed: [], failed_count: 0 };
const failed = [{ index: 1, message: "not found", errors: { id: ["not found"] } }];
const { html_body: _html, text_body: _text, ...summary } = template;
const email = { from: "receipts", to: ["ada@example.org"], template: "receipt", variables: { order: { number: 7 } } };
const sent = { id: logEntry.id, message_id: "<1@example.com>" };

/** Each endpoint: the call, its request, the answer, and the result. */
const endpoints: readonly (readonly [(client: Client) => Promise<unknown>, Exchange, unknown])[] = [
  [(c) => c.account.get(), { asks: "GET /v4/account", answer: { account } }, account],

  [
    (c) =>
      c.domains.page({
        query: "ex",
        forwardingReady: false,
        sendReady: true,
        whitelabel: null,
        routingEngine: null,
        order: "created_desc",
        limit: 5,
        page: 2,
      }),
    {
      asks: "GET /v4/domains?query=ex&order=created_desc&limit=5&page=2&forwarding_ready=false&send_ready=true&whitelabel=null&routing_engine=null",
      answer: { domains: [domain], total: 6, limit: 5, page: 2 },
    },
    { domains: [domain], total: 6, limit: 5, page: 2 },
  ],
  [
    (c) => all(c.domains.list()),
    { asks: "GET /v4/domains?page=1", answer: { domains: [domain], total: 1, limit: 20, page: 1 } },
    [domain],
  ],
  [
    (c) => c.domains.create({ domain: name, notification_email: "a@example.org", whitelabel: "example.net" }),
    {
      asks: "POST /v4/domains",
      body: { domain: name, notification_email: "a@example.org", whitelabel: "example.net" },
      answer: { domain },
    },
    domain,
  ],
  [(c) => c.domains.get(name), { asks: `GET ${D}`, answer: { domain } }, domain],
  [
    (c) => c.domains.update(name, { notification_email: null }),
    { asks: `PUT ${D}`, body: { notification_email: null }, answer: { domain } },
    domain,
  ],
  [(c) => c.domains.verify(name), { asks: `POST ${D}/verify`, answer: { records } }, records],
  [(c) => c.domains.delete(name), { asks: `DELETE ${D}`, status: 204 }, undefined],

  [
    (c) => c.aliases.page(name, { query: "a,b", order: "created_asc", limit: 1, page: 1 }),
    {
      asks: `GET ${D}/aliases?query=a%2Cb&order=created_asc&limit=1&page=1`,
      answer: { aliases: [alias], limit: 1, page: 1, total: 1 },
    },
    { aliases: [alias], limit: 1, page: 1, total: 1 },
  ],
  [
    (c) => all(c.aliases.list(name)),
    { asks: `GET ${D}/aliases?page=1`, answer: { aliases: [alias], limit: 20, page: 1, total: 1 } },
    [alias],
  ],
  [(c) => c.aliases.get(name, "7"), { asks: `GET ${D}/aliases/7`, answer: { alias } }, alias],
  [
    (c) => c.aliases.create(name, { alias: "info", forward: "a@example.org" }),
    { asks: `POST ${D}/aliases`, body: { alias: "info", forward: "a@example.org" }, answer: { alias } },
    alias,
  ],
  [
    (c) => c.aliases.createMany(name, [{ alias: "info", forward: "a@example.org" }]),
    {
      asks: `POST ${D}/aliases/batch`,
      body: { aliases: [{ alias: "info", forward: "a@example.org" }] },
      answer: added,
    },
    added,
  ],
  [
    (c) => c.aliases.update(name, 7, { forward: "b@example.org" }),
    { asks: `PUT ${D}/aliases/7`, body: { forward: "b@example.org" }, answer: { alias } },
    alias,
  ],
  [
    (c) => c.aliases.update(name, "7", { forward: "b@example.org" }),
    { asks: `PUT ${D}/aliases/7`, body: { forward: "b@example.org" }, answer: { alias } },
    alias,
  ],
  [(c) => c.aliases.get(name, 7), { asks: `GET ${D}/aliases/7`, answer: { alias } }, alias],
  [(c) => c.aliases.delete(name, 7), { asks: `DELETE ${D}/aliases/7`, status: 204 }, undefined],
  [
    (c) =>
      c.aliases.updateMany(name, [
        { id: "7", forward: "b@example.org" },
        { id: 8, forward: "c@example.org" },
      ]),
    {
      asks: `PUT ${D}/aliases/batch`,
      body: {
        aliases: [
          { id: "7", forward: "b@example.org" },
          { id: "8", forward: "c@example.org" },
        ],
      },
      status: 207,
      answer: { updated: [alias], updated_count: 1, failed, failed_count: 1 },
    },
    { updated: [alias], updated_count: 1, failed, failed_count: 1 },
  ],
  [(c) => c.aliases.delete(name, "7"), { asks: `DELETE ${D}/aliases/7`, status: 204 }, undefined],
  [
    (c) => c.aliases.deleteMany(name, ["7", 8]),
    {
      asks: `DELETE ${D}/aliases/batch`,
      body: { ids: ["7", "8"] },
      status: 207,
      answer: { deleted: ["7"], deleted_count: 1, failed, failed_count: 1 },
    },
    { deleted: ["7"], deleted_count: 1, failed, failed_count: 1 },
  ],
  [
    (c) => c.aliases.deleteAll(name, { all: true }),
    { asks: `DELETE ${D}/aliases?all=true`, answer: { deleted: 12 } },
    12,
  ],

  [
    (c) => c.rules.page(name, { query: "x", order: "rank_desc", limit: 3, page: 1 }),
    {
      asks: `GET ${D}/rules?query=x&order=rank_desc&limit=3&page=1`,
      answer: { rules, limit: 3, page: 1, total: 3 },
    },
    { rules, limit: 3, page: 1, total: 3 },
  ],
  [
    (c) => all(c.rules.list(name)),
    { asks: `GET ${D}/rules?page=1`, answer: { rules, limit: 20, page: 1, total: 3 } },
    rules,
  ],
  [(c) => c.rules.get(name, celRule.id), { asks: `GET ${D}/rules/${celRule.id}`, answer: { rule: celRule } }, celRule],
  [
    (c) =>
      c.rules.create(name, { type: "alias", config: aliasRule.config, rank: 0.5, active: false, id: aliasRule.id }),
    {
      asks: `POST ${D}/rules`,
      body: { type: "alias", config: aliasRule.config, rank: 0.5, active: false, id: aliasRule.id },
      answer: { rule: aliasRule },
    },
    aliasRule,
  ],
  [
    (c) => c.rules.createMany(name, [{ type: "cel", config: celRule.config }]),
    {
      asks: `POST ${D}/rules/batch`,
      body: { rules: [{ type: "cel", config: celRule.config }] },
      answer: { added: [celRule], added_count: 1, failed: [], failed_count: 0 },
    },
    { added: [celRule], added_count: 1, failed: [], failed_count: 0 },
  ],
  [
    (c) => c.rules.update(name, regexRule.id, { config: { regex: "a", scopes: ["body"], forward: "a@example.org" } }),
    {
      asks: `PUT ${D}/rules/${regexRule.id}`,
      body: { config: { regex: "a", scopes: ["body"], forward: "a@example.org" } },
      answer: { rule: regexRule },
    },
    regexRule,
  ],
  [
    (c) => c.rules.updateMany(name, [{ id: celRule.id, active: false }]),
    {
      asks: `PUT ${D}/rules/batch`,
      body: { rules: [{ id: celRule.id, active: false }] },
      answer: { updated: [celRule], updated_count: 1, failed: [], failed_count: 0 },
    },
    { updated: [celRule], updated_count: 1, failed: [], failed_count: 0 },
  ],
  [(c) => c.rules.delete(name, celRule.id), { asks: `DELETE ${D}/rules/${celRule.id}`, status: 204 }, undefined],
  [
    (c) => c.rules.deleteMany(name, [celRule.id]),
    {
      asks: `DELETE ${D}/rules/batch`,
      body: { ids: [celRule.id] },
      answer: { deleted: [celRule.id], deleted_count: 1, failed: [], failed_count: 0 },
    },
    { deleted: [celRule.id], deleted_count: 1, failed: [], failed_count: 0 },
  ],
  [(c) => c.rules.deleteAll(name, { all: true }), { asks: `DELETE ${D}/rules?all=true`, answer: { deleted: 3 } }, 3],

  [
    (c) =>
      c.logs.page(name, {
        sender: "A+b@example.com",
        recipient: "ada@example.org",
        forward: "f@example.org",
        status: ["SOFT-BOUNCE", "QUEUED"],
        transport: "mx",
        after: new Date("2026-08-12T00:00:00Z"),
        before: "2026-08-13T00:00:00Z",
        order: "created_asc",
        limit: 10,
        cursor: logEntry.id,
      }),
    {
      asks: `GET ${D}/logs?sender=A%2Bb%40example.com&recipient=ada%40example.org&forward=f%40example.org&transport=mx&order=created_asc&limit=10&cursor=${logEntry.id}&status=SOFT-BOUNCE%2CQUEUED&after=2026-08-12T00%3A00%3A00Z&before=2026-08-13T00%3A00%3A00Z`,
      answer: { logs: [logEntry], limit: 10, cursor: logEntry.id, next_cursor: null },
    },
    { logs: [logEntry], limit: 10, cursor: logEntry.id, next_cursor: null },
  ],
  [
    (c) => all(c.logs.list(name)),
    { asks: `GET ${D}/logs`, answer: { logs: [logEntry], limit: 100, cursor: null, next_cursor: null } },
    [logEntry],
  ],
  [
    (c) => c.logs.count(name, { status: "BOUNCED", transport: "api" }),
    { asks: `GET ${D}/logs/count?transport=api&status=BOUNCED`, answer: { total: 7 } },
    7,
  ],
  [(c) => c.logs.get(name, logEntry.id), { asks: `GET ${D}/logs/${logEntry.id}`, answer: logEntry }, logEntry],
  [
    (c) => c.logs.searchPage(name, "re ceipt", { order: "created_asc", limit: 5, offset: 10, sender: "x" }),
    {
      asks: `GET ${D}/logs/search?order=created_asc&limit=5&offset=10&sender=x&query=re+ceipt`,
      answer: { logs: [logEntry], limit: 5, offset: 10, total: 11, next_offset: null },
    },
    { logs: [logEntry], limit: 5, offset: 10, total: 11, next_offset: null },
  ],

  [
    (c) => c.credentials.page(name, { limit: 1, page: 3 }),
    {
      asks: `GET ${D}/credentials?limit=1&page=3`,
      answer: { credentials: [credential], limit: 1, page: 3, total: 3 },
    },
    { credentials: [credential], limit: 1, page: 3, total: 3 },
  ],
  [
    (c) => all(c.credentials.list(name)),
    { asks: `GET ${D}/credentials?page=1`, answer: { credentials: [credential], limit: 20, page: 1, total: 1 } },
    [credential],
  ],
  [
    (c) => c.credentials.create(name, { username: "robot", password: "p" }),
    {
      asks: `POST ${D}/credentials`,
      body: { username: "robot", password: "p" },
      answer: { credential, requires_new_mx_check: true },
    },
    { credential, requires_new_mx_check: true },
  ],
  [
    (c) => c.credentials.update(name, "ro bot", { password: "p" }),
    { asks: `PUT ${D}/credentials/ro%20bot`, body: { password: "p" }, answer: { credential } },
    credential,
  ],
  [(c) => c.credentials.delete(name, "robot"), { asks: `DELETE ${D}/credentials/robot`, status: 204 }, undefined],

  [(c) => c.emails.send(name, email), { asks: `POST ${D}/emails/outbound`, body: email, answer: sent }, sent],

  [(c) => c.templates.list(name), { asks: `GET ${D}/templates`, answer: { templates: [summary] } }, [summary]],
  [(c) => all(c.templates.list(name)), { asks: `GET ${D}/templates`, answer: { templates: [summary] } }, [summary]],
  [(c) => c.templates.get(name, "receipt"), { asks: `GET ${D}/templates/receipt`, answer: { template } }, template],
  [
    (c) => c.templates.create(name, { name: "receipt", subject: "Hi" }),
    { asks: `POST ${D}/templates`, body: { name: "receipt", subject: "Hi" }, answer: { template } },
    template,
  ],
  [
    (c) => c.templates.update(name, "receipt", { name: "invoice" }),
    { asks: `PUT ${D}/templates/receipt`, body: { name: "invoice" }, answer: { template } },
    template,
  ],
  [(c) => c.templates.delete(name, "receipt"), { asks: `DELETE ${D}/templates/receipt`, status: 204 }, undefined],
];

test.each(endpoints.map(([call, exchange, gives]) => [exchange.asks, call, exchange, gives] as const))(
  "%s",
  async (_asks, call, exchange, gives) => {
    const { url, check } = await serveExchange(exchange);
    expect(await call(clientOf(url))).toEqual(gives);
    check();
  },
);

test.each(["aliases", "rules"] as const)("does not delete all %s by accident", async (resource) => {
  const { url, seen } = await serve((_, response) => answerJson(response, 200, { deleted: 1 }));
  const deleteAll: (...values: unknown[]) => Promise<unknown> = (...values) =>
    Reflect.apply(clientOf(url)[resource].deleteAll, undefined, values);
  for (const guard of [undefined, null, {}, { all: "true" }, { all: false }, true, { signal: undefined }])
    await expect(deleteAll("example.com", guard)).rejects.toThrow(TypeError);
  expect(seen).toEqual([]);
});
