import { inspect } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyString } from "../any-string.js";
import { type Client, createClient } from "../../src/api/client.js";
import { parseBaseUrl, redactor } from "../../src/api/calls/base-url.js";
import { rejection, serveConnections } from "./servers.js";

/** Answers that quote the key, as debugging pages, echo servers and broken proxies do. */
const indiscretions: Readonly<Record<string, (key: string, authorization: string) => string>> = {
  "in the message": (key, authorization) =>
    refused(400, { message: `Unknown key ${key} in ${authorization}`, errors: {} }),
  "in the field errors": (key) =>
    refused(400, { message: "Invalid", errors: { key: [`${key} is not a key`], [key]: ["no such field"] } }),
  "in escapes": (key) => http("401 Unauthorized", `{"message":"${escaped(key)}","errors":{}}`),
  "in a page": (key, authorization) =>
    http("200 OK", `<pre>Authorization: ${authorization}\napi:${key} ${encodeURIComponent(key)}</pre>`),
  "at the end of the kept part": (key) => http("200 OK", `${" ".repeat(495)}${key}`),
  "in the header, URL-encoded": (_key, authorization) =>
    http("200 OK", `authorization=${encodeURIComponent(authorization)}`),
  "in a page's text": (key) =>
    http("200 OK", `<pre>${key.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")}`),
  "in base64": (key) => http("200 OK", Buffer.from(key).toString("base64")),
  "in a broken answer": (key) => http("200 OK", JSON.stringify({ total: key, [key]: key })),
  "in the status": (key) => http(`500 ${key.replace(/[^ -~]/g, "")}`, ""),
  "in an invalid header": (key) => `HTTP/1.1 200 OK\r\n${key}\u0000: \r\n\r\n`,
  "instead of HTTP": (key) => `${key}\r\n\r\n`,
  "in a truncated body": (key) => `HTTP/1.1 500 Error\r\ncontent-length: 10000\r\n\r\n${key}`,
};

const calls: readonly ((client: Client, name: string) => Promise<unknown>)[] = [
  (client) => client.logs.count("example.com"),
  (client) => client.templates.create("example.com", { name: "receipt" }),
  (client, name) => client.templates.delete("example.com", name),
];

test("never has the key in an error, whatever a server quotes", async () => {
  let answer = "";
  const { url } = await serveConnections((socket) => socket.once("data", () => socket.end(answer)));
  const keys = fc
    .oneof(fc.string({ minLength: 10, maxLength: 40 }), anyString({ minLength: 10, maxLength: 40 }))
    .filter((key) => key.trim().length > 9);

  await fc.assert(
    fc.asyncProperty(
      keys,
      fc.constantFrom(...Object.keys(indiscretions)),
      fc.constantFrom(...calls),
      async (key, kind, call) => {
        const authorization = Buffer.from(`api:${key}`).toString("base64");
        answer = indiscretions[kind]?.(key, `Basic ${authorization}`) ?? "";
        const client = createClient({ apiKey: key, baseUrl: url, timeoutMs: 5000, retries: 0 });
        const error = await rejection(call(client, key));
        await client.close();
        expect(error).toBeInstanceOf(Error);
        for (const shown of everyForm(error, client)) {
          expect(shown).not.toContain(key);
          expect(shown).not.toContain(authorization);
          expect(shown).not.toContain(encodeURIComponent(authorization));
          expect(shown).not.toContain(Buffer.from(key).toString("base64"));
        }
      },
    ),
    { numRuns: 100 },
  );
});

test("never has a credential's password in an error", async () => {
  const password = "sesame";
  const { url } = await serveConnections((socket) =>
    socket.once("data", () =>
      socket.end(
        refused(400, { message: `${password} is too short`, errors: { password: [`"${password}" is too short`] } }),
      ),
    ),
  );
  const client = createClient({ apiKey: "key-of-the-test", baseUrl: url });
  for (const call of [
    client.credentials.create("example.com", { username: "robot", password }),
    client.credentials.update("example.com", "robot", { password }),
  ]) {
    const error = await rejection(call);
    expect(error).toMatchObject({ status: 400, serviceMessage: "[password] is too short" });
    for (const shown of everyForm(error, client)) expect(shown).not.toContain(password);
  }
  await client.close();
});

test("never has the key in an error about the base URL", () => {
  const key = "sk_live_0123456789";
  for (const baseUrl of [
    key,
    `ftp://${key}.example`,
    `https://api:${key}@example.com`,
    `https://example.com/?key=${key}`,
  ]) {
    let message = "";
    try {
      parseBaseUrl(baseUrl, "v4", redactor(key), { apiKey: key });
    } catch (error) {
      message = inspect(error);
    }
    expect(message).toContain("ConfigurationError");
    expect(message).not.toContain(key);
  }
});

test("redacts only the header of a key that is an ordinary word", () => {
  const redact = redactor("local");
  expect(redact("from must be the local part")).toBe("from must be the local part");
  expect(redact(`Basic ${Buffer.from("api:local").toString("base64")}`)).toBe("Basic [key]");
});

function everyForm(error: unknown, client: Client): string[] {
  const plain = error instanceof Error ? [error.message, error.stack ?? "", String(error.cause)] : [];
  return [
    ...plain,
    String(error),
    JSON.stringify(error),
    inspect(error, { depth: null, showHidden: true }),
    inspect(client, { depth: null }),
  ];
}

function refused(status: number, body: object): string {
  return http(`${status} Refused`, JSON.stringify(body));
}

function http(status: string, body: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
}

/** Each UTF-16 unit as JSON may write it. */
function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
    "",
  );
}
