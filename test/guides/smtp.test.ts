import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { LOCAL_SMTP_PASSWORD, LOCAL_SMTP_USER } from "../../src/api/local.js";
import { startService } from "../../src/service/index.js";
import { repository, write } from "../registry/templates.js";
import { removeFolder } from "../remove-folder.js";
import { compile } from "../types/application.js";
import { writeApplication } from "./application.js";

const guide = readFileSync(path.join(repository, "docs/guides/smtp.md"), "utf8");
const command = path.join(repository, "dist/cli/main.js");
const execute = promisify(execFile);

/** The code of a section. */
function codeOf(heading: string): string {
  const [, section = ""] = guide.split(`## ${heading}\n`);
  const [, code = ""] = /```ts\n([^]*?)```/.exec(section.split("\n## ")[0] ?? "") ?? [];
  return code;
}

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "send by smtp-")));
  await mkdir(path.join(folder, "node_modules"));
  await writeApplication(folder, {
    packages: ["zod"],
    files: {
      "lettershop.config.json": JSON.stringify({
        environments: { production: { transport: "smtp", domain: "shop.example" } },
      }),
      "templates/receipt/receipt.html":
        "<!doctype html><html lang='en'><body><p>Order {{order.number}}</p></body></html>",
      "templates/receipt/template.json": JSON.stringify({ subject: "Receipt {{order.number}}" }),
      "templates/receipt/fixtures/default.json": JSON.stringify({ order: { number: "7" } }),
      "src/local.ts": codeOf("The local service"),
      "src/service.ts": codeOf("The service"),
      "src/other.ts": codeOf("Any other server"),
      "src/environment.ts": `
        import { createMailer } from "lettershop/send";
        import { templates } from "./templates.gen.js";
        const mailer = createMailer({ templates, environment: "production", from: "receipts" });
        await mailer.send("receipt", { order: { number: "1042" } }, { to: "ada@example.com" });
        await mailer.close();
      `,
    },
  });
  await execute(process.execPath, [command, "types", "--bodies"], { cwd: folder });
  expect(await compile({ folder })).toEqual([]);
}, 60_000);

afterAll(() => removeFolder(folder));

/** Runs a compiled file, with other servers than in the guide. */
async function run(name: string, replacements: Readonly<Record<string, string>>, env: object): Promise<string> {
  const file = path.join(folder, `out/${name}.js`);
  let code = readFileSync(file, "utf8");
  for (const [from, to] of Object.entries(replacements)) {
    expect(code).toContain(from);
    code = code.replace(from, to);
  }
  await write(folder, { [`out/${name}-run.js`]: code });
  const own = { ...process.env, NODE_ENV: "production", ...env };
  const { stdout } = await execute(process.execPath, [path.join(folder, `out/${name}-run.js`)], {
    cwd: folder,
    env: own,
  });
  return stdout;
}

test("the local service, as its command starts it", { timeout: 60_000 }, async () => {
  expect(guide).toContain(`user \`${LOCAL_SMTP_USER}@example.test\`, password \`${LOCAL_SMTP_PASSWORD}\``);
  const service = spawn(process.execPath, [command, "service", "--port", "0", "--smtp-port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void service.kill("SIGKILL"));
  let printed = "";
  service.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await expect.poll(() => printed, { timeout: 20_000 }).toContain("data:");
  expect(printed).toMatch(/SMTP: smtp:\/\/127\.0\.0\.1:\d+, user app@example\.test, password local/);
  expect(await run("local", {}, { NODE_ENV: "development" })).toBe("delivered\n");
  const ended = once(service, "exit");
  service.kill("SIGTERM");
  await ended;
});

test("the service, with its delivery log", { timeout: 60_000 }, async () => {
  const credentials = [{ username: "app", password: "secret" }];
  const seed = { apiKey: "key-of-the-test", domains: [{ name: "mail.example.com", credentials }] as const };
  const service = await startService({ data: ":memory:", port: 0, limits: false, seed });
  onTestFinished(() => service.close());
  const replacements = {
    'host: "smtp.example.com"': `host: "127.0.0.1", port: ${service.smtpPort}`,
    "https://api.example.com": service.url,
  };
  const printed = await run("service", replacements, { SMTP_PASSWORD: "secret", MAIL_API_KEY: "key-of-the-test" });
  expect(printed).toMatch(/^(accepted|underway|delivered)\n$/);
  expect(service.mail.list().map(({ subject, from }) => [subject, from.email])).toEqual([
    ["Receipt 1042", "receipts@mail.example.com"],
  ]);
});

test("any other server, also by an environment's variables", { timeout: 60_000 }, async () => {
  const sources: string[] = [];
  const server = new SMTPServer({
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      done(username === "shop" && password === "secret" ? null : new Error("5.7.8 Wrong"), { user: username }),
    onData(stream, _session, done) {
      let source = "";
      stream.setEncoding("utf8").on("data", (text: string) => (source += text));
      stream.on("end", () => {
        sources.push(source);
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const replacements = { 'host: "smtp.example.com", port: 587': `host: "127.0.0.1", port: ${port}` };
  const printed = await run("other", replacements, { SMTP_PASSWORD: "secret" });
  expect(printed).toMatch(/^<.*@shop\.example>\n$/);
  await run(
    "environment",
    {},
    {
      LETTERSHOP_SMTP_HOST: "127.0.0.1",
      LETTERSHOP_SMTP_PORT: String(port),
      LETTERSHOP_SMTP_USER: "shop",
      LETTERSHOP_SMTP_PASSWORD: "secret",
    },
  );
  expect(sources).toHaveLength(2);
  for (const source of sources) {
    expect(source).toMatch(/^From: receipts@shop\.example\r\nTo: ada@example\.com\r\nSubject: Receipt 1042\r\n/);
    expect(source).toContain("Order 1042");
  }
});
