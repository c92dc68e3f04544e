import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { createMailer } from "../../src/send/index.js";
import { connectLocalService, openInbox, startLocalService } from "../../src/testing/index.js";
import { registryOf } from "../send/registry.js";

async function start(options?: Parameters<typeof startLocalService>[0]) {
  const service = await startLocalService(options);
  onTestFinished(() => service.close());
  const mailer = createMailer({ templates: registryOf(), from: "shop", ...service.mailerOptions });
  onTestFinished(() => mailer.close());
  const send = (to: string, subject: string) =>
    mailer.sendMessage({
      to,
      subject,
      text: "Your code is 123456.",
      html: `<p>Your code is 123456. <a href="https://a.example/?x=1&amp;y=2">Sign in</a></p>`,
      attachments: [{ filename: "a.txt", content: "aGk=" }],
    });
  return { service, send };
}

test("waits for a message and reads it", async () => {
  const { service, send } = await start();
  const waiting = service.inbox.waitFor({ to: "ada@example.com" });
  const { id, messageId } = await send("Ada <ada@example.com>", "Sign in");
  const mail = await waiting;
  expect(mail).toMatchObject({
    id,
    messageId,
    from: "shop@example.test",
    to: "ada@example.com",
    subject: "Sign in",
    text: expect.stringContaining("123456"),
  });
  expect(mail.code()).toBe("123456");
  expect(mail.link("Sign in")).toBe("https://a.example/?x=1&y=2");
  expect(mail.attachments).toEqual([
    { filename: "a.txt", contentType: "text/plain", content: new Uint8Array(Buffer.from("hi")) },
  ]);
});

test("returns each message once, in order of arrival, and by subject", async () => {
  const { service, send } = await start();
  for (const subject of ["one", "two", "three"]) await send("ada@example.com", subject);
  const next = async (subject?: string | RegExp) =>
    (await service.inbox.waitFor({ to: "ada@example.com", ...(subject === undefined ? {} : { subject }) })).subject;
  expect([await next(/^t/), await next(), await next("three")]).toEqual(["two", "one", "three"]);
  await send("ada@example.com", "four");
  expect(await next(expect.stringContaining("our"))).toBe("four");
});

test("does not return messages from before it was opened", async () => {
  const { service, send } = await start();
  await send("ada@example.com", "old");
  const inbox = await openInbox({ url: service.url });
  onTestFinished(() => inbox.close());
  await send("ada@example.com", "new");
  expect(await inbox.waitFor({ to: "ada@example.com" })).toMatchObject({ subject: "new" });
});

test("reports what arrived instead if there is no message in time", async () => {
  const { service, send } = await start();
  await send("bob@example.com", "Hello");
  await expect(service.inbox.waitFor({ to: "ada@example.com", timeoutMs: 50 })).rejects.toMatchObject({
    code: "no_mail",
    message: "No message to ada@example.com arrived within 0.05 s. Other messages:\n- to bob@example.com: Hello",
  });
});

test("waits for the whole time", async () => {
  const { service } = await start();
  const startedAt = performance.now();
  await expect(service.inbox.waitFor({ to: "ada@example.com", timeoutMs: 300 })).rejects.toThrow("within 0.3 s");
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300);
});

test("refuses misspelt options", async () => {
  const { service } = await start();
  const { inbox } = service;
  const wait = (options: unknown) => inbox.waitFor(options as never);
  await expect(wait({ recipient: "ada@example.com" })).rejects.toThrow(
    'inbox.waitFor has no option "recipient". Its options: to, subject, timeoutMs.',
  );
  await expect(wait({ to: "ada@example.com", timeout: 5 })).rejects.toThrow("did you mean timeoutMs?");
  await expect(wait({})).rejects.toThrow("inbox.waitFor: to is undefined; it must be an email address.");
  await expect(wait({ to: "ada@example.com", subject: 7 })).rejects.toThrow(
    "inbox.waitFor: subject is 7; it must be a string,",
  );
  await expect(wait({ to: "ada@example.com", timeoutMs: "5" })).rejects.toThrow(
    'inbox.waitFor: timeoutMs is "5"; it must be',
  );
  await expect(openInbox({ uri: service.url } as object)).rejects.toThrow(
    'openInbox has no option "uri" (did you mean url?). Its options: url, domain.',
  );
  await expect(connectLocalService({ uri: service.url } as object)).rejects.toThrow(
    'connectLocalService has no option "uri" (did you mean url?). Its options: url.',
  );
  await expect(connectLocalService({ url: "127.0.0.1:4680" })).rejects.toThrow(
    'connectLocalService: url is "127.0.0.1:4680"; it must be the local service\'s URL, such as http://',
  );
  await expect(startLocalService({ limit: true } as object)).rejects.toThrow(
    'startLocalService has no option "limit" (did you mean limits?). Its options: data, port,',
  );
});

test("sets a pace only for a service with limits", async () => {
  // A key has one pace in a process, and an earlier service with limits may have had the same port.
  const free = await start({ seed: { apiKey: randomUUID() } });
  await Promise.all(Array.from({ length: 15 }, (_, index) => free.send("ada@example.com", String(index))));
  const limited = await start({ limits: true });
  expect(limited.service.mailerOptions).not.toHaveProperty("sendsPerMinute");
});

test("can't be opened if no service runs", async () => {
  const { service } = await start();
  await service.close();
  await expect(openInbox({ url: service.url })).rejects.toMatchObject({ code: "unreachable" });
});
