import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  credentialAddedResponse as credentialAddedResponseV3,
  credentialListResponse as credentialListResponseV3,
  credentialResponse as credentialResponseV3,
} from "../../src/api/contract/v3/credentials.js";
import {
  credentialAddedResponse,
  credentialListResponse,
  credentialResponse,
} from "../../src/api/contract/v4/credentials.js";
import { logIn, maySubmit } from "../../src/service/credentials.js";
import { frozenClock, runningClock, startService } from "../../src/service/index.js";
import { openStore, type Store } from "../../src/service/store/store.js";
import { startDnsServer } from "./dns-server.js";
import { apiOf, refusal, startApi, temporaryFolder } from "./harness.js";
import { version3 } from "./version-3.js";
import { processorTime } from "../processor-time.js";

const path = "/domains/example.test/credentials";
const start = Date.parse("2026-11-20T10:00:00.900Z");

test("both versions add, list, change and delete the same credentials", async () => {
  const api = await startApi({ clock: frozenClock(start) });
  const v3 = version3(api);
  const first = await api.post(path, { username: "Newsletter", password: "one" });
  expect(first.status).toBe(200);
  expect(JSON.parse(first.text)).toEqual({
    credential: { username: "Newsletter", usage: 0, created_at: "2026-11-20T10:00:00Z" },
    requires_new_mx_check: true,
  });
  const second = await v3.post(path, { username: "app", password: "two" });
  expect(JSON.parse(second.text)).toEqual({
    credential: { username: "app", usage: 0, created: start },
    requires_new_mx_check: false,
    success: true,
  });
  expect((await api.get(path)).read(credentialListResponse)).toMatchObject({
    credentials: [{ username: "app" }, { username: "Newsletter" }],
    limit: 20,
    page: 1,
    total: 2,
  });
  expect((await api.get(`${path}?limit=1&page=2`)).read(credentialListResponse)).toMatchObject({
    credentials: [{ username: "Newsletter" }],
    total: 2,
  });
  expect(JSON.parse((await v3.get(`${path}?limit=1`)).text)).toEqual({
    credentials: [{ username: "app", usage: 0, created: start }],
    success: true,
  });
  expect((await api.put(`${path}/app`, { password: "three" })).read(credentialResponse).credential.username).toBe(
    "app",
  );
  expect((await v3.put(`${path}/NEWSLETTER`, { password: "x" })).read(credentialResponseV3).credential.username).toBe(
    "Newsletter",
  );
  expect((await api.delete(`${path}/app`)).status).toBe(204);
  expect(JSON.parse((await v3.delete(`${path}/newsletter`)).text)).toEqual({ success: true });
  expect((await v3.get(path)).read(credentialListResponseV3).credentials).toEqual([]);
  // The next one counts as the first again.
  const again = await v3.post(path, { username: "app", password: "two" });
  expect(again.read(credentialAddedResponseV3).requires_new_mx_check).toBe(true);
});

test.each([
  [{}, ["username", "password"]],
  [{ username: "", password: "" }, ["username", "password"]],
  [{ username: "a@example.test", password: "x" }, ["username"]],
  [{ username: "a b", password: "x" }, ["username"]],
  [{ username: 7, password: 7 }, ["username", "password"]],
  [{ username: "a", password: null }, ["password"]],
  [{ username: "a", password: "é".repeat(513) }, ["password"]],
  [{ username: "a", password: "a\0b" }, ["password"]],
  [{ username: "a", password: "\ud800" }, ["password"]],
])("%j is refused without quoting the password", async (body, fields) => {
  const answer = await (await startApi()).post(path, body);
  expect(refusal(answer)).toMatchObject({ status: 400, fields });
});

test("a password may be any text of up to 1,024 bytes", async () => {
  const api = await startApi();
  for (const [index, password] of [" ", "é".repeat(512), "🔑", '"\\\n'].entries()) {
    expect((await api.post(path, { username: `u${index}`, password })).status).toBe(200);
  }
});

test("a user name is taken case-insensitively", async () => {
  const api = await startApi();
  await api.post(path, { username: "app", password: "one" });
  expect(refusal(await api.post(path, { username: "APP", password: "two" }))).toEqual({
    status: 400,
    message: "username is already taken by another credential",
    fields: ["username"],
  });
  expect((await api.get(path)).read(credentialListResponse).total).toBe(1);
});

test("unknown credentials are not found", async () => {
  const api = await startApi();
  expect(refusal(await api.put(`${path}/none`, { password: "x" }))).toMatchObject({ status: 404, fields: [] });
  expect((await api.delete(`${path}/none`)).status).toBe(404);
  await api.post(path, { username: "app", password: "one" });
  expect(refusal(await api.put(`${path}/app`, {}))).toMatchObject({ status: 400, fields: ["password"] });
  expect(refusal(await api.get(`${path}?limit=201&page=0`))).toMatchObject({ status: 400, fields: ["limit", "page"] });
  expect((await api.get(`${path}/app`)).status).toBe(404);
});

test("of credentials added at the same time, exactly one is the first", async () => {
  const api = await startApi();
  const answers = await Promise.all(
    ["a", "b", "c", "a"].map((username) => api.post(path, { username, password: username })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 400]);
  const added = answers.filter(({ status }) => status === 200).map((answer) => answer.read(credentialAddedResponse));
  expect(added.filter(({ requires_new_mx_check }) => requires_new_mx_check)).toHaveLength(1);
});

test("a free account has no credentials", async () => {
  const api = await startApi({ seed: { plan: "free" } });
  const v3 = version3(api);
  const answers = [
    await api.get(path),
    await api.post(path, {}),
    await api.put(`${path}/a`, {}),
    await api.delete(`${path}/a`),
    await v3.get(path),
    await v3.post(path, {}),
    await v3.put(`${path}/a`, {}),
    await v3.delete(`${path}/a`),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 403));
});

test("passwords are stored only as salted scrypt hashes, and can log in", async () => {
  const data = await temporaryFolder();
  const service = await startService({ data, port: 0, limits: false });
  const api = apiOf(service);
  const password = "correct horse battery staple";
  for (const username of ["app", "twin"]) await api.post(path, { username, password });
  await service.close();
  for (const file of ["service.db"]) expect(await readFile(join(data, file), "latin1")).not.toContain(password);

  const store = await openStore(join(data, "service.db"), runningClock());
  const domain = domainOf(store);
  const hashes = ["app", "twin"].map((username) => store.credentials.find(domain.id, username)?.passwordHash);
  expect(hashes[0]).toMatch(/^scrypt\$16384\$8\$1\$[\w+/]{22}==\$[\w+/]{43}=$/);
  expect(hashes[0]).not.toBe(hashes[1]);
  expect(await logIn(store, domain, "APP", password)).toMatchObject({ username: "app" });
  expect(await logIn(store, domain, "app", `${password} `)).toBeUndefined();
  expect(await logIn(store, domain, "none", password)).toBeUndefined();
  expect(await logIn(store, undefined, "app", password)).toBeUndefined();

  const time = (username: string) =>
    processorTime(async () => {
      for (let count = 0; count < 5; count += 1) await logIn(store, domain, username, "wrong");
    });
  await time("app");
  // If unknown names cost no hash, these would be some 40 ms apart.
  expect(await time("none")).toBeGreaterThan((await time("app")) / 4);
  store.close();
});

test("a domain's first credential blocks sending by SMTP until a check finds DKIM and DMARC", async () => {
  const data = await temporaryFolder();
  const dns = await startDnsServer({});
  const may = async () => {
    const store = await openStore(join(data, "service.db"), runningClock());
    const allowed = maySubmit(domainOf(store));
    store.close();
    return allowed;
  };
  const during = async (call: (api: ReturnType<typeof apiOf>) => Promise<unknown>) => {
    const service = await startService({ data, port: 0, dns: { servers: [dns.address] } });
    await call(apiOf(service));
    await service.close();
    return await may();
  };
  const verify = (api: ReturnType<typeof apiOf>) => api.post("/domains/example.test/verify", {});

  expect(await during(verify)).toBe(true);
  expect(await during((api) => api.post(path, { username: "a", password: "a" }))).toBe(false);
  dns.zone = {
    "ls1._domainkey.example.test CNAME": ["dkim1.service.test"],
    "ls2._domainkey.example.test CNAME": ["dkim2.service.test"],
  };
  expect(await during(verify)).toBe(false);
  dns.zone = { ...dns.zone, "_dmarc.example.test TXT": ["v=DMARC1; p=none"] };
  expect(await during((api) => version3(api).get("/domains/example.test/check"))).toBe(true);
  dns.zone = {};
  // Only a first credential blocks again.
  expect(await during(verify)).toBe(true);
  expect(await during((api) => api.post(path, { username: "b", password: "b" }))).toBe(true);
});

test("a banned domain may not send by SMTP, whatever its DNS", async () => {
  const data = await temporaryFolder();
  const service = await startService({ data, port: 0, seed: { domains: [{ name: "example.test", banned: true }] } });
  await service.close();
  const store = await openStore(join(data, "service.db"), runningClock());
  expect(maySubmit(domainOf(store))).toBe(false);
  store.close();
});

function domainOf(store: Store) {
  const account = store.accounts.findByKey("local");
  const domain = account && store.domains.find(account.id, "example.test");
  if (!domain) throw new Error("The seed has this domain.");
  return domain;
}
