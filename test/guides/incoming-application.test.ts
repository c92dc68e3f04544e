import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { type LocalService, startLocalService } from "../../src/testing/index.js";
import { makeFolder, repository, write } from "../registry/templates.js";
import { compile } from "../types/application.js";
import { writeApplication } from "./application.js";

/* Runs the code in docs/guides/incoming.md, and that about incoming email in docs/guides/local-service.md. */

function readGuide(name: string): string {
  return readFileSync(path.join(repository, `docs/guides/${name}.md`), "utf8");
}

/** The code blocks in a language below a heading, or of the whole guide. */
function blocks(guide: string, language: string, heading?: string): string[] {
  const [, section = ""] = heading === undefined ? ["", guide] : guide.split(`\n## ${heading}\n`);
  const [text = ""] = heading === undefined ? [section] : section.split("\n## ");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);
}

const guide = readGuide("incoming");
const outlook = [
  "From: Bob <bob@shop.example>",
  "To: support@example.test",
  "Subject: =?iso-8859-1?Q?Gr=FC=DFe?=",
  "MIME-Version: 1.0",
  'Content-Type: text/plain; charset="iso-8859-1"',
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "Gr=FC=DFe aus Outlook",
  "",
].join("\r\n");

/** A post whose connection breaks, which must not end the application. */
const cutPost = `
  import { once } from "node:events";
  import { type AddressInfo, connect } from "node:net";
  import { expect, test } from "vitest";
  import { createApp } from "../src/app.js";

  test("a post that is cut", async () => {
    const app = createApp({ secret: "whsec_c2VjcmV0", save: async () => {} }).listen(0, "127.0.0.1");
    await once(app, "listening");
    const { port } = app.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1", () => socket.write("POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 9\\r\\n\\r\\n{"));
    await once(app, "request");
    socket.destroy();
    expect((await fetch(\`http://127.0.0.1:\${port}/\`, { method: "POST", body: "{}" })).status).toBe(401);
    app.close();
  });
`;

const run = promisify(execFile);

/** Without what this test runner tells its own processes. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_)/.test(name)));

/** Runs a program in a folder, and fails with what it printed. */
async function runIn(cwd: string, file: string, args: readonly string[]): Promise<string> {
  return await run(file, args, { cwd, env }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${args.join(" ")} failed:\n${stdout}\n${stderr}`);
    },
  );
}

test("the application in the guide passes its tests", async () => {
  const files = new Map<string, string>();
  for (const code of [...blocks(guide, "ts"), ...blocks(guide, "js")]) {
    const [, name] = /^\/\/ (\S+\.m?[tj]s)/.exec(code) ?? [];
    if (name !== undefined) files.set(name, (files.get(name) ?? "") + code);
  }
  expect([...files.keys()]).toEqual(["src/app.ts", "test/support.test.ts", "test/webhook.node.mjs"]);
  const folder = await makeFolder();
  await writeApplication(folder, {
    packages: ["nodemailer", "standardwebhooks", "vitest"],
    compilerOptions: { rootDir: ".", noEmit: true },
    files: {
      ...Object.fromEntries(files),
      "test/cut.test.ts": cutPost,
      "test/printer.jpg": "\u00ff\u00d8\u00ff",
      "test/outlook.eml": outlook,
      // An installed package is not transformed, but this one is a link.
      "vitest.config.js": `export default { test: { server: { deps: { external: [/dist/] } } } };`,
    },
  });

  expect(await compile({ folder })).toEqual([]);
  const vitest = path.join(folder, "node_modules/vitest/vitest.mjs");
  const printed = await runIn(folder, process.execPath, [vitest, "run", "--reporter=json"]);
  expect(JSON.parse(printed.slice(printed.indexOf("{")))).toMatchObject({ numPassedTests: 6, numTotalTests: 6 });
  expect(await runIn(folder, process.execPath, ["--test", "test/webhook.node.mjs"])).toMatch(/^# pass 1$/m);
});

/** A service, and code of a guide with its ports. */
async function startFor(): Promise<{ service: LocalService; adapt: (code: string) => string }> {
  const credentials = [{ username: "app", password: "local" }];
  const service = await startLocalService({ seed: { domains: [{ name: "example.test", credentials }] } });
  onTestFinished(() => service.close());
  const adapt = (code: string) =>
    code
      .replaceAll("127.0.0.1:4680", new URL(service.url).host)
      .replaceAll(/2525/g, String(service.smtpPort))
      .replace(/^templates service$/m, "");
  return { service, adapt };
}

/** The JSON documents that a shell script prints. */
async function runShell(folder: string, script: string): Promise<unknown[]> {
  const separated = script.replaceAll(/^(?=curl )/gm, "echo; ").replaceAll(/^echo; curl /gm, "echo; curl -sS ");
  const printed = await runIn(folder, "sh", ["-e", "-c", separated]);
  return printed.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

test.skipIf(!isInstalled("curl"))("emails are forwarded by the commands of the guide", async () => {
  const { service, adapt } = await startFor();
  const [script = ""] = blocks(guide, "sh", "By hand");
  expect(await runShell(await makeFolder(), adapt(script))).toMatchObject([{ alias: { alias: "sales" } }]);
  await service.inbox.forwarded.waitFor({ to: "ada@example.com", subject: "Order" });
});

test("an application sends by SMTP as in the guide", async () => {
  const { service, adapt } = await startFor();
  const folder = await makeFolder();
  const [code = ""] = blocks(readGuide("local-service"), "ts", "SMTP credentials");
  await write(folder, { "send.mjs": adapt(code) });
  await symlink(path.join(repository, "node_modules/nodemailer"), path.join(folder, "node_modules/nodemailer"));
  await runIn(folder, process.execPath, ["send.mjs"]);
  await service.inbox.waitFor({ to: "ada@example.com", subject: "Receipt" });
});

const local = readGuide("local-service");

test.skipIf(!isInstalled("curl"))(
  "the local service's guide shows how other languages test incoming email",
  async () => {
    const { service, adapt } = await startFor();
    const folder = await makeFolder();
    await write(folder, { "email.eml": outlook });
    const [script = ""] = blocks(local, "sh", "Incoming email");
    const [alias, written, source, mails, received, time] = await runShell(folder, adapt(script));
    expect(alias).toMatchObject({ alias: { alias: "support", forward: "team@example.com" } });
    expect([written, source]).toEqual([{ ids: [expect.any(String)] }, { ids: [expect.any(String)] }]);
    expect(mails).toMatchObject({ mails: expect.arrayContaining([expect.objectContaining({ subject: "Help" })]) });
    expect(received).toMatchObject({
      received: [
        { sender: "eve@shop.example", recipient: "support@example.test", subject: "Grüße" },
        { sender: "bob@shop.example", recipient: "support@example.test", subject: "Help" },
      ],
    });
    expect(time).toEqual({ now: expect.any(String) });
    expect(service.clock.now() - Date.now()).toBeGreaterThan(50_000);
  },
);

test.skipIf(!isInstalled("python3"))("the local service's guide shows a test in Python", async () => {
  const { service, adapt } = await startFor();
  const client = createClient({ baseUrl: service.url, apiKey: service.apiKey });
  onTestFinished(() => client.close());
  await client.aliases.create(service.domain, { alias: "support", forward: "team@example.com" });
  const folder = await makeFolder();
  const [code = ""] = blocks(local, "python", "Incoming email");
  await write(folder, { "test_support.py": adapt(code) });
  await runIn(folder, "python3", ["test_support.py"]);
});
