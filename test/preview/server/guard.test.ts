import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html, PreviewedProject } from "./harness.js";

const json = { "content-type": "application/json" };

describe("the guard", () => {
  it("answers its own page", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const { host, origin } = new URL(preview.running.url);
    for (const name of [host, host.replace("127.0.0.1", "localhost"), host.replace("127.0.0.1", "LocalHost")]) {
      const { status } = await preview.ask("/api/project", {
        headers: { host: name, "sec-fetch-site": "same-origin" },
      });
      expect([name, status]).toEqual([name, 200]);
    }
    const { status } = await preview.ask("/api/templates/hi/variables", {
      method: "POST",
      headers: { ...json, host, origin },
      body: JSON.stringify({ input: { name: "Bob" } }),
    });
    expect(status).toBe(200);
  });

  it("refuses host names that are made to point here", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const { port } = preview.running;
    const others = [
      `evil.example:${port}`,
      "evil.example",
      "127.0.0.1",
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.:${port}`,
      `user@127.0.0.1:${port}`,
    ];
    for (const host of others) {
      for (const address of ["/", "/app.js", "/api/project", "/api/events", "/assets/logo.png"]) {
        const { status, text } = await preview.ask(address, { headers: { host } });
        expect([host, address, status]).toEqual([
          host,
          address,
          expect.toSatisfy((each: number) => [400, 421].includes(each)),
        ]);
        expect(text).not.toContain("Hello");
      }
    }
  });

  it("refuses other pages, whatever they request", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const { host } = new URL(preview.running.url);
    const port = preview.running.port;
    const strangers: readonly Readonly<Record<string, string>>[] = [
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: `https://127.0.0.1:${port}` },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: `http://localhost:${port}` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
      { "sec-fetch-site": "something new" },
    ];
    for (const headers of strangers) {
      for (const address of ["/api/project", "/api/events", "/api/templates/hi", "/app.js", "/assets/logo.png"]) {
        const { status } = await preview.ask(address, { headers: { host, ...headers } });
        expect([headers, address, status]).toEqual([headers, address, 403]);
      }
      const { status } = await preview.ask("/api/templates/hi/fixtures/new", {
        method: "PUT",
        headers: { ...json, host, ...headers },
        body: JSON.stringify({ input: {}, overwrite: true }),
      });
      expect([headers, status]).toEqual([headers, 403]);
    }
  });

  it("lets a link from anywhere open the page, and nothing else", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await preview.ask("/", { headers })).status).toBe(200);
    expect((await preview.ask("/api/project", { headers })).status).toBe(403);
    const framed = await preview.ask("/", { headers: { ...headers, "sec-fetch-dest": "iframe" } });
    expect(framed.status).toBe(403);
  });

  it("accepts writes only as JSON, which a form on another site cannot send", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const body = JSON.stringify({ input: {}, overwrite: true });
    for (const type of [
      undefined,
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=a",
      "application/jsonp",
    ]) {
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      const { status } = await preview.ask("/api/templates/hi/fixtures/new", { method: "PUT", headers, body });
      expect([type, status]).toEqual([type, 415]);
    }
  });

  it("sets its policy on every response", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const responses = [
      preview.ask("/"),
      preview.ask("/nowhere"),
      preview.ask("/api/project"),
      preview.ask("/", { headers: { host: "evil.example" } }),
    ];
    for (const { headers } of await Promise.all(responses)) {
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  it("refuses a body that is too large before reading all of it", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const large = Buffer.alloc(3_000_000, "a");
    const chunked = await preview.ask("/api/templates/hi/variables", {
      method: "POST",
      headers: { ...json, "transfer-encoding": "chunked" },
      body: large,
    });
    expect(chunked.status).toBe(413);
    const sized = await preview.ask("/api/templates/hi/variables", { method: "POST", headers: json, body: large });
    expect(sized.status).toBe(413);
  });

  it("refuses invalid HTTP with its own message", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const bodies = [
      "",
      "null",
      "[]",
      "{",
      '{"input":1}',
      '{"input":{},"overwrite":"yes"}',
      '{"__proto__":{"input":{}},"overwrite":true}',
    ];
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constantFrom(...bodies), fc.string(), fc.json({ maxDepth: 2 })), async (body) => {
        const { status, text } = await preview.ask("/api/templates/hi/fixtures/new", {
          method: "PUT",
          headers: json,
          body,
        });
        expect(status).toBe(400);
        expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String) } });
      }),
      { numRuns: 50 },
    );
  });

  it("answers any path with its own response", async () => {
    const preview = await new PreviewedProject(html("hi")).preview();
    const part = fc.constantFrom(
      "api",
      "templates",
      "hi",
      "..",
      "%2e%2e",
      "%2f",
      "%00",
      "%",
      "fixtures",
      "assets",
      "a\\b",
      "C:",
      "con",
      "~",
      ";",
      "?x",
      "receipt",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }),
        fc.constantFrom("GET", "PUT", "POST", "DELETE"),
        async (parts, method) => {
          const { status, text } = await preview.ask(`/${parts.join("/")}`, {
            method,
            headers: json,
            body: method === "GET" ? undefined : "{}",
          });
          expect([parts, method, status < 500]).toEqual([parts, method, true]);
          expect(text).not.toContain(preview.running.url.includes("x") ? "\u0000" : "root:");
        },
      ),
      { numRuns: 100 },
    );
  });
});
