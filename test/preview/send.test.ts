import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type RunningService, type Seed, startService } from "../../src/service/index.js";
import { mailAccess, nobodysAddress } from "./mail-access.js";
import { scriptedServer } from "../smtp/scripted-server.js";
import { PreviewedProject } from "./server/harness.js";

const KEY = "SHOP_STAGING_KEY";

beforeEach(() => {
  vi.stubEnv("CI", "");
  onTestFinished(() => void vi.unstubAllEnvs());
});

async function shop(
  environment: Record<string, unknown> = {},
): Promise<{ project: PreviewedProject; service: RunningService }> {
  const seed: Seed = { apiKey: "staging-key", domains: [{ name: "staging.example" }] };
  const service = await startService({ data: ":memory:", port: 0, limits: false, seed });
  onTestFinished(() => service.close());
  const staging = { url: service.url, domain: "staging.example", keyVariable: KEY, ...environment };
  const project = new PreviewedProject({
    "lettershop.config.json": JSON.stringify({ environments: { staging } }),
    ".lettershop/service.json": JSON.stringify({ url: await nobodysAddress(), domain: "example.test" }),
  });
  vi.stubEnv(KEY, "staging-key");
  return { project, service };
}

const message = {
  template: "receipt",
  environment: "staging",
  to: "ada@example.com",
  isConfirmed: false,
  subject: "Receipt 1",
  html: "<p>{{as it is}}</p>",
  text: "As it is",
  input: { number: 1 },
};

test("what is shown is sent unchanged to an environment with a key", async () => {
  const { project, service } = await shop();
  const { environments, mailer } = await mailAccess(project.folder);
  expect(await environments()).toEqual([
    { name: "local", domain: "example.test", hasKey: true, canSend: true, isProtected: false },
    { name: "staging", domain: "staging.example", hasKey: true, canSend: true, isProtected: false },
  ]);
  const answer = await mailer.send(message);
  expect(answer).toEqual({ outcome: "accepted", id: expect.any(String), environment: "staging" });
  const [mail] = service.mail.list();
  expect(mail).toMatchObject({ from: { email: "no-reply@staging.example" }, subject: message.subject });
  expect(await service.mail.open(mail?.id ?? "")).toMatchObject({ html: message.html, text: message.text });
});

test("the environment's recipient rules apply", async () => {
  const { project, service } = await shop({ recipients: { allow: ["*@example.com"], redirectTo: "team@example.com" } });
  const { mailer } = await mailAccess(project.folder);
  expect(await mailer.send({ ...message, to: "somebody@elsewhere.org" })).toMatchObject({ outcome: "accepted" });
  expect(service.mail.list()[0]?.recipients.map(({ email }) => email)).toEqual(["team@example.com"]);
});

test("a protected environment requires confirmation", async () => {
  const { project, service } = await shop({ confirm: true });
  const { environments, mailer } = await mailAccess(project.folder);
  expect((await environments())[1]).toMatchObject({ name: "staging", isProtected: true });
  expect(await mailer.send(message)).toMatchObject({
    outcome: "refused",
    message: expect.stringContaining("protected"),
  });
  expect(service.mail.list()).toEqual([]);
  expect(await mailer.send({ ...message, isConfirmed: true })).toMatchObject({ outcome: "accepted" });
});

test("messages that can't be sent, or that the service refuses, are reported in plain words", async () => {
  const { project, service } = await shop();
  const { mailer } = await mailAccess(project.folder);
  expect(await mailer.send({ ...message, to: "nobody" })).toMatchObject({
    outcome: "refused",
    message: expect.stringContaining("to:"),
  });
  service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 403 });
  expect(await mailer.send(message)).toMatchObject({ outcome: "rejected", message: expect.stringContaining("403") });
});

test("an environment without a key is not offered, nor one whose key the templates' own code could read", async () => {
  const { project } = await shop();
  const seeing = await mailAccess(project.folder, { seen: [KEY] });
  expect((await seeing.environments())[1]).toMatchObject({ hasKey: false, canSend: false });
  await expect(seeing.mailer.send(message)).rejects.toThrow(`${KEY} isn't used as a key`);

  vi.stubEnv(KEY, undefined);
  const without = await mailAccess(project.folder);
  expect((await without.environments())[1]).toMatchObject({ hasKey: false, canSend: false });
  await expect(without.mailer.send(message)).rejects.toThrow(`${KEY} is not set`);
});

test("the local service is started if it is not running, and the inbox knows the input", async () => {
  const { project } = await shop();
  const { inbox, mailer } = await mailAccess(project.folder);
  const answer = await mailer.send({ ...message, environment: "local" });
  if (answer.outcome !== "accepted") throw new Error(answer.message);
  expect(await mailer.assets("local")).toEqual({
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/assets$/),
  });
  expect(await inbox.open(answer.id)).toMatchObject({
    from: "no-reply@example.test",
    template: { name: "receipt", variables: { number: 1 } },
  });
});

test("an environment that only sends by SMTP gets tests by SMTP", async () => {
  const { got, port } = await scriptedServer();
  const production = { transport: "smtp", domain: "shop.example" };
  const project = new PreviewedProject({ "lettershop.config.json": JSON.stringify({ environments: { production } }) });
  vi.stubEnv("LETTERSHOP_SMTP_HOST", "127.0.0.1");
  vi.stubEnv("LETTERSHOP_SMTP_PORT", String(port));
  const { environments, mailer } = await mailAccess(project.folder);
  expect((await environments())[1]).toMatchObject({ name: "production", hasKey: false, canSend: true });
  expect(await mailer.send({ ...message, environment: "production" })).toMatchObject({ outcome: "accepted" });
  expect(got).toMatchObject([{ from: "no-reply@shop.example", source: expect.stringContaining("{{as it is}}") }]);

  const seeing = await mailAccess(project.folder, { seen: ["LETTERSHOP_SMTP_PASSWORD"] });
  expect((await seeing.environments())[1]).toMatchObject({ canSend: false });
  vi.stubEnv("LETTERSHOP_SMTP_HOST", undefined);
  const without = await mailAccess(project.folder);
  expect((await without.environments())[1]).toMatchObject({ canSend: false });
  await expect(without.mailer.send({ ...message, environment: "production" })).rejects.toThrow("no server is set");
});
