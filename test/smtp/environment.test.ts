import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { inspect } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { resolveEnvironment } from "../../src/project/environment.js";
import { createMailer } from "../../src/send/index.js";
import { smtp } from "../../src/smtp/index.js";
import { targetOf } from "../../src/send/parcel.js";
import { temporaryFolder } from "../service/harness.js";
import { registryOf } from "../send/registry.js";
import { MESSAGE } from "./mailers.js";
import { scriptedServer } from "./scripted-server.js";

afterEach(() => vi.unstubAllEnvs());

const variables = {
  LETTERSHOP_SMTP_HOST: "smtp.example.com",
  LETTERSHOP_SMTP_USER: "app@example.com",
  LETTERSHOP_SMTP_PASSWORD: "secret-password",
};
const production = { transport: "smtp", domain: "example.com", version: "v4", keyVariable: "MAIL_KEY" } as const;
const resolve = (env: NodeJS.ProcessEnv, environments: object = { production }, options = {}) =>
  resolveEnvironment({
    caller: "mailer",
    name: "production",
    environments: environments as never,
    env,
    options: { transport: smtp(), ...options },
  });

test("an environment that sends by SMTP takes the server from variables, and needs no service", () => {
  expect(resolve(variables)).toMatchObject({
    name: "production",
    url: "smtp://smtp.example.com:587",
    domain: "example.com",
    apiKey: "",
    smtp: { host: "smtp.example.com", port: 587, user: "app@example.com", password: "secret-password" },
  });
  expect(resolve({ ...variables, LETTERSHOP_SMTP_PORT: "465" }).smtp?.port).toBe(465);
});

test("with a URL and a key, the service is known too", () => {
  const environments = { production: { ...production, url: "https://api.example.com" } };
  expect(resolve({ ...variables, MAIL_KEY: "key" }, environments)).toMatchObject({
    url: "https://api.example.com",
    apiKey: "key",
    smtp: { host: "smtp.example.com" },
  });
  expect(resolve(variables, environments)).toMatchObject({ url: "smtp://smtp.example.com:587", apiKey: "" });
});

test.each<[string, NodeJS.ProcessEnv, string]>([
  ["no host", {}, "no server is set."],
  [
    "a URL as host",
    { ...variables, LETTERSHOP_SMTP_HOST: "smtp://u:hunter2@x" },
    "is not a host name or an IP address",
  ],
  ["an unusable port", { ...variables, LETTERSHOP_SMTP_PORT: "0x1" }, "is not a number from 1 to 65535"],
  ["no password", { ...variables, LETTERSHOP_SMTP_PASSWORD: "" }, "The SMTP user is set, but the password is not"],
  ["no user", { ...variables, LETTERSHOP_SMTP_USER: "" }, "The SMTP password is set, but the user is not"],
])("%s is an error that says what to set, without secrets", (_what, env, expected) => {
  let shown = "";
  try {
    resolve(env);
  } catch (error) {
    shown = inspect(error, { depth: null });
  }
  expect(shown.replaceAll(/\s+/g, " ")).toContain(expected);
  expect(shown).not.toMatch(/secret-password|hunter2/);
});

test("options with a host ignore the variables, so that a password goes to its own server only", () => {
  const env = { ...variables, LETTERSHOP_SMTP_PORT: "465" };
  const own = resolve(env, undefined, { transport: smtp({ host: "other.example.com" }) });
  expect(own.smtp).toEqual({ url: "smtp://other.example.com:587", host: "other.example.com", port: 587 });
  expect(resolve(env).smtp).toMatchObject({ host: "smtp.example.com", port: 465, user: "app@example.com" });
});

test("the domain comes from the user's name if nothing else names it", () => {
  const transport = (user: string) => ({ transport: smtp({ host: "smtp.example.com", user, password: "x" }) });
  const without = (user: string, env = {}) => resolveEnvironment({ caller: "mailer", env, options: transport(user) });
  expect(without("app@example.org").domain).toBe("example.org");
  expect(without("AKIA", { LETTERSHOP_DOMAIN: "example.net" }).domain).toBe("example.net");
  expect(() => without("AKIA")).toThrow("the domain of the senders' addresses is not set");
});

test("in development, a mailer without a server uses the local service and its credential", async () => {
  const cwd = await temporaryFolder();
  const env = { NODE_ENV: "development" };
  await mkdir(path.join(cwd, ".lettershop"));
  const file = { url: "http://127.0.0.1:4999", domain: "example.test", smtpPort: 2999 };
  await writeFile(path.join(cwd, ".lettershop", "service.json"), JSON.stringify(file));
  expect(resolveEnvironment({ caller: "mailer", cwd, env, options: { transport: smtp() } })).toMatchObject({
    name: "local",
    url: "http://127.0.0.1:4999",
    domain: "example.test",
    apiKey: "local",
    smtp: { host: "127.0.0.1", port: 2999, user: "app@example.test", password: "local" },
  });
  expect(() => resolveEnvironment({ caller: "mailer", cwd, env: {}, options: { transport: smtp() } })).toThrow(
    "no server is set",
  );
});

test("the local environment uses a server of the variables only on this machine", async () => {
  const here = resolveEnvironment({
    caller: "mailer",
    name: "local",
    env: { ...variables, LETTERSHOP_SMTP_HOST: "127.0.0.1", LETTERSHOP_SMTP_PORT: "2580" },
    options: { transport: smtp() },
  });
  expect(here.smtp).toMatchObject({ url: "smtp://127.0.0.1:2580", user: "app@example.com" });
  const elsewhere = resolveEnvironment({
    caller: "mailer",
    name: "local",
    env: variables,
    cwd: await temporaryFolder(),
    options: { transport: smtp() },
  });
  expect(elsewhere.smtp).toMatchObject({ url: "smtp://127.0.0.1:2525", user: "app@example.test" });
});

test("it matters which project the local service belongs to only if messages go there", async () => {
  const cwd = await temporaryFolder();
  const local = (port: string) =>
    resolveEnvironment({
      caller: "mailer",
      name: "local",
      cwd,
      env: { LETTERSHOP_SMTP_HOST: "127.0.0.1", LETTERSHOP_SMTP_PORT: port },
      options: { transport: smtp() },
    });
  expect(local("1025").searchedFrom).toBeUndefined();
  expect(local("2525").searchedFrom).toBe(cwd);
});

test("commands use an environment's service, and say so if it has none", () => {
  const command = (environments: object, env: NodeJS.ProcessEnv) =>
    resolveEnvironment({ caller: "command", name: "production", environments: environments as never, env });
  const environments = { production: { ...production, url: "https://api.example.com" } };
  expect(command(environments, { MAIL_KEY: "key" })).toMatchObject({ url: "https://api.example.com", apiKey: "key" });
  expect(() => command({ production }, { MAIL_KEY: "key" })).toThrow("has no URL of a service: it only sends by SMTP");
});

test("a mailer loads the transport of the registry's environment", async () => {
  const { got, port } = await scriptedServer();
  vi.stubEnv("LETTERSHOP_SMTP_HOST", "127.0.0.1");
  vi.stubEnv("LETTERSHOP_SMTP_PORT", String(port));
  const load = { smtp: smtp() };
  const mailer = createMailer({
    templates: registryOf({ production: { ...production, ...load } }),
    environment: "production",
    from: "shop",
  });
  await mailer.sendMessage(MESSAGE);
  await mailer.close();
  expect(got.map(({ from }) => from)).toEqual(["shop@example.com"]);

  const old = { templates: registryOf({ production }), environment: "production" };
  expect(() => createMailer(old)).toThrow('The environment "production" sends by SMTP, and the registry is older');
});

test("wrong options are refused when the mailer is made", () => {
  const server = { host: "127.0.0.1", port: 2525 };
  const options = { domain: "example.test", transport: smtp(server) };
  expect(() => createMailer({ ...options, transport: "smtp" as never })).toThrow(
    "transport is not what smtp() returns",
  );
  expect(() => smtp({ ...server, pass: "x" } as never)).toThrow('smtp has no option "pass" (did you mean password?)');
  expect(() => createMailer({ ...options, suppressHardBounces: true })).toThrow("needs `url` and `apiKey`");
  expect(() => createMailer({ ...options, transport: smtp({ ...server, port: 70_000 }) })).toThrow("65535");
  expect(() => smtp({ ...server, tls: { rejectUnauthorized: false } } as never)).toThrow(
    'smtp has no option "tls.rejectUnauthorized"',
  );
  const withPath = smtp({ ...server, tls: { ca: "certificates/ca.pem" } });
  expect(() => createMailer({ ...options, transport: withPath })).toThrow("not a certificate in PEM format");
});

test("settings without a host are refused instead of ignored", () => {
  expect(() => resolve(variables, undefined, { transport: smtp({ password: "other" }) })).toThrow("but no `host`");
  expect(resolve(variables, undefined, { transport: smtp({ tls: { servername: "mail" } }) }).smtp).toMatchObject({
    host: "smtp.example.com",
    password: "secret-password",
    tls: { servername: "mail" },
  });
});

test("messages for a server and for a service are apart in an outbox", () => {
  expect(targetOf("smtp://Smtp.example.com:587", "Example.com")).toBe("smtp://Smtp.example.com:587 example.com");
  expect(targetOf("https://api.example.com/", "example.com")).toBe("https://api.example.com example.com");
});
