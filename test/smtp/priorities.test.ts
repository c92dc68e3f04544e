import { expect, it } from "vitest";
import { systemClock } from "../../src/send/clock.js";
import { createTestClock } from "../../src/testing/index.js";
import { temporaryFile } from "../send/outbox/open.js";
import { eventsOfTest, failureOf, mailerTo, MESSAGE } from "./mailers.js";
import { scriptedServer } from "./scripted-server.js";

const subjectsOf = (got: readonly { readonly source: string }[]) =>
  got.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim());

it("queued messages of high priority are sent first", async () => {
  const { got, port } = await scriptedServer();
  const mailer = mailerTo(port, { store: temporaryFile(), sendsPerMinute: 60 });
  for (const subject of ["Newsletter 1", "Newsletter 2", "Newsletter 3"])
    await mailer.queueMessage({ ...MESSAGE, subject });
  await mailer.queueMessage({ ...MESSAGE, subject: "Sign-in code", priority: "high" });
  mailer.work();
  await expect.poll(() => got, { timeout: 10_000 }).toHaveLength(4);
  expect(subjectsOf(got)[0]).toBe("Sign-in code");
});

it("a message of high priority has a slot when others have used up theirs", async () => {
  const { got, port } = await scriptedServer();
  const mailer = mailerTo(port, { clock: systemClock, sendsPerMinute: 10, maxWait: 100 });
  const sends = Array.from({ length: 12 }, (_, number) =>
    mailer.sendMessage({ ...MESSAGE, subject: `News ${number}` }),
  );
  const news = await Promise.allSettled(sends);
  await mailer.sendMessage({ ...MESSAGE, subject: "Sign-in code", priority: "high" });
  const accepted = news.filter(({ status }) => status === "fulfilled").length;
  expect(accepted).toBeLessThan(10);
  expect(subjectsOf(got)).toHaveLength(accepted + 1);
  expect(subjectsOf(got).at(-1)).toBe("Sign-in code");
});

it("a message that expires before the server accepts it is not sent any more", async () => {
  const { got, port } = await scriptedServer({
    at: (stage) => (stage === "RCPT" ? "450 4.2.0 Greylisted" : undefined),
  });
  const events = eventsOfTest();
  const error = await failureOf(mailerTo(port, { clock: systemClock }).sendMessage({ ...MESSAGE, expiresAfter: 300 }));
  expect(error).toMatchObject({ code: "expired" });
  expect(events.map(({ type }) => type)).toEqual(["attempt", "retry"]);
  expect(got).toEqual([]);
});

it("a queued message that has expired when a worker gets to it is never sent", async () => {
  const { got, commands, port } = await scriptedServer();
  const clock = createTestClock();
  const mailer = mailerTo(port, { store: temporaryFile(), clock });
  const { id } = await mailer.queueMessage({ ...MESSAGE, expiresAfter: "10m" });
  await clock.advance(11 * 60_000);
  mailer.work();
  await expect.poll(async () => (await mailer.outbox.get(id))?.state).toBe("expired");
  expect(got).toEqual([]);
  expect(commands).toEqual([]);
});
