import { request } from "node:http";
import { expect, test } from "vitest";
import { ControlError } from "../../src/service/index.js";
import { type Api, refusal, startApi } from "./harness.js";

async function control(api: Api, method: string, path: string, body?: unknown) {
  const init =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return api.request(`/local${path}`, { method, ...init });
}

test("faults are added, listed and removed", async () => {
  const api = await startApi();
  const fault = { kind: "cut", endpoint: "v4 emails.send", when: "after", times: 3 };
  expect(JSON.parse((await control(api, "POST", "/faults", fault)).text)).toEqual({ faults: [fault] });
  expect(JSON.parse((await control(api, "GET", "/faults")).text)).toEqual({ faults: [fault] });
  expect((await control(api, "DELETE", "/faults")).status).toBe(204);
  expect(api.service.faults.list()).toEqual([]);
});

test("settings are read, changed in part, and reset", async () => {
  const api = await startApi();
  const read = async () => JSON.parse((await control(api, "GET", "/settings")).text).settings;
  const defaults = await read();
  expect(defaults).toMatchObject({ logDelayMs: 0, normaliseBodies: false, outcomes: {} });
  await control(api, "POST", "/settings", { mustache: { escapeText: true } });
  const changed = await control(api, "POST", "/settings", { logDelayMs: 10, mustache: { zeroIsShown: true } });
  expect(JSON.parse(changed.text).settings).toEqual({
    ...defaults,
    logDelayMs: 10,
    mustache: { ...defaults.mustache, escapeText: true, zeroIsShown: true },
  });
  expect((await control(api, "DELETE", "/settings")).status).toBe(204);
  expect(await read()).toEqual(defaults);
});

test("the clock is read and advanced, and due events have happened when the response arrives", async () => {
  const api = await startApi();
  const before = Date.parse(JSON.parse((await control(api, "GET", "/clock")).text).now);
  expect(Math.abs(before - Date.now())).toBeLessThan(10_000);
  await api.post("/domains/example.test/emails/outbound", {
    from: "a",
    to: "soft-bounce@example.com",
    subject: "s",
    text: "t",
  });
  const moved = Date.parse(JSON.parse((await control(api, "POST", "/clock", { advance: 600_000 })).text).now);
  expect(moved - before).toBeGreaterThanOrEqual(600_000);
  expect(api.service.mail.list()[0]?.recipients[0]?.status).toBe("DELIVERED");
});

test.each([
  ["/faults", {}, "kind", "kind must be one of refuse, delay, cut, malformed"],
  [
    "/faults",
    { kind: "explode", endpoint: "account.get" },
    "kind",
    "kind must be one of refuse, delay, cut, malformed",
  ],
  [
    "/faults",
    { kind: "malformed", endpoint: "emails.sned" },
    "endpoint",
    "endpoint emails.sned does not exist; did you mean emails.send?",
  ],
  ["/faults", { kind: "malformed", endpoint: 7 }, "endpoint", "endpoint must be a string"],
  [
    "/faults",
    { kind: "refuse", endpoint: "account.get", status: 418 },
    "status",
    "status must be one of 403, 429, 500",
  ],
  ["/faults", { kind: "cut", endpoint: "account.get" }, "when", /^when must be one of before, after|^when is required/],
  ["/faults", { kind: "malformed", endpoint: "account.get", times: 0 }, "times", "times must be at least 1"],
  [
    "/faults",
    { kind: "delay", endpoint: "account.get", miliseconds: 1, milliseconds: 1 },
    "miliseconds",
    "miliseconds does not exist here; did you mean milliseconds?",
  ],
  ["/settings", { logDelay: 5 }, "logDelay", "logDelay does not exist here; did you mean logDelayMs?"],
  ["/settings", { logDelayMs: -1 }, "logDelayMs", "logDelayMs must be at least 0"],
  ["/settings", { mustache: { escapeSubjct: true } }, "escapeSubjct", /did you mean escapeSubject\?$/],
  ["/settings", { mustache: { escapeText: "yes" } }, "mustache", "mustache.escapeText must be boolean"],
  ["/settings", { mustache: null }, "mustache", "mustache must be an object"],
  [
    "/settings",
    { outcomes: { "a@b.example": "lost" } },
    "outcomes",
    /^outcomes\.a@b\.example must be one of delivered/,
  ],
  ["/clock", {}, "advance", "advance is required"],
  ["/clock", { advance: -1 }, "advance", "advance must be at least 0"],
  ["/clock", { advance: 0.5 }, "advance", /^advance must be/],
  ["/clock", { advance: "1" }, "advance", "advance must be a number"],
])("unknown names and values are refused with the invalid member: %s %j", async (path, body, field, message) => {
  const api = await startApi();
  const refused = refusal(await control(api, "POST", path, body));
  expect(refused).toMatchObject({ status: 400, fields: [field] });
  expect(refused.message).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});

test("in process the same is an error", async () => {
  const { service } = await startApi();
  expect(() => service.settings.set(JSON.parse('{ "outcomes": { "a@b.example": "lost" } }'))).toThrow(ControlError);
  expect(() => service.faults.add(JSON.parse('{ "kind": "malformed", "endpoint": "templates.updat" }'))).toThrow(
    "endpoint templates.updat does not exist; did you mean templates.update?",
  );
  expect(service.settings.get().outcomes).toEqual({});
});

test("time has an end, and a service that was advanced to it still works", async () => {
  const api = await startApi();
  const year = 365 * 86_400_000;
  const statuses = [];
  for (let count = 0; count < 9; count += 1) {
    statuses.push((await control(api, "POST", "/clock", { advance: 1_000 * year })).status);
  }
  expect(statuses.slice(0, 7)).toEqual(Array(7).fill(200));
  expect(statuses.at(-1)).toBe(400);
  expect((await api.get("/account")).status).toBe(200);
});

test("a page of another origin cannot do anything", async () => {
  const api = await startApi();
  const fault = JSON.stringify({ kind: "malformed", endpoint: "account.get" });
  // What a page can send without a preflight request.
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", undefined]) {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const answer = await api.request("/local/faults", { method: "POST", headers, body: Buffer.from(fault) });
    expect(answer.status).toBe(400);
  }
  // A page sends a preflight request first, which is refused.
  const preflight = await api.request("/local/faults", {
    method: "OPTIONS",
    headers: { origin: "https://evil.example", "access-control-request-method": "DELETE" },
  });
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  expect(preflight.status).toBe(404);
  const foreign = await new Promise<number | undefined>((resolve, reject) => {
    request(`${api.service.url}/local/mails?after=0`, { headers: { host: "evil.example" } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(foreign).toBe(403);
  expect(api.service.faults.list()).toEqual([]);
});

test("other paths and bodies are refused in version 4's form", async () => {
  const api = await startApi();
  expect(refusal(await control(api, "GET", "/fault"))).toEqual({
    status: 404,
    message: "Not found: GET /local/fault. /local has service, dkim, faults, settings, clock, mails and received.",
    fields: [],
  });
  expect(refusal(await control(api, "POST", "/faults", []))).toMatchObject({ status: 400, fields: [] });
  expect(refusal(await control(api, "GET", "/mails?after=x"))).toMatchObject({ status: 400, fields: ["after"] });
});

test("captured emails are listed after a number, for all recipients or for one address", async () => {
  const api = await startApi();
  const empty = JSON.parse((await control(api, "GET", "/mails")).text);
  expect(empty).toEqual({ mails: [], last: 0, total: 0, deletions: 0 });
  for (const to of ["ada@example.com", "bob@example.com", ["ADA@example.com", "bob@example.com"]]) {
    await api.post("/domains/example.test/emails/outbound", { from: "a", to, subject: String(to), text: "t" });
  }
  const subjects = async (query: string) => {
    const { mails } = JSON.parse((await control(api, "GET", `/mails?${query}`)).text);
    return mails.map(({ subject }: { subject: string }) => subject);
  };
  expect(await subjects("after=0&to=Ada%40example.com")).toEqual([
    "ada@example.com",
    "ADA@example.com,bob@example.com",
  ]);
  const [{ seq }] = JSON.parse((await control(api, "GET", "/mails?after=0")).text).mails;
  expect(await subjects(`after=${seq}`)).toEqual(["bob@example.com", "ADA@example.com,bob@example.com"]);
  expect(await subjects("newest=2")).toEqual(["ADA@example.com,bob@example.com", "bob@example.com"]);
  expect(await subjects(`newest=2&before=${seq + 2}`)).toEqual(["bob@example.com", "ada@example.com"]);
});
