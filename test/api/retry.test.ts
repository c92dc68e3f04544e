import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { Client } from "../../src/api/client.js";
import type { RequestInfo, ResponseInfo } from "../../src/api/calls/caller.js";
import { answerJson, clientOf, rejection, serve, unusedUrl } from "./servers.js";
import { account, alias, template } from "./shapes.js";

const name = "example.com";
const email = { from: "a", to: "b@example.org", subject: "s", text: "t" };

type Fault = (response: ServerResponse) => void;

const refuse =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (response) =>
    answerJson(response, status, { message: `It is ${status}`, errors: {} }, headers);
const cut: Fault = (response) => response.socket?.destroy();

/** The first answers fail, one after the other; then all succeed. */
async function serveFaults(...faults: Fault[]) {
  return serve(({ method, url }, response) => {
    const fault = faults.shift();
    if (fault !== undefined) fault(response);
    else if (method === "DELETE") response.writeHead(204).end();
    else if (url.endsWith("/outbound")) answerJson(response, 200, { id: "1.a", message_id: "<1@example.com>" });
    else if (url.includes("/templates")) answerJson(response, 200, { template });
    else if (url.includes("/aliases")) answerJson(response, 200, { alias });
    else answerJson(response, 200, { account });
  });
}

const read = (client: Client) => client.account.get();
const create = (client: Client) => client.templates.create(name, { name: "receipt" });
const update = (client: Client) => client.aliases.update(name, 7, { forward: "a@example.org" });
const remove = (client: Client) => client.templates.delete(name, "receipt");
const send = (client: Client) => client.emails.send(name, email);

test.each([
  ["a read after 500", read, refuse(500), true],
  ["a read after 503", read, refuse(503), true],
  ["a read after a connection that broke", read, cut, true],
  ["a read after 429", read, refuse(429, { "retry-after": "0" }), true],
  ["a read after 404", read, refuse(404), false],
  ["a read after 400", read, refuse(400), false],
  ["a creation after 429", create, refuse(429), true],
  ["a creation after 500", create, refuse(500), false],
  ["a creation after a connection that broke", create, cut, false],
  ["an update after 502", update, refuse(502), false],
  ["an update after a connection that broke", update, cut, false],
  ["a deletion after 429", remove, refuse(429), true],
  ["a deletion after a connection that broke", remove, cut, false],
  ["an email after 429", send, refuse(429), false],
  ["an email after 500", send, refuse(500), false],
  ["an email after a connection that broke", send, cut, false],
] as const)("retries %s: %j", async (_, call: (client: Client) => Promise<unknown>, fault, again) => {
  const { url, seen } = await serveFaults(fault);
  const outcome = call(clientOf(url));
  if (again) await outcome;
  else expect(await rejection(outcome)).toMatchObject({ code: expect.stringMatching(/refused|unreachable/) });
  expect(seen).toHaveLength(again ? 2 : 1);
});

test.each([read, create, remove, send])("retries whatever was never sent", async (call) => {
  const attempts: number[] = [];
  const client = clientOf(await unusedUrl(), { onRequest: ({ attempt }) => attempts.push(attempt) });
  expect(await rejection(call(client))).toMatchObject({ code: "unreachable", requestSent: false });
  expect(attempts).toEqual([1, 2, 3]);
});

test("limits the number of tries, by the client and by the call", async () => {
  const always = Array.from({ length: 20 }, () => refuse(500));
  const { url, seen } = await serveFaults(...always);
  expect(await rejection(clientOf(url).account.get())).toMatchObject({ status: 500 });
  expect(seen).toHaveLength(3);
  expect(await rejection(clientOf(url).account.get({ retries: 0 }))).toMatchObject({ status: 500 });
  expect(seen).toHaveLength(4);
  expect(await rejection(clientOf(url, { retries: 1 }).account.get())).toMatchObject({ status: 500 });
  expect(seen).toHaveLength(6);
});

test.each([
  ["Retry-After", { "retry-after": "1" }],
  [
    "the reset, on the service's clock",
    { date: "Fri, 20 Nov 2026 10:00:00 GMT", "x-ratelimit-reset": String(Date.parse("2026-11-20T10:00:01Z") / 1000) },
  ],
])("waits out a 429 as %s says", async (_, headers) => {
  const { url } = await serveFaults(refuse(429, headers));
  const start = performance.now();
  await clientOf(url).account.get();
  expect(performance.now() - start).toBeGreaterThan(950);
});

test("does not start a wait that would exceed the call's timeout", async () => {
  const { url, seen } = await serveFaults(refuse(429, { "retry-after": "40" }));
  expect(await rejection(clientOf(url).account.get())).toMatchObject({ status: 429, retryAfterSeconds: 40 });
  expect(seen).toHaveLength(1);
});

test("applies the timeout to all tries", async () => {
  const { url } = await serve((_, response) => setTimeout(() => cut(response), 500));
  const start = performance.now();
  const error = await rejection(clientOf(url, { timeoutMs: 1_200, retries: 50 }).account.get());
  // Each of them alone takes half a second.
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(error).toMatchObject({ code: expect.stringMatching(/timeout|unreachable/) });
});

test("ends a wait between tries with the signal, and says whether anything was sent", async () => {
  const controller = new AbortController();
  const { url, seen } = await serve((_, response) => {
    refuse(500)(response);
    setTimeout(() => controller.abort(), 30);
  });
  const client = clientOf(url, { retries: 9 });
  expect(await rejection(client.account.get({ signal: controller.signal }))).toMatchObject({
    code: "aborted",
    requestSent: true,
  });
  expect(seen).toHaveLength(1);
});

test("shows the hooks each try: what it is, how it ended, and nothing secret", async () => {
  const { url } = await serveFaults(cut, refuse(503, { "x-ratelimit-limit": "30", "x-ratelimit-remaining": "7" }));
  const requests: RequestInfo[] = [];
  const responses: ResponseInfo[] = [];
  const client = clientOf(url, {
    onRequest: (request) => requests.push(request),
    onResponse: (response) => responses.push(response),
  });
  await client.templates.get("key-of-the-test", "receipt");
  await rejection(client.templates.get(name, "receipt", { signal: AbortSignal.abort() }));
  const template1 = {
    method: "GET",
    endpoint: "/domains/:domain/templates/:name",
    path: "/domains/[key]/templates/receipt",
  };
  const template2 = { ...template1, path: "/domains/example.com/templates/receipt" };
  expect(requests).toEqual([
    { call: 1, attempt: 1, ...template1 },
    { call: 1, attempt: 2, ...template1 },
    { call: 1, attempt: 3, ...template1 },
    { call: 2, attempt: 1, ...template2 },
  ]);
  expect(responses).toMatchObject([
    { ...requests[0], error: { code: "unreachable" } },
    { ...requests[1], status: 503, error: { code: "refused" }, rateLimit: { limit: 30, remaining: 7 } },
    { ...requests[2], status: 200 },
    { ...requests[3], error: { code: "aborted" } },
  ]);
  expect(responses.map(({ status }) => status)).toEqual([undefined, 503, 200, undefined]);
  expect(responses.every(({ durationMs }) => durationMs >= 0)).toBe(true);
  expect(responses[2]).not.toHaveProperty("error");
});

test("shows the hooks a contract violation as an error", async () => {
  const { url } = await serve((_, response) => answerJson(response, 200, {}));
  const responses: ResponseInfo[] = [];
  await rejection(clientOf(url, { onResponse: (response) => responses.push(response) }).account.get());
  expect(responses).toMatchObject([{ status: 200, error: { code: "contract" } }]);
});

test("asks a caller's own policy for each try, and tells its slot how the try ended", async () => {
  const { url, seen } = await serveFaults(refuse(500), cut);
  const asked: unknown[] = [];
  const ends: unknown[] = [];
  const slot = {
    answered: ({ status }: { readonly status: number }) => void ends.push(status),
    lost: () => void ends.push("lost"),
    unused: () => void ends.push("unused"),
  };
  const client = clientOf(url, {
    policy: {
      slot: async ({ method, endpoint, kind, attempt }) => {
        asked.push([method, endpoint, kind, attempt]);
        return slot;
      },
    },
  });
  const policy = {
    retry: (_failure: unknown, { attempt }: { readonly attempt: number }) => (attempt < 3 ? 1 : undefined),
  };
  await client.templates.create(name, { name: "receipt" }, { policy });
  const facts = ["POST", "/domains/:domain/templates", "write"];
  expect(asked).toEqual([1, 2, 3].map((attempt) => [...facts, attempt]));
  expect(ends).toEqual([500, "lost", 200]);
  expect(seen).toHaveLength(3);
  const failing = { policy: { slot: () => Promise.reject(new Error("not today")) } };
  expect(await rejection(client.account.get(failing))).toMatchObject({ message: "not today" });
});
