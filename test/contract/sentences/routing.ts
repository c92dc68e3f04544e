import { expect } from "vitest";
import { sendTo } from "../../service/inbound/smtp.js";
import { sentence } from "../sentence.js";
import type { Mailing } from "../world.js";

/* What the documents say about where received emails go. The emails are sent by SMTP. */

const aliases = "/domains/:domain/aliases";
const rules = "/domains/:domain/rules";

const OTHERS = "others@example.com";

type Email = Partial<Parameters<typeof sendTo>[1]>;

/** The SMTP code that answers an email to a name at the domain. */
async function codeFor({ smtpPort, domain }: Mailing, name: string, email: Email = {}): Promise<number> {
  return Number((await sendTo(smtpPort, { ...email, to: `${name}@${domain}` })).slice(0, 3));
}

/** The address that an accepted email was forwarded to. */
async function destinationOf(mailing: Mailing, name: string, email: Email = {}): Promise<string | undefined> {
  const before = mailing.mail.total("forwarded");
  expect(await codeFor(mailing, name, email)).toBe(250);
  await expect.poll(() => mailing.mail.total("forwarded"), { interval: 10 }).toBe(before + 1);
  return mailing.mail.list({ folder: "forwarded" })[0]?.recipients[0]?.email;
}

sentence(
  'v4 part 1: "manage aliases (mailbox identities under a domain) singly and in batches"',
  [],
  async ({ local }) => {
    const mailing = await local.receive();
    const { v4 } = mailing;
    expect(await codeFor(mailing, "sales")).toBe(550);
    const { id } = (await v4(`POST ${aliases}`, { body: { alias: "sales", forward: "ada@example.com" } })).alias;
    // "local part of the address"
    expect(await destinationOf(mailing, "Sales")).toBe("ada@example.com");
    expect(await codeFor(mailing, "sales2")).toBe(550);
    await v4(`PUT ${aliases}/:id`, { id, body: { forward: "bob@example.com" } });
    expect(await destinationOf(mailing, "sales")).toBe("bob@example.com");

    const batch = [{ alias: "support", forward: "eve@example.com" }];
    const { added } = await v4(`POST ${aliases}/batch`, { body: { aliases: batch } });
    expect(await destinationOf(mailing, "support")).toBe("eve@example.com");
    const changes = [{ id: added[0].id, forward: "ada@example.com" }];
    await v4(`PUT ${aliases}/batch`, { body: { aliases: changes } });
    expect(await destinationOf(mailing, "support")).toBe("ada@example.com");

    await v4(`DELETE ${aliases}/:id`, { id });
    expect(await codeFor(mailing, "sales")).toBe(550);
    await v4(`DELETE ${aliases}`, { query: { all: "true" } });
    expect(await codeFor(mailing, "support")).toBe(550);
  },
);

sentence(
  'v3 part 1: "manages the account view, domains (with DNS verification), aliases (single and bulk), routing rules (alias, regex, CEL)"',
  [],
  async ({ local }) => {
    const byAlias = await local.receive();
    const bulk = async (behavior: string, ...list: object[]) =>
      await byAlias.v3(`POST ${aliases}/bulk`, { body: { aliases: list, behavior } });
    await bulk("add", { alias: "sales", forward: "ada@example.com" });
    expect(await destinationOf(byAlias, "sales")).toBe("ada@example.com");
    await bulk("update", { alias: "sales", forward: "bob@example.com" });
    expect(await destinationOf(byAlias, "sales")).toBe("bob@example.com");
    const { id } = (await byAlias.v3(`GET ${aliases}/:alias`, { alias: "sales" })).alias;
    // "by integer id, `alias` may also be sent to rename"
    await byAlias.v3(`PUT ${aliases}/:alias`, { alias: id, body: { alias: "orders", forward: "bob@example.com" } });
    expect(await codeFor(byAlias, "sales")).toBe(550);
    expect(await destinationOf(byAlias, "orders")).toBe("bob@example.com");
    await bulk("delete", { alias: "orders" });
    expect(await codeFor(byAlias, "orders")).toBe(550);

    const byRules = await local.receive({ routingEngine: "rules" });
    const config = { regex: "^Order", scopes: ["subject"], forward: "ada@example.com" };
    const change = async (behavior: string, rule: object) =>
      (await byRules.v3(`POST ${rules}/bulk`, { body: { rules: [rule], behavior } })).results[0].rule.id;
    const rule = await change("add", { type: "regex", config });
    expect(await destinationOf(byRules, "any", { subject: "Order 17" })).toBe("ada@example.com");
    await change("update", { id: rule, config: { ...config, regex: "^Invoice" } });
    expect(await codeFor(byRules, "any", { subject: "Order 17" })).toBe(550);
    expect(await destinationOf(byRules, "any", { subject: "Invoice 17" })).toBe("ada@example.com");
    await change("delete", { id: rule });
    expect(await codeFor(byRules, "any", { subject: "Invoice 17" })).toBe(550);
  },
);

sentence('v4 part 1: "add, update, verify (DNS) and delete domains"', [], async ({ local, newDomain }) => {
  const { domain: first, ...mailing } = await local.receive();
  const { v4, dns } = mailing;
  const added = { ...mailing, domain: newDomain };
  expect(await codeFor(added, "any")).toBe(550);
  const { domain } = await v4("POST /domains", { body: { domain: newDomain } });
  expect(domain).toMatchObject({ routing_engine: "alias", forwarding_ready: false });
  await v4(`POST ${aliases}`, { domain: newDomain, body: { alias: "any", forward: OTHERS } });
  expect(await codeFor(added, "any")).toBe(450);
  dns.zone = Object.fromEntries(
    Object.entries(dns.zone).map(([name, records]) => [name.replace(first, newDomain), records]),
  );
  await v4("POST /domains/:domain/verify", { domain: newDomain });
  expect(await destinationOf(added, "any")).toBe(OTHERS);
  await v4("DELETE /domains/:domain", { domain: newDomain });
  expect(await codeFor(added, "any")).toBe(550);
});

sentence('v3 part 2, Alias: "`*` denotes a catch-all"', [], async ({ local }) => {
  const mailing = await local.receive();
  for (const [alias, forward] of Object.entries({ "*": OTHERS, sales: "ada@example.com" }))
    await mailing.v3(`POST ${aliases}`, { body: { alias, forward } });
  expect(await destinationOf(mailing, "sales")).toBe("ada@example.com");
  expect(await destinationOf(mailing, "anything")).toBe(OTHERS);
});

sentence(
  'v3 part 4, Logs: "a regex alias must be URL-encoded in the path | `{logs, success}`, only that alias"',
  [],
  async ({ local }) => {
    const mailing = await local.receive();
    const { v3, domain } = mailing;
    const forwards = { "/^sales-[0-9]+$/": "ada@example.com", support: "bob@example.com", "*": OTHERS };
    for (const [alias, forward] of Object.entries(forwards)) await v3(`POST ${aliases}`, { body: { alias, forward } });
    expect(await destinationOf(mailing, "sales-17")).toBe("ada@example.com");
    expect(await destinationOf(mailing, "support")).toBe("bob@example.com");
    expect(await destinationOf(mailing, "sales-")).toBe(OTHERS);
    const recipients = Object.keys(forwards).map(async (alias) => {
      const { logs } = await v3("GET /domains/:domain/logs/:alias", { alias });
      return logs.map(({ recipient }: { recipient: { email: string } }) => recipient.email);
    });
    expect(await Promise.all(recipients)).toEqual(
      ["sales-17", "support", "sales-"].map((name) => [`${name}@${domain}`]),
    );
  },
);

sentence(
  'v4 part 1: "manage routing rules (alias, regex and CEL types) singly and in batches"',
  [],
  async ({ local }) => {
    const mailing = await local.receive({ routingEngine: "rules" });
    const { v4 } = mailing;
    const kinds = [
      { type: "alias", config: { alias: "sales", forward: "alias@example.com" } },
      { type: "regex", config: { regex: "^Invoice [0-9]+$", scopes: ["subject"], forward: "regex@example.com" } },
    ];
    await v4(`POST ${rules}/batch`, { body: { rules: kinds } });
    const expression = 'sender.endsWith("@shop.example") && body.contains("urgent")';
    const cel = { type: "cel", config: { expression, forward: "cel@example.com" } };
    const { id } = (await v4(`POST ${rules}`, { body: cel })).rule;
    expect(await destinationOf(mailing, "sales", { subject: "Invoice 17" })).toBe("alias@example.com");
    expect(await destinationOf(mailing, "other", { subject: "Invoice 17" })).toBe("regex@example.com");
    expect(await destinationOf(mailing, "other", { text: "It is urgent." })).toBe("cel@example.com");
    expect(await codeFor(mailing, "other", { from: "bob@example.org", text: "It is urgent." })).toBe(550);
    await v4(`PUT ${rules}/:rule`, { rule: id, body: { config: { expression: "true", forward: OTHERS } } });
    expect(await destinationOf(mailing, "other")).toBe(OTHERS);
    await v4(`DELETE ${rules}/:rule`, { rule: id });
    expect(await codeFor(mailing, "other")).toBe(550);
    await v4(`DELETE ${rules}`, { query: { all: "true" } });
    expect(await codeFor(mailing, "sales")).toBe(550);
  },
);

sentence('v4 part 2, Rule: "scopes (array of `sender`, `recipient`, `subject`, `body`)"', [], async ({ local }) => {
  const mailing = await local.receive({ routingEngine: "rules", rulesFallbackEmail: OTHERS });
  for (const scope of ["sender", "recipient", "subject", "body"]) {
    const config = { regex: "needle", scopes: [scope], forward: `${scope}@example.com` };
    await mailing.v4(`POST ${rules}`, { body: { type: "regex", config } });
  }
  expect(await destinationOf(mailing, "any", { from: "needle@shop.example" })).toBe("sender@example.com");
  expect(await destinationOf(mailing, "needle")).toBe("recipient@example.com");
  expect(await destinationOf(mailing, "any", { subject: "A needle" })).toBe("subject@example.com");
  expect(await destinationOf(mailing, "any", { text: "A needle" })).toBe("body@example.com");
  expect(await destinationOf(mailing, "any")).toBe(OTHERS);
});

sentence(
  'v4 part 2, Rule: "number (float); evaluation priority; defaults to the next largest rank"',
  [],
  async ({ local }) => {
    const mailing = await local.receive({ routingEngine: "rules" });
    const { v4 } = mailing;
    const create = async (name: string, rank?: number) => {
      const config = { expression: "true", forward: `${name}@example.com` };
      return (await v4(`POST ${rules}`, { body: { type: "cel", config, rank } })).rule.id;
    };
    await create("second", 2);
    await create("last");
    expect(await destinationOf(mailing, "any")).toBe("second@example.com");
    const between = await create("first", 1.5);
    expect(await destinationOf(mailing, "any")).toBe("first@example.com");
    await v4(`PUT ${rules}/batch`, { body: { rules: [{ id: between, rank: 2.5 }] } });
    expect(await destinationOf(mailing, "any")).toBe("second@example.com");
  },
);

sentence('v4 part 3: "Rule active true or false"', [], async ({ local }) => {
  const mailing = await local.receive({ routingEngine: "rules", rulesFallbackEmail: OTHERS });
  const { v4 } = mailing;
  const config = { expression: "true", forward: "ada@example.com" };
  const { id } = (await v4(`POST ${rules}`, { body: { type: "cel", config } })).rule;
  expect(await destinationOf(mailing, "any")).toBe("ada@example.com");
  await v4(`PUT ${rules}/:rule`, { rule: id, body: { config, active: false } });
  expect(await destinationOf(mailing, "any")).toBe(OTHERS);
  await v4(`PUT ${rules}/batch`, { body: { rules: [{ id, active: true }] } });
  expect(await destinationOf(mailing, "any")).toBe("ada@example.com");
});

sentence('v4 part 2, Domain: "`alias`, `rules`, or null (routing disabled)"', [], async ({ local }) => {
  const config = { expression: "true", forward: "rule@example.com" };
  const content = {
    aliases: [{ alias: "any", forward: "alias@example.com" }],
    rules: [{ type: "cel", config }] as const,
  };
  // "rules_fallback_email"
  const fallback = { rulesFallbackEmail: OTHERS };
  expect(await destinationOf(await local.receive({ ...content, ...fallback }), "any")).toBe("alias@example.com");
  const byRules = await local.receive({ ...content, ...fallback, routingEngine: "rules" });
  expect(await destinationOf(byRules, "any")).toBe("rule@example.com");
  const onlyFallback = await local.receive({ ...fallback, routingEngine: "rules" });
  expect(await destinationOf(onlyFallback, "any")).toBe(OTHERS);
  const disabled = await local.receive({ ...content, ...fallback, routingEngine: null });
  expect(await codeFor(disabled, "any")).toBe(550);
  for (const [{ v4 }, engine] of [
    [byRules, "rules"],
    [disabled, null],
  ] as const)
    expect((await v4("GET /domains/:domain")).domain).toMatchObject({
      routing_engine: engine,
      rules_fallback_email: OTHERS,
    });
});

const unready = { forwardingReady: false, aliases: [{ alias: "*", forward: OTHERS }] };

sentence('v4 part 3: "MX, SPF, DKIM and DMARC records are correct | forwarding begins"', [], async ({ local }) => {
  const mailing = await local.receive(unready);
  expect(await codeFor(mailing, "any")).toBe(450);
  await mailing.v4("POST /domains/:domain/verify");
  expect(await destinationOf(mailing, "any")).toBe(OTHERS);
  // "MX records resolve to the service"
  mailing.dns.zone = {};
  await mailing.v4("POST /domains/:domain/verify");
  expect((await mailing.v4("GET /domains/:domain")).domain.forwarding_ready).toBe(false);
  expect(await codeFor(mailing, "any")).toBe(450);
});

sentence('v3 part 3: "Once the domain check passes, the service begins forwarding."', [], async ({ local }) => {
  const mailing = await local.receive(unready);
  expect(await codeFor(mailing, "any")).toBe(450);
  await mailing.v3("GET /domains/:domain/check");
  expect(await destinationOf(mailing, "any")).toBe(OTHERS);
});

sentence('v4 part 2: "banned | boolean", "locked | null or a value"', [], async ({ local }) => {
  const content = { aliases: [{ alias: "*", forward: OTHERS }] };
  const banned = await local.receive({ ...content, banned: true });
  expect(await codeFor(banned, "any")).toBe(550);
  expect((await banned.v4("GET /domains/:domain")).domain.banned).toBe(true);
  const locked = await local.receive(content, { locked: "unpaid" });
  expect(await codeFor(locked, "any")).toBe(550);
  expect((await locked.v4("GET /account")).account.lock_reason).toBe("unpaid");
});

const DAY_MS = 24 * 60 * 60 * 1_000;

sentence(
  'v4 part 8: "Account limits | reported in the plan object (domains, aliases, rules, daily and monthly receive/send)"',
  [],
  async ({ local }) => {
    const limits = { daily_receive_limit: 2, monthly_receive_limit: 3 };
    const mailing = await local.receive({ aliases: [{ alias: "*", forward: OTHERS }] }, { limits });
    expect((await mailing.v4("GET /account")).account.plan).toMatchObject(limits);
    // From the first day of a month on, so that two days are in it.
    const now = new Date(mailing.clock.now());
    mailing.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime());
    expect([await codeFor(mailing, "a"), await codeFor(mailing, "b"), await codeFor(mailing, "c")]).toEqual([
      250, 250, 452,
    ]);
    mailing.clock.advance(DAY_MS);
    expect([await codeFor(mailing, "d"), await codeFor(mailing, "e")]).toEqual([250, 452]);
    mailing.clock.advance(31 * DAY_MS);
    expect(await codeFor(mailing, "f")).toBe(250);
  },
);
