import { expect, test } from "vitest";
import type { ClientV3 } from "../../src/api/client.js";
import { all, type Exchange, serveExchange } from "./exchange.js";
import { answerJson, clientV3Of, rejection, serve } from "./servers.js";
import { alias, logEntry, records, rules, template } from "./shapes.js";
import { accountV3, aliasV3, credentialV3, domainV3, earlierLogEntryV3, logEntryV3, ruleV3 } from "./shapes-v3.js";

const D = "/v3/domains/example.com";
const name = "example.com";
const success = true;
const { created: _created, ...fresh } = aliasV3;
const { html_body: _html, text_body: _text, ...summary } = template;
const [aliasRule] = rules;
const config = { alias: "info", forward: "a@example.org" };
const pageOne = { limit: 100, page: 1, total: 1, success };

/** Each endpoint: the call, its request, the answer, and the result. */
const endpoints: readonly (readonly [(client: ClientV3) => Promise<unknown>, Exchange, unknown])[] = [
  [(c) => c.account.get(), { asks: "GET /v3/account", answer: { account: accountV3, success } }, accountV3],
  [
    (c) => all(c.account.whitelabels()),
    { asks: "GET /v3/account/whitelabels", answer: { whitelabels: [{ name: "example.net" }], success } },
    [{ name: "example.net" }],
  ],

  [
    (c) => all(c.domains.list({ query: "ex", active: false, limit: 100 })),
    {
      asks: "GET /v3/domains?limit=100&page=1&q=ex&is_active=0",
      answer: { domains: [domainV3, { ...domainV3, domain: "example.net", daily_quota: 5 }], ...pageOne, total: 2 },
    },
    [domainV3, { ...domainV3, domain: "example.net", daily_quota: 5 }],
  ],
  [
    (c) => c.domains.create({ domain: name, whitelabel: "example.net" }),
    {
      asks: "POST /v3/domains",
      body: { domain: name, whitelabel: "example.net" },
      answer: { domain: domainV3, success },
    },
    domainV3,
  ],
  [(c) => c.domains.get(name), { asks: `GET ${D}`, answer: { domain: domainV3, success } }, domainV3],
  [
    (c) => c.domains.update(name, { webhook: null }),
    { asks: `PUT ${D}`, body: { webhook: null }, answer: { domain: domainV3, success } },
    domainV3,
  ],
  [(c) => c.domains.delete(name), { asks: `DELETE ${D}`, answer: { success } }, undefined],
  [
    (c) => c.domains.check(name),
    { asks: `GET ${D}/check`, answer: { records, success: false } },
    { records, success: false },
  ],

  [
    (c) => all(c.aliases.list(name, { query: "a", prefix: "in", active: true })),
    { asks: `GET ${D}/aliases?page=1&q=a&alias=in&is_active=1`, answer: { aliases: [aliasV3], ...pageOne } },
    [aliasV3],
  ],
  [(c) => c.aliases.get(name, "*"), { asks: `GET ${D}/aliases/*`, answer: { alias: aliasV3, success } }, aliasV3],
  [(c) => c.aliases.get(name, 7), { asks: `GET ${D}/aliases/7`, answer: { alias: aliasV3, success } }, aliasV3],
  [
    (c) => c.aliases.create(name, { alias: "info", forward: "a@example.org" }),
    {
      asks: `POST ${D}/aliases`,
      body: { alias: "info", forward: "a@example.org" },
      answer: { alias: fresh, success },
    },
    fresh,
  ],
  [
    (c) => c.aliases.update(name, 7, { forward: "a@example.org", alias: "hello" }),
    {
      asks: `PUT ${D}/aliases/7`,
      body: { forward: "a@example.org", alias: "hello" },
      answer: { alias: fresh, success },
    },
    fresh,
  ],
  [
    (c) => c.aliases.update(name, "info", { forward: "a@example.org" }),
    { asks: `PUT ${D}/aliases/info`, body: { forward: "a@example.org" }, answer: { alias: fresh, success } },
    fresh,
  ],
  [(c) => c.aliases.delete(name, "a/b"), { asks: `DELETE ${D}/aliases/a%2Fb`, answer: { success } }, undefined],
  [
    (c) => c.aliases.deleteAll(name, { all: true }),
    { asks: `DELETE ${D}/aliases/aliases-all?all=true`, answer: { deleted: 4 } },
    4,
  ],
  [
    (c) => c.aliases.deleteAll(name, { all: true }),
    { asks: `DELETE ${D}/aliases/aliases-all?all=true`, answer: { success } },
    undefined,
  ],
  [
    (c) => c.aliases.bulk(name, "update", [{ alias: "info", forward: "a@example.org" }]),
    {
      asks: `POST ${D}/aliases/bulk`,
      body: { aliases: [{ alias: "info", forward: "a@example.org" }], behavior: "update" },
      answer: { added: [fresh], updated: [], failed: [{ alias: "x", forward: "y", id: 3 }], success },
    },
    { added: [fresh], updated: [], failed: [{ alias: "x", forward: "y", id: 3 }] },
  ],
  [
    (c) => c.aliases.bulk(name, "delete", [{ alias: "info" }, { alias: "x" }]),
    {
      asks: `POST ${D}/aliases/bulk`,
      body: { aliases: [{ alias: "info" }, { alias: "x" }], behavior: "delete" },
      answer: { deleted: [aliasV3], failed: [{ alias: "x" }], success },
    },
    { deleted: [aliasV3], failed: [{ alias: "x" }] },
  ],
  [
    (c) => c.aliases.createMany(name, [{ alias: "info", forward: "a@example.org" }]),
    {
      asks: `POST ${D}/aliases/batch`,
      body: { aliases: [{ alias: "info", forward: "a@example.org" }] },
      answer: { added: [alias], added_count: 1, failed: [], failed_count: 0, success },
    },
    { added: [alias], added_count: 1, failed: [], failed_count: 0 },
  ],
  [
    (c) => c.aliases.updateMany(name, [{ id: 7, forward: "a@example.org" }]),
    {
      asks: `PUT ${D}/aliases/batch`,
      body: { aliases: [{ id: "7", forward: "a@example.org" }] },
      answer: { updated: [alias], updated_count: 1, failed: [], failed_count: 0, success },
    },
    { updated: [alias], updated_count: 1, failed: [], failed_count: 0 },
  ],
  [
    (c) => c.aliases.deleteMany(name, [7, "8"]),
    {
      asks: `DELETE ${D}/aliases/batch`,
      body: { ids: ["7", "8"] },
      answer: { deleted: ["7", "8"], deleted_count: 2, failed: [], failed_count: 0, success },
    },
    { deleted: ["7", "8"], deleted_count: 2, failed: [], failed_count: 0 },
  ],

  [
    (c) => all(c.rules.list(name, { query: "x" })),
    { asks: `GET ${D}/rules?page=1&search=x`, answer: { rules: [ruleV3], ...pageOne } },
    [ruleV3],
  ],
  [(c) => c.rules.get(name, ruleV3.id), { asks: `GET ${D}/rules/${ruleV3.id}`, answer: ruleV3 }, ruleV3],
  [
    (c) => c.rules.create(name, { type: "alias", config }),
    { asks: `POST ${D}/rules`, body: { type: "alias", config }, answer: { rule: ruleV3, success } },
    ruleV3,
  ],
  [
    (c) => c.rules.update(name, ruleV3.id, { config, rank: 3 }),
    {
      asks: `PUT ${D}/rules/${ruleV3.id}`,
      body: { config, rank: 3 },
      answer: { rule: { ...ruleV3, created: 1_786_527_000 }, success },
    },
    { ...ruleV3, created: 1_786_527_000 },
  ],
  [(c) => c.rules.delete(name, ruleV3.id), { asks: `DELETE ${D}/rules/${ruleV3.id}`, answer: { success } }, undefined],
  [
    (c) => c.rules.deleteAll(name, { all: true }),
    { asks: `DELETE ${D}/rules-all?all=true`, answer: { success } },
    undefined,
  ],
  [
    (c) => c.rules.bulk(name, "delete", [{ id: ruleV3.id }]),
    {
      asks: `POST ${D}/rules/bulk`,
      body: { rules: [{ id: ruleV3.id }], behavior: "delete" },
      answer: { errors: [], results: [{ operation: "delete", rule: ruleV3, success }], success },
    },
    { errors: [], results: [{ operation: "delete", rule: ruleV3, success }], success },
  ],
  [
    (c) => c.rules.deleteMany(name, [aliasRule.id]),
    {
      asks: `DELETE ${D}/rules/batch`,
      body: { ids: [aliasRule.id] },
      answer: { deleted: [aliasRule.id], deleted_count: 1, failed: [], failed_count: 0 },
    },
    { deleted: [aliasRule.id], deleted_count: 1, failed: [], failed_count: 0 },
  ],

  [
    (c) => c.logs.page(name, { nextCursor: "1.a" }),
    { asks: `GET ${D}/logs?next_cursor=1.a`, answer: { logs: [logEntryV3, earlierLogEntryV3], success } },
    { logs: [logEntryV3, earlierLogEntryV3], success },
  ],
  [
    (c) => c.logs.pageOfAlias(name, "^in/fo.*$"),
    { asks: `GET ${D}/logs/%5Ein%2Ffo.*%24`, answer: { logs: [], success } },
    { logs: [], success },
  ],
  [
    (c) =>
      all(
        c.logs.search(name, {
          after: new Date("2026-08-12T09:30:00.900Z"),
          before: 1_786_530_600,
          text: "x",
          filter: "failure",
          order: "asc",
        }),
      ),
    {
      asks: `GET ${D}/logs/search?text=x&filter=failure&order=asc&after=1786527000&before=1786530600`,
      answer: { logs: [logEntryV3], success },
    },
    [logEntryV3],
  ],
  [
    (c) => c.logs.count(name, { recipient: "a@example.org" }),
    { asks: `GET ${D}/logs/count?recipient=a%40example.org`, answer: { total: 3, success } },
    3,
  ],
  ...[logEntryV3, { ...logEntryV3, success }, { log: logEntryV3, success }].map(
    (answer) =>
      [
        (c: ClientV3) => c.logs.get(name, logEntryV3.id),
        { asks: `GET ${D}/logs/${logEntryV3.id}`, answer },
        logEntryV3,
      ] as const,
  ),
  [
    (c) => c.logs.get(name, logEntry.id),
    { asks: `GET ${D}/logs/${logEntry.id}`, answer: logEntry },
    {
      ...logEntryV3,
      created: "2026-08-12T09:30:00Z",
      created_raw: "2026-08-12T09:30:00Z",
      events: [{ ...logEntryV3.events[0], created: "2026-08-12T09:30:01Z" }],
      transport: "api",
    },
  ],

  [
    (c) => c.credentials.page(name, { limit: 5, page: 2 }),
    { asks: `GET ${D}/credentials?limit=5&page=2`, answer: { credentials: [credentialV3], success } },
    [credentialV3],
  ],
  [
    (c) => c.credentials.create(name, { username: "robot", password: "p" }),
    {
      asks: `POST ${D}/credentials`,
      body: { username: "robot", password: "p" },
      answer: { credential: credentialV3, requires_new_mx_check: false, success },
    },
    { credential: credentialV3, requires_new_mx_check: false },
  ],
  [
    (c) => c.credentials.update(name, "robot", { password: "p" }),
    { asks: `PUT ${D}/credentials/robot`, body: { password: "p" }, answer: { credential: credentialV3, success } },
    credentialV3,
  ],
  [
    (c) => c.credentials.delete(name, "robot"),
    { asks: `DELETE ${D}/credentials/robot`, answer: { success } },
    undefined,
  ],

  [
    (c) => c.emails.send(name, { from: "a", to: "b@example.org", subject: "s", text: "t" }),
    {
      asks: `POST ${D}/emails/outbound`,
      body: { from: "a", to: "b@example.org", subject: "s", text: "t" },
      answer: { id: "1.a", message_id: "<1@example.com>", success },
    },
    { id: "1.a", message_id: "<1@example.com>" },
  ],
  [(c) => c.templates.list(name), { asks: `GET ${D}/templates`, answer: { success, templates: [summary] } }, [summary]],
  [
    (c) => c.templates.update(name, "receipt", { subject: "s" }),
    { asks: `PUT ${D}/templates/receipt`, body: { subject: "s" }, answer: { template, success } },
    template,
  ],
  [(c) => c.templates.delete(name, "receipt"), { asks: `DELETE ${D}/templates/receipt`, status: 204 }, undefined],
  [
    (c) => c.templates.delete(name, "receipt"),
    { asks: `DELETE ${D}/templates/receipt`, answer: { success } },
    undefined,
  ],
];

test("accepts integers as a template's times, as elsewhere in version 3", async () => {
  const inMilliseconds = { created_at: Date.parse(template.created_at), updated_at: Date.parse(template.updated_at) };
  const { url, check } = await serveExchange({
    asks: `GET ${D}/templates/receipt`,
    answer: { template: { ...template, ...inMilliseconds }, success },
  });
  const inIso = { created_at: "2026-08-12T09:30:00.000Z", updated_at: "2026-08-13T09:30:00.000Z" };
  expect(await clientV3Of(url).templates.get(name, "receipt")).toEqual({ ...template, ...inIso });
  check();
});

test.each(endpoints.map(([call, exchange, gives]) => [exchange.asks, call, exchange, gives] as const))(
  "%s",
  async (_asks, call, exchange, gives) => {
    const { url, check } = await serveExchange(exchange);
    expect(await call(clientV3Of(url))).toEqual(gives);
    check();
  },
);

test.each([
  [{ errors: { forward: ["forward is invalid"] }, success: false }, "forward is invalid"],
  [{ errors: { forward: ["forward is invalid"] }, message: "Look at forward", success: false }, "Look at forward"],
])("reads both forms of a refusal: %j", async (answer, words) => {
  const { url } = await serve((_, response) => answerJson(response, 400, answer));
  expect(await rejection(clientV3Of(url).aliases.create(name, { alias: "a", forward: "b" }))).toMatchObject({
    code: "refused",
    status: 400,
    serviceMessage: words,
    fieldErrors: { forward: ["forward is invalid"] },
  });
});

test.each([
  ["read", (c: ClientV3) => c.aliases.get(name, 7)],
  ["unwrapped rule", (c: ClientV3) => c.rules.get(name, "id")],
  ["deletion", (c: ClientV3) => c.domains.delete(name)],
])("refuses a %s with success: false and 200", async (_, call) => {
  const { url } = await serve((_request, response) =>
    answerJson(response, 200, { success: false, message: "Not now", errors: {} }),
  );
  expect(await rejection(call(clientV3Of(url)))).toMatchObject({
    code: "refused",
    status: 200,
    serviceMessage: "Not now",
  });
});

test.each([
  ["version 3's form", (odd: object) => ({ ...logEntryV3, ...odd, success })],
  ["version 3's form, within log", (odd: object) => ({ log: { ...logEntryV3, ...odd }, success })],
  ["version 4's form", (odd: object) => ({ ...logEntry, ...odd })],
])("leaves out the unreadable parts of a single log entry on request: %s", async (form, answerWith) => {
  const [event] = form.startsWith("version 4") ? logEntry.events : logEntryV3.events;
  const odd = { subject: null, events: [event, { ...event, status: null }] };
  const { url } = await serve((_request, response) => answerJson(response, 200, answerWith(odd)));
  const { logs } = clientV3Of(url);
  expect(await rejection(logs.get(name, logEntryV3.id))).toMatchObject({ code: "contract" });
  expect(await logs.get(name, logEntryV3.id, { unreadable: "skip" })).toMatchObject({
    messageId: logEntryV3.messageId,
    subject: "",
    events: [{ status: event?.status }],
  });
});
