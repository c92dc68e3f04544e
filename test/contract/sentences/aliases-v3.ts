import { expect } from "vitest";
import type { Api } from "../api.js";
import { sentence } from "../sentence.js";

const list = "GET /domains/:domain/aliases";
const create = "POST /domains/:domain/aliases";
const either = "/domains/:domain/aliases/:alias";
const byId = "/domains/:domain/aliases/:id";
const forward = "ada@example.com";

async function addAliases(api: Api, ...names: readonly string[]): Promise<void> {
  for (const alias of names) await api(create, { body: { alias, forward: `${alias}@example.com` } });
}

const names = (aliases: { alias: string }[]) => aliases.map(({ alias }) => alias);

sentence(
  'v3 part 4, Aliases: "`q` (substring on alias and destination), `alias` (prefix filter)"',
  ["v3 aliases.list {path *,query q,query alias,answer *,200}"],
  async ({ v3 }) => {
    await addAliases(v3, "sales", "support");
    await v3(create, { body: { alias: "other", forward: "the-sales-team@example.com" } });
    const found = await v3(list, { query: { q: "sales" } });
    expect(names(found.aliases).toSorted()).toEqual(["other", "sales"]);
    expect(found.total).toBe(2);
    expect(names((await v3(list, { query: { alias: "s" } })).aliases).toSorted()).toEqual(["sales", "support"]);
    expect((await v3(list, { query: { alias: "ales" } })).aliases).toEqual([]);
  },
);

sentence('v3 part 4, Aliases: "`is_active` (one form only)"', ["v3 aliases.list query is_active*"], async ({ v3 }) => {
  await addAliases(v3, "ada");
  expect((await v3(list, { query: { is_active: 1 } })).total).toBe(1);
  expect((await v3(list, { query: { is_active: 0 } })).total).toBe(0);
});

sentence(
  'v3 part 4, Aliases: "`:alias` is the alias string or the integer id"',
  ["v3 aliases.get {path *,answer *,200,404 alias}"],
  async ({ v3 }) => {
    const { id } = (await v3(create, { body: { alias: "ada", forward } })).alias;
    const byName = await v3(`GET ${either}`, { alias: "ada" });
    expect(byName.alias).toMatchObject({ id, alias: "ada", forward });
    expect(await v3(`GET ${either}`, { alias: id })).toEqual(byName);
    await v3.refused(404, `GET ${either}`, { alias: "bob" });
  },
);

sentence(
  'v3 part 4, Aliases: "body: `alias` (required), `forward` (required) | `{alias:{forward, alias, id}, success}`"',
  ["v3 aliases.create {path *,body *,answer *,200,400 field}"],
  async ({ v3, v4 }) => {
    const { alias } = await v3(create, { body: { alias: "*", forward } });
    expect(alias).toEqual({ id: expect.any(Number), alias: "*", forward });
    expect((await v4(`GET ${byId}`, { id: alias.id })).alias).toMatchObject({ id: String(alias.id), alias: "*" });
    expect((await v3.refused(400, create, { body: {} })).errors).toMatchObject({ alias: [expect.any(String)] });
  },
);

sentence(
  'v3 part 4, Aliases: "body: `forward` (required); by integer id, `alias` may also be sent to rename"',
  ["v3 aliases.update {path *,body *,answer *,200,400 field,404 alias}"],
  async ({ v3 }) => {
    const { id } = (await v3(create, { body: { alias: "ada", forward } })).alias;
    const changed = await v3(`PUT ${either}`, { alias: "ada", body: { forward: "bob@example.com" } });
    // "absent in create/update responses"
    expect(changed.alias).toEqual({ id, alias: "ada", forward: "bob@example.com" });
    const renamed = await v3(`PUT ${either}`, { alias: id, body: { alias: "bob", forward } });
    expect(renamed.alias).toEqual({ id, alias: "bob", forward });
    await v3.refused(400, `PUT ${either}`, { alias: id, body: {} });
    await v3.refused(404, `PUT ${either}`, { alias: "ada", body: { forward } });
  },
);

sentence(
  'v3 part 4, Aliases: "DELETE | /domains/:domain/aliases/:alias | none | `{success}`"',
  ["v3 aliases.delete {path *,answer *,200,404 alias}"],
  async ({ v3 }) => {
    const { id } = (await v3(create, { body: { alias: "ada", forward } })).alias;
    await addAliases(v3, "bob");
    await v3(`DELETE ${either}`, { alias: id });
    await v3(`DELETE ${either}`, { alias: "bob" });
    await v3.refused(404, `DELETE ${either}`, { alias: "bob" });
  },
);

sentence(
  'v3 part 4, Aliases: "a second form requires query `all=true` and returns `{deleted: integer}`"',
  ["v3 aliases.deleteAll {path *,query *,answer *,200}"],
  async ({ v3 }) => {
    const line = "DELETE /domains/:domain/aliases/aliases-all";
    await addAliases(v3, "a", "b");
    expect(await v3(line, { query: { all: "true" } })).toMatchObject({ deleted: 2 });
    await addAliases(v3, "a");
    expect(await v3(line)).toEqual({ success: true });
    expect((await v3(list)).total).toBe(0);
  },
);

const bulk = "POST /domains/:domain/aliases/bulk";

sentence(
  'v3 part 4, Aliases: "`behavior` (`add` default, fails if alias exists; `update`; `delete`)"',
  [
    "v3 aliases.bulk {path *,answer *,200,400 field}",
    "v3 aliases.bulk body {aliases,aliases.alias,aliases.forward,behavior*}",
  ],
  async ({ v3 }) => {
    const [ada, bob] = [
      { alias: "ada", forward },
      { alias: "bob", forward },
    ];
    const added = await v3(bulk, { body: { aliases: [ada] } });
    expect(added).toEqual({ added: [{ ...ada, id: expect.any(Number) }], updated: [], failed: [], success: true });
    // "partial failures do not fail the request"
    const again = await v3(bulk, { body: { aliases: [ada, bob], behavior: "add" } });
    expect(again).toMatchObject({ added: [bob], failed: [{ ...ada, id: added.added[0].id }], success: true });
    const changes = { aliases: [{ alias: "ada", forward: "eve@example.com" }], behavior: "update" };
    expect(await v3(bulk, { body: changes })).toMatchObject({ added: [], updated: changes.aliases, failed: [] });
    const deleted = await v3(bulk, { body: { aliases: [{ alias: "ada" }, { alias: "nobody" }], behavior: "delete" } });
    expect(deleted).toEqual({
      deleted: [{ alias: "ada", created: expect.any(Number), forward: "eve@example.com", id: expect.any(Number) }],
      failed: [{ alias: "nobody" }],
      success: true,
    });
    await v3.refused(400, bulk, { body: { aliases: [ada], behavior: "wipe" } });
    await v3.refused(400, bulk, { body: {} });
  },
);

sentence(
  'v3 part 8: "Bulk alias operation | 500 objects"',
  ["v3 aliases.bulk body aliases max 500", "v3 aliases.bulk 400 batchSize"],
  async ({ v3 }) => {
    const aliases = Array.from({ length: 501 }, (_, number) => ({ alias: `a${number}`, forward }));
    await v3.refused(400, bulk, { body: { aliases } });
    expect((await v3(bulk, { body: { aliases: aliases.slice(1) } })).added).toHaveLength(500);
  },
);
