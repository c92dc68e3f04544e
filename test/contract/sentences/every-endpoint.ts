import { expect } from "vitest";
import type { Api } from "../api.js";
import { ENDPOINTS } from "../inventory.js";
import { sentence } from "../sentence.js";

const long = process.env["MODE"] === "long";

const elsewhere = {
  domain: "not-of-this-account.test",
  id: "1",
  name: "none",
  rule: "none",
  alias: "1",
  username: "no",
};

function linesOf(api: Api): string[] {
  return ENDPOINTS[api.version].map(({ method, path }) => `${method} ${path}`);
}

/**
 * One endpoint of each method and limit. The headers of all others show that they are counted, and against which limit.
 */
const usedUp = ["account.get", "domains.create", "domains.update", "domains.delete", "emails.send"];

sentence('v4 and v3 part 5: "Missing or invalid credentials give 401"', ["{v3,v4} * 401"], async ({ stranger }) => {
  for (const api of stranger.both) {
    for (const line of linesOf(api)) await api.refused(401, line, elsewhere);
  }
});

sentence(
  'v4 part 7: "resource not found (e.g. log id, domain, template)"',
  ["{v3,v4} * 404 domain"],
  async ({ both }) => {
    for (const api of both) {
      const lines = linesOf(api).filter((line) => line.includes("/domains/:domain"));
      for (const line of lines) await api.refused(404, line, elsewhere);
    }
  },
);

sentence(
  'v4 part 8: "Rate, free accounts | 30 requests per minute per endpoint", "429; client waits Retry-After seconds or until X-RateLimit-Reset"',
  ["{v3,v4} * 429"],
  async ({ free, local }) => {
    for (const api of free.both) {
      for (const { id, method, path } of ENDPOINTS[api.version]) {
        const line = `${method} ${path}`;
        // In version 3, some paths belong to two endpoints, which share a limit.
        local.clock.advance(60_000);
        const most = line.endsWith("/emails/outbound") ? 10 : 30;
        if (!long && !usedUp.includes(id)) {
          const { headers } = await api.once(line, elsewhere);
          expect(headers["x-ratelimit-limit"]).toBe(String(most));
          expect(headers["x-ratelimit-remaining"]).toBe(String(most - 1));
          local.faults.add({ kind: "refuse", endpoint: `${api.version} ${id}`, status: 429 });
          await api.once(line, elsewhere);
          continue;
        }
        const within = await Promise.all(Array.from({ length: most }, () => api.once(line, elsewhere)));
        expect(new Set(within.map(({ status }) => status))).not.toContain(429);
        const over = await api.once(line, elsewhere);
        expect(over.status, line).toBe(429);
        expect(over.headers["x-ratelimit-limit"]).toBe(String(most));
        expect(over.headers["x-ratelimit-remaining"]).toBe("0");
        const retryAfter = Number(over.headers["retry-after"]);
        const reset = Number(over.headers["x-ratelimit-reset"]);
        expect(Math.abs(reset - (local.clock.now() / 1_000 + retryAfter))).toBeLessThanOrEqual(1);
        local.clock.advance(retryAfter * 1_000);
        expect((await api.once(line, elsewhere)).status).not.toBe(429);
      }
    }
  },
);

sentence('v4 part 8: "Rate, paid plans | 200 requests per minute per endpoint"', [], async ({ both, local }) => {
  for (const api of both) {
    const within = await Promise.all(Array.from({ length: 200 }, () => api.once("GET /account")));
    expect(within.map(({ status }) => status)).not.toContain(429);
    expect(within[0]?.headers["x-ratelimit-limit"]).toBe("200");
    expect((await api.once("GET /account")).status).toBe(429);
    local.clock.advance(60_000);
  }
});

sentence('v4 part 8: "Rate, send email endpoint | 10 requests per minute"', [], async ({ both, local }) => {
  for (const api of both) {
    const send = () => api.once("POST /domains/:domain/emails/outbound", { body: {} });
    for (let sent = 0; sent < 10; sent++) expect((await send()).status).toBe(400);
    expect((await send()).status).toBe(429);
    local.clock.advance(60_000);
  }
});

sentence('v4 and v3 part 7: "500 | server error"', ["{v3,v4} * 500"], async ({ both, local }) => {
  for (const api of both) {
    for (const { id, method, path } of ENDPOINTS[api.version]) {
      local.faults.add({ kind: "refuse", endpoint: `${api.version} ${id}`, status: 500 });
      await api.refused(500, `${method} ${path}`, elsewhere);
    }
  }
});

sentence(
  'v4 part 5: "Missing permission, for example a premium plan required, gives 403"',
  ["{v3,v4} * 403 premium"],
  async ({ free }) => {
    const template = { name: "receipt", subject: "Hi", text_body: "Hi" };
    const credential = { username: "hello", password: "long enough" };
    const mail = { from: "hello", to: "ada@example.com", subject: "Hi", text: "Hi" };
    for (const api of free.both) {
      await api.refused(403, "POST /domains/:domain/templates", { body: template });
      await api.refused(403, "POST /domains/:domain/emails/outbound", { body: mail });
      await api.refused(403, "GET /domains/:domain/credentials");
      await api.refused(403, "POST /domains/:domain/credentials", { body: credential });
      await api.refused(403, "PUT /domains/:domain/credentials/:username", { username: "hello", body: credential });
      await api.refused(403, "DELETE /domains/:domain/credentials/:username", { username: "hello" });
      await api.refused(403, "POST /domains/:domain/aliases/batch", {
        body: { aliases: [{ alias: "a", forward: "a@b.de" }] },
      });
    }
    const aliases = [{ alias: "a", forward: "ada@example.com" }];
    await free.v3.refused(403, "POST /domains/:domain/aliases/bulk", { body: { aliases } });
    // "`add` requires a paid plan", and the other two don't.
    await free.v3("POST /domains/:domain/aliases/bulk", { body: { aliases, behavior: "update" } });
    await free.v3("POST /domains/:domain/aliases/bulk", { body: { aliases, behavior: "delete" } });
  },
);
