import { expect, test } from "vitest";
import { accountResponse } from "../../src/api/contract/v4/account.js";
import { domainListResponse, domainResponse } from "../../src/api/contract/v4/domains.js";
import { frozenClock } from "../../src/service/index.js";
import { refusal, startApi } from "./harness.js";
import { version3 } from "./version-3.js";

const names = ["beta.test", "alpha.test", "gamma.example"] as const;

async function startWithDomains() {
  return await startApi({
    seed: {
      apiKey: "local",
      plan: "paid",
      domains: [
        { name: names[0], sendReady: true },
        { name: names[1], sendReady: false },
        { name: names[2], sendReady: true },
      ],
    },
  });
}

test("the account of a new data folder is paid and needs no setup", async () => {
  const api = await startApi({ clock: frozenClock(Date.parse("2026-11-20T10:00:00.900Z")) });
  const { account } = (await api.get("/account")).read(accountResponse);
  expect(account).toMatchObject({ locked: null, over_quota: false, created_at: "2026-11-20T10:00:00Z" });
  expect(account.plan.price).toBeGreaterThan(0);
  const { domain } = (await api.get(`/domains/${api.service.domain}`)).read(domainResponse);
  expect(domain).toMatchObject({ domain: "example.test", send_ready: true, created_at: "2026-11-20T10:00:00Z" });
});

test("a domain is found case-insensitively, and unknown ones are not", async () => {
  const api = await startApi();
  expect((await api.get("/domains/EXAMPLE.test")).read(domainResponse).domain.domain).toBe("example.test");
  expect(refusal(await api.get("/domains/other.test"))).toEqual({
    status: 404,
    message: "There is no such domain in this account.",
    fields: [],
  });
});

test.each([
  ["", ["alpha.test", "beta.test", "gamma.example"]],
  ["?order=name_desc", ["gamma.example", "beta.test", "alpha.test"]],
  ["?order=created_asc", [...names]],
  ["?order=created_desc", [...names].reverse()],
  ["?query=A.TEST", ["alpha.test", "beta.test"]],
  ["?query=%25", []],
  ["?send_ready=false", ["alpha.test"]],
  ["?send_ready=true&forwarding_ready=true&query=gamma", ["gamma.example"]],
  ["?whitelabel=null", ["alpha.test", "beta.test", "gamma.example"]],
  ["?whitelabel=brand.test", []],
  ["?routing_engine=null", []],
  ["?routing_engine=alias", ["alpha.test", "beta.test", "gamma.example"]],
  ["?query=", ["alpha.test", "beta.test", "gamma.example"]],
  ["?limit=2&page=2", ["gamma.example"]],
  ["?limit=200&page=9007199254740991", []],
])("GET /domains%s", async (query, expected) => {
  const api = await startWithDomains();
  const { domains } = (await api.get(`/domains${query}`)).read(domainListResponse);
  expect(domains.map(({ domain }) => domain)).toEqual(expected);
});

test("a page of domains reports its limit, number and total", async () => {
  const api = await startWithDomains();
  expect((await api.get("/domains")).read(domainListResponse)).toMatchObject({ total: 3, limit: 20, page: 1 });
  expect((await api.get("/domains?limit=1&page=3")).read(domainListResponse)).toMatchObject({
    total: 3,
    limit: 1,
    page: 3,
  });
});

test.each(["enabled", "1", "yes", "on", "TRUE", "y"])("%s is neither true nor false in a query", async (word) => {
  const api = await startApi();
  for (const parameter of ["send_ready", "forwarding_ready"]) {
    const answer = await api.get(`/domains?${parameter}=${word}`);
    const message = `${parameter} must be true or false`;
    expect([answer.status, answer.readError()]).toEqual([400, { message, errors: { [parameter]: [message] } }]);
  }
  expect(refusal(await api.delete(`/domains/example.test/aliases?all=${word}`)).fields).toEqual(["all"]);
  expect(refusal(await api.delete(`/domains/example.test/rules?all=${word}`)).fields).toEqual(["all"]);
});

test.each(["true", "yes", "on", "2", "01"])("version 3 accepts 1 and 0 for is_active, but not %s", async (word) => {
  const v3 = version3(await startApi());
  for (const path of ["/domains", "/domains/example.test/aliases"]) {
    const { status, text } = await v3.get(`${path}?is_active=${word}`);
    expect([status, JSON.parse(text).errors]).toEqual([400, { is_active: ["is_active must be one of 0, 1"] }]);
  }
});

test("every invalid query parameter is reported", async () => {
  const api = await startApi();
  const answer = await api.get("/domains?send_ready=enabled&order=size&limit=201&page=0&routing_engine=cel");
  expect(refusal(answer)).toMatchObject({
    status: 400,
    fields: ["send_ready", "routing_engine", "order", "limit", "page"],
  });
  expect(answer.readError().errors).toMatchObject({
    send_ready: ["send_ready must be true or false"],
    limit: ["limit must be at most 200"],
    page: ["page must be at least 1"],
  });
  expect((await api.get("/domains?limit=two")).readError().message).toBe("limit must be a number");
});
