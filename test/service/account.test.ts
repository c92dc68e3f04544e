import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { accountResponse as accountResponseV3, whitelabelsResponse } from "../../src/api/contract/v3/account.js";
import { accountResponse } from "../../src/api/contract/v4/account.js";
import { domainResponse } from "../../src/api/contract/v3/domains.js";
import { frozenClock, type Seed, startService } from "../../src/service/index.js";
import { loadDriver } from "../../src/sqlite/driver.js";
import { migrations } from "../../src/service/store/migrations.js";
import { apiOf, startApi, temporaryFolder } from "./harness.js";
import { version3 } from "./version-3.js";

const start = Date.parse("2026-11-20T10:00:00.900Z");

async function accountsOf(seed: Seed) {
  const api = await startApi({ seed, clock: frozenClock(start) });
  const v4 = await api.get("/account");
  const v3 = await version3(api).get("/account");
  return { api, v4: JSON.parse(v4.text), v3: JSON.parse(v3.text), read: { v4, v3 } };
}

test("both versions show the same account, each with exactly the members of its document", async () => {
  const { v4, v3, read } = await accountsOf({ profile: { company_vat: "DE123", billing_email: "pay@acme.test" } });
  expect(read.v4.read(accountResponse).account).toEqual(v4.account);
  expect(read.v3.read(accountResponseV3)).toEqual(v3);
  expect(v4.account).toMatchObject({
    created_at: "2026-11-20T10:00:00Z",
    renews_at: "2027-11-20T10:00:00Z",
    company_vat: "DE123",
    billing_email: "pay@acme.test",
    locked: null,
    lock_reason: null,
    over_quota: false,
    plan: { name: "Premium", billing_cycle: "monthly", daily_send_limit: 1_000_000 },
  });
  expect(v3).toEqual({
    account: {
      billing_email: "pay@acme.test",
      cancels_on: null,
      card_brand: "",
      company_details: "",
      company_name: "",
      company_vat: "DE123",
      country: "US",
      created: Date.parse("2026-11-20T10:00:00Z"),
      email: "owner@example.test",
      last4: "",
      limits: {
        aliases: 10_000,
        daily_quota: 100_000,
        daily_send: 1_000_000,
        domains: 100,
        ratelimit: 200,
        redirections: 10_000,
        subdomains: 100,
        api: 200,
        credentials: 100,
        destinations: expect.any(Number),
      },
      lock_reason: null,
      locked: null,
      password: true,
      plan: {
        aliases_limit: 10_000,
        daily_quota: 100_000,
        domains_limit: 100,
        display: "Premium - $9",
        kind: "premium",
        name: "premium",
        price: 9,
        yearly: false,
      },
      premium: true,
      privacy_level: 0,
      renew_date: Date.parse("2027-11-20T10:00:00Z"),
    },
    success: true,
  });
});

test("a free account is reported as free in both versions", async () => {
  const { v4, v3 } = await accountsOf({ plan: "free" });
  expect(v4.account.plan).toMatchObject({ name: "Free", price: 0 });
  expect(v3.account).toMatchObject({
    premium: false,
    limits: { ratelimit: 30, credentials: 0, daily_send: 0 },
    plan: { kind: "free", price: 0 },
  });
});

test("a locked account reports since when and why", async () => {
  const { v4, v3 } = await accountsOf({ locked: "marketing email", profile: { cancels_at: "2026-12-01T00:00:00Z" } });
  expect(v4.account).toMatchObject({
    locked: "2026-11-20T10:00:00Z",
    lock_reason: "marketing email",
    cancels_at: "2026-12-01T00:00:00Z",
  });
  expect(v3.account).toMatchObject({
    locked: Date.parse("2026-11-20T10:00:00Z"),
    lock_reason: "marketing email",
    cancels_on: Date.parse("2026-12-01T00:00:00Z"),
  });
});

test("whitelabels are those of the account and its domains, without duplicates", async () => {
  const { api } = await accountsOf({ profile: { whitelabels: ["own.test"] } });
  const list = async () => (await version3(api).get("/account/whitelabels")).read(whitelabelsResponse).whitelabels;
  expect(await list()).toEqual([{ name: "own.test" }]);
  for (const domain of ["a.test", "b.test"]) await api.post("/domains", { domain, whitelabel: "brand.test" });
  expect(await list()).toEqual([{ name: "brand.test" }, { name: "own.test" }]);
  expect((await api.get("/account/whitelabels")).status).toBe(404);
});

test("a data folder of the first version is migrated without loss", async () => {
  const data = await temporaryFolder();
  const database = (await loadDriver("the local service"))(join(data, "service.db"));
  database.exec(migrations[0] ?? "");
  database.exec("PRAGMA user_version = 1");
  const { v4 } = await accountsOf({});
  const key = createHash("sha256").update("local").digest();
  database
    .prepare("INSERT INTO accounts (api_key_sha256, paid, profile) VALUES (?, 1, ?)")
    .run(key, JSON.stringify({ ...v4.account, company_vat: "old" }));
  database.exec(`
    INSERT INTO domains (account_id, name, forwarding_ready, send_ready, banned, notify_when_spam_blocked, strict_mxes,
      whitelabel, created_at, updated_at) VALUES (1, 'old.test', 0, 1, 0, 0, 0, 'brand.test', 5000, 6000)`);
  database.close();

  const service = await startService({ data, port: 0, limits: false });
  onTestFinished(() => service.close());
  const api = apiOf(service);
  expect((await api.get("/account")).read(accountResponse).account).toEqual({ ...v4.account, company_vat: "old" });
  expect((await version3(api).get("/account")).read(accountResponseV3).account).toMatchObject({ company_vat: "old" });
  expect((await version3(api).get("/domains/old.test")).read(domainResponse).domain).toMatchObject({
    active: false,
    whitelabel: "brand.test",
    webhook: null,
    added: 5_000,
  });
});
