import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { connectLocalService, startLocalService } from "../../src/testing/index.js";
import { temporaryFolder } from "../service/harness.js";
import { startProcess } from "../service/processes.js";

async function startHere() {
  const service = await startLocalService();
  onTestFinished(() => service.close());
  return service;
}

/** A service at a URL, and a client of it. */
async function connect({ url }: { readonly url: string }) {
  const service = await connectLocalService({ url });
  const client = createClient({ baseUrl: url, apiKey: "local", retries: 0 });
  onTestFinished(() => client.close());
  const send = (to: string, subject: string) =>
    client.emails.send("example.test", { from: "shop", to, subject, text: "Your code is 123456." });
  return { service, client, send };
}

test("controls faults, settings, clock and inbox of a service in another process", async () => {
  const { service, client, send } = await connect(await startProcess(await temporaryFolder()));
  expect(await service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 403 })).toHaveLength(1);
  await expect(send("ada@example.com", "one")).rejects.toMatchObject({ status: 403 });
  expect(await service.faults.list()).toEqual([]);
  await service.faults.add({ kind: "cut", endpoint: "account.get", when: "before" });
  await service.faults.clear();
  await client.account.get();

  // The recipient gets a message whether the log shows it or not.
  expect(await service.settings.set({ logDelayMs: 60_000 })).toMatchObject({ logDelayMs: 60_000 });
  const { id } = await send("Ada@example.com", "two");
  const mail = await service.inbox.waitFor({ to: "ada@example.com" });
  expect([mail.id, mail.code()]).toEqual([id, "123456"]);
  expect((await client.logs.page("example.test")).logs).toEqual([]);
  const before = await service.clock.now();
  expect((await service.clock.advance(60_000)) - before).toBeGreaterThanOrEqual(60_000);
  expect((await client.logs.page("example.test")).logs).toHaveLength(1);
  await service.settings.reset();
  expect((await service.settings.get()).logDelayMs).toBe(0);
});

test("never delivers bounced messages to the inbox, and soft-bounced ones later", async () => {
  const { service, send } = await connect(await startHere());
  await send("bob+hard-bounce@example.com", "lost");
  await send("bob+soft-bounce@example.com", "late");
  const waitFor = (to: string) => service.inbox.waitFor({ to, timeoutMs: 100 });
  await expect(waitFor("bob+hard-bounce@example.com")).rejects.toMatchObject({
    code: "no_mail",
    message: [
      "No message to bob+hard-bounce@example.com arrived within 0.1 s. Other messages:",
      "- to bob+hard-bounce@example.com: lost (HARD-BOUNCE: 550 5.1.1 User unknown)",
      "- to bob+soft-bounce@example.com: late (SOFT-BOUNCE: 451 4.7.1 Greylisted, try again later)",
    ].join("\n"),
  });
  await service.clock.advance(3_600_000);
  expect(await waitFor("bob+soft-bounce@example.com")).toMatchObject({ subject: "late" });
});

test("throws the reason for what the service refuses", async () => {
  const { service } = await connect(await startHere());
  await expect(service.faults.add({ kind: "malformed", endpoint: "template.list" })).rejects.toMatchObject({
    code: "local_service",
    status: 400,
    message: expect.stringMatching(
      /refused POST \/local\/faults: endpoint template\.list .* did you mean templates\.list\?$/,
    ),
    fieldErrors: { endpoint: [expect.any(String)] },
  });
});

test("is typed and synchronous in the same process", async () => {
  const service = await startHere();
  service.settings.set({ outcomes: { "ada@example.com": "soft-bounce" } });
  const client = createClient({ baseUrl: service.url, apiKey: service.apiKey });
  onTestFinished(() => client.close());
  await client.emails.send(service.domain, { from: "shop", to: "ada@example.com", subject: "Hi", text: "Hi" });
  service.clock.advance(360_000);
  expect(await service.inbox.waitFor({ to: "ada@example.com", timeoutMs: 1_000 })).toMatchObject({ subject: "Hi" });
  service.faults.add({ kind: "refuse", endpoint: "account.get", status: 500 });
  await client.account.get();
  expect(service.faults.list()).toEqual([]);
});

test("names the URL if no service is there", async () => {
  await expect(connectLocalService({ url: "http://127.0.0.1:1" })).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringContaining("Can't reach http://127.0.0.1:1/local/mails"),
  });
});

/** The URL of a server that is not a local service. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

test.each<[string, RequestListener, object]>([
  ["a page", (_, response) => response.end("<html>"), { code: "contract", problem: "it is not JSON" }],
  ["a refusal without an object", (_, response) => response.writeHead(404).end("null"), { status: 404 }],
  ["nothing", ({ socket }) => socket.destroy(), { code: "unreachable", requestSent: true }],
])("says so if something else answers with %s", async (_name, answer, error) => {
  await expect(connectLocalService({ url: await serve(answer) })).rejects.toMatchObject(error);
});
