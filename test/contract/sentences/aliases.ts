import { expect } from "vitest";
import type { Api } from "../api.js";
import { sentence } from "../sentence.js";

const list = "GET /domains/:domain/aliases";
const create = "POST /domains/:domain/aliases";
const byId = "/domains/:domain/aliases/:id";
const forward = "ada@example.com";
const absent = "987654321";

async function addAliases(api: Api, ...names: readonly string[]): Promise<void> {
  for (const alias of names) await api(create, { body: { alias, forward: `${alias}@example.com` } });
}

const names = (aliases: { alias: string }[]) => aliases.map(({ alias }) => alias);

sentence(
  'v4 part 4, Aliases: "`query` (substring on alias and destination)"',
  ["v4 aliases.list {path *,query query,answer *,200}"],
  async ({ v4 }) => {
    await addAliases(v4, "sales", "support");
    await v4(create, { body: { alias: "other", forward: "the-Sales-team@example.com" } });
    const found = await v4(list, { query: { query: "sales" } });
    expect(names(found.aliases)).toEqual(["other", "sales"]);
    expect(found.total).toBe(2);
    expect((await v4(list, { query: { query: "nothing" } })).aliases).toEqual([]);
  },
);

sentence(
  'v4 part 4, Aliases: "`order` (`name_asc` default, `name_desc`, `created_asc`, `created_desc`)"',
  ["v4 aliases.list query order*"],
  async ({ v4, wait }) => {
    for (const alias of ["b", "c", "a"]) {
      await addAliases(v4, alias);
      await wait(1.1);
    }
    const listed = async (query: Record<string, string>) => names((await v4(list, { query })).aliases);
    expect(await listed({})).toEqual(["a", "b", "c"]);
    expect(await listed({ order: "name_asc" })).toEqual(["a", "b", "c"]);
    expect(await listed({ order: "name_desc" })).toEqual(["c", "b", "a"]);
    expect(await listed({ order: "created_asc" })).toEqual(["b", "c", "a"]);
    expect(await listed({ order: "created_desc" })).toEqual(["a", "c", "b"]);
  },
);

sentence(
  'v4 part 4, Aliases: "`:id` is the string id"',
  ["v4 aliases.get {path *,answer *,200,404 alias}"],
  async ({ v4 }) => {
    const { alias } = await v4(create, { body: { alias: "ada", forward } });
    expect(alias.id).toEqual(expect.any(String));
    expect(await v4(`GET ${byId}`, { id: alias.id })).toEqual({ alias });
    await v4.refused(404, `GET ${byId}`, { id: absent });
  },
);

sentence(
  'v4 part 4, Aliases: "body: `alias` (required), `forward` (required, comma-separated emails and/or webhooks)"',
  ["v4 aliases.create {path *,body *,answer *,200,400 field}"],
  async ({ v4, v3 }) => {
    const body = { alias: "ada", forward: "ada@example.com,https://example.com/hook" };
    const { alias } = await v4(create, { body });
    expect(alias).toMatchObject(body);
    expect((await v4.refused(400, create, { body: { alias: "b" } })).errors).toHaveProperty("forward");
    expect((await v4.refused(400, create, { body: { forward } })).errors).toHaveProperty("alias");
    await v4.refused(400, create, { body: { alias: "b", forward: "nobody" } });
    const older = (await v3("GET /domains/:domain/aliases/:alias", { alias: "ada" })).alias;
    expect(older).toMatchObject(body);
    expect(String(older.id)).toBe(alias.id);
    expect(Math.floor(older.created / 1_000) * 1_000).toBe(Date.parse(alias.created_at));
  },
);

sentence(
  'v4 part 4, Aliases: "`:id` is the numeric id; body: `forward` (required)"',
  ["v4 aliases.update {path *,body *,answer *,200,400 field,404 alias}"],
  async ({ v4, v3 }) => {
    const { id } = (await v3(create, { body: { alias: "ada", forward } })).alias;
    expect(id).toEqual(expect.any(Number));
    const changed = await v4(`PUT ${byId}`, { id, body: { forward: "bob@example.com" } });
    expect(changed.alias).toMatchObject({ alias: "ada", forward: "bob@example.com" });
    expect((await v4.refused(400, `PUT ${byId}`, { id, body: {} })).errors).toHaveProperty("forward");
    await v4.refused(404, `PUT ${byId}`, { id: absent, body: { forward } });
  },
);

sentence(
  'v4 part 4, Aliases: "DELETE | /domains/:domain/aliases/:id | none | 204"',
  ["v4 aliases.delete {path *,204,404 alias}"],
  async ({ v4 }) => {
    const { id } = (await v4(create, { body: { alias: "ada", forward } })).alias;
    await v4(`DELETE ${byId}`, { id });
    await v4.refused(404, `DELETE ${byId}`, { id });
  },
);

sentence(
  'v4 part 4, Aliases: "query `all=true` is required, a guard against accidental wipe"',
  ["v4 aliases.deleteAll {path *,query *,answer *,200,400 guard}"],
  async ({ v4 }) => {
    await addAliases(v4, "a", "b");
    await v4.refused(400, "DELETE /domains/:domain/aliases");
    await v4.refused(400, "DELETE /domains/:domain/aliases", { query: { all: "false" } });
    expect((await v4(list)).total).toBe(2);
    expect(await v4("DELETE /domains/:domain/aliases", { query: { all: "true" } })).toEqual({ deleted: 2 });
    expect((await v4(list)).total).toBe(0);
  },
);
