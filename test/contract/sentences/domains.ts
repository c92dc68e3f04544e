import { expect } from "vitest";
import { sentence } from "../sentence.js";

const list = "GET /domains";
const names = (domains: { domain: string }[]) => domains.map(({ domain }) => domain);

sentence(
  'v4 part 4, Domains: "`query` (substring)"',
  ["v4 domains.list {query query,answer *,200}"],
  async ({ v4, domain }) => {
    const found = await v4(list, { query: { query: domain.slice(1, -1) } });
    expect(names(found.domains)).toContain(domain);
    expect(await v4(list, { query: { query: "no-such-domain" } })).toMatchObject({ domains: [], total: 0 });
  },
);

sentence(
  'v4 part 4, Domains: "`forwarding_ready` (bool), `send_ready` (bool)"',
  ["v4 domains.list query {forwarding,send}_ready*"],
  async ({ v4, domain, unready }) => {
    await v4("POST /domains/:domain/verify");
    for (const flag of ["forwarding_ready", "send_ready"]) {
      const ready = await v4(list, { query: { [flag]: "true", limit: 200 } });
      const others = await v4(list, { query: { [flag]: "false", limit: 200 } });
      expect(names(ready.domains)).toContain(domain);
      expect(names(others.domains)).toContain(unready);
      expect(names(others.domains)).not.toContain(domain);
    }
  },
);

sentence(
  'v4 part 4, Domains: "`whitelabel` (exact brand, or `null` for none; omit for no filter)"',
  ["v4 domains.list query whitelabel"],
  async ({ v4, domain }) => {
    await v4("PUT /domains/:domain", { body: { whitelabel: "brand.test" } });
    expect(names((await v4(list, { query: { whitelabel: "brand.test" } })).domains)).toContain(domain);
    expect(names((await v4(list, { query: { whitelabel: "brand" } })).domains)).not.toContain(domain);
    expect(names((await v4(list, { query: { whitelabel: "null", limit: 200 } })).domains)).not.toContain(domain);
    await v4("PUT /domains/:domain", { body: { whitelabel: null } });
    expect(names((await v4(list, { query: { whitelabel: "null", limit: 200 } })).domains)).toContain(domain);
  },
);

sentence(
  'v4 part 4, Domains: "`routing_engine` (`alias`, `rules`, or `null` for disabled; omit for no filter)"',
  ["v4 domains.list query routing_engine*"],
  async ({ v4 }) => {
    const { total } = await v4(list);
    const totals = [];
    for (const engine of ["alias", "rules", "null"]) {
      const found = await v4(list, { query: { routing_engine: engine, limit: 200 } });
      for (const each of found.domains) expect(String(each.routing_engine)).toBe(engine);
      totals.push(found.total);
    }
    expect(totals.reduce((sum, each) => sum + each)).toBe(total);
  },
);

sentence(
  'v4 part 4, Domains: "`order` (`name_asc` default, `name_desc`, `created_asc`, `created_desc`)"',
  ["v4 domains.list query order*"],
  async ({ v4 }) => {
    const listed = async (order: string) => (await v4(list, { query: { order, limit: 200 } })).domains;
    const [up, down] = [names(await listed("name_asc")), names(await listed("name_desc"))];
    expect(up).toEqual(up.toSorted());
    expect(down).toEqual(up.toReversed());
    expect(names((await v4(list, { query: { limit: 200 } })).domains)).toEqual(up);
    const times = (await listed("created_asc")).map((each: { created_at: string }) => each.created_at);
    expect(times).toEqual(times.toSorted());
    expect(names(await listed("created_desc")).toSorted()).toEqual(up);
  },
);

sentence(
  'v4 part 4, Domains: "body: `domain` (required string), `notification_email` (optional), `whitelabel` (optional, parent domain shown in DNS settings)"',
  ["v4 domains.create {body *,answer *,200,400 field}", "v4 domains.delete {path *,204}"],
  async ({ v4, v3, newDomain }) => {
    const body = { domain: newDomain, notification_email: "ops@example.com", whitelabel: "brand.test" };
    const { domain } = await v4("POST /domains", { body });
    expect(domain).toMatchObject(body);
    expect(domain.created_at).toBe(domain.updated_at);
    expect((await v3("GET /domains/:domain", { domain: newDomain })).domain).toMatchObject(body);
    await v4.refused(400, "POST /domains", { body });
    expect((await v4.refused(400, "POST /domains", { body: {} })).errors).toHaveProperty("domain");
    await v4("DELETE /domains/:domain", { domain: newDomain });
    await v3.refused(404, "GET /domains/:domain", { domain: newDomain });
  },
);

sentence(
  'v4 part 4, Domains: "GET | /domains/:domain | none | `{domain}`"',
  ["v4 domains.get {path *,answer *,200}"],
  async ({ v4, domain }) => {
    expect((await v4("GET /domains/:domain")).domain.domain).toBe(domain);
  },
);

sentence(
  'v4 part 4, Domains: "body: `notification_email`, `whitelabel`; the domain name cannot be changed"',
  ["v4 domains.update {path *,body *,answer *,200,400 field}"],
  async ({ v4, v3, domain }) => {
    const put = "PUT /domains/:domain";
    const changes = { notification_email: "ops@example.com", whitelabel: "brand.test" };
    expect((await v4(put, { body: changes })).domain).toMatchObject({ domain, ...changes });
    expect((await v3("GET /domains/:domain")).domain).toMatchObject(changes);
    // Members that are not in the body stay unchanged.
    expect((await v4(put, { body: { whitelabel: null } })).domain).toMatchObject({ ...changes, whitelabel: null });
    expect((await v4.refused(400, put, { body: { notification_email: "nobody" } })).errors).toHaveProperty(
      "notification_email",
    );
    await v4.once(put, { body: { domain: "renamed.test" } });
    expect((await v4("GET /domains/:domain")).domain.domain).toBe(domain);
    await v4(put, { body: { notification_email: null } });
  },
);

sentence(
  'v4 part 4, Domains: "POST | /domains/:domain/verify | none | `{records}` (DNS check result)"',
  ["v4 domains.verify {path *,answer *,200}"],
  async ({ v4 }) => {
    const { records } = await v4("POST /domains/:domain/verify");
    expect(records).toMatchObject({ valid: true, error: null, mx: { valid: true }, spf: { valid: true } });
    expect(records.mx.values.toSorted()).toEqual(records.mx.expected.toSorted());
    expect((await v4("GET /domains/:domain")).domain.forwarding_ready).toBe(true);
  },
);

sentence(
  'v4 part 2, DNS check result: "the reason when MX is not configured correctly"',
  ["v4 domains.verify answer records.error"],
  async ({ v4, unready }) => {
    const { records } = await v4("POST /domains/:domain/verify", { domain: unready });
    expect(records).toMatchObject({ valid: false, mx: { valid: false }, dkim1: { valid: false, values: null } });
    expect(records.error).toMatch(/./);
  },
);

sentence(
  'v3 part 4, Domains: "`q` (substring; one form says starts-with)"',
  ["v3 domains.list {query q,answer *,200}"],
  async ({ v3, domain }) => {
    await v3("POST /domains/:domain/aliases", { body: { alias: "ada", forward: "ada@example.com" } });
    const found = await v3(list, { query: { q: domain.slice(0, -1) } });
    expect(names(found.domains)).toContain(domain);
    expect((await v3(list, { query: { q: "no-such-domain" } })).domains).toEqual([]);
  },
);

sentence(
  'v3 part 4, Domains: "`is_active` (1 or 0)"',
  ["v3 domains.list query is_active*"],
  async ({ v3, domain, unready }) => {
    await v3("GET /domains/:domain/check");
    const active = await v3(list, { query: { is_active: 1, limit: 100 } });
    const others = await v3(list, { query: { is_active: 0, limit: 100 } });
    expect(names(active.domains)).toContain(domain);
    expect(names(others.domains)).toContain(unready);
    expect(names(others.domains)).not.toContain(domain);
  },
);

sentence(
  'v3 part 4, Domains: "body: `domain` (required), `notification_email`, `whitelabel`"',
  ["v3 domains.create {body *,answer *,200,400 field}", "v3 domains.delete {path *,answer *,200}"],
  async ({ v3, v4, newDomain }) => {
    const body = { domain: newDomain, notification_email: "ops@example.com", whitelabel: "brand.test" };
    expect((await v3("POST /domains", { body })).domain).toMatchObject({ ...body, webhook: null, aliases: [] });
    expect((await v4("GET /domains/:domain", { domain: newDomain })).domain).toMatchObject(body);
    expect((await v3.refused(400, "POST /domains", { body: {} })).errors).toHaveProperty("domain");
    await v3("DELETE /domains/:domain", { domain: newDomain });
    await v4.refused(404, "GET /domains/:domain", { domain: newDomain });
  },
);

sentence(
  'v3 part 2, Domain: "array of alias, capped at 200 per domain in domain responses"',
  ["v3 domains.get {path *,answer *,200}", "v3 domains.list answer domains.aliases"],
  async ({ v3, v4 }) => {
    const aliases = Array.from({ length: 201 }, (_, number) => ({ alias: `a${number}`, forward: "ada@example.com" }));
    await v4("POST /domains/:domain/aliases/batch", { body: { aliases } });
    expect((await v3("GET /domains/:domain")).domain.aliases).toHaveLength(200);
    const { domains } = await v3(list, { query: { limit: 100 } });
    for (const each of domains) expect(each.aliases.length).toBeLessThanOrEqual(200);
  },
);

sentence(
  'v3 part 4, Domains: "body: `notification_email`, `webhook`, `whitelabel`; name immutable"',
  ["v3 domains.update {path *,body *,answer *,200,400 field}"],
  async ({ v3, v4, domain }) => {
    const put = "PUT /domains/:domain";
    await v3("POST /domains/:domain/aliases", { body: { alias: "ada", forward: "ada@example.com" } });
    const changes = {
      notification_email: "ops@example.com",
      whitelabel: "brand.test",
      webhook: "https://example.com/hook",
    };
    expect((await v3(put, { body: changes })).domain).toMatchObject({ domain, ...changes });
    const { domain: shown } = await v4("GET /domains/:domain");
    expect(shown).toMatchObject({ notification_email: "ops@example.com", whitelabel: "brand.test" });
    expect(shown).not.toHaveProperty("webhook");
    expect((await v3.refused(400, put, { body: { webhook: "nowhere" } })).errors).toHaveProperty("webhook");
    await v3.once(put, { body: { domain: "renamed.test" } });
    expect((await v3("GET /domains/:domain")).domain.domain).toBe(domain);
    await v3(put, { body: { notification_email: null, whitelabel: null, webhook: null } });
  },
);

sentence(
  'v3 part 4, Domains: "success is true when MX is configured correctly, false otherwise; `records.error` may give the reason"',
  ["v3 domains.check {path *,answer *,200}"],
  async ({ v3, unready }) => {
    expect(await v3("GET /domains/:domain/check")).toMatchObject({ success: true, records: { mx: { valid: true } } });
    const wrong = await v3("GET /domains/:domain/check", { domain: unready });
    expect(wrong).toMatchObject({ success: false, records: { mx: { valid: false }, error: expect.any(String) } });
  },
);
