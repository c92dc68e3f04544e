import { expect } from "vitest";
import type { Api } from "../api.js";
import type { Version } from "../inventory.js";
import { sentence } from "../sentence.js";
import type { World } from "../world.js";

interface List {
  readonly version: Version;
  readonly resource: "domains" | "aliases" | "rules" | "credentials";
  readonly quotation: string;
  readonly size: number;
  readonly max: number;
}

const pageSizes = 'v4 part 8: "default 20, max 200 (domains, aliases, rules, credentials, search)"';

const lists: readonly List[] = [
  ...(["domains", "aliases", "rules", "credentials"] as const).map((resource): List => ({
    version: "v4",
    resource,
    quotation: pageSizes,
    size: 20,
    max: 200,
  })),
  { version: "v3", resource: "domains", quotation: 'v3 part 8: "domains default 50 max 100"', size: 50, max: 100 },
  { version: "v3", resource: "aliases", quotation: 'v3 part 8: "aliases default 20 max 100"', size: 20, max: 100 },
  { version: "v3", resource: "rules", quotation: 'v3 part 8: "rules default 100 max 100"', size: 100, max: 100 },
  {
    version: "v3",
    resource: "credentials",
    quotation: 'v3 part 8: "credentials default 20 max 200"',
    size: 20,
    max: 200,
  },
];

/** Makes sure that there are at least two items. */
const additions: Readonly<Record<List["resource"], (api: Api) => Promise<unknown>>> = {
  domains: async () => undefined,
  aliases: async (api) => {
    const aliases = ["a", "b", "c"].map((alias) => ({ alias, forward: "ada@example.com" }));
    await api("POST /domains/:domain/aliases/batch", { body: { aliases } });
  },
  rules: async (api) => {
    const rules = ["a", "b", "c"].map((alias) => ({ type: "alias", config: { alias, forward: "ada@example.com" } }));
    await api("POST /domains/:domain/rules/batch", { body: { rules } });
  },
  credentials: async (api) => {
    for (const username of ["a", "b", "c"]) {
      await api("POST /domains/:domain/credentials", { body: { username, password: "correct horse" } });
    }
  },
};

for (const { version, resource, quotation, size, max } of lists) {
  const id = `${version} ${resource}.list`;
  // In version 3, lists of credentials do not report their page.
  const says = version === "v4" || resource !== "credentials";
  const covers = [
    `${id} query {limit*,page*}`,
    `${id} 400 parameter`,
    ...(says ? [`${id} answer {limit,page,total}`] : []),
  ];
  sentence(`${quotation}: ${resource}`, covers, async (world: World) => {
    const api = world[version];
    await additions[resource](world.v4);
    const line = `GET ${resource === "domains" ? "/domains" : `/domains/:domain/${resource}`}`;
    const whole = await api(line);
    const all = whole[resource];
    expect(all.length).toBeGreaterThan(1);
    if (says) expect(whole).toMatchObject({ limit: size, page: 1, total: all.length });
    expect((await api(line, { query: { limit: max } }))[resource]).toEqual(all);
    for (const query of [{ limit: max + 1 }, { limit: 0 }, { limit: "many" }, { page: 0 }, { page: 1.5 }]) {
      await api.refused(400, line, { query });
    }
    for (const [index, each] of all.entries()) {
      const page = await api(line, { query: { limit: 1, page: index + 1 } });
      expect(page[resource]).toEqual([each]);
      if (says) expect(page).toMatchObject({ limit: 1, page: index + 1, total: all.length });
    }
    expect((await api(line, { query: { limit: max, page: 2 } }))[resource]).toEqual([]);
  });
}
