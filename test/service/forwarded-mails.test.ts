import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { type CapturedMail, frozenClock, type Seed } from "../../src/service/index.js";
import { type Api, startApi, temporaryFolder } from "./harness.js";
import { sendTo } from "./inbound/smtp.js";

const ada = "ada@shop.example";

const seed: Seed = {
  domains: [
    {
      name: "example.test",
      aliases: [
        { alias: "sales", forward: ada },
        { alias: "team", forward: `${ada}, hard-bounce@example.com` },
      ],
      credentials: [{ username: "app", password: "secret" }],
    },
  ],
};

async function mails(api: Api, query: string): Promise<{ mails: CapturedMail[]; total: number; last: number }> {
  return JSON.parse((await api.request(`/local/mails?${query}`)).text);
}

const subjects = async (api: Api, query: string) => (await mails(api, query)).mails.map(({ subject }) => subject);

const send = (api: Api, subject: string) =>
  api.post("/domains/example.test/emails/outbound", { from: "shop", to: "grace@example.com", subject, text: "x" });

async function receive(api: Api, subject: string, to = "sales@example.test"): Promise<void> {
  const before = api.service.mail.total("forwarded");
  expect(await sendTo(api.service.smtpPort, { to, subject })).toMatch(/^250/);
  await expect.poll(() => api.service.mail.total("forwarded")).toBeGreaterThan(before);
}

/** The names of the files in the folder for mail and its subfolder. */
async function files(data: string): Promise<string[]> {
  const names = await readdir(join(data, "mail"), { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes(".")).toSorted();
}

test("forwarded emails are listed, counted, followed and deleted apart from sent ones, or with them", async () => {
  const api = await startApi({ seed });
  const { last } = await mails(api, "");
  const next = mails(api, `folder=all&after=${last}&wait=30000`);
  await receive(api, "In");
  expect((await next).mails).toMatchObject([{ subject: "In", receivedBy: "sales@example.test" }]);
  await send(api, "Out");
  expect(await subjects(api, "newest=10")).toEqual(["Out"]);
  expect(await subjects(api, "folder=forwarded&newest=10")).toEqual(["In"]);
  expect(await subjects(api, "folder=all&newest=10")).toEqual(["Out", "In"]);
  expect(await subjects(api, "folder=all&after=0")).toEqual(["In", "Out"]);
  expect(await subjects(api, "folder=forwarded&after=0&to=ADA@shop.example")).toEqual(["In"]);
  const totals = ["sent", "forwarded", "all"].map(async (folder) => (await mails(api, `folder=${folder}`)).total);
  expect(await Promise.all(totals)).toEqual([1, 1, 2]);

  const deletion = await api.request("/local/mails?folder=forwarded", { method: "DELETE" });
  expect(JSON.parse(deletion.text)).toEqual({ deleted: 1 });
  expect(await subjects(api, "folder=all&newest=10")).toEqual(["Out"]);
  await receive(api, "Again");
  expect(JSON.parse((await api.request("/local/mails", { method: "DELETE" })).text)).toEqual({ deleted: 2 });
  expect((await api.request("/local/mails?folder=spam", { method: "DELETE" })).status).toBe(400);
});

test("a forwarded email has its destination as recipient, the events of its own delivery, and a page", async () => {
  const api = await startApi({ seed });
  await receive(api, "Question", "team@example.test");
  const [mail] = (await mails(api, "folder=forwarded&after=0")).mails;
  const opened = JSON.parse((await api.request(`/local/mails/${mail?.id}`)).text);
  expect(opened).toMatchObject({
    receivedBy: "team@example.test",
    to: [{ email: "team@example.test" }],
    bcc: [],
    recipients: [{ email: ada, status: "DELIVERED" }],
  });
  expect(opened.recipients[0].events.map(({ status }: { status: string }) => status)).toEqual(["QUEUED", "DELIVERED"]);
  expect((await api.get(`/domains/example.test/logs/${opened.receivedAs}`)).status).toBe(200);
  const page = await api.request(`/mail/${mail?.id}/source`);
  expect(page.headers.get("location")).toBe(`/#/inbox/${mail?.id}?folder=forwarded&part=source`);
  expect(JSON.parse((await api.request("/local/service")).text)).toMatchObject({ smtpPort: api.service.smtpPort });
});

test("an opened email has the sender that recipients see, which may differ from the envelope's", async () => {
  const api = await startApi({ seed });
  const { smtpPort, mail } = api.service;
  const transport = createTransport({ host: "127.0.0.1", port: Number(smtpPort), tls: { rejectUnauthorized: false } });
  const header = "Mail Delivery System <postmaster@shop.example>";
  for (const from of ["bounces+17@mailer.example", ""]) {
    const envelope = { from, to: "sales@example.test" };
    await transport.sendMail({ envelope, from: header, to: "sales@example.test", subject: "News", text: "Hi" });
  }
  transport.close();
  await expect.poll(() => mail.total("forwarded")).toBe(2);
  const listed = mail.list({ folder: "forwarded" });
  expect(new Set(listed.map(({ from }) => from.email))).toEqual(new Set(["", "bounces+17@mailer.example"]));
  for (const { id } of listed) expect((await mail.open(id))?.from.email).toBe("postmaster@shop.example");
});

test("what tells a sender that a delivery failed is shown as it is, not as the email that failed", async () => {
  const api = await startApi({ seed });
  await receive(api, "Question", "team@example.test");
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(2);
  const [notice] = (await mails(api, "folder=forwarded&after=0&to=bob@shop.example")).mails;
  expect(notice).toMatchObject({
    from: { name: "Mail Delivery System" },
    subject: "Undelivered mail returned to sender",
    receivedBy: "team@example.test",
  });
  const opened = await api.service.mail.open(notice?.id ?? "");
  const named = opened?.headers.filter(({ name }) => name === "From" || name === "Subject");
  expect(named?.map(({ value }) => value)).toEqual([
    `${notice?.from.name} <${notice?.from.email}>`,
    "Undelivered mail returned to sender",
  ]);
});

test("emails that came by SMTP have files, also those of which the service was stopped before it wrote them", async () => {
  const data = join(await temporaryFolder(), "data");
  const first = await startApi({ seed, data });
  await receive(first, "Question");
  const forwardedId = first.service.mail.list({ folder: "forwarded" })[0]?.id ?? "";
  await first.service.close();

  const second = await startApi({ data });
  await expect.poll(() => files(data)).toEqual([`forwarded/${forwardedId}.eml`, `forwarded/${forwardedId}.txt`]);
  expect(await readFile(join(data, "mail/forwarded", `${forwardedId}.eml`), "utf8")).toMatch(
    /^Delivered-To: sales@example\.test\r\n/,
  );
  expect(await readFile(join(data, "mail/forwarded", `${forwardedId}.txt`), "utf8")).toContain("Hello");

  expect((await second.request(`/local/mails/${forwardedId}`, { method: "DELETE" })).status).toBe(204);
  expect(await files(data)).toEqual([]);
});

test("an email that an application submitted has files next to those of the API", async () => {
  const data = join(await temporaryFolder(), "data");
  const api = await startApi({ seed, data });
  await api.post("/domains/example.test/verify", {});
  const transport = createTransport({
    host: "127.0.0.1",
    port: Number(api.service.smtpPort),
    auth: { user: "app@example.test", pass: "secret" },
    tls: { rejectUnauthorized: false },
  });
  await transport.sendMail({ from: "shop@example.test", to: ada, subject: "Receipt", html: "<p>Paid</p>" });
  transport.close();
  const id = api.service.mail.list()[0]?.id ?? "";
  await expect.poll(() => files(data)).toEqual([`${id}.eml`, `${id}.html`]);
  await api.request("/local/mails?folder=sent", { method: "DELETE" });
  expect(await files(data)).toEqual([]);
});

test("files of forwarded emails are removed with the log entries that they were received with", async () => {
  const clock = frozenClock(Date.parse("2026-11-20T10:00:00Z"));
  const data = join(await temporaryFolder(), "data");
  const api = await startApi({ seed, data, clock });
  await receive(api, "Old");
  await expect.poll(async () => (await files(data)).length).toBe(2);
  clock.advance(31 * 24 * 60 * 60 * 1_000);
  await receive(api, "Young");
  const [young] = api.service.mail.list({ folder: "forwarded" });
  await expect.poll(() => files(data)).toEqual([`forwarded/${young?.id}.eml`, `forwarded/${young?.id}.txt`]);
  expect(await subjects(api, "folder=forwarded&newest=10")).toEqual(["Young"]);
});
