import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { MailSummary } from "../../src/preview/contract.js";
import type { InboxAccess } from "../../src/preview/server/preview-access.js";
import { type RunningService, type Seed, startService } from "../../src/service/index.js";
import { createMailer } from "../../src/send/index.js";
import { mailAccess, nobodysAddress } from "./mail-access.js";
import { PreviewedProject } from "./server/harness.js";

async function serve(project: PreviewedProject, port = 0, seed?: Seed): Promise<RunningService> {
  const data = path.join(project.folder, ".lettershop");
  const service = await startService({ data, port, limits: false, ...(seed && { seed }) });
  onTestFinished(() => service.close());
  return service;
}

function send(service: RunningService, body: Record<string, unknown>): Promise<Response> {
  return fetch(`${service.url}/v4/domains/example.test/emails/outbound`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("api:local")}`, "content-type": "application/json" },
    body: JSON.stringify({ from: "shop", to: "ada@example.com", subject: "Hi", text: "Hello", ...body }),
  });
}

/** Records everything that an inbox reports. */
function listenTo(inbox: InboxAccess) {
  const mails: MailSummary[] = [];
  const reachable: boolean[] = [];
  const recorded = { mails, reachable, deletions: 0, end: () => {} };
  recorded.end = inbox.watch({
    mail: (mail) => mails.push(mail),
    deleted: () => (recorded.deletions += 1),
    reachable: (running) => reachable.push(running !== undefined),
  });
  onTestFinished(recorded.end);
  return recorded;
}

test("a busy service counts as reachable, and requests that wait end with the watching", async () => {
  const project = new PreviewedProject();
  let waiting = 0;
  const server = createServer(({ url = "" }, response) => {
    if (url.includes("&wait=")) {
      waiting += 1;
      response.once("close", () => (waiting -= 1));
      return;
    }
    // As long as the service lets readers wait for thousands of emails.
    const answer = JSON.stringify({ mails: [], last: 0, total: 0, deletions: 0 });
    setTimeout(() => response.end(answer), url.startsWith("/local/mails") ? 2_100 : 0);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  project.write({ ".lettershop/service.json": JSON.stringify({ url, domain: "example.test" }) });
  const { inbox } = await mailAccess(project.folder);
  const recorded = listenTo(inbox);
  await expect.poll(() => waiting).toBe(1);
  expect(recorded.reachable).toEqual([true]);
  recorded.end();
  await expect.poll(() => waiting, { timeout: 10_000 }).toBe(0);
});

test("an email sent by the mailer is reported at once and can be opened completely", async () => {
  const project = new PreviewedProject();
  const service = await serve(project);
  const { inbox } = await mailAccess(project.folder);
  const recorded = listenTo(inbox);
  await expect.poll(() => recorded.reachable).toEqual([true]);

  const mailer = createMailer({ environment: "local", url: service.url, from: "shop" });
  onTestFinished(() => mailer.close());
  const sent = await mailer.sendMessage({
    to: [{ name: "Ada", email: "ada@example.com" }, "hard-bounce@example.com"],
    bcc: "audit@example.com",
    replyTo: "help@example.com",
    subject: "Receipt",
    html: "<p>Paid.</p>",
    text: "Paid.",
    attachments: [{ filename: "terms.txt", content: Buffer.from("Terms") }],
  });
  await expect.poll(() => recorded.mails).toHaveLength(1);
  const summary = {
    id: sent.id,
    from: "shop@example.test",
    to: ["Ada <ada@example.com>", "hard-bounce@example.com", "audit@example.com"],
    subject: "Receipt",
    status: "HARD-BOUNCE",
    attachmentCount: 1,
  };
  expect(recorded.mails[0]).toMatchObject(summary);
  expect(await inbox.list("sent")).toMatchObject([summary]);

  const mail = await inbox.open(sent.id);
  expect(mail).toMatchObject({
    to: ["Ada <ada@example.com>", "hard-bounce@example.com"],
    bcc: ["audit@example.com"],
    replyTo: ["help@example.com"],
    html: "<p>Paid.</p>",
    text: "Paid.",
    attachments: [{ filename: "terms.txt", bytes: 5, url: `api/inbox/${sent.id}/attachments/0` }],
    sourceUrl: `api/inbox/${sent.id}/message.eml`,
    assetsBase: `${service.url}/assets`,
  });
  expect(mail?.source).toContain("Subject: Receipt");
  expect(mail?.headers.map(({ name }) => name)).toContain("Message-ID");
  expect(mail?.recipients.map(({ email, status }) => [email, status])).toContainEqual([
    "hard-bounce@example.com",
    "HARD-BOUNCE",
  ]);
  expect(mail?.recipients[1]?.events.map(({ status, detail }) => [status, detail])).toEqual([
    ["QUEUED", expect.stringContaining("250")],
    ["HARD-BOUNCE", "550 5.1.1 User unknown"],
  ]);
  expect(Buffer.from((await inbox.attachment(sent.id, 0))?.content ?? []).toString()).toBe("Terms");
  expect(await inbox.attachment(sent.id, 1)).toBeUndefined();
  expect(Buffer.from((await inbox.source(sent.id)) ?? []).toString()).toBe(mail?.source);
  expect(await inbox.source("1.none")).toBeUndefined();
  expect(await inbox.open("1.none")).toBeUndefined();
});

test("an email knows the template and the variables that it was sent with", async () => {
  const project = new PreviewedProject();
  const service = await serve(project);
  const { inbox } = await mailAccess(project.folder);
  await fetch(`${service.url}/v4/domains/example.test/templates`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("api:local")}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "hello", subject: "Hello {{name}}", html_body: "<p>{{name}}</p>" }),
  });
  await send(service, {
    template: "hello",
    variables: { name: "Ada", nothing: null },
    subject: undefined,
    text: undefined,
  });
  const [mail] = await inbox.list("sent");
  expect(await inbox.open(mail?.id ?? "")).toMatchObject({
    subject: "Hello Ada",
    template: { name: "hello", variables: { name: "Ada", nothing: null } },
  });
});

test("the service is found when it starts, and again after it restarts elsewhere", async () => {
  const project = new PreviewedProject();
  // The folder records where the project's own service was, whatever else runs on this machine.
  project.write({
    ".lettershop/service.json": JSON.stringify({ url: await nobodysAddress(), domain: "example.test" }),
  });
  const { inbox } = await mailAccess(project.folder);
  const recorded = listenTo(inbox);
  await expect.poll(() => recorded.reachable).toEqual([false]);
  expect(await inbox.list("sent")).toEqual([]);

  const first = await serve(project);
  await expect.poll(() => recorded.reachable).toEqual([false, true]);
  await send(first, { subject: "One" });
  await first.close();
  await expect.poll(() => recorded.reachable).toEqual([false, true, false]);

  const second = await serve(project);
  await send(second, { subject: "Two" });
  await expect.poll(() => recorded.mails.map(({ subject }) => subject)).toEqual(["One", "Two"]);
  expect(recorded.reachable).toEqual([false, true, false, true]);
});

test("another project's service is named and its emails are ignored, until the project's own service runs", async () => {
  const theirs = new PreviewedProject();
  const other = await serve(theirs);
  await send(other, { subject: "Not yours" });
  const project = new PreviewedProject({ "lettershop.config.json": "{}" });
  // Runs where this project's service last was, because the default port belongs to whichever project starts first.
  project.write({ ".lettershop/service.json": JSON.stringify({ url: other.url, domain: "example.test" }) });
  const { inbox, remote, command } = await mailAccess(project.folder);
  const recorded: unknown[] = [];
  onTestFinished(
    inbox.watch({
      mail: (mail) => recorded.push(mail),
      deleted: () => undefined,
      reachable: (running, otherService) => recorded.push([running?.url, otherService]),
    }),
  );
  const named = { url: other.url, project: theirs.folder };
  await expect.poll(() => recorded).toEqual([[undefined, named]]);
  expect(await inbox.list("sent")).toEqual([]);
  await expect(inbox.deleteAll("sent")).rejects.toThrow("belongs to another project");
  expect(other.mail.total()).toBe(1);
  const [report] = await remote.reports("any", async () => undefined);
  expect(report?.trouble?.message).toBe(
    `The local service at ${other.url} belongs to another project, ${theirs.folder}.`,
  );

  // Emails sent from here go to this project's own service, which is started for it.
  const own = await command.call("local", undefined);
  expect(own).not.toBe(other.url);
  await expect
    .poll(() => recorded)
    .toEqual([
      [undefined, named],
      [own, undefined],
    ]);
  expect(await inbox.list("sent")).toEqual([]);
});

test("later delivery events of an email are reported, however many were forwarded meanwhile", async () => {
  const project = new PreviewedProject();
  const aliases = [{ alias: "sales", forward: "ada@example.com" }];
  const service = await serve(project, 0, { domains: [{ name: "example.test", aliases }] });
  const { inbox } = await mailAccess(project.folder);
  const recorded = listenTo(inbox);
  await expect.poll(() => recorded.reachable).toEqual([true]);
  await send(service, { to: "soft-bounce@example.com" });
  await expect.poll(() => recorded.mails.map(({ status }) => status)).toEqual(["SOFT-BOUNCE"]);
  const received = { from: "bob@shop.example", to: "sales@example.test" };
  await Promise.all(Array.from({ length: 60 }, () => service.receive(received)));
  await expect.poll(() => recorded.mails).toHaveLength(61);
  service.clock.advance(3_600_000);
  await expect.poll(() => recorded.mails.at(-1)).toMatchObject({ folder: "sent", status: "DELIVERED" });
});

test("one email or all are deleted, including unlisted ones, and every window is updated", async () => {
  const project = new PreviewedProject();
  const service = await serve(project);
  const { inbox } = await mailAccess(project.folder);
  const preview = await project.preview({ access: { environments: async () => [], inbox } });
  for (let sent = 0; sent < 205; sent += 1) await send(service, { subject: `${sent}` });
  const events = await preview.events();
  const other = await preview.events();
  for (const window of [events, other])
    await window.until((event) => event.kind === "inbox" && event.service !== undefined);

  const [newest] = await inbox.list("sent");
  expect((await preview.ask(`/api/inbox/${newest?.id}`, { method: "DELETE" })).status).toBe(204);
  await events.until(({ kind }) => kind === "deleted-mails");
  await other.until(({ kind }) => kind === "deleted-mails");
  expect((await preview.ask(`/api/inbox/${newest?.id}`)).status).toBe(404);
  // Already deleted, by someone else.
  expect((await preview.ask(`/api/inbox/${newest?.id}`, { method: "DELETE" })).status).toBe(204);
  expect((await preview.ask("/api/inbox-count?folder=sent")).text).toBe("204");

  for (const origin of ["http://evil.example", "null"]) {
    const headers = { origin, "sec-fetch-site": "cross-site" };
    expect((await preview.ask("/api/inbox?folder=sent", { method: "DELETE", headers })).status).toBe(403);
  }
  expect(await inbox.count("sent")).toBe(204);
  expect((await preview.ask("/api/inbox?folder=sent", { method: "DELETE" })).status).toBe(204);
  await other.until(({ kind }) => kind === "deleted-mails");
  expect(await inbox.list("sent")).toEqual([]);
  expect(service.mail.total()).toBe(0);
  await send(service, { subject: "after" });
  await other.until((event) => event.kind === "mail" && event.mail.subject === "after");
  await service.close();
  expect(JSON.parse((await preview.ask("/api/inbox?folder=sent", { method: "DELETE" })).text)).toMatchObject({
    error: { message: "The local service isn't running." },
  });
});
