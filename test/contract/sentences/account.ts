import { expect } from "vitest";
import { sentence } from "../sentence.js";

sentence(
  'v4 part 4, Account: "GET | /account | nothing | `{account}`"',
  ["v4 account.get {answer *,200}"],
  async ({ v4 }) => {
    const { account } = await v4("GET /account");
    expect(account.country).toMatch(/^[A-Z]{2}$/);
  },
);

sentence(
  'v3 part 4, Account: "GET | /account | `{account, success}`"',
  ["v3 account.get {answer *,200}"],
  async ({ v3 }) => {
    const { account } = await v3("GET /account");
    expect(account.created).toBeGreaterThan(1e12);
  },
);

sentence(
  'v3 part 4, Account: "GET | /account/whitelabels | `{whitelabels:[{name}], success}`"',
  ["v3 account.whitelabels {answer *,200}"],
  async ({ v3, domain }) => {
    await v3("PUT /domains/:domain", { body: { whitelabel: "brand.test" } });
    const { whitelabels } = await v3("GET /account/whitelabels");
    expect(whitelabels).toContainEqual({ name: "brand.test" });
    await v3("PUT /domains/:domain", { domain, body: { whitelabel: null } });
  },
);

sentence("v4 part 2, Account: both versions show the same account", [], async ({ v3, v4 }) => {
  const [older, newer] = [(await v3("GET /account")).account, (await v4("GET /account")).account];
  expect(older).toMatchObject({
    billing_email: newer.billing_email,
    company_vat: newer.company_vat,
    country: newer.country,
    email: newer.email,
    privacy_level: newer.privacy_level,
  });
  expect(Math.floor(older.created / 1_000)).toBe(Date.parse(newer.created_at) / 1_000);
  expect(older.plan).toMatchObject({
    aliases_limit: newer.plan.aliases_limit,
    domains_limit: newer.plan.domains_limit,
    price: newer.plan.price,
  });
});
