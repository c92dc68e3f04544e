import { expect, test } from "vitest";
import { accountResponse } from "../../src/api/contract/v4/account.js";
import { frozenClock, type Seed } from "../../src/service/index.js";
import { type Api, credentials, refusal, startApi } from "./harness.js";
import { below, version3 } from "./version-3.js";

const domain = "/domains/example.test";
const outbound = `${domain}/emails/outbound`;
const mailTo = (...to: string[]) => ({ from: "hello", to, subject: "Hi", text: "Hi" });
const ada = mailTo("ada@example.com");

async function isOver(api: Api): Promise<boolean> {
  return (await api.get("/account")).read(accountResponse).account.over_quota;
}

test("a free account has everything that the documents do not reserve for premium plans", async () => {
  const api = await startApi({ seed: { plan: "free" } });
  const v3 = version3(api);
  const premium = [
    await api.post(`${domain}/templates`, { name: "a" }),
    await v3.post(`${domain}/templates`, { name: "a" }),
    await api.post(outbound, ada),
    await v3.post(outbound, ada),
    await api.post(`${domain}/aliases/batch`, { aliases: [] }),
    await v3.post(`${domain}/aliases/batch`, { aliases: [] }),
    await api.get(`${domain}/credentials`),
  ];
  expect(premium.map(({ status }) => status)).toEqual(premium.map(() => 403));
  const free = [
    await api.get("/account"),
    await api.post("/domains", { domain: "second.test" }),
    await api.post(`${domain}/aliases`, { alias: "a", forward: "ada@example.com" }),
    await api.post(`${domain}/rules`, { type: "alias", config: { alias: "a", forward: "ada@example.com" } }),
    await api.post(`${domain}/verify`, {}),
    await api.get(`${domain}/logs`),
    await api.get(`${domain}/templates`),
  ];
  expect(free.map(({ status }) => status)).toEqual(free.map(() => 200));
  expect(await isOver(api)).toBe(false);
});

test("plans limit aliases and rules across all domains of the account", async () => {
  const seed: Seed = {
    limits: { aliases_limit: 1, rules_limit: 1 },
    domains: [{ name: "a.test" }, { name: "b.test" }],
  };
  const api = await startApi({ seed });
  const alias = { alias: "a", forward: "ada@example.com" };
  const rule = { type: "alias", config: alias };
  expect((await api.post("/domains/a.test/aliases", alias)).status).toBe(200);
  expect((await api.post("/domains/a.test/rules", rule)).status).toBe(200);
  const refused = [await api.post("/domains/b.test/aliases", alias), await api.post("/domains/b.test/rules", rule)];
  expect(refused.map(refusal)).toEqual([
    { status: 400, message: "The account has reached its plan's limit of 1 aliases.", fields: [] },
    { status: 400, message: "The account has reached its plan's limit of 1 rules.", fields: [] },
  ]);
});

test("sends count by UTC day and month, all of a request's recipients or none", async () => {
  const clock = frozenClock(Date.parse("2026-11-29T23:59:00Z"));
  const api = await startApi({ clock, seed: { limits: { daily_send_limit: 3, monthly_send_limit: 5 } } });
  const send = async (...to: string[]) => (await api.post(outbound, mailTo(...to))).status;
  expect(await send("a@x.test", "b@x.test")).toBe(200);
  expect(await isOver(api)).toBe(false);
  const tooMany = await api.post(outbound, mailTo("c@x.test", "d@x.test"));
  expect(refusal(tooMany)).toEqual({
    status: 403,
    message: "This would exceed the plan's daily limit of 3 emails; sent so far: 2.",
    fields: [],
  });
  expect(await send("c@x.test")).toBe(200);
  expect(await isOver(api)).toBe(true);
  expect(await send("d@x.test")).toBe(403);

  clock.advance(60_000);
  expect(await isOver(api)).toBe(false);
  expect(await send("e@x.test", "f@x.test")).toBe(200);
  // Now the monthly limit.
  expect(await isOver(api)).toBe(true);
  expect((await api.post(outbound, mailTo("g@x.test"))).readError().message).toBe(
    "This would exceed the plan's monthly limit of 5 emails; sent so far: 5.",
  );
  clock.advance(24 * 60 * 60 * 1_000);
  expect(await isOver(api)).toBe(false);
  expect(await send("h@x.test")).toBe(200);
});

test("a locked account may read but cannot change anything", async () => {
  const api = await startApi({ seed: { locked: "marketing email" } });
  const v3 = version3(api);
  const reads = [
    await api.get("/account"),
    await api.get("/domains"),
    await api.get(domain),
    await api.get(`${domain}/logs`),
    await v3.get("/account"),
    await v3.get(`${domain}/check`),
    await api.request(`/v4${domain}`, { method: "HEAD", headers: { authorization: credentials("local") } }),
  ];
  expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
  const changes = [
    await api.post("/domains", { domain: "new.test" }),
    await api.put(domain, {}),
    await api.delete(domain),
    await api.post(`${domain}/verify`, {}),
    await api.post(outbound, ada),
    await v3.delete(domain),
    await v3.post(`${domain}/aliases`, {}),
  ];
  expect(changes.map(({ status }) => status)).toEqual(changes.map(() => 403));
  expect(changes.map(({ text }) => JSON.parse(text).message)).toEqual(
    changes.map(() => "The account is locked: marketing email."),
  );
  // Earlier checks: authentication, and whether the domain exists.
  expect((await below("v4", api, "wrong").post("/domains", {})).status).toBe(401);
  expect((await api.delete("/domains/none.test")).status).toBe(404);
});

test.each([
  ["nothing", undefined],
  ["another scheme", "Bearer local"],
  ["a bare key", "local"],
  ["another user", `Basic ${Buffer.from("root:local").toString("base64")}`],
  ["no user", `Basic ${Buffer.from(":local").toString("base64")}`],
  ["no colon", `Basic ${Buffer.from("api").toString("base64")}`],
  ["invalid base64", "Basic api:local"],
  ["an empty value", "Basic "],
  ["bytes that are not UTF-8", `Basic ${Buffer.from("api:\xff", "latin1").toString("base64")}`],
  ["a key in different case", credentials("LOCAL")],
  ["a part of the key", credentials("loca")],
  ["a longer key", credentials("local ")],
  ["the user in different case", `Basic ${Buffer.from("API:local").toString("base64")}`],
])("%s is not accepted", async (_, authorization) => {
  const api = await startApi();
  for (const version of ["v4", "v3"]) {
    for (const path of ["/account", "/domains/none.test", "/nothing"]) {
      const answer = await api.request(
        `/${version}${path}`,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
      expect(answer.headers.get("x-ratelimit-limit")).toBe("30");
      expect(answer.text).not.toMatch(/local/i);
    }
  }
});

test("accounts and versions have separate rate limits, and HEAD shares GET's", async () => {
  const api = await startApi({
    limits: true,
    clock: frozenClock(0),
    seed: { accounts: [{ plan: "free" }, { apiKey: "second", domains: [{ name: "b.test" }] }] },
  });
  const remaining = async (version: "v3" | "v4", apiKey: string, method = "GET") => {
    const headers = { authorization: credentials(apiKey) };
    const answer = await api.request(`/${version}/account`, { method, headers });
    return [answer.headers.get("x-ratelimit-limit"), answer.headers.get("x-ratelimit-remaining")].join();
  };
  expect(await remaining("v4", "local")).toBe("30,29");
  expect(await remaining("v4", "local", "HEAD")).toBe("30,28");
  expect(await remaining("v3", "local")).toBe("30,29");
  expect(await remaining("v4", "second")).toBe("200,199");
  expect(await remaining("v4", "local")).toBe("30,27");
});
