import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeFolder, repository, write } from "../registry/templates.js";
import { compile } from "./application.js";

const start = `
import { createClient, readTimestamp, type Alias, type Client, type ClientV3, type LogEntryV3, type LogStatus, type NewRule, type Rule } from "lettershop/api";
const options = { apiKey: "key-of-the-test", baseUrl: "https://api.example.com" };
export const v4: Client = createClient(options);
export const same: Client = createClient({ ...options, version: "v4" });
export const v3: ClientV3 = createClient({ ...options, version: "v3" });
const name = "example.com";
`;

const right = `${start}
const settings: { version: "v3" | "v4" } = { version: "v3" };
export const either: Client | ClientV3 = createClient({ ...options, ...settings });
const cel: NewRule = { type: "cel", config: { expression: "true", forward: "ada@example.org" } };
export function forwardOf(rule: Rule): string {
  switch (rule.type) {
    case "alias": return rule.config.alias;
    case "regex": return rule.config.scopes.join();
    case "cel": return rule.config.expression;
    default: return rule.type + Object.keys(rule.config).join();
  }
}
interface Order {
  number: string;
}
export async function callAll(): Promise<readonly Alias[]> {
  for await (const { domain } of v4.domains.list({ order: "created_asc", whitelabel: null }, { signal: AbortSignal.timeout(9) })) console.log(domain);
  for await (const { display } of v3.domains.list({ active: true })) console.log(display);
  await v4.rules.create(name, cel);
  await v4.rules.create(name, { type: "regex", config: { regex: "a", scopes: ["body"], forward: "ada@example.org" } });
  const rule = { type: "regex", config: { regex: "a", scopes: ["body"], forward: "ada@example.org" } } as const;
  await v4.rules.create(name, rule);
  const read = await v4.rules.get(name, "id");
  await v4.rules.update(name, read.id, { config: { ...read.config, forward: "ada@example.org" } });
  await v4.rules.createMany("other.example", [read]);
  if (read.type === "regex" && read.config.scopes.includes("body")) console.log(read.config.regex.length);
  const variables: { order: Order } = { order: { number: "7" } };
  const to: readonly string[] = ["ada@example.org"];
  await v4.emails.send(name, { from: "shop", to, template: "receipt", variables });
  await v4.aliases.update(name, 7, { forward: "ada@example.org" });
  await v4.aliases.update(name, "7", { forward: "ada@example.org" });
  await v4.aliases.deleteMany(name, [7, "8"]);
  await v3.aliases.deleteMany(name, [7]);
  await v4.aliases.deleteAll(name, { all: true }, { timeoutMs: 9 });
  await v3.aliases.update(name, 7, { forward: "ada@example.org", alias: "info" });
  const { success, records } = await v3.domains.check(name);
  if (!success) console.log(records.error?.trim());
  const entries: LogEntryV3[] = [];
  for await (const entry of v3.logs.search(name, { after: new Date(0), before: 9, order: "asc" })) entries.push(entry);
  entries.map(({ created }) => readTimestamp(created).getTime());
  for await (const template of v4.templates.list(name)) console.log(template.name);
  const [first] = await v3.templates.list(name);
  console.log(first?.subject);
  const { added, failed } = await v4.aliases.createMany(name, [{ alias: "info", forward: "ada@example.org" }]);
  console.log(failed[0]?.index);
  return added;
}
`;

/** Each line is wrong, and the compiler says so. */
const wrong = [
  // What only the other version has.
  "v4.account.whitelabels();",
  "v4.domains.check(name);",
  'v4.aliases.bulk(name, "add", []);',
  'v4.logs.ofAlias(name, "info");',
  "v3.domains.verify(name);",
  'v3.logs.searchPage(name, "text");',
  "v3.domains.list({ sendReady: true });",
  "export const mixed: ClientV3 = createClient(options);",
  'createClient({ ...options, version: "v2" });',
  // Rules.
  'v4.rules.create(name, { type: "regex", config: { expression: "true", forward: "a@example.org" } });',
  'v4.rules.create(name, { type: "alias", config: { alias: "info" } });',
  'v4.rules.create(name, { type: "glob", config: { alias: "info", forward: "a@example.org" } });',
  'v4.rules.create(name, { type: "regex", config: { regex: "a", scopes: ["header"], forward: "a@example.org" } });',
  'v3.rules.create(name, { type: "cel", config: { regex: "a", scopes: ["body"], forward: "a@example.org" } });',
  'v4.rules.createMany(name, [{ type: "cel", config: { alias: "info", forward: "a@example.org" } }]);',
  'v4.rules.update(name, "id", { rank: 2 });',
  'v4.rules.update(name, "id", { config: { regex: "a", forward: "a@example.org" } });',
  'v4.rules.update(name, "id", { config: { alias: "a", expression: "true", forward: "a@example.org" } });',
  'v4.rules.updateMany(name, [{ id: "id", config: { alias: "a", regex: "a", forward: "a@example.org" } }]);',
  'v3.rules.bulk(name, "add", [{ id: "id" }]);',
  'v3.rules.bulk(name, "delete", [{ config: {} }]);',
  'v4.rules.update(name, "id", { config: { source: "true", forward: "a@example.org" } });',
  // Values that the document does not list.
  'v4.rules.get(name, "id").then((rule) => (rule.type === "script" ? rule : undefined));',
  'v4.logs.get(name, "1.a").then(({ events }): LogStatus[] => events.map(({ status }) => status));',
  // Ids.
  "v4.rules.get(name, 7);",
  "v4.rules.deleteMany(name, [7]);",
  'v4.aliases.updateMany(name, [{ forward: "a@example.org" }]);',
  'v3.aliases.update(name, "info", { forward: "a@example.org", alias: "hello" });',
  // Guards.
  "v4.aliases.deleteAll(name);",
  "v4.aliases.deleteAll(name, {});",
  "v4.aliases.deleteAll(name, { signal: AbortSignal.timeout(9) });",
  "v4.rules.deleteAll(name, { all: false });",
  "v3.rules.deleteAll(name, true);",
  // Orders, filters, names.
  'v4.domains.list({ order: "rank_asc" });',
  'v4.aliases.list(name, { order: "name" });',
  'v4.rules.list(name, { order: "name_asc" });',
  'v4.logs.list(name, { order: "relevance" });',
  'v4.logs.list(name, { status: "LOST" });',
  'v4.logs.count(name, { transport: "fax" });',
  "v3.logs.search(name, { after: new Date() });",
  'v3.logs.search(name, { after: 1, before: 2, order: "created_asc" });',
  'v4.domains.list({ q: "example" });',
  "v4.domains.update(name, { domain: name });",
  'v4.credentials.create(name, { username: "robot" });',
  'v4.emails.send(name, { from: "a", subject: "s" });',
  "v4.account.get({ timeout: 9 });",
];

test("right calls compile, and each wrong one is an error", async () => {
  const folder = await makeFolder();
  await symlink(path.join(repository, "node_modules", "@types"), path.join(folder, "node_modules/@types"), "junction");
  await write(folder, {
    "package.json": JSON.stringify({ name: "application", private: true, type: "module" }),
    "node_modules/lettershop/package.json": JSON.stringify({
      name: "lettershop",
      type: "module",
      exports: { "./api": { types: "./dist/api/index.d.ts" } },
    }),
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "ES2023",
        module: "NodeNext",
        strict: true,
        skipLibCheck: true,
        types: ["node"],
        noEmit: true,
      },
      include: ["src"],
    }),
    "src/right.ts": right,
    "src/wrong.ts": `${start}${wrong.join("\n")}\n`,
  });
  await symlink(path.join(repository, "dist"), path.join(folder, "node_modules/lettershop/dist"), "junction");
  const before = start.split("\n").length;
  const complaints = (await compile({ folder })).map((complaint) => complaint.replace(/ TS\d+$/, ""));
  expect([...new Set(complaints)]).toEqual(wrong.map((_, i) => `src/wrong.ts:${before + i}`));
});
