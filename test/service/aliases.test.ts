import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  aliasesChangedResponse,
  aliasesDeletedResponse,
  aliasListResponse as aliasListResponseV3,
  aliasResponse as aliasResponseV3,
} from "../../src/api/contract/v3/aliases.js";
import { aliasesAddedResponse, aliasListResponse, aliasResponse } from "../../src/api/contract/v4/aliases.js";
import { frozenClock } from "../../src/service/index.js";
import { type Api, refusal, startApi } from "./harness.js";
import { version3 } from "./version-3.js";

const aliases = "/domains/example.test/aliases";
const forward = "ada@example.com";
const at = "2026-11-20T10:00:00Z";

async function create(api: Api, alias: string, to = forward): Promise<string> {
  return (await api.post(aliases, { alias, forward: to })).read(aliasResponse).alias.id;
}

async function namesOf(api: Api, query: string): Promise<string[]> {
  return (await api.get(`${aliases}?${query}`)).read(aliasListResponse).aliases.map(({ alias }) => alias);
}

test("an alias is created, read, changed and deleted", async () => {
  const clock = frozenClock(Date.parse(at));
  const api = await startApi({ clock });
  const created = await api.post(aliases, { alias: "sales", forward });
  expect(created.status).toBe(200);
  const { alias } = created.read(aliasResponse);
  expect(alias).toEqual({ id: expect.any(String), alias: "sales", forward, created_at: at, updated_at: at });
  expect((await api.get(`${aliases}/${alias.id}`)).read(aliasResponse).alias).toEqual(alias);

  clock.advance(60_000);
  const to = "ada@example.com, https://example.com/hook";
  const changed = (await api.put(`${aliases}/${Number(alias.id)}`, { forward: to })).read(aliasResponse).alias;
  expect(changed).toEqual({ ...alias, forward: to, updated_at: "2026-11-20T10:01:00Z" });

  const deleted = await api.delete(`${aliases}/${alias.id}`);
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  for (const gone of [await api.get(`${aliases}/${alias.id}`), await api.delete(`${aliases}/${alias.id}`)]) {
    expect(refusal(gone)).toMatchObject({ status: 404, fields: [] });
  }
  expect(await create(api, "sales")).not.toBe(alias.id);
});

test.each(["0", "01", "1.0", "1e0", "-1", "sales", "99999999999999999999", "%31x"])("%s is not an id", async (id) => {
  const api = await startApi();
  await create(api, "sales");
  expect((await api.get(`${aliases}/${id}`)).status).toBe(404);
  expect((await api.put(`${aliases}/${id}`, { forward })).status).toBe(404);
});

test("another domain's alias is not found", async () => {
  const api = await startApi({ seed: { domains: [{ name: "example.test" }, { name: "other.test" }] } });
  const id = await create(api, "sales");
  expect((await api.get(`/domains/other.test/aliases/${id}`)).status).toBe(404);
  expect((await api.delete("/domains/other.test/aliases?all=true")).text).toBe('{"deleted":0}');
  expect((await api.post("/domains/other.test/aliases", { alias: "sales", forward })).status).toBe(200);
});

test.each([
  "a",
  "*",
  "A.b-c_d+e",
  "7",
  "a".repeat(64),
  "batch",
  "o'brien",
  "a+b",
  "é",
  "почта",
  "!#$%&'+-/=?^_`{|}~",
  "a/b/",
  "50%2F",
  "/^sales-.+$/",
  "/\\d+/",
])("%s can be an alias, and version 3 finds it by its name", async (alias) => {
  const api = await startApi();
  const id = await create(api, alias);
  const answer = await version3(api).get(`${aliases}/${encodeURIComponent(alias)}`);
  expect(answer.read(aliasResponseV3).alias).toMatchObject({ id: Number(id), alias });
});

test.each([
  [{}, ["alias", "forward"]],
  [{ alias: "", forward }, ["alias"]],
  [{ alias: "a b", forward }, ["alias"]],
  [{ alias: "a@example.test", forward }, ["alias"]],
  [{ alias: ".a", forward }, ["alias"]],
  [{ alias: "a..b", forward }, ["alias"]],
  [{ alias: "**", forward }, ["alias"]],
  [{ alias: "a*", forward }, ["alias"]],
  [{ alias: "/a", forward }, ["alias"]],
  [{ alias: "//", forward }, ["alias"]],
  [{ alias: "a.", forward }, ["alias"]],
  [{ alias: '"a b"', forward }, ["alias"]],
  [{ alias: "a,b", forward }, ["alias"]],
  [{ alias: "a(b)", forward }, ["alias"]],
  [{ alias: "é é", forward }, ["alias"]],
  [{ alias: "é*", forward }, ["alias"]],
  [{ alias: "a\n", forward }, ["alias"]],
  [{ alias: "a".repeat(65), forward }, ["alias"]],
  [{ alias: "/(/", forward }, ["alias"]],
  [{ alias: 7, forward }, ["alias"]],
  [{ alias: "a", forward: "" }, ["forward"]],
  [{ alias: "a", forward: "ada" }, ["forward"]],
  [{ alias: "a", forward: "ada@example.com," }, ["forward"]],
  [{ alias: "a", forward: "ada@example.com;bob@example.com" }, ["forward"]],
  [{ alias: "a", forward: "Ada <ada@example.com>" }, ["forward"]],
  [{ alias: "a", forward: "ftp://example.com/" }, ["forward"]],
  [{ alias: "a", forward: "https://" }, ["forward"]],
  [{ alias: "a", forward: "javascript:alert(1)" }, ["forward"]],
  [{ alias: "a", forward: ["ada@example.com"] }, ["forward"]],
  [{ alias: "a b", forward: null }, ["forward"]],
])("an invalid alias is refused: %j", async (fields, named) => {
  const api = await startApi();
  expect(refusal(await api.post(aliases, fields))).toMatchObject({ status: 400, fields: named });
  expect(refusal(await api.post(aliases, fields)).message).toMatch(new RegExp(`^${named[0]} `));
});

test("a name is taken case-insensitively, a regular expression only if equal", async () => {
  const api = await startApi();
  await create(api, "Sales");
  expect(refusal(await api.post(aliases, { alias: "sALES", forward }))).toEqual({
    status: 400,
    message: "alias is already taken by another alias of the domain",
    fields: ["alias"],
  });
  await create(api, "/\\d/");
  await create(api, "/\\D/");
});

test("lists are filtered by a substring of alias and destination, and sorted", async () => {
  const clock = frozenClock(Date.parse(at));
  const api = await startApi({ clock });
  for (const [alias, to] of [
    ["zoe", "ada@example.com"],
    ["bob", "Zoe@example.com"],
    ["amy", "https://example.com/hook"],
  ] as const) {
    await create(api, alias, to);
    clock.advance(1_000);
  }
  expect(await namesOf(api, "")).toEqual(["amy", "bob", "zoe"]);
  expect(await namesOf(api, "order=name_desc")).toEqual(["zoe", "bob", "amy"]);
  expect(await namesOf(api, "order=created_asc")).toEqual(["zoe", "bob", "amy"]);
  expect(await namesOf(api, "order=created_desc&limit=2")).toEqual(["amy", "bob"]);
  expect(await namesOf(api, "query=ZOE")).toEqual(["bob", "zoe"]);
  expect(await namesOf(api, "query=%25")).toEqual([]);
  const page = (await api.get(`${aliases}?limit=2&page=2`)).read(aliasListResponse);
  expect(page).toMatchObject({ limit: 2, page: 2, total: 3, aliases: [{ alias: "zoe" }] });
  expect((await api.get(aliases)).read(aliasListResponse)).toMatchObject({ limit: 20, page: 1 });
  for (const wrong of [
    "limit=201",
    "limit=0",
    "limit=0x10",
    "limit=1e1",
    "limit=%205",
    "limit=-1",
    "page=0",
    "page=1.5",
    "order=rank_asc",
  ]) {
    expect(refusal(await api.get(`${aliases}?${wrong}`))).toMatchObject({ status: 400, fields: [wrong.split("=")[0]] });
  }
});

test("every alias appears once and in the same order, whatever the page size", async () => {
  const api = await startApi();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/), {
        minLength: 1,
        maxLength: 40,
        selector: (name) => name.toLowerCase(),
      }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom("name_asc", "name_desc", "created_asc", "created_desc"),
      async (names, limit, order) => {
        await api.delete(`${aliases}?all=true`);
        await api.post(`${aliases}/batch`, { aliases: names.map((alias) => ({ alias, forward })) });
        const paged = [];
        for (let page = 1; page <= Math.ceil(names.length / limit); page += 1) {
          paged.push(...(await namesOf(api, `order=${order}&limit=${limit}&page=${page}`)));
        }
        expect(paged).toEqual(await namesOf(api, `order=${order}&limit=200`));
        expect(paged.toSorted()).toEqual(names.toSorted());
      },
    ),
    { numRuns: process.env["MODE"] === "long" ? 150 : 8 },
  );
});

test("all are deleted only with all=true", async () => {
  const api = await startApi();
  await create(api, "a");
  await create(api, "b");
  for (const query of ["", "?all=", "?all=false", "?all=1", "?all=TRUE"]) {
    expect(refusal(await api.delete(`${aliases}${query}`))).toMatchObject({ status: 400, fields: ["all"] });
  }
  expect(await namesOf(api, "")).toHaveLength(2);
  const deleted = await api.delete(`${aliases}?all=true`);
  expect([deleted.status, deleted.text]).toEqual([200, '{"deleted":2}']);
  expect(await namesOf(api, "")).toEqual([]);
});

test("a plan limits the number of aliases, and batches require a premium plan", async () => {
  const api = await startApi({
    seed: { plan: "free" },
  });
  expect(refusal(await api.post(`${aliases}/batch`, { aliases: [] }))).toMatchObject({ status: 403, fields: [] });
  expect((await api.post(`${aliases}/batch`, [])).status).toBe(403);
  const bulk = await version3(api).post(`${aliases}/bulk`, { aliases: [{ alias: "a", forward }] });
  expect(bulk.status).toBe(403);
  for (let index = 0; index < 25; index += 1) await create(api, `a${index}`);
  expect(refusal(await api.post(aliases, { alias: "one-more", forward }))).toMatchObject({ status: 400, fields: [] });
  for (const behavior of ["update", "delete"]) {
    const answer = await version3(api).post(`${aliases}/bulk`, { aliases: [{ alias: "a1", forward }], behavior });
    expect(answer.status).toBe(200);
  }
});

describe("version 3", () => {
  test("shows numbers and milliseconds, but no time for an alias that was just changed", async () => {
    const api = await startApi({ clock: frozenClock(Date.parse(at)) });
    const v3 = version3(api);
    const { alias } = JSON.parse((await v3.post(aliases, { alias: "Sales", forward })).text);
    expect(alias).toEqual({ id: expect.any(Number), alias: "Sales", forward });
    const shown = { ...alias, created: Date.parse(at) };
    const one = await v3.get(`${aliases}/sales`);
    expect(one.read(aliasResponseV3)).toEqual({ alias: shown, success: true });
    expect((await v3.get(`${aliases}/${alias.id}`)).text).toBe(one.text);
    expect((await v3.get(aliases)).read(aliasListResponseV3)).toEqual({
      aliases: [shown],
      limit: 20,
      page: 1,
      total: 1,
      success: true,
    });
    const put = await v3.put(`${aliases}/sales`, { forward: "bob@example.com" });
    expect(JSON.parse(put.text)).toEqual({ alias: { ...alias, forward: "bob@example.com" }, success: true });
    expect((await v3.delete(`${aliases}/SALES`)).text).toBe('{"success":true}');
    expect((await v3.get(`${aliases}/sales`)).status).toBe(404);
  });

  test("filters by q, by a prefix of the alias, and by is_active", async () => {
    const api = await startApi();
    for (const name of ["Sales", "sales-eu", "resales"]) await create(api, name);
    const listed = async (query: string) =>
      (await version3(api).get(`${aliases}?${query}`)).read(aliasListResponseV3).aliases.map(({ alias }) => alias);
    expect(await listed("q=SALES")).toEqual(["resales", "Sales", "sales-eu"]);
    expect(await listed("alias=sal")).toEqual(["Sales", "sales-eu"]);
    expect(await listed("alias=sal&q=eu&is_active=1")).toEqual(["sales-eu"]);
    expect(await listed("is_active=0")).toEqual([]);
    expect((await version3(api).get(`${aliases}?limit=101`)).status).toBe(400);
  });

  test("renames only by integer id, to a name that is not taken", async () => {
    const api = await startApi();
    const id = await create(api, "sales");
    await create(api, "taken");
    const v3 = version3(api);
    expect((await v3.put(`${aliases}/sales`, { forward, alias: "other" })).status).toBe(400);
    expect((await v3.put(`${aliases}/sales`, { forward, alias: "sales" })).status).toBe(200);
    expect((await v3.put(`${aliases}/${id}`, { forward, alias: "taken" })).status).toBe(400);
    expect((await v3.put(`${aliases}/${id}`, { alias: "other" })).status).toBe(400);
    const renamed = await v3.put(`${aliases}/${id}`, { forward, alias: "other" });
    expect(renamed.read(aliasResponseV3).alias).toEqual({ id: Number(id), alias: "other", forward });
    expect((await v3.get(`${aliases}/sales`)).status).toBe(404);
  });

  test("treats digits as an id first, then as an alias", async () => {
    const api = await startApi();
    const v3 = version3(api);
    const first = await create(api, "2");
    expect((await v3.get(`${aliases}/2`)).read(aliasResponseV3).alias.id).toBe(Number(first));
    const second = await create(api, "b");
    expect(second).toBe("2");
    expect((await v3.get(`${aliases}/2`)).read(aliasResponseV3).alias.alias).toBe("b");
  });

  test("deletes all in two forms", async () => {
    const api = await startApi();
    const v3 = version3(api);
    await create(api, "a");
    expect((await v3.delete(`${aliases}/aliases-all?all=no`)).status).toBe(400);
    expect((await v3.delete(`${aliases}/aliases-all`)).text).toBe('{"success":true}');
    await create(api, "a");
    await create(api, "b");
    expect(JSON.parse((await v3.delete(`${aliases}/aliases-all?all=true`)).text)).toEqual({
      deleted: 2,
      success: true,
    });
    expect((await v3.delete(`${aliases}?all=true`)).status).toBe(404);
  });

  test("adds, updates and deletes in bulk; failed entries do not affect the others", async () => {
    const api = await startApi({ clock: frozenClock(Date.parse(at)) });
    const v3 = version3(api);
    const taken = Number(await create(api, "taken"));
    const bulk = `${aliases}/bulk`;
    const added = await v3.post(bulk, {
      aliases: [
        { alias: "new", forward },
        { alias: "taken", forward },
        { alias: "no forward" },
        { alias: "new", forward },
      ],
    });
    expect(added.status).toBe(200);
    const id = taken + 1;
    expect(added.read(aliasesChangedResponse)).toEqual({
      added: [{ alias: "new", forward, id }],
      updated: [],
      failed: [
        { alias: "taken", forward, id: taken },
        { alias: "no forward", forward: null, id: null },
        { alias: "new", forward, id },
      ],
      success: true,
    });
    const to = "bob@example.com";
    const updated = await v3.post(bulk, {
      aliases: [
        { alias: "NEW", forward: to },
        { alias: "missing", forward: to },
        { alias: "taken", forward: "x" },
      ],
      behavior: "update",
    });
    expect(updated.read(aliasesChangedResponse)).toEqual({
      added: [],
      updated: [{ alias: "new", forward: to, id }],
      failed: [
        { alias: "missing", forward: to, id: null },
        { alias: "taken", forward: "x", id: taken },
      ],
      success: true,
    });
    const deleted = await v3.post(bulk, { aliases: [{ alias: "new" }, { alias: "new" }], behavior: "delete" });
    expect(deleted.read(aliasesDeletedResponse)).toEqual({
      deleted: [{ alias: "new", forward: to, id, created: Date.parse(at) }],
      failed: [{ alias: "new" }],
      success: true,
    });
    const many = Array.from({ length: 501 }, (_, index) => ({ alias: `a${index}`, forward }));
    expect((await v3.post(bulk, { aliases: many })).status).toBe(400);
    for (const wrong of [{}, { aliases: "a" }, { aliases: [7] }, { aliases: [], behavior: "replace" }]) {
      expect((await v3.post(bulk, wrong)).status).toBe(400);
    }
  });

  test("sees the results of version 4's batches, under its own prefix too", async () => {
    const api = await startApi();
    const v3 = version3(api);
    const { added } = (await v3.post(`${aliases}/batch`, { aliases: [{ alias: "a", forward }] })).read(
      aliasesAddedResponse,
    );
    expect(added[0]).toMatchObject({ id: expect.any(String), created_at: expect.stringContaining("Z") });
    expect((await v3.get(`${aliases}/a`)).read(aliasResponseV3).alias.id).toBe(Number(added[0]?.id));
  });
});
