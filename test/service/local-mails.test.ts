import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CapturedMail } from "../../src/service/index.js";
import { type Api, refusal, startApi, temporaryFolder } from "./harness.js";

const send = (api: Api, body: Record<string, unknown> = {}) =>
  api.post("/domains/example.test/emails/outbound", {
    from: "a",
    to: "ada@example.com",
    subject: "s",
    text: "t",
    ...body,
  });

async function mails(
  api: Api,
  query: string,
): Promise<{ mails: CapturedMail[]; last: number; total: number; deletions: number }> {
  return JSON.parse((await api.request(`/local/mails?${query}`)).text);
}

test("the newest emails are listed newest first, up to the requested number", async () => {
  const api = await startApi();
  for (const subject of ["1", "2", "3"]) await send(api, { subject });
  const { mails: newest, last } = await mails(api, "newest=2");
  expect(newest.map(({ subject }) => subject)).toEqual(["3", "2"]);
  expect(last).toBe(newest[0]?.seq);
  expect(refusal(await api.request("/local/mails?newest=0")).fields).toEqual(["newest"]);
  expect(refusal(await api.request("/local/mails?after=0&wait=60000")).fields).toEqual(["wait"]);
});

test("a request waits for the next email, or for the next to an address", async () => {
  const api = await startApi();
  const any = mails(api, "after=0&wait=30000");
  const toGrace = mails(api, "after=0&wait=30000&to=GRACE@example.com");
  await send(api);
  expect((await any).mails).toMatchObject([{ subject: "s" }]);
  await send(api, { to: "grace@example.com", subject: "for her" });
  expect((await toGrace).mails).toMatchObject([{ subject: "for her" }]);
  const { last } = await mails(api, "");
  expect(await mails(api, `after=${last}&wait=1`)).toEqual({ mails: [], last, total: 2, deletions: 0 });
});

test("a waiting client does not delay closing the service", async () => {
  const api = await startApi();
  const waiting = mails(api, "after=0&wait=30000");
  await mails(api, "");
  const start = performance.now();
  await api.service.close();
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(await waiting).toMatchObject({ mails: [], last: 0 });
});

test("an email is returned with everything except its source and file contents, with the template it was rendered from", async () => {
  const api = await startApi();
  await api.post("/domains/example.test/templates", {
    name: "hello",
    subject: "Hello {{name}}",
    html_body: "<p>{{name}}</p>",
  });
  const attachments = [{ filename: "a.txt", content: btoa("Hello") }];
  const made = await send(api, {
    template: "hello",
    variables: { name: "Ada", list: [1] },
    attachments,
    subject: undefined,
    text: undefined,
  });
  const { id } = JSON.parse(made.text);
  expect(JSON.parse((await api.request(`/local/mails/${id}`)).text)).toMatchObject({
    id,
    subject: "Hello Ada",
    html: "<p>Ada</p>",
    to: [{ email: "ada@example.com", name: null }],
    attachments: [{ filename: "a.txt", contentType: "text/plain", bytes: 5 }],
    madeFrom: { template: "hello", variables: { name: "Ada", list: [1] } },
    recipients: [{ email: "ada@example.com", status: "DELIVERED" }],
  });
  const plain = JSON.parse((await send(api)).text);
  expect(JSON.parse((await api.request(`/local/mails/${plain.id}`)).text)).not.toHaveProperty("madeFrom");
  expect((await api.request("/local/mails/1.none")).status).toBe(404);
});

const files = async (folder: string): Promise<string[]> => {
  const written = await readdir(join(folder, "mail")).catch(() => []);
  return written.toSorted((a, b) => (a < b ? -1 : 1));
};

test("a deleted email is gone with its files, and its log entries stay", async () => {
  const data = join(await temporaryFolder(), "data");
  const api = await startApi({ data });
  const attachments = [{ filename: "a.txt", content: btoa("Hello") }];
  const { id } = JSON.parse(
    (await send(api, { to: ["ada@example.com", "soft-bounce@example.com"], attachments })).text,
  );
  const other = JSON.parse((await send(api)).text);
  const [, mail] = (await mails(api, "newest=2")).mails;
  const second = mail?.recipients[1]?.logId ?? "";
  await expect.poll(() => files(data)).toEqual([`${id}.eml`, `${id}.txt`, `${other.id}.eml`, `${other.id}.txt`]);
  const logged = async (log: string) => (await api.get(`/domains/example.test/logs/${log}`)).text;
  const before = await Promise.all([logged(id), logged(second)]);

  const waiting = mails(api, `after=${(await mails(api, "")).last}&deletions=0&wait=30000`);
  // By the log id of any recipient.
  expect((await api.request(`/local/mails/${second}`, { method: "DELETE" })).status).toBe(204);
  expect(await waiting).toMatchObject({ mails: [], total: 1, deletions: 1 });
  for (const path of [`/local/mails/${id}`, `/mail/${id}`, `/mail/${id}/attachments/1`, `/mail/${id}/message.eml`])
    expect((await api.request(path)).status).toBe(404);
  expect((await api.request(`/local/mails/${id}`, { method: "DELETE" })).status).toBe(404);
  expect(await files(data)).toEqual([`${other.id}.eml`, `${other.id}.txt`]);
  expect(await Promise.all([logged(id), logged(second)])).toEqual(before);
  // Its future events still happen.
  api.service.clock.advance(3_600_000);
  expect(await logged(second)).toContain("DELIVERED");
});

test("a wait also ends when a domain is deleted with its emails", async () => {
  const api = await startApi();
  await send(api);
  const waiting = mails(api, `after=${(await mails(api, "")).last}&deletions=0&wait=30000`);
  await api.delete("/domains/example.test");
  expect(await waiting).toMatchObject({ mails: [], total: 0, deletions: 1 });
});

test("all emails are deleted, even while they are being filed, and later ones are kept", async () => {
  const data = join(await temporaryFolder(), "data");
  const api = await startApi({ data });
  const { last } = await mails(api, "");
  await Promise.all(Array.from({ length: 40 }, () => send(api)));
  const newest = (await mails(api, "newest=1")).last;
  expect(JSON.parse((await api.request("/local/mails", { method: "DELETE" })).text)).toEqual({ deleted: 40 });
  expect(await mails(api, `after=${last}`)).toMatchObject({ mails: [], last: 0, total: 0, deletions: 1 });
  expect(JSON.parse((await api.get("/domains/example.test/logs/count")).text)).toEqual({ total: 40 });
  const { id } = JSON.parse((await send(api, { subject: "next" })).text);
  const [next] = (await mails(api, `after=${newest}`)).mails;
  expect(next).toMatchObject({ id, subject: "next" });
  await expect.poll(() => files(data)).toEqual([`${id}.eml`, `${id}.txt`]);
});
