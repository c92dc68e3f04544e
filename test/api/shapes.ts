import type { Account } from "../../src/api/contract/v4/account.js";
import type { Alias } from "../../src/api/contract/v4/aliases.js";
import type { Credential } from "../../src/api/contract/v4/credentials.js";
import type { DnsRecords, Domain } from "../../src/api/contract/v4/domains.js";
import type { LogEntry } from "../../src/api/contract/v4/logs.js";
import type { Rule } from "../../src/api/contract/v4/rules.js";
import type { StoredTemplate } from "../../src/api/contract/v4/templates.js";

/* One recorded example of each resource in the documentation, part 2. */

export const account: Account = {
  address: "1 Example Street",
  billing_email: null,
  cancels_at: null,
  company_vat: null,
  country: "NL",
  created_at: "2024-02-29T12:00:00Z",
  email: "owner@example.com",
  email_log_retention_days: 30,
  lock_reason: null,
  locked: null,
  name: "Example",
  over_quota: false,
  plan: {
    name: "Premium",
    price: 9.5,
    billing_cycle: "monthly",
    domains_limit: 10,
    aliases_limit: 1000,
    rules_limit: 100,
    daily_receive_limit: 10_000,
    daily_send_limit: 1000,
    monthly_receive_limit: 100_000,
    monthly_send_limit: 10_000,
  },
  privacy_level: 0,
  renews_at: "2027-02-28T12:00:00Z",
};

export const domain: Domain = {
  domain: "example.com",
  forwarding_ready: true,
  send_ready: true,
  banned: false,
  notification_email: null,
  notify_when_spam_blocked: false,
  routing_engine: "alias",
  rules_fallback_email: null,
  strict_mxes: false,
  whitelabel: null,
  created_at: "2026-08-12T09:30:00Z",
  updated_at: "2026-08-12T09:30:00Z",
};

export const template: StoredTemplate = {
  name: "receipt",
  description: "What was bought",
  subject: "Receipt {{order.number}}",
  html_body: "<p>{{order.total}}</p>",
  text_body: "{{{order.total}}}",
  created_at: "2026-08-12T09:30:00Z",
  updated_at: "2026-08-13T09:30:00Z",
};

export const logEntry: LogEntry = {
  id: "1786527000123.4f2a",
  created_at: "2026-08-12T09:30:00Z",
  events: [
    {
      code: 250,
      created_at: "2026-08-12T09:30:01Z",
      id: "e1",
      local: "mx1.service.example",
      message: "2.0.0 OK",
      server: "mx.example.org",
      status: "DELIVERED",
    },
  ],
  forward: null,
  hostname: "mx1.service.example",
  message_id: "<1@example.com>",
  recipient: { email: "ada@example.org", name: "Ada" },
  sender: { email: "receipts@example.com", name: null },
  subject: "Receipt 7",
  transport: "api",
};

export const alias: Alias = {
  id: "7",
  alias: "info",
  forward: "ada@example.org,https://example.org/hook",
  created_at: "2026-08-12T09:30:00Z",
  updated_at: "2026-08-12T09:30:00Z",
};

const rule = {
  rank: 1.5,
  active: true,
  created_at: "2026-08-12T09:30:00Z",
  updated_at: "2026-08-12T09:30:00Z",
};

/** One of each type. */
export const rules = [
  {
    ...rule,
    id: "0b8d9c1e-5a0e-4d3c-8f6a-2b1c3d4e5f60",
    type: "alias",
    config: { alias: "info", forward: "ada@example.org" },
  },
  {
    ...rule,
    id: "1b8d9c1e-5a0e-4d3c-8f6a-2b1c3d4e5f60",
    type: "regex",
    config: { regex: "^invoice-\\d+$", scopes: ["recipient", "subject"], forward: "books@example.org" },
  },
  {
    ...rule,
    id: "2b8d9c1e-5a0e-4d3c-8f6a-2b1c3d4e5f60",
    type: "cel",
    config: { expression: 'subject.contains("urgent")', forward: "ada@example.org" },
  },
] as const satisfies readonly Rule[];

export const credential: Credential = { username: "robot", usage: 12, created_at: "2026-08-12T09:30:00Z" };

const record = { expected: "v=spf1 include:service.example ~all", valid: true, values: null };

export const records: DnsRecords = {
  provider: "Example DNS",
  advanced: false,
  dkim1: record,
  dkim2: record,
  dmarc: record,
  spf: { ...record, valid: false, values: "v=spf1 -all" },
  mx: { expected: ["mx1.service.example"], valid: false, values: [] },
  error: "There are no MX records.",
  valid: false,
};
