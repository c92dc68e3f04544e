import type { Client, ClientV3 } from "../../src/api/client.js";

const DOMAIN = "example.com";
const RULE = "3f2b8c1e-9a4d-4c7b-8e21-5d6f7a8b9c00";
const LOG = "1786527000123.4f2a9c";
const alias = { alias: "sales", forward: "ada@example.org" };
const rule = { type: "alias", config: alias } as const;
const mail = { from: "hello", to: "ada@example.org", subject: "Hi", text: "Hi" };
const credential = { username: "newsletter", password: "correct horse" };
const time = { after: new Date(0), before: new Date(9e12) };

/** How the client makes each call of a document. Batches have as many entries as the examples mention. */
const callsOfBoth: Readonly<Record<string, (client: Client | ClientV3) => Promise<unknown>>> = {
  "GET /account": ({ account }) => account.get(),
  "GET /domains": ({ domains }) => domains.page(),
  "POST /domains": ({ domains }) => domains.create({ domain: DOMAIN }),
  "GET /domains/:domain": ({ domains }) => domains.get(DOMAIN),
  "DELETE /domains/:domain": ({ domains }) => domains.delete(DOMAIN),
  "GET /domains/:domain/aliases": ({ aliases }) => aliases.page(DOMAIN),
  "POST /domains/:domain/aliases": ({ aliases }) => aliases.create(DOMAIN, alias),
  "POST /domains/:domain/aliases/batch": ({ aliases }) => aliases.createMany(DOMAIN, [alias, alias, alias, alias]),
  "PUT /domains/:domain/aliases/batch": ({ aliases }) =>
    aliases.updateMany(
      DOMAIN,
      ["1", "2", "3", "4"].map((id) => ({ id, forward: alias.forward })),
    ),
  "DELETE /domains/:domain/aliases/batch": ({ aliases }) => aliases.deleteMany(DOMAIN, ["1", "2", "3", "4"]),
  "GET /domains/:domain/rules": ({ rules }) => rules.page(DOMAIN),
  "POST /domains/:domain/rules": ({ rules }) => rules.create(DOMAIN, rule),
  "POST /domains/:domain/rules/batch": ({ rules }) => rules.createMany(DOMAIN, [rule, rule, rule, rule]),
  "PUT /domains/:domain/rules/batch": ({ rules }) =>
    rules.updateMany(
      DOMAIN,
      [1, 2, 3, 4].map((rank) => ({ id: RULE, rank })),
    ),
  "DELETE /domains/:domain/rules/batch": ({ rules }) => rules.deleteMany(DOMAIN, [RULE, RULE, RULE, RULE]),
  "GET /domains/:domain/rules/:rule": ({ rules }) => rules.get(DOMAIN, RULE),
  "PUT /domains/:domain/rules/:rule": ({ rules }) => rules.update(DOMAIN, RULE, { config: alias }),
  "DELETE /domains/:domain/rules/:rule": ({ rules }) => rules.delete(DOMAIN, RULE),
  "GET /domains/:domain/logs": ({ logs }) => logs.page(DOMAIN),
  "GET /domains/:domain/logs/count": ({ logs }) => logs.count(DOMAIN),
  "GET /domains/:domain/logs/:id": ({ logs }) => logs.get(DOMAIN, LOG),
  "GET /domains/:domain/credentials": ({ credentials }) => credentials.page(DOMAIN),
  "POST /domains/:domain/credentials": ({ credentials }) => credentials.create(DOMAIN, credential),
  "PUT /domains/:domain/credentials/:username": ({ credentials }) =>
    credentials.update(DOMAIN, "newsletter", { password: credential.password }),
  "DELETE /domains/:domain/credentials/:username": ({ credentials }) => credentials.delete(DOMAIN, "newsletter"),
  "POST /domains/:domain/emails/outbound": ({ emails }) => emails.send(DOMAIN, mail),
  "GET /domains/:domain/templates": async ({ templates }) => await templates.list(DOMAIN),
  "POST /domains/:domain/templates": ({ templates }) => templates.create(DOMAIN, { name: "receipt" }),
  "GET /domains/:domain/templates/:name": ({ templates }) => templates.get(DOMAIN, "receipt"),
  "PUT /domains/:domain/templates/:name": ({ templates }) => templates.update(DOMAIN, "receipt", { subject: "Hi" }),
  "DELETE /domains/:domain/templates/:name": ({ templates }) => templates.delete(DOMAIN, "receipt"),
};

export const callsV4: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  ...callsOfBoth,
  "PUT /domains/:domain": ({ domains }) => domains.update(DOMAIN, { whitelabel: null }),
  "POST /domains/:domain/verify": ({ domains }) => domains.verify(DOMAIN),
  "DELETE /domains/:domain/aliases": ({ aliases }) => aliases.deleteAll(DOMAIN, { all: true }),
  "GET /domains/:domain/aliases/:id": ({ aliases }) => aliases.get(DOMAIN, "17"),
  "PUT /domains/:domain/aliases/:id": ({ aliases }) => aliases.update(DOMAIN, 17, { forward: alias.forward }),
  "DELETE /domains/:domain/aliases/:id": ({ aliases }) => aliases.delete(DOMAIN, "17"),
  "DELETE /domains/:domain/rules": ({ rules }) => rules.deleteAll(DOMAIN, { all: true }),
  "GET /domains/:domain/logs/search": ({ logs }) => logs.searchPage(DOMAIN, "hello"),
};

export const callsV3: Readonly<Record<string, (client: ClientV3, form?: string) => Promise<unknown>>> = {
  ...callsOfBoth,
  "GET /account/whitelabels": async ({ account }) => await account.whitelabels(),
  "PUT /domains/:domain": ({ domains }) => domains.update(DOMAIN, { webhook: null }),
  "GET /domains/:domain/check": ({ domains }) => domains.check(DOMAIN),
  "POST /domains/:domain/aliases/bulk": ({ aliases }, form) =>
    form === "delete"
      ? aliases.bulk(DOMAIN, "delete", [alias, alias])
      : aliases.bulk(DOMAIN, form === "update" ? "update" : "add", [alias, alias]),
  "DELETE /domains/:domain/aliases/aliases-all": ({ aliases }) => aliases.deleteAll(DOMAIN, { all: true }),
  "GET /domains/:domain/aliases/:alias": ({ aliases }) => aliases.get(DOMAIN, "sales"),
  "PUT /domains/:domain/aliases/:alias": ({ aliases }) => aliases.update(DOMAIN, 17, alias),
  "DELETE /domains/:domain/aliases/:alias": ({ aliases }) => aliases.delete(DOMAIN, 17),
  "POST /domains/:domain/rules/bulk": ({ rules }) => rules.bulk(DOMAIN, "add", [rule, rule, rule]),
  "DELETE /domains/:domain/rules-all": ({ rules }) => rules.deleteAll(DOMAIN, { all: true }),
  "GET /domains/:domain/logs/search": ({ logs }) => collect(logs.search(DOMAIN, time)),
  "GET /domains/:domain/logs/:alias": ({ logs }) => logs.pageOfAlias(DOMAIN, "sales"),
};

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}
