import { type IncomingMessage, request } from "node:http";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { frozenClock } from "../../src/service/index.js";
import { type Answer, type Api, credentials, refusal, startApi } from "./harness.js";

const start = Date.parse("2026-11-20T10:00:00Z");
const outbound = "/domains/example.test/emails/outbound";
const mail = { from: "hello", to: "ada@example.com", subject: "Hi", text: "Hello" };

async function startLimited(plan: "free" | "paid" = "paid"): Promise<Api> {
  return await startApi({
    limits: true,
    clock: frozenClock(start),
    seed: { apiKey: "local", plan, domains: [{ name: "example.test", sendReady: true }] },
  });
}

function limitHeaders(answer: Answer): Record<string, number | undefined> {
  const header = (name: string) => {
    const value = answer.headers.get(name);
    return value === null ? undefined : Number(value);
  };
  return {
    limit: header("x-ratelimit-limit"),
    remaining: header("x-ratelimit-remaining"),
    reset: header("x-ratelimit-reset"),
    retryAfter: header("retry-after"),
  };
}

test.each([
  ["free", 30],
  ["paid", 200],
] as const)("a %s account has %i requests a minute for each endpoint", async (plan, limit) => {
  const api = await startLimited(plan);
  const reset = start / 1_000 + 60;
  expect(limitHeaders(await api.get("/account"))).toEqual({ limit, remaining: limit - 1, reset });
  for (let count = 2; count <= limit; count += 1) await api.get("/account");

  const refused = await api.get("/account");
  expect(refusal(refused)).toMatchObject({ status: 429, fields: [] });
  expect(limitHeaders(refused)).toEqual({ limit, remaining: 0, reset, retryAfter: 60 });
  // Another endpoint has its own limit.
  expect(limitHeaders(await api.get("/domains"))).toMatchObject({ remaining: limit - 1 });

  api.service.clock.advance(59_999);
  expect(limitHeaders(await api.get("/account"))).toMatchObject({ retryAfter: 1 });
  api.service.clock.advance(1);
  expect((await api.get("/account")).status).toBe(200);
});

test("an endpoint is a method and a path, whatever the path's parameters", async () => {
  const api = await startLimited();
  await api.get("/domains/example.test/templates/a");
  expect(limitHeaders(await api.get("/domains/example.test/templates/b"))).toMatchObject({ remaining: 198 });
  expect(limitHeaders(await api.get("/domains/other.test/templates/b"))).toMatchObject({ remaining: 197 });
  expect(limitHeaders(await api.put("/domains/example.test/templates/a", {}))).toMatchObject({ remaining: 199 });
  expect(limitHeaders(await api.get("/domains/example.test/logs/count"))).toMatchObject({ remaining: 199 });
  expect(limitHeaders(await api.get("/domains/example.test/logs/1.ff"))).toMatchObject({ remaining: 199 });
});

test("sending is limited to ten a minute; refused requests do not count, failed ones do", async () => {
  const api = await startLimited();
  for (let count = 0; count < 9; count += 1) expect((await api.post(outbound, mail)).status).toBe(200);
  expect(limitHeaders(await api.post(outbound, {}))).toMatchObject({ limit: 10, remaining: 0 });
  for (let count = 0; count < 5; count += 1) {
    expect((await api.post(outbound, mail)).status).toBe(429);
    api.service.clock.advance(10_000);
  }
  expect(limitHeaders(await api.post(outbound, mail))).toMatchObject({ remaining: 0, retryAfter: 10 });
  api.service.clock.advance(10_000);
  expect(limitHeaders(await api.post(outbound, mail))).toMatchObject({ remaining: 9, retryAfter: undefined });
});

test("every response has the headers, and Date is the service's own time", async () => {
  const api = await startLimited();
  const anonymous = await api.request("/v4/account");
  expect(limitHeaders(anonymous)).toEqual({ limit: 30, remaining: 30, reset: start / 1_000 + 60 });
  const authorization = credentials("local");
  const answers = [
    anonymous,
    await api.get("/nothing"),
    await api.get("/domains/none"),
    await api.get("/domains?limit=x"),
    await api.request(`/v4${outbound}`, { method: "POST", headers: { authorization }, body: "{" }),
    await api.delete("/domains/example.test/templates/none"),
  ];
  await api.post("/domains/example.test/templates", { name: "a" });
  answers.push(await api.delete("/domains/example.test/templates/a"));
  expect(answers.map(({ status }) => status)).toEqual([401, 404, 404, 400, 400, 404, 204]);
  for (const answer of answers) {
    const { limit, remaining, reset } = limitHeaders(answer);
    expect([limit, remaining, reset].every(Number.isInteger)).toBe(true);
    expect(answer.headers.get("date")).toBe("Fri, 20 Nov 2026 10:00:00 GMT");
  }
});

test("without limits nothing is refused, and the headers report an unused limit", async () => {
  const api = await startApi({ limits: false });
  for (let count = 0; count < 15; count += 1) {
    expect(limitHeaders(await api.post(outbound, mail))).toMatchObject({ limit: 10, remaining: 10 });
  }
});

test("no minute contains more than ten sends, and a client that waits as told is accepted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 15, maxLength: 40 }),
      async (pauses) => {
        const api = await startLimited();
        const accepted: number[] = [];
        for (const pause of pauses) {
          api.service.clock.advance(pause);
          const answer = await api.post(outbound, {});
          if (answer.status !== 429) {
            accepted.push(api.service.clock.now());
            continue;
          }
          const { retryAfter = 0, reset = 0 } = limitHeaders(answer);
          expect(reset * 1_000).toBeGreaterThan(api.service.clock.now());
          api.service.clock.advance(retryAfter * 1_000);
          expect((await api.post(outbound, {})).status).toBe(400);
          accepted.push(api.service.clock.now());
        }
        for (const [index, time] of accepted.entries()) {
          const tenth = accepted[index + 10];
          if (tenth !== undefined) expect(tenth - time).toBeGreaterThanOrEqual(60_000);
        }
        await api.service.close();
      },
    ),
    { numRuns: process.env["MODE"] === "long" ? 200 : 8 },
  );
});

test.each(["/v4/account", "/v3/account", "/v4/nothing"])(
  "a request with a foreign Host gets the limit's headers too: %s",
  async (path) => {
    const { service } = await startLimited();
    const headers = { host: "evil.example", authorization: credentials(service.apiKey) };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${service.url}${path}`, { headers }, resolve).on("error", reject).end();
    });
    response.resume();
    expect(response.statusCode).toBe(403);
    expect(response.headers).toMatchObject({
      date: "Fri, 20 Nov 2026 10:00:00 GMT",
      "x-ratelimit-limit": "30",
      "x-ratelimit-remaining": "30",
      "x-ratelimit-reset": String(start / 1_000 + 60),
    });
  },
);
