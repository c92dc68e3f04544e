import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { logCountResponse } from "../../src/api/contract/v4/logs.js";
import { templateListResponse } from "../../src/api/contract/v4/templates.js";
import { startService } from "../../src/service/index.js";
import { apiOf, credentials, temporaryFolder } from "./harness.js";
import { startProcess } from "./processes.js";
import { version3 } from "./version-3.js";
import { receiver } from "./webhook-receiver.js";

const nowhere = "http://127.0.0.1:1/";
const long = process.env["MODE"] === "long";
const rounds = long ? 200 : 1;

test("every acknowledged write survives kill -9, and no write is partial", async () => {
  const data = await temporaryFolder();
  const answered = { templates: new Set<string>(), mails: 0 };
  const acknowledged = { mails: 0 };

  // The webhook has no server, so its posts are kept.
  const seed = await startService({ data, port: 0, seed: { domains: [{ name: "example.test", webhook: nowhere }] } });
  await seed.close();

  // Several emails are acknowledged within one round; the first responses are those of templates.
  const kills = [60, ...fc.sample(fc.integer({ min: 1, max: 60 }), rounds - 1)];
  for (const [round, killAfter] of kills.entries()) {
    const running = await startProcess(data);
    let answers = 0;
    const write = async (path: string, body: object, done: () => void) => {
      const headers = { authorization: credentials("local"), "content-type": "application/json" };
      const response = await fetch(`${running.url}/v4/domains/example.test${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      await response.text();
      if (response.status !== 200) return;
      done();
      answers += 1;
      if (answers === killAfter) await running.kill("SIGKILL");
    };
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; count < 100; count += 1) {
        const name = `t${round}-${writer}-${count}`;
        if (count % 2 === 0) await write("/templates", { name, text_body: name }, () => answered.templates.add(name));
        acknowledged.mails += 1;
        const to = ["a@example.com", "soft-bounce@example.com"];
        await write("/emails/outbound", { from: "a", to, subject: name, text: name }, () => (answered.mails += 1));
      }
    });
    await Promise.allSettled(writers);
    await running.kill("SIGKILL");
  }

  const service = await startService({ data, port: 0, limits: false });
  const api = apiOf(service);
  const stored = (await api.get("/domains/example.test/templates")).read(templateListResponse).templates;
  expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining([...answered.templates]));

  const entries = (await api.get("/domains/example.test/logs/count")).read(logCountResponse).total;
  expect(answered.mails).toBeGreaterThan(0);
  // Two recipients each: an email is logged for both or not at all.
  expect(entries % 2).toBe(0);
  expect(entries / 2).toBeGreaterThanOrEqual(answered.mails);
  expect(entries / 2).toBeLessThanOrEqual(acknowledged.mails);

  // Future events still happen, and each email gets its files.
  service.clock.advance(6 * 60_000);
  const mails = service.mail.list({ limit: 100_000 });
  expect(mails).toHaveLength(entries / 2);
  for (const mail of mails) expect(mail.recipients.map(({ status }) => status)).toEqual(["DELIVERED", "DELIVERED"]);
  const unfiled = async () => {
    const files = new Set(await readdir(join(data, "mail")));
    return mails.filter(({ id }) => !files.has(`${id}.eml`) || !files.has(`${id}.txt`)).length;
  };
  await expect.poll(unfiled).toBe(0);

  // Every event of every email is posted, at least once.
  const { got, url } = await receiver();
  await version3(api).put("/domains/example.test", { webhook: url });
  const expected = mails.flatMap(({ recipients }) => recipients.flatMap(({ events }) => events.map(({ id }) => id)));
  await expect
    .poll(() => {
      service.clock.advance(600_000);
      return new Set(got.map(({ event }) => event.id)).size;
    })
    .toBe(new Set(expected).size);
  await service.close();
});
