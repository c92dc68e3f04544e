import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { postgresStore, type PostgresStoreOptions } from "../../src/postgres/index.js";
import { createMailer, onSendEvent } from "../../src/send/index.js";
import { startService } from "../../src/service/start.js";
import { PostgresServer } from "./server.js";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

async function openMailer(options: PostgresStoreOptions = {}) {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  const { url, apiKey, domain } = service;
  const store = postgresStore({ connectionString: postgres.url(), ...options });
  const mailer = createMailer({ url, apiKey, domain, from: "shop", store });
  onTestFinished(async () => {
    await mailer.close();
    await store.close();
    await service.close();
  });
  return { mailer, service };
}

const message = (subject: string) => ({ to: "ada@example.com", subject, text: "Hi" });

test("sends nothing while the database is away, and works again when it is back", async () => {
  const { mailer, service } = await openMailer();
  await mailer.sendMessage(message("before"));
  await postgres.end();
  const queueing = expect(mailer.queueMessage(message("away"))).rejects.toMatchObject({ code: "store" });
  const error: unknown = await mailer.sendMessage(message("away")).catch((thrown: unknown) => thrown);
  await queueing;
  expect(error).toMatchObject({ code: "store", message: expect.stringContaining("the connection was refused") });
  expect(String(error)).toContain(`postgres://127.0.0.1:${postgres.port}/postgres`);
  expect(String(error)).not.toContain("postgres:postgres@");
  await postgres.resume();
  await mailer.sendMessage(message("after"));
  expect(service.mail.list().map(({ subject }) => subject)).toEqual(["after", "before"]);
});

test("sends without the store if the application says so, but queues nothing", async () => {
  const { mailer, service } = await openMailer({ sendWhileAway: true });
  const reasons: string[] = [];
  onTestFinished(onSendEvent((event) => event.type === "store-away" && reasons.push(event.reason)));
  await mailer.sendMessage(message("before"));
  await postgres.end();
  const needsStore = [
    expect(mailer.queueMessage(message("queued"))).rejects.toMatchObject({ code: "store" }),
    expect(mailer.sendMessage({ ...message("keyed"), key: "k" })).rejects.toMatchObject({ code: "store" }),
  ];
  await mailer.sendMessage(message("away"));
  const began = performance.now();
  await mailer.sendMessage(message("still away"));
  expect(performance.now() - began).toBeLessThan(4_000);
  // The server may not have stopped completely yet.
  expect(reasons).toEqual([expect.stringMatching(/the connection was refused|it is shutting down or starting/)]);
  await Promise.all(needsStore);
  await postgres.resume();
  expect(service.mail.list().map(({ subject }) => subject)).toEqual(["still away", "away", "before"]);
});

test("waits for a database that restarts", async () => {
  const { mailer } = await openMailer();
  await mailer.sendMessage(message("before"));
  await postgres.end("SIGQUIT");
  const sending = mailer.sendMessage(message("meanwhile"));
  await postgres.resume();
  expect(await sending).toMatchObject({ outcome: "accepted" });
});
