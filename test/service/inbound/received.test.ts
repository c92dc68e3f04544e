import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { assert, asyncProperty, oneof, string, uint8Array } from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { frozenClock, type Seed } from "../../../src/service/index.js";
import { type Api, startApi } from "../harness.js";
import { sendTo, webhook } from "./smtp.js";

function seedWith(forward: string, domain: object = {}): Seed {
  return { domains: [{ name: "example.test", aliases: [{ alias: "in", forward }], ...domain }] };
}

const team = Array.from({ length: 12 }, (_, index) => ({ alias: `team${10 + index}`, forward: "ada@example.com" }));
const email = { from: "bob@shop.example", to: "in@example.test", subject: "Order", text: "Hello" };
const source = "From: Bob <bob@shop.example>\nTo: in@example.test\nSubject: Grüße\n\nHello\n";

async function forwarded(api: Api, total = 1) {
  await expect.poll(() => api.service.mail.total("forwarded")).toBe(total);
  const [newest] = api.service.mail.list({ folder: "forwarded" });
  return newest && (await api.service.mail.open(newest.id));
}

async function post(api: Api, contentType: string, body: string, query = ""): Promise<unknown> {
  const headers = { "content-type": contentType };
  return JSON.parse((await api.request(`/local/received${query}`, { method: "POST", headers, body })).text);
}

test.each([
  ["a string", source],
  ["bytes", Buffer.from(source)],
  ["a source with an envelope", { raw: source, from: "eve@shop.example", to: ["in@example.test"] }],
])("receives %s", async (_name, input) => {
  const api = await startApi({ seed: seedWith("ada@example.com") });
  await api.service.receive(input);
  expect(await forwarded(api)).toMatchObject({ subject: "Grüße", text: "Hello" });
});

test("receives a message over HTTP, with the envelope of its headers or of the query", async () => {
  const api = await startApi({ seed: seedWith("ada@example.com", { routingEngine: "alias" }) });
  expect(await post(api, "message/rfc822", source)).toEqual({ ids: [expect.any(String)] });
  expect(await forwarded(api)).toMatchObject({ subject: "Grüße", from: { email: "bob@shop.example" } });
  const query = "?from=eve@shop.example&to=in@example.test&to=nobody@example.test";
  expect(await post(api, "message/rfc822; charset=utf-8", source, query)).toEqual({
    ids: [expect.any(String), expect.any(String)],
  });
  const { received } = JSON.parse((await api.request("/local/received")).text);
  expect(received).toMatchObject([
    { sender: "eve@shop.example", recipient: "nobody@example.test", events: [{ status: "HARD-BOUNCE" }] },
    { sender: "eve@shop.example", recipient: "in@example.test" },
    { sender: "bob@shop.example", recipient: "in@example.test", subject: "Grüße" },
  ]);
  const later = JSON.parse((await api.request(`/local/received?after=${received[1].seq}`)).text);
  expect(later.received).toHaveLength(1);
});

test("other content types are refused, because pages of other sites may post them", async () => {
  const api = await startApi();
  for (const type of ["text/plain", "application/x-www-form-urlencoded"])
    expect(await post(api, type, source)).toEqual({
      message: expect.stringContaining("application/json, or message/rfc822"),
      errors: {},
    });
});

test.each([
  [{ to: "in@example.test" }, "from is required"],
  [{ ...email, to: "support" }, "to is not an email address: support"],
  [{ ...email, to: [] }, "to has no address"],
  [{ ...email, to: 5 }, "to must be an email address or a list of them"],
  [{ ...email, subjet: "Hi" }, "subjet does not exist here; did you mean subject?"],
  [{ ...email, attachments: [{ filename: "a", content: "notes" }] }, "must be bytes, or a string in base64"],
  [{ raw: 5 }, "raw must be a string or bytes"],
  ["\nFrom: bob@shop.example\nTo: in@example.test\n\nHi", "the message has no header To. Its first line must be"],
  ["", "the message has no header To"],
])("says what is wrong with %j", async (input, message) => {
  const api = await startApi({ seed: seedWith("ada@example.com") });
  await expect(api.service.receive(input as typeof email)).rejects.toMatchObject({
    code: "control",
    message: expect.stringContaining(message),
  });
  if (typeof input === "object")
    expect(await post(api, "application/json", JSON.stringify(input))).toMatchObject({
      message: expect.stringContaining(message),
    });
});

test.each([
  [{}, "in@exmaple.test", "exmaple.test is not a domain of the service. Did you mean example.test?"],
  [{}, "in@shop.example", "not a domain of the service. Its domains: example.test."],
  [{}, "inn@example.test", "550 5.1.1 There is no alias or rule for this address. Aliases of example.test: in."],
  [{ aliases: [] }, "in@example.test", "example.test has no aliases: create one, with the API or in the seed."],
  [{ aliases: team }, "in@example.test", "Aliases of example.test: team10, team11, team12, team13, team14, team15, "],
  [{ aliases: team }, "in@example.test", "team19 and 2 more."],
  [{ routingEngine: "rules" }, "in@example.test", "No active rule of example.test matches"],
  [{ banned: true }, "in@example.test", "550 5.7.1 example.test is banned."],
])("a refusal by %j of %s says what there is instead", async (domain, to, message) => {
  const api = await startApi({ seed: seedWith("ada@example.com", domain) });
  await expect(api.service.receive({ ...email, to })).rejects.toMatchObject({
    code: "refused",
    message: expect.stringContaining(message),
  });
});

test("a service without domains says so", async () => {
  const api = await startApi();
  expect((await api.delete("/domains/example.test")).status).toBe(204);
  await expect(api.service.receive(email)).rejects.toThrow(/Relaying denied.* It has no domains\.$/);
});

test("any bytes are received or refused, and never break the service", async () => {
  const api = await startApi({ seed: seedWith("ada@example.com") });
  const bytes = oneof(
    uint8Array(),
    string({ unit: "binary" }),
    string().map((text) => `To: ${text}\n\n`),
  );
  await assert(
    asyncProperty(bytes, async (raw) => {
      await api.service.receive(raw).catch((error: { code: string }) => {
        expect(["control", "refused"]).toContain(error.code);
      });
    }),
    { numRuns: process.env["MODE"] === "long" ? 2_000 : 50 },
  );
});

test("an email that is being received when the service closes is accepted", async () => {
  const api = await startApi({ seed: seedWith("ada@example.com") });
  const receiving = api.service.receive(email);
  await api.service.close();
  expect(await receiving).toEqual({ ids: [expect.any(String)] });
});

test("a closed service says so", async () => {
  const api = await startApi();
  await api.service.close();
  await expect(api.service.receive(email)).rejects.toMatchObject({ code: "service_closed" });
  expect(() => api.service.clock.advance(1_000)).toThrow("is closed");
});

test("standardwebhooks verifies a post after the service's clock was moved", async () => {
  const { posts, host } = await webhook();
  const profile = { webhook_secret: `whsec_${Buffer.from("another key").toString("base64")}` };
  const api = await startApi({ seed: { profile, ...seedWith(`http://${host}/`) } });
  expect(api.service.webhookSecret).toBe(profile.webhook_secret);
  api.service.clock.advance(24 * 60 * 60 * 1_000);
  await api.service.receive(email);
  await expect.poll(() => posts.length).toBe(1);
  const [{ text, headers, body }] = posts as [(typeof posts)[0]];
  const verifier = new Webhook(profile.webhook_secret);
  expect(verifier.verify(text, headers as Record<string, string>)).toEqual(body);
  expect(() => verifier.verify(text.replace("Order", "Other"), headers as Record<string, string>)).toThrow();
});

/** A server that is called before it responds with 500, once, and then with 200. */
async function failingOnce(beforeResponse: () => void): Promise<{ url: string; count: () => number }> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      count += 1;
      if (count === 1) beforeResponse();
      response.writeHead(count === 1 ? 500 : 200).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, count: () => count };
}

test("a retry is due a pause after the failed attempt began, even if the clock is moved before it fails", async () => {
  const destination = await failingOnce(() => api.service.clock.advance(60_000));
  const api: Api = await startApi({ clock: frozenClock(1_795_000_000_000), seed: seedWith(destination.url) });
  await api.service.receive(email);
  await expect.poll(destination.count).toBe(2);
});

test("the same goes for a domain's webhook", async () => {
  const events = await failingOnce(() => api.service.clock.advance(10_000));
  const seed = seedWith("ada@example.com", { webhook: events.url });
  const api: Api = await startApi({ clock: frozenClock(1_795_000_000_000), seed });
  expect(await sendTo(api.service.smtpPort, { to: "nobody@example.test" })).toContain("550");
  await expect.poll(events.count).toBe(2);
});
