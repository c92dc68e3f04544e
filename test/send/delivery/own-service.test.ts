import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors.js";
import { createMailer, type Mailer, type MailerOptions, onSendEvent, type SendEvent } from "../../../src/send/index.js";
import { startService } from "../../../src/service/index.js";
import { answerJson, rejection, serve, unusedUrl } from "../../api/servers.js";
import { addFiles, makeFolder } from "../../process/folder.js";

const message = { to: "ada@example.com", subject: "Hi", text: "Hi" };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A mailer of an application in the folder, which discovers its local service. */
function mailerIn(folder: string, options: Partial<MailerOptions<object>> = {}): Mailer<object> {
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  vi.stubEnv("NODE_ENV", "development");
  const mailer = createMailer({ from: "shop", ...options });
  onTestFinished(() => mailer.close());
  return mailer;
}

/** The folder of a project whose service had the URL when it last ran. */
async function projectAt(url: string): Promise<string> {
  return makeFolder({ ".lettershop/service.json": JSON.stringify({ url, domain: "example.test" }) }, "shop");
}

async function serviceOf(folder: string, port = 0) {
  const service = await startService({ data: path.join(folder, ".lettershop"), port, limits: false });
  onTestFinished(() => service.close());
  return service;
}

test("sends nothing to another project's local service, and names both projects and the fix", async () => {
  const other = await serviceOf(await makeFolder({}, "blog"));
  const folder = await projectAt(other.url);
  const mailer = mailerIn(folder);
  const error = await rejection(mailer.sendMessage(message));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({
    message: `The local service at ${other.url} belongs to another project: blog. This project is shop.`,
    hint: `Run "templates service" in shop and restart the application, or set LETTERSHOP_URL=${other.url} to use that service anyway.`,
  });
  expect(await mailer.verify()).toEqual({
    ok: false,
    checks: [{ name: "service", ok: false, message: Reflect.get(Object(error), "message"), hint: expect.any(String) }],
  });
  expect(other.mail.list()).toEqual([]);

  await mailerIn(folder, { environment: "local", url: other.url }).sendMessage(message);
  vi.stubEnv("LETTERSHOP_URL", other.url);
  await mailerIn(folder).sendMessage(message);
  expect(other.mail.list()).toHaveLength(2);
});

test("checks a service that only answers the second request", async () => {
  const url = await unusedUrl();
  const sending = rejection(mailerIn(await projectAt(url)).sendMessage({ ...message, maxWait: 30_000 }));
  await sleep(50);
  const other = await serviceOf(await makeFolder({}, "blog"), Number(new URL(url).port));
  expect(await sending).toBeInstanceOf(ConfigurationError);
  expect(other.mail.list()).toEqual([]);
});

test("makes a queued message wait for its own project's service", async () => {
  const other = await serviceOf(await makeFolder({}, "blog"));
  const folder = await projectAt(other.url);
  const events: SendEvent[] = [];
  onTestFinished(onSendEvent((event) => void events.push(event)));
  const mailer = mailerIn(folder, { store: path.join(folder, "mail.db") });
  const { id } = await mailer.queueMessage(message);
  mailer.work();
  const reason = expect.stringContaining("belongs to another project: blog");
  await expect.poll(() => events).toContainEqual({ type: "outbox-trouble", reason });
  await expect.poll(() => mailer.outbox.get(id)).toMatchObject({ state: "queued", attempts: 0, reason });
  expect(other.mail.list()).toEqual([]);
  await other.close();
  const own = await serviceOf(folder, other.port);
  await expect.poll(() => own.mail.list()).toHaveLength(1);
});

test("checks only its own service, at most once every few seconds", async () => {
  const folder = await makeFolder();
  const { url, seen } = await serve((request, response) =>
    request.url === "/local/service"
      ? answerJson(response, 200, { project: folder })
      : answerJson(response, 200, { id: "1.a", message_id: "<1@example.com>" }),
  );
  const checks = () => seen.filter((request) => request.url === "/local/service").length;
  await addFiles(folder, { ".lettershop/service.json": JSON.stringify({ url }) });
  const mailer = mailerIn(folder);
  for (const subject of ["One", "Two", "Three"]) await mailer.sendMessage({ ...message, subject });
  expect(checks()).toBe(1);

  const real = { environment: "production", url, domain: "example.com", apiKey: "key-of-the-test" };
  await mailerIn(folder, real).sendMessage(message);
  expect(checks()).toBe(1);
});
