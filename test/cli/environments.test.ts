import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { startService } from "../../src/service/index.js";
import { scriptedServer } from "../smtp/scripted-server.js";
import { htmlTemplate, TestProject } from "./project.js";

const versions = ["v3", "v4"] as const;

/** A project with an environment `staging` on a local service that has the project's template. */
async function setUp(environment: object) {
  const service = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => service.close());
  const { url, domain, apiKey } = service;
  const client = createClient({ baseUrl: url, apiKey });
  onTestFinished(() => client.close());
  const body = { subject: "For {{name}}", html_body: "<p>{{name}}</p>", text_body: "{{name}}" };
  await client.templates.create(domain, { name: "one", ...body });
  await client.templates.create(domain, { name: "stg-one", ...body, subject: "Staged for {{name}}" });
  const config = { environments: { staging: { url, domain, ...environment } } };
  const project = new TestProject({ "lettershop.config.json": JSON.stringify(config), ...htmlTemplate("one") });
  return { project, service, env: { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: apiKey } };
}

// Each starts several processes.
describe.each(versions)("an environment of version %s", (version) => {
  test("works with send, logs and doctor", async () => {
    const { project, env } = await setUp({ version });
    const sent = await project.run(["send", "one", "--to", "ada@example.org", "--to", "bob@example.org"], env);
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining("Accepted: ") });

    const all = await project.run(["logs"], env);
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining("ada@example.org") });
    expect(all.stdout).toContain("bob@example.org");
    expect(all.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z /m);
    const one = await project.run(["logs", "--to", "ADA@example.org", "--since", "1h", "--json"], env);
    expect(JSON.parse(one.stdout).logs).toMatchObject([{ recipient: { email: "ada@example.org" } }]);
    const none = await project.run(["logs", "--to", "da@example.org", "--status", "REFUSED"], env);
    expect(none.stdout).toBe("No matching log entries.\n");

    const { code, stdout } = await project.run(["doctor"], env);
    expect(stdout).toMatch(/✓ http:\S+ accepts the key\.\n✓ The plan .* allows \d+ sends a day/);
    expect(stdout).toMatch(/✓ (\S+) is a domain of the account\.\n✓ \1 is ready to send\.\n/);
    expect(stdout).toContain("✓ 1 template deployed, matching what applications pass");
    expect(code).toBe(0);
    expect(await project.run(["doctor"], { ...env, LETTERSHOP_API_KEY: "wrong" })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`Set the key of the environment "staging"`),
    });
  });
});

test("a message uses the template with prefix and suffix, and only goes to allowed recipients", async () => {
  const recipients = { allow: ["@example.org"] };
  const { project, service, env } = await setUp({ namePrefix: "stg-", recipients });
  expect(await project.run(["send", "one", "--to", "ada@example.org"], env)).toMatchObject({ code: 0 });
  expect(service.mail.list()).toMatchObject([{ subject: "Staged for Ada" }]);

  const refused = await project.run(["send", "one", "--to", "eve@elsewhere.example"], env);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain(`to[0]: is not a recipient that the environment "staging" allows`);
  expect(refused.stderr).not.toContain("eve@");
  expect(service.mail.list()).toHaveLength(1);
});

test("the pipeline's variables override the configuration", async () => {
  const { project, service, env } = await setUp({ url: "https://elsewhere.example", domain: "elsewhere.example" });
  const pinned = { ...env, LETTERSHOP_URL: service.url, LETTERSHOP_DOMAIN: service.domain };
  expect(await project.run(["send", "one", "--to", "ada@example.org"], pinned)).toMatchObject({ code: 0 });
  expect(service.mail.list()).toHaveLength(1);
});

test("a command doesn't use another project's local service, except by its URL", async () => {
  const { project } = await setUp({});
  const other = await startService({ data: ":memory:", project: new TestProject().folder, port: 0 });
  onTestFinished(() => other.close());
  project.write({ ".lettershop/service.json": JSON.stringify({ url: other.url, domain: other.domain }) });
  const alone = await project.run(["send", "one", "--to", "ada@example.org"]);
  expect(alone.stderr).toContain(`The local service at ${other.url} belongs to another project: `);
  expect(other.mail.list()).toEqual([]);
  const env = { LETTERSHOP_URL: other.url };
  expect(await project.run(["sync"], env)).toMatchObject({ code: 0 });
  expect(await project.run(["send", "one", "--to", "ada@example.org"], env)).toMatchObject({ code: 0 });
  expect(other.mail.list()).toHaveLength(1);
});

test("a template that is not on the service is refused with the command that deploys it", async () => {
  const { project, env } = await setUp({ namePrefix: "other-" });
  const { code, stderr } = await project.run(["send", "one", "--to", "ada@example.org"], env);
  expect(code).toBe(3);
  expect(stderr).toContain('The template "other-one" is not on the service. Run: templates sync --env staging');
});

/** A service with an SMTP credential, and the variables by which an environment sends with it. */
async function submissionService() {
  const credentials = [{ username: "app", password: "secret-password" }];
  const service = await startService({
    data: ":memory:",
    port: 0,
    limits: false,
    seed: { domains: [{ name: "example.test", credentials }] },
  });
  onTestFinished(() => service.close());
  const variables = {
    LETTERSHOP_ENV: "staging",
    LETTERSHOP_SMTP_HOST: "127.0.0.1",
    LETTERSHOP_SMTP_PORT: String(service.smtpPort),
    LETTERSHOP_SMTP_USER: "app@example.test",
    LETTERSHOP_SMTP_PASSWORD: "secret-password",
  };
  return { ...service, variables };
}

test("an environment that sends by SMTP sends through the server of the variables, without the service's templates", async () => {
  const { variables, ...service } = await submissionService();
  const { url, domain, apiKey, smtpPort } = service;
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments: { staging: { url, domain, transport: "smtp" } } }),
    ...htmlTemplate("one"),
  });
  const env = { ...variables, LETTERSHOP_API_KEY: apiKey };
  const sent = await project.run(["send", "one", "--to", "ada@example.org"], env);
  expect(sent).toMatchObject({ code: 0 });
  const [captured] = service.mail.list();
  expect((await service.mail.open(captured?.id ?? ""))?.html).toContain("<p>Hello Ada</p>");
  // A shell would take angle brackets for a redirection.
  const [, id = ""] = /run: templates trace ([\w@.-]+) --env staging/.exec(sent.stdout) ?? [];
  expect(await project.run(["trace", id, "--env", "staging"], env)).toMatchObject({ code: 0 });
  const logs = await fetch(`${url}/v4/domains/${domain}/logs?transport=smtp`, {
    headers: { authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}` },
  });
  expect(await logs.json()).toMatchObject({ logs: [{ recipient: { email: "ada@example.org" } }] });

  const checked = await project.run(["doctor"], env);
  expect(checked.stdout).toContain(`smtp://127.0.0.1:${smtpPort} accepts the connection and the login.`);
  expect(checked.stdout).not.toContain("templates sync");
  expect(checked).toMatchObject({ code: 0 });

  expect(await project.run(["types"], env)).toMatchObject({ code: 0 });
  const registry = readFileSync(project.path("templates.gen.ts"), "utf8");
  expect(registry).toContain('import { smtp } from "lettershop/smtp";');
  expect(registry).toMatch(/staging: \{ url: .*transport: "smtp", .*, smtp: smtp\(\) \},/);
  expect(registry).not.toContain("secret-password");
});

test("an environment that only sends by SMTP needs neither a URL nor a key to send", async () => {
  const { smtpPort, variables: env, mail } = await submissionService();
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({
      environments: { staging: { domain: "example.test", transport: "smtp" } },
    }),
    ...htmlTemplate("one"),
  });
  const sent = await project.run(["send", "one", "--to", "ada@example.org"], env);
  expect(sent).toMatchObject({ code: 0 });
  expect(sent.stderr).toContain(`Environment staging: example.test at smtp://127.0.0.1:${smtpPort}`);
  expect(sent.stdout).not.toContain("templates trace");
  expect(mail.list()).toHaveLength(1);
  expect(await project.run(["doctor"], env)).toMatchObject({ code: 0 });

  const wrong = await project.run(["doctor"], { ...env, LETTERSHOP_SMTP_PASSWORD: "wrong-password" });
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain("The user name or password is wrong");
  expect(wrong.stdout).not.toContain("wrong-password");
  const missing = await project.run(["send", "one", "--to", "ada@example.org"], { LETTERSHOP_ENV: "staging" });
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("Set LETTERSHOP_SMTP_HOST");
});

test("an environment needs a URL unless it sends by SMTP", async () => {
  const environments = { staging: { domain: "example.test" } };
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments }),
    ...htmlTemplate("one"),
  });
  const { code, stderr } = await project.run(["types"]);
  expect(code).toBe(2);
  expect(stderr).toContain('which only environments with `transport: "smtp"` can do without');
});

test("the guide's configuration is valid, and the registry contains what a mailer needs from it", async () => {
  const guide = readFileSync(fileURLToPath(new URL("../../docs/guides/environments.md", import.meta.url)), "utf8");
  const [, config = ""] = /^```ts\n([^]*?)^```$/m.exec(guide) ?? [];
  const project = new TestProject({ "lettershop.config.ts": config, ...htmlTemplate("one") });
  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  const registry = readFileSync(project.path("templates.gen.ts"), "utf8");
  expect(registry).toContain(`recipients: { allow: ["@example.com"], redirectTo: "staging-inbox@example.com" }`);
  expect(registry).not.toMatch(/exclude|confirm/);
});

test("an environment without a service sends by SMTP, without a key", async () => {
  const { got, port } = await scriptedServer();
  const production = { transport: "smtp", domain: "shop.example" };
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments: { production } }),
    ...htmlTemplate("one"),
  });
  const send = ["send", "one", "--to", "ada@example.org", "--env", "production"];
  const { code, stdout } = await project.run(send, {
    LETTERSHOP_SMTP_HOST: "127.0.0.1",
    LETTERSHOP_SMTP_PORT: String(port),
  });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Accepted: /) });
  expect(stdout).not.toContain("templates trace");
  expect(got).toMatchObject([{ from: "no-reply@shop.example", to: ["ada@example.org"] }]);
  expect(await project.run(send)).toMatchObject({ code: 2, stderr: expect.stringContaining("no server is set") });
});
