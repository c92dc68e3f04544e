import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import type { Seed } from "../../src/service/index.js";
import {
  connectLocalService,
  type LocalService,
  type RemoteService,
  startLocalService,
} from "../../src/testing/index.js";
import { temporaryFolder } from "../service/harness.js";
import { startProcess } from "../service/processes.js";

async function startHere(seed?: Seed): Promise<LocalService> {
  const service = await startLocalService({ ...(seed && { seed }) });
  onTestFinished(() => service.close());
  return service;
}

async function connectElsewhere(): Promise<RemoteService> {
  const { url } = await startProcess(await temporaryFolder());
  const service = await connectLocalService({ url });
  onTestFinished(() => service.close());
  return service;
}

async function addAlias(url: string, alias: string, forward: string): Promise<void> {
  const client = createClient({ baseUrl: url, apiKey: "local" });
  onTestFinished(() => client.close());
  await client.aliases.create("example.test", { alias, forward });
}

const email = { from: "Bob <bob@shop.example>", to: "support@example.test", subject: "Help", text: "Hello" };

test.each([
  ["in this process", startHere],
  ["in another process", connectElsewhere],
])("catches what a service %s posts, and answers as told", async (_name, start) => {
  const service = await start();
  const webhook = await service.catchWebhooks();
  await addAlias(service.url, "support", `${webhook.url}#raw`);
  webhook.answerNext(500, 404);
  const content = Buffer.from([0, 255, 128]);
  await service.receive({ ...email, attachments: [{ filename: "a.bin", content }] });
  const first = await webhook.waitFor({ to: "Support@example.test", subject: /^help$/i });
  expect(first).toMatchObject({ envelope: { sender: "bob@shop.example" }, attachments: [{ content: "AP+A" }] });
  expect(Buffer.from(first.raw ?? "", "base64").toString()).toContain("Subject: Help");

  await service.clock.advance(60_000);
  expect((await webhook.waitFor()).id).toBe(first.id);
  await service.receive(Buffer.from("From: eve@shop.example\nTo: support@example.test\nSubject: Raw\n\nHi"));
  await service.receive({ raw: `Subject: Envelope\n\nHi`, from: "eve@shop.example", to: "support@example.test" });
  expect(await webhook.waitFor({ subject: "Envelope" })).toMatchObject({ envelope: { sender: "eve@shop.example" } });
  expect(await webhook.waitFor()).toMatchObject({ subject: "Raw" });
  expect(webhook.bodies).toHaveLength(4);
  await expect(webhook.waitFor({ timeoutMs: 0 })).rejects.toThrow(
    "No email was posted to the webhook within 0 s.\nPosts that were returned before: 4.",
  );
});

test("a webhook that hangs holds up neither the others nor the end of the test", async () => {
  const service = await startHere();
  const [slow, quick] = [await service.catchWebhooks(), await service.catchWebhooks()];
  await addAlias(service.url, "support", `${slow.url}, ${quick.url}`);
  slow.answerNext("hang");
  await service.receive(email);
  await Promise.all([slow.waitFor(), quick.waitFor()]);
  await service.close();
  await expect(fetch(slow.url)).rejects.toThrow();
  await slow.close();
});

test("a timeout lists other posts, and what was not delivered", async () => {
  const service = await startHere();
  const webhook = await service.catchWebhooks();
  await expect(webhook.waitFor({ timeoutMs: 0 })).rejects.toMatchObject({
    code: "no_mail",
    message: "No email was posted to the webhook within 0 s.\nThe service has received no email.",
  });
  await addAlias(service.url, "sales", webhook.url);
  // What one destination gets does not hide that another did not.
  await addAlias(service.url, "support", "http://127.0.0.1:9/, soft-bounce@example.org, team@example.org");
  await service.receive({ ...email, to: "sales@example.test", subject: "Order" });
  await expect.poll(() => webhook.bodies.length).toBe(1);
  await service.receive(email);
  await expect(service.receive({ ...email, to: "suport@example.test" })).rejects.toThrow("550");
  const undelivered = [
    "Received, but not delivered:",
    "- for support@example.test from bob@shop.example: Help (SOFT-BOUNCE: 451 4.4.1 The webhook can't be reached (to 127.0.0.1:9))",
    "- for support@example.test from bob@shop.example: Help (SOFT-BOUNCE: 451 4.7.1 Greylisted, try again later (to soft-bounce@example.org))",
    "- for suport@example.test from bob@shop.example: Help (REFUSED: 550 5.1.1 There is no alias or rule for this address)",
    "To let it try again, move its clock: service.clock.advance(60_000)",
  ];
  // Destinations are tried at the same time, so the order of their lines varies.
  const missing = async (waiting: Promise<unknown>) =>
    await waiting.then(String, ({ message }: Error) => message.split("\n").toSorted());
  await expect
    .poll(() => missing(webhook.waitFor({ to: "support@example.test", timeoutMs: 50 })))
    .toEqual(
      [
        "No email for support@example.test was posted to the webhook within 0.05 s.",
        "Other posts:",
        "- for sales@example.test from bob@shop.example: Order",
        ...undelivered,
      ].toSorted(),
    );
  expect(await missing(service.inbox.forwarded.waitFor({ to: "team@example.com", timeoutMs: 50 }))).toEqual(
    [
      "No message to team@example.com arrived within 0.05 s. Other messages:",
      "- to team@example.org: Help",
      ...undelivered,
    ].toSorted(),
  );
});

test("posts without the account's signature are refused, and the timeout says so", async () => {
  const profile = { webhook_secret: "whsec_b3RoZXI=" };
  const webhookOf = async (service: LocalService, secret?: string) => {
    const webhook = await service.catchWebhooks(secret === undefined ? {} : { secret });
    await addAlias(service.url, "support", webhook.url);
    await service.receive(email);
    return webhook;
  };
  const signed = await webhookOf(await startHere({ profile }));
  expect(await signed.waitFor()).toMatchObject({ subject: "Help" });

  const service = await startHere({ profile });
  const unsigned = await webhookOf(service, "whsec_d3Jvbmc=");
  await expect
    .poll(async () => await unsigned.waitFor({ timeoutMs: 0 }).catch(({ message }: Error) => message))
    .toMatch(/^Posts without a valid signature: 1\..*catchWebhooks\(\{ secret \}\)\.\nReceived.*HARD-BOUNCE: 554/ms);
  expect(unsigned.bodies).toEqual([]);
  const forged = await fetch(unsigned.url, { method: "POST", body: "{}" });
  expect([forged.status, await forged.text()]).toEqual([401, "The signature is not valid."]);
});

test("mistakes in options are reported before anything happens", async () => {
  const service = await startHere();
  const webhook = await service.catchWebhooks();
  await expect(service.catchWebhooks({ key: "whsec_" } as object)).rejects.toThrow('has no option "key"');
  await expect(service.catchWebhooks({ secret: "c2VjcmV0" })).rejects.toThrow(
    /^catchWebhooks: secret .* begins with whsec_\.$/,
  );
  expect(() => webhook.answerNext(200, 42)).toThrow('answer is 42; it must be a status from 200 to 599, or "hang"');
  await expect(webhook.waitFor({ recipient: "a@b.c" } as object)).rejects.toThrow('has no option "recipient"');
  await expect(webhook.waitFor({ to: 5 } as object)).rejects.toThrow("to is 5; it must be an email address");
});

test("a service in another process says what is wrong with an email", async () => {
  const service = await connectLocalService({ url: (await startHere()).url });
  await expect(service.receive({ from: "bob", to: "support@example.test" })).rejects.toMatchObject({
    code: "local_service",
    message: expect.stringContaining("refused POST /local/received: from is not an email address: bob"),
  });
  await expect(service.receive(undefined as unknown as string)).rejects.toMatchObject({ code: "local_service" });
  await expect(service.receive(email)).rejects.toMatchObject({
    code: "refused",
    response: { code: 550, message: expect.stringMatching(/^5\.1\.1 /), hint: expect.stringContaining("no aliases") },
  });
});
