import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/api/client.js";
import { contractId } from "../../../src/mustache/contract-id.js";
import type { VariablesContract } from "../../../src/mustache/variables.js";
import type { ServiceClient } from "../../../src/send/delivery/connection.js";
import { verify } from "../../../src/send/tracking/verify.js";
import { type Seed, startService } from "../../../src/service/index.js";
import { writeMarker } from "../../../src/text/marker.js";
import { serve } from "../../api/servers.js";

const contract: VariablesContract = {
  input: {
    type: "object",
    properties: { name: { type: "string" }, items: { type: "array", items: { type: "object", properties: {} } } },
    required: ["name"],
  },
  conditions: [],
};

async function open(version: "v4" | "v3", seed: Seed = {}, own: { apiKey?: string; domain?: string } = {}) {
  const service = await startService({ data: ":memory:", port: 0, seed });
  onTestFinished(() => service.close());
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(() => client.close());
  return {
    client,
    domain: service.domain,
    faults: service.faults,
    verified: connect(version, service.url, own.apiKey ?? service.apiKey, own.domain ?? service.domain),
  };
}

function connect(version: "v4" | "v3", baseUrl: string, apiKey: string, domain: string): ServiceClient {
  const settings = { apiKey, baseUrl, retries: 0, pacing: false };
  const service: ServiceClient =
    version === "v3"
      ? { version, url: baseUrl, domain, client: createClient({ ...settings, version }) }
      : { version, url: baseUrl, domain, client: createClient({ ...settings, version }) };
  return service;
}

function named(...names: string[]) {
  return names.map((name) => ({ name, remoteName: `shop-${name}`, contract }));
}

describe.each(["v4", "v3"] as const)("verify, %s", (version) => {
  test("reports that all is well", async () => {
    const { verified, client, domain } = await open(version);
    const marker = { text: "lettershop shop", applied: "0123456789", contract: contractId(contract) };
    const bodies = { subject: "Hi {{name}}", html_body: "<p>{{name}}</p>", text_body: "{{name}}" };
    await client.templates.create(domain, { name: "shop-marked", description: writeMarker("", marker), ...bodies });
    await client.templates.create(domain, { name: "shop-plain", ...bodies });
    const { ok, checks } = await verify(verified, named("marked", "plain"));
    expect(checks.map(({ name, ok: isOk, message }) => [name, isOk, message])).toEqual([
      ["key", true, expect.stringMatching(/^http:.* accepts the key\.$/)],
      ["plan", true, expect.stringMatching(/^The plan [Pp]remium allows \d+ sends a day/)],
      ["domain", true, `${domain} is a domain of the account.`],
      ["sending", true, `${domain} is ready to send.`],
      ["template", true, "marked is deployed with the same contract."],
      ["template", true, "plain is deployed, and applications pass all variables that it reads."],
    ]);
    expect(ok).toBe(true);
  });

  test("reports a template that is not deployed, and one that reads what applications don't pass", async () => {
    const { verified, client, domain } = await open(version);
    const bodies = { subject: "Hi {{name}}", html_body: "<p>{{name}} of {{city}}</p>{{#items}}{{price}}{{/items}}" };
    const marker = { text: "lettershop shop", applied: "0123456789", contract: "abcdef" };
    await client.templates.create(domain, { name: "shop-old", description: writeMarker("A.", marker), ...bodies });
    const { ok, checks } = await verify(verified, named("old", "odl"));
    expect(ok).toBe(false);
    expect(checks.slice(4)).toEqual([
      {
        name: "template",
        template: "old",
        ok: false,
        message:
          "The deployed old does not fit the variables that applications pass: city would be blank; items[].price would be blank.",
        hint: expect.stringContaining("templates sync"),
      },
      {
        name: "template",
        template: "odl",
        ok: false,
        message: "odl is not deployed as shop-odl.",
        hint: "Run: templates sync. Did you mean shop-old?",
      },
    ]);
  });

  test("reports a key that is not accepted only once, since it affects everything", async () => {
    const { verified } = await open(version, {}, { apiKey: "wrong" });
    const { ok, checks } = await verify(verified, named("one"));
    expect({ ok, checks }).toEqual({
      ok: false,
      checks: [
        {
          name: "key",
          ok: false,
          message: expect.stringContaining("does not accept the key"),
          hint: expect.anything(),
        },
      ],
    });
  });

  test("reports a domain that the account does not have", async () => {
    const { verified } = await open(version, {}, { domain: "elsewhere.example" });
    const { checks } = await verify(verified, named("one"));
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      {
        name: "domain",
        ok: false,
        message: "elsewhere.example is not a domain of the account.",
        hint: expect.stringContaining("Add elsewhere.example"),
      },
    ]);
  });

  test("reports a plan without sending", async () => {
    const { verified } = await open(version, {
      accounts: [{ apiKey: "free", plan: "free", domains: [{ name: "a.example" }] }],
    });
    const { ok, checks } = await verify(verified, named("one"));
    expect(ok).toBe(false);
    expect(checks.find(({ name }) => name === "plan")).toMatchObject({
      ok: false,
      hint: expect.stringContaining("premium"),
    });
  });
});

test("reports a domain whose DNS is not set up as not ready to send", async () => {
  const { url } = await serve(({ url: path }, response) => {
    const body = path.endsWith("/account") ? { account } : { domain: { ...domainFields, send_ready: false } };
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  const { checks } = await verify(connect("v4", url, "key", "example.com"), []);
  expect(checks.filter(({ ok }) => !ok)).toEqual([
    {
      name: "sending",
      ok: false,
      message: "example.com is not ready to send.",
      hint: expect.stringContaining("two DKIM CNAME records and a DMARC TXT record"),
    },
  ]);
});

test("reports a service that is not there without throwing, and ends at a signal", async () => {
  const service = connect("v4", "http://127.0.0.1:1", "key", "example.com");
  expect(await verify(service, named("one"))).toMatchObject({
    ok: false,
    checks: [{ name: "service", ok: false, message: expect.stringContaining("http://127.0.0.1:1") }],
  });
  await expect(verify(service, [], AbortSignal.abort(new Error("enough")))).rejects.toMatchObject({ code: "aborted" });
});

const time = "2026-08-12T09:30:00Z";
const account = {
  address: "",
  billing_email: null,
  cancels_at: null,
  company_vat: null,
  country: "US",
  created_at: time,
  email: "owner@example.com",
  email_log_retention_days: 30,
  lock_reason: null,
  locked: null,
  name: "Shop",
  over_quota: false,
  privacy_level: 0,
  renews_at: time,
  plan: {
    name: "Premium",
    price: 9,
    billing_cycle: "monthly",
    domains_limit: 1,
    aliases_limit: 1,
    rules_limit: 1,
    daily_receive_limit: 1,
    daily_send_limit: 1000,
    monthly_receive_limit: 1,
    monthly_send_limit: 10_000,
  },
};
const domainFields = {
  domain: "example.com",
  forwarding_ready: true,
  banned: false,
  notification_email: null,
  notify_when_spam_blocked: false,
  routing_engine: null,
  rules_fallback_email: null,
  strict_mxes: false,
  whitelabel: null,
  created_at: time,
  updated_at: time,
};
