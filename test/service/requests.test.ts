import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type Api, credentials, refusal, startApi } from "./harness.js";

const templates = "/v4/domains/example.test/templates";

const shared = startApi({}, afterAll);

function post(api: Api, body: string | Uint8Array | Readable, headers: Record<string, string>) {
  const authorization = credentials(api.service.apiKey);
  return api.request(templates, { method: "POST", body, headers: { authorization, ...headers } });
}

test.each([
  ["no header", undefined],
  ["another scheme", "Bearer local"],
  ["invalid base64", "Basic ???"],
  ["no password", `Basic ${Buffer.from("api").toString("base64")}`],
  ["another user", `Basic ${Buffer.from("root:local").toString("base64")}`],
  ["another key", credentials("locaL")],
  ["an empty key", credentials("")],
  ["a longer key", credentials("local2")],
  ["nothing after the scheme", "Basic"],
])("credentials: %s is 401, for known and unknown paths", async (_, authorization) => {
  const api = await shared;
  for (const path of ["/v4/account", "/v4/none", "/v4/domains/none/templates"]) {
    const answer = await api.request(path, authorization === undefined ? {} : { headers: { authorization } });
    expect(refusal(answer)).toMatchObject({ status: 401, fields: [] });
    expect(answer.headers.get("www-authenticate")).toContain("Basic");
  }
});

test("the scheme is case-insensitive, and a key may contain colons", async () => {
  const api = await startApi({
    seed: { apiKey: "k:e:y", plan: "paid", domains: [{ name: "example.test", sendReady: true }] },
  });
  const authorization = credentials("k:e:y").replace("Basic", "bASIC");
  expect((await api.request("/v4/account", { headers: { authorization } })).status).toBe(200);
});

test.each([
  ["/v4/nothing", "GET"],
  ["/v4/account", "POST"],
  ["/v4/account/", "GET"],
  ["/v4/domains/example.test/templates/a/b", "GET"],
  ["/v4/domains/example.test/logs", "DELETE"],
  ["/v4", "GET"],
  ["/nothing", "GET"],
  ["/assets/none.png", "GET"],
  ["/v4/domains/%ff%zz/templates", "GET"],
  ["/v4/account?a=%zz&b=%ff", "PUT"],
])("%s by %s is 404 in the documented form", async (path, method) => {
  const api = await shared;
  const answer = await api.request(path, { method, headers: { authorization: credentials(api.service.apiKey) } });
  expect(refusal(answer)).toMatchObject({ status: 404, fields: [] });
  expect(answer.headers.get("content-type")).toContain("application/json");
});

test.each([
  ["{", "The request body is not valid JSON."],
  ["", "The request body is not valid JSON."],
  ["[]", "The request body must be a JSON object."],
  ["null", "The request body must be a JSON object."],
  ['"text"', "The request body must be a JSON object."],
  [
    `{"variables":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`,
    "The request body is nested more than 100 levels deep.",
  ],
  [Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), "The request body is not UTF-8."],
])("the body %.40j is refused", async (body, message) => {
  const api = await shared;
  expect(refusal(await post(api, body, { "content-type": "application/json" }))).toEqual({
    status: 400,
    message,
    fields: [],
  });
});

test("a body must have the content type JSON", async () => {
  const api = await shared;
  const body = JSON.stringify({ name: "a" });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
    expect(refusal(await post(api, body, { "content-type": type }))).toMatchObject({ status: 400, fields: [] });
  }
  expect((await post(api, body, { "content-type": "Application/JSON; charset=utf-8" })).status).toBe(200);
});

test("a body whose content length is too large is refused unread", async () => {
  const api = await shared;
  const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const headers = {
      authorization: credentials("local"),
      "content-type": "application/json",
      "content-length": 10 ** 12,
    };
    const request = httpRequest(`${api.service.url}${templates}`, { method: "POST", headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode, body }));
    });
    request.on("error", reject);
    // The first bytes of a terabyte.
    request.write("{");
  });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body)).toEqual({ message: "The request body is larger than 32 MB.", errors: {} });
});

test("a body without a content length is read up to the limit", async () => {
  const api = await startApi();
  let sent = 0;
  const endless = new Readable({
    read() {
      sent += 1;
      this.push(sent === 1_000 ? null : Buffer.alloc(1024 * 1024, " "));
    },
  });
  const answer = await post(api, endless, { "content-type": "application/json" }).catch(() => undefined);
  // A client that keeps writing may miss the response, but never gets to write everything.
  if (answer) expect(refusal(answer)).toMatchObject({ status: 400, message: "The request body is larger than 32 MB." });
  expect(sent).toBeLessThan(200);
  expect((await api.get("/account")).status).toBe(200);
});

test.each(["40 MB in chunks, more than is kept", "40 MB in one piece"])(
  "%s: refused with a response, after which the connection continues; both requests count",
  async (kind) => {
    const api = await startApi({ limits: true });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const size = 40 * 1024 * 1024;
    const headers = {
      authorization: credentials("local"),
      "content-type": "application/json",
      ...(kind.endsWith("piece") && { "content-length": size }),
    };
    for (const remaining of ["199", "198"]) {
      const answer = await new Promise<{ status: number | undefined; remaining: unknown }>((resolve, reject) => {
        const request = httpRequest(
          `${api.service.url}${templates}`,
          { method: "POST", headers, agent },
          (response) => {
            response.resume();
            response.on("end", () =>
              resolve({ status: response.statusCode, remaining: response.headers["x-ratelimit-remaining"] }),
            );
          },
        );
        request.on("error", reject);
        Readable.from(pieces(size)).pipe(request);
      });
      expect(answer).toEqual({ status: 400, remaining });
    }
  },
);

function* pieces(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(1024 * 1024, " ");
  for (let sent = 0; sent < size; sent += piece.length) yield piece;
}

test("connections are kept for a minute, so that a busy process does not close those on which it has just sent a request", async () => {
  const api = await shared;
  expect((await api.get("/account")).headers.get("keep-alive")).toBe("timeout=60");
});

test("a client that disconnects in the middle of a body does not cause an error of the service", async () => {
  const failures: Error[] = [];
  const api = await startApi({ onError: (error) => failures.push(error) });
  const socket = connect(api.service.port, "127.0.0.1");
  socket.write(
    `POST ${templates} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${credentials("local")}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"`,
  );
  // Each response arrives after the requests that were sent before it.
  expect((await api.get("/account")).status).toBe(200);
  socket.destroy();
  expect((await api.get("/account")).status).toBe(200);
  expect((await api.get("/account")).status).toBe(200);
  expect(failures).toEqual([]);
});

async function raw(api: Api, text: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(api.service.port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk) => (answer += chunk));
    socket.on("end", () => resolve(answer)).on("error", reject);
  });
}

test("invalid HTTP gets a response of the same form", async () => {
  const api = await startApi();
  const answer = await raw(api, "EHLO mail\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toEqual({
    message: "The request is not valid HTTP.",
    errors: {},
  });
});

test.each([
  ["example.com", 403],
  ["evil.localhost.example.com", 403],
  ["192.168.1.7:4680", 403],
  ["127.0.0.1.example.com", 403],
  ["[::2]", 403],
  ["localhost", 404],
  ["LOCALHOST:80", 404],
  ["app.localhost:4680", 404],
  ["127.0.0.1:4680", 404],
  ["127.4.5.6", 404],
  ["[::1]:4680", 404],
  ["a b", 400],
])("on loopback, the Host header %s is answered with %i", async (host, status) => {
  const api = await shared;
  const answer = await raw(api, `GET /nothing HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toEqual({ message: expect.any(String), errors: {} });
});

test("a foreign Host reaches neither the API nor the captured emails", async () => {
  const api = await shared;
  for (const path of ["/mail", "/v4/account", "/assets/a.png", "/"]) {
    const answer = await raw(
      api,
      `GET ${path} HTTP/1.1\r\nHost: rebound.example.com\r\nAuthorization: ${credentials("local")}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  }
});

test("a service that listens on all addresses accepts any Host", async () => {
  const api = await startApi({ host: "0.0.0.0" });
  expect(api.service.url).toBe(`http://127.0.0.1:${api.service.port}`);
  expect(await raw(api, "GET / HTTP/1.1\r\nHost: mail.example.com\r\nConnection: close\r\n\r\n")).toMatch(
    /^HTTP\/1\.1 200 /,
  );
});

test("an unexpected error is reported to the client without details", async () => {
  const failures: Error[] = [];
  let failing = false;
  const api = await startApi({
    onError: (error) => failures.push(error),
    // A clock that throws makes everything that reads the time fail.
    clock: { now: () => (failing ? fail() : 0), advance: () => {} },
  });
  failing = true;
  const answer = await api.get("/account");
  failing = false;
  expect(answer.status).toBe(500);
  expect(answer.readError()).toEqual({ message: "The service failed.", errors: {} });
  expect(failures.map(({ message }) => message)).toEqual(["secret detail"]);
});

function fail(): never {
  throw new Error("secret detail");
}
