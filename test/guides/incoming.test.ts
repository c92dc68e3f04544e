import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { LOCAL_WEBHOOK_SECRET } from "../../src/api/local.js";
import type { IncomingEmail } from "../../src/service/index.js";
import { startLocalService } from "../../src/testing/index.js";
import { startApi } from "../service/harness.js";

const guide = readFileSync(new URL("../../docs/guides/incoming.md", import.meta.url), "utf8");

test("a webhook gets the documented body", async () => {
  const service = await startLocalService();
  onTestFinished(() => service.close());
  const webhook = await service.catchWebhooks();
  const client = createClient({ baseUrl: service.url, apiKey: service.apiKey });
  onTestFinished(() => client.close());
  await client.aliases.create(service.domain, { alias: "sales", forward: webhook.url });
  const attachments = [{ filename: "a.txt", content: Buffer.from("notes") }];
  await service.receive({ from: "bob@shop.example", to: "sales@example.test", subject: "Order", attachments });
  const body = await webhook.waitFor();
  const [, json = ""] = /## Webhooks\n\n```json\n([^]*?)```/.exec(guide) ?? [];
  const documented = JSON.parse(json);
  expect(Object.keys(body)).toEqual(Object.keys(documented));
  expect(Object.keys(body.attachments[0] ?? {})).toEqual(Object.keys(documented.attachments[0]));
  expect(guide).toContain(LOCAL_WEBHOOK_SECRET);
});

test("other languages let the service receive by HTTP", async () => {
  const api = await startApi({
    seed: { domains: [{ name: "example.test", aliases: [{ alias: "a", forward: "b@c.example" }] }] },
  });
  const post = async (email: IncomingEmail) => {
    const headers = { "content-type": "application/json" };
    return JSON.parse(
      (await api.request("/local/received", { method: "POST", headers, body: JSON.stringify(email) })).text,
    );
  };
  const raw = "From: bob@shop.example\r\nTo: A <a@example.test>\r\nSubject: Raw\r\n\r\nHi\r\n";
  expect(await post({ raw })).toEqual({ ids: [expect.any(String)] });
  expect(await post({ from: "b@c.example", to: ["nobody@example.test"] })).toEqual({
    refused: {
      code: 550,
      message: "5.1.1 There is no alias or rule for this address",
      hint: "Aliases of example.test: a.",
    },
  });
  expect(await post({ from: "nobody", to: "a@example.test" })).toMatchObject({
    message: expect.any(String),
    errors: expect.any(Object),
  });
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(1);
});

test("forwarded emails and refusals are visible in a test", async () => {
  const aliases = [{ alias: "sales", forward: "ada@example.com" }];
  const service = await startLocalService({ seed: { domains: [{ name: "example.test", aliases }] } });
  await service.receive({ from: "bob@shop.example", to: "sales@example.test", subject: "Order", text: "42" });
  const mail = await service.inbox.forwarded.waitFor({ to: "Ada@example.com", subject: "Order" });
  expect(mail).toMatchObject({ from: "bob@shop.example", to: "ada@example.com", text: expect.stringContaining("42") });
  await expect(service.receive({ from: "bob@shop.example", to: "x@example.test" })).rejects.toMatchObject({
    code: "refused",
    response: { code: 550 },
  });
  await expect(service.inbox.waitFor({ to: "ada@example.com", timeoutMs: 50 })).rejects.toThrow("No message");
  await service.close();
});
