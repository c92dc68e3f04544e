import { expect, test } from "vitest";
import { type DnsRecords, domainResponse, domainVerifyResponse } from "../../src/api/contract/v4/domains.js";
import { domainCheckResponse, domainResponse as domainResponseV3 } from "../../src/api/contract/v3/domains.js";
import { type DnsServer, startDnsServer, type Zone } from "./dns-server.js";
import { type Api, startApi } from "./harness.js";
import { version3 } from "./version-3.js";

/** All records a domain needs, as documented in docs/guides/local-service.md. */
const complete: Zone = {
  "acme.test MX": ["10 MX1.service.test", "20 mx2.service.test"],
  "acme.test TXT": ["google-site-verification=1", "v=spf1 include:spf.service.test include:other.test ~all"],
  "acme.test NS": ["b.ns.cloud.test", "a.ns.cloud.test"],
  "ls1._domainkey.acme.test CNAME": ["dkim1.service.test"],
  "ls2._domainkey.acme.test CNAME": ["dkim2.service.test"],
  "_dmarc.acme.test TXT": ["v=DMARC1; p=quarantine; rua=mailto:dmarc@acme.test"],
};

const without = (...keys: string[]): Zone =>
  Object.fromEntries(Object.entries(complete).filter(([key]) => !keys.includes(key)));

async function startWithDns(zone: Zone, body: object = {}): Promise<{ api: Api; dns: DnsServer }> {
  const dns = await startDnsServer(zone);
  const api = await startApi({ dns: { servers: [dns.address] } });
  expect((await api.post("/domains", { domain: "acme.test", ...body })).status).toBe(200);
  return { api, dns };
}

async function verify(api: Api): Promise<DnsRecords> {
  return (await api.post("/domains/acme.test/verify", {})).read(domainVerifyResponse).records;
}

async function readiness(api: Api): Promise<object> {
  const { forwarding_ready, send_ready } = (await api.get("/domains/acme.test")).read(domainResponse).domain;
  const { active } = (await version3(api).get("/domains/acme.test")).read(domainResponseV3).domain;
  expect(active).toBe(forwarding_ready);
  return { forwarding: forwarding_ready, sending: send_ready };
}

test("a new domain is not ready until a verify request finds correct DNS", async () => {
  const { api } = await startWithDns(complete);
  expect(await readiness(api)).toEqual({ forwarding: false, sending: false });
  expect(await verify(api)).toEqual({
    provider: "cloud.test",
    advanced: true,
    dkim1: { expected: "dkim1.service.test", valid: true, values: "dkim1.service.test" },
    dkim2: { expected: "dkim2.service.test", valid: true, values: "dkim2.service.test" },
    dmarc: {
      expected: "v=DMARC1; p=none;",
      valid: true,
      values: "v=DMARC1; p=quarantine; rua=mailto:dmarc@acme.test",
    },
    spf: {
      expected: "v=spf1 include:spf.service.test ~all",
      valid: true,
      values: "v=spf1 include:spf.service.test include:other.test ~all",
    },
    mx: {
      expected: ["mx1.service.test", "mx2.service.test"],
      valid: true,
      values: ["mx1.service.test", "mx2.service.test"],
    },
    error: null,
    valid: true,
  });
  expect(await readiness(api)).toEqual({ forwarding: true, sending: true });
});

test("version 3's check succeeds if MX is correct, and makes the domain active", async () => {
  const { api, dns } = await startWithDns(without("acme.test MX"));
  const check = async () => (await version3(api).get("/domains/acme.test/check")).read(domainCheckResponse);
  const failed = await check();
  expect(failed).toMatchObject({ success: false, records: { valid: false, mx: { valid: false, values: [] } } });
  expect(failed.records.error).toBe("acme.test has no MX records. Add mx1.service.test and mx2.service.test.");
  expect(await readiness(api)).toEqual({ forwarding: false, sending: true });

  dns.zone = { "acme.test MX": complete["acme.test MX"] ?? [] };
  expect(await check()).toMatchObject({ success: true, records: { valid: false, error: null, mx: { valid: true } } });
  expect(await readiness(api)).toEqual({ forwarding: true, sending: false });
});

test.each([
  ["no records at all", {}, ["mx", "spf", "dkim1", "dkim2", "dmarc"]],
  ["one MX", { ...complete, "acme.test MX": ["10 mx1.service.test"] }, ["mx"]],
  [
    "an MX of another host",
    { ...complete, "acme.test MX": ["10 mx1.service.test", "5 mx.else.test", "20 mx2.service.test"] },
    ["mx"],
  ],
  ["no SPF", { ...complete, "acme.test TXT": ["unrelated"] }, ["spf"]],
  ["SPF without the service", { ...complete, "acme.test TXT": ["v=spf1 include:xspf.service.test -all"] }, ["spf"]],
  [
    "two SPF records",
    { ...complete, "acme.test TXT": ["v=spf1 include:spf.service.test ~all", "v=spf1 -all"] },
    ["spf"],
  ],
  ["one DKIM", without("ls2._domainkey.acme.test CNAME"), ["dkim2"]],
  ["swapped DKIM", { ...complete, "ls1._domainkey.acme.test CNAME": ["dkim2.service.test"] }, ["dkim1"]],
  ["DMARC without a policy", { ...complete, "_dmarc.acme.test TXT": ["v=DMARC1"] }, ["dmarc"]],
  ["another string at _dmarc", { ...complete, "_dmarc.acme.test TXT": ["v=DMARC2; p=none"] }, ["dmarc"]],
  ["two DMARC records", { ...complete, "_dmarc.acme.test TXT": ["v=DMARC1; p=none", "v=DMARC1; p=reject"] }, ["dmarc"]],
] satisfies [string, Zone, string[]][])("with %s", async (_, zone, wrong) => {
  const { api } = await startWithDns(zone);
  const { dkim1, dkim2, dmarc, spf, mx, error, valid } = await verify(api);
  const invalid = Object.entries({ mx, spf, dkim1, dkim2, dmarc }).filter(([, record]) => !record.valid);
  expect(invalid.map(([name]) => name)).toEqual(wrong);
  expect(valid).toBe(false);
  expect(error === null).toBe(!wrong.includes("mx"));
  const sending = !wrong.some((name) => name.startsWith("dkim") || name === "dmarc");
  expect(await readiness(api)).toEqual({ forwarding: mx.valid, sending });
});

test("with a whitelabel, DNS must point to it", async () => {
  const { api, dns } = await startWithDns(complete, { whitelabel: "Brand.test" });
  const { mx, spf, dkim1 } = await verify(api);
  expect({ mx: mx.expected, spf: spf.expected, dkim1: dkim1.expected }).toEqual({
    mx: ["mx1.brand.test", "mx2.brand.test"],
    spf: "v=spf1 include:spf.brand.test ~all",
    dkim1: "dkim1.brand.test",
  });
  const text = JSON.stringify(complete).replaceAll(/service\.test/gi, "brand.test");
  dns.zone = JSON.parse(text) as Zone;
  expect(await verify(api)).toMatchObject({ valid: true });
});

test("readiness is lost when records are removed, but not when DNS does not respond", async () => {
  const { api, dns } = await startWithDns(complete);
  await verify(api);
  dns.zone = { ...complete, "acme.test MX": "lost" };
  const started = performance.now();
  expect(await verify(api)).toMatchObject({
    valid: false,
    error: "DNS didn't answer the query for the MX records of acme.test. Try again later.",
    spf: { valid: true },
  });
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(await readiness(api)).toEqual({ forwarding: true, sending: true });
  dns.zone = {};
  await verify(api);
  expect(await readiness(api)).toEqual({ forwarding: false, sending: false });
});

test("an unreachable resolver is reported, not an error", async () => {
  const api = await startApi({ dns: { servers: ["127.0.0.1:9"] } });
  await api.post("/domains", { domain: "acme.test" });
  expect(await verify(api)).toMatchObject({ valid: false, provider: "unknown", mx: { valid: false, values: [] } });
});

test("without DNS every domain is treated as set up", async () => {
  const api = await startApi();
  await api.post("/domains", { domain: "acme.test" });
  expect(await readiness(api)).toEqual({ forwarding: true, sending: true });
  expect(await verify(api)).toMatchObject({ valid: true, error: null, spf: { valid: true } });
  expect((await version3(api).get("/domains/acme.test/check")).read(domainCheckResponse).success).toBe(true);
});

test("verify is a POST in version 4, check a GET in version 3", async () => {
  const api = await startApi();
  expect((await api.get("/domains/example.test/verify")).status).toBe(404);
  expect((await api.get("/domains/example.test/check")).status).toBe(404);
  expect((await version3(api).post("/domains/example.test/verify", {})).status).toBe(404);
  expect((await api.post("/domains/none.test/verify", {})).status).toBe(404);
});
