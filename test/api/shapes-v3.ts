import type { AccountV3 } from "../../src/api/contract/v3/account.js";
import type { AliasV3 } from "../../src/api/contract/v3/aliases.js";
import type { CredentialV3 } from "../../src/api/contract/v3/credentials.js";
import type { DomainV3 } from "../../src/api/contract/v3/domains.js";
import type { RuleV3 } from "../../src/api/contract/v3/rules.js";
import type { LogEntryV3 } from "../../src/api/contract/v3/logs.js";
import { rules } from "./shapes.js";

/* One recorded example of each resource in version 3's documentation, part 2. */

const MOMENT = Date.parse("2026-08-12T09:30:00Z");

export const accountV3: AccountV3 = {
  billing_email: null,
  cancels_on: null,
  card_brand: "Visa",
  company_details: "",
  company_name: "Example",
  company_vat: null,
  country: "NL",
  created: MOMENT,
  email: "owner@example.com",
  last4: "4242",
  limits: {
    aliases: 1000,
    daily_quota: 10_000,
    daily_send: 1000,
    domains: 10,
    ratelimit: 200,
    redirections: 100,
    subdomains: 10,
    api: 200,
    credentials: 50,
    destinations: 20,
  },
  lock_reason: null,
  locked: null,
  password: true,
  plan: {
    aliases_limit: 1000,
    daily_quota: 10_000,
    domains_limit: 10,
    display: "Premium",
    kind: "premium",
    name: "premium",
    price: 9.5,
    yearly: false,
  },
  premium: true,
  privacy_level: 0,
  renew_date: MOMENT,
};

export const aliasV3: AliasV3 = { id: 7, alias: "info", forward: "ada@example.org", created: MOMENT };

export const domainV3: DomainV3 = {
  active: true,
  domain: "example.com",
  display: "example.com",
  dkim_selector: "service",
  notification_email: null,
  webhook: "https://example.org/events",
  whitelabel: null,
  added: MOMENT,
  aliases: [aliasV3],
};

export const ruleV3: RuleV3 = {
  id: rules[1].id,
  type: "regex",
  config: { ...rules[1].config, scopes: [...rules[1].config.scopes] },
  rank: 1.5,
  active: true,
  created: MOMENT,
};

export const credentialV3: CredentialV3 = { username: "robot", usage: 12, created: MOMENT };

export const logEntryV3: LogEntryV3 = {
  id: "1786527000123.4f2a",
  created: MOMENT,
  created_raw: MOMENT,
  events: [
    {
      code: 250,
      created: MOMENT,
      id: "e1",
      local: "mx1.service.example",
      message: "2.0.0 OK",
      server: "mx.example.org",
      status: "DELIVERED",
    },
  ],
  forward: null,
  hostname: "mx1.service.example",
  messageId: "<1@example.com>",
  recipient: { email: "ada@example.org", name: "Ada" },
  sender: { email: "receipts@example.com", name: null },
  subject: "Receipt 7",
  transport: "smtp",
};

/** The same entry in the earlier format. */
export const earlierLogEntryV3: LogEntryV3 = {
  ...logEntryV3,
  created: "2026-08-12 09:30:00+0000",
  created_raw: "Wed, 12 Aug 2026 09:30:00 +0000",
};
