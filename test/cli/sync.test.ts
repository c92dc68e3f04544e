import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { startService } from "../../src/service/index.js";
import { htmlTemplate, TestProject } from "./project.js";

const key = "a-key-that-nobody-may-see";

/** A service for the environment `staging`, whose domain has some templates. */
async function localService(
  names: readonly string[] = [],
): Promise<{ readonly url: string; readonly env: Readonly<Record<string, string>> }> {
  const domain = { name: "example.test", templates: names.map((name) => ({ name })) };
  const service = await startService({ data: ":memory:", port: 0, seed: { domains: [domain] } });
  onTestFinished(() => service.close());
  return { url: service.url, env: { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: service.apiKey } };
}

/** A server that lets a test intercept or replace the service's responses. */
async function serve(listener: (...exchange: Parameters<RequestListener>) => void | Promise<void>): Promise<string> {
  const server = createServer((request, response) => void listener(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function staging(url: string): Record<string, string> {
  return { "lettershop.config.json": JSON.stringify({ environments: { staging: { url, domain: "example.test" } } }) };
}

function templates(count: number): Record<string, string> {
  return Object.assign(
    {},
    ...Array.from({ length: count }, (_, index) => htmlTemplate(`t${String(index).padStart(3, "0")}`)),
  );
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
}

describe("templates sync", () => {
  it("plans, applies, then finds nothing to do, and updates only fields that differ", async () => {
    const { url, env } = await localService();
    const project = new TestProject({ ...staging(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    const dry = await project.run(["sync", "--dry-run"], env);
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Plan for staging (example.test): 2 to create."),
    });
    expect(await project.run(["sync", "--check"], env)).toMatchObject({ code: 5 });
    expect(await project.run(["status"], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/one +yes +– +to create/),
    });
    expect(await project.run(["sync"], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("2 of 2 applied."),
    });
    expect(await project.run(["sync"], env)).toMatchObject({
      code: 0,
      stdout: "Nothing to change in staging (example.test): 2 unchanged.\n",
    });
    expect(await project.run(["sync", "--check"], env)).toMatchObject({ code: 0 });

    project.write({ "templates/one/template.json": JSON.stringify({ subject: "New for {{name}}" }) });
    const { stdout } = await project.run(["sync", "--json"], env);
    expect(JSON.parse(stdout)).toMatchObject({
      operations: [{ kind: "update", name: "one", fields: ["subject"] }],
      unchanged: ["two"],
      result: { applied: [{ kind: "update", name: "one" }], failed: [], notAttempted: [] },
    });
  });

  it("adds the environment's prefix and suffix to names, and send uses them", async () => {
    const { url, env } = await localService();
    const config = { environments: { staging: { url, domain: "example.test", namePrefix: "stg-", nameSuffix: "-x" } } };
    const project = new TestProject({ ...htmlTemplate("one"), "lettershop.config.json": JSON.stringify(config) });
    expect(await project.run(["sync"], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 new template\n +stg-one-x/),
    });
    const sent = await project.run(["send", "one", "--to", "ada@example.com", "--json"], env);
    expect(sent.code).toBe(0);
    const logs = await project.run(["logs", "--json"], env);
    expect(JSON.parse(logs.stdout).logs).toMatchObject([
      { id: JSON.parse(sent.stdout).id, subject: "For Ada", recipient: { email: "ada@example.com" } },
    ]);
  });

  it("applies nothing if a template has an error", async () => {
    const { url, env } = await localService();
    const project = new TestProject({ ...staging(url), ...htmlTemplate("one"), ...htmlTemplate("two", "{{#open}}") });
    expect(await project.run(["sync"], env)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("Nothing was applied"),
    });
    expect(await project.run(["status"], env)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/one +yes +– +to create *\ntwo +yes +– +does not compile/),
    });
  });

  it("refuses the 201st template and a body of 100,001 characters before the first write", async () => {
    const { url, env } = await localService(Array.from({ length: 199 }, (_, index) => `other-${index}`));
    const project = new TestProject({ ...staging(url), ...templates(2) });
    const many = await project.run(["sync"], env);
    expect(many).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ .*\b199\b.*\b200\b/),
      stderr: expect.stringContaining("Nothing was applied."),
    });
    expect(JSON.parse((await project.run(["sync", "t000", "--dry-run", "--json"], env)).stdout)).toMatchObject({
      operations: [{ kind: "create", name: "t000" }],
      unmanaged: [],
    });

    const long = new TestProject({ ...staging(url), ...htmlTemplate("long", "x".repeat(100_001)) });
    expect(await long.run(["sync"], env)).toMatchObject({ code: 1, stderr: expect.stringContaining("100,000") });
  });

  it("reports an unreachable URL and a wrong or missing key, without showing the key", async () => {
    const unreachable = new TestProject({ ...staging("http://127.0.0.1:1"), ...htmlTemplate("one") });
    const down = await unreachable.run(["sync", "--env", "staging"], { LETTERSHOP_API_KEY: key });
    expect(down).toMatchObject({ code: 3, stderr: expect.stringContaining("http://127.0.0.1:1") });

    const { url } = await localService();
    const project = new TestProject({ ...staging(url), ...htmlTemplate("one") });
    const wrong = await project.run(["sync", "--env", "staging", "--json"], { LETTERSHOP_API_KEY: key });
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining("401") });
    expect(await project.run(["sync", "--env", "staging"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("LETTERSHOP_API_KEY"),
    });
    expect(await project.run(["sync"], { CI: "true" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--env"),
    });
    expect(await project.run(["sync", "--env", "stagin"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("staging"),
    });
    for (const { stdout, stderr } of [down, wrong]) expect(stdout + stderr).not.toContain(key);
  });

  it("reports a failed template with the service's message, and applies the others", async () => {
    const service = await startService({ data: ":memory:", port: 0 });
    onTestFinished(() => service.close());
    const url = await serve(async (request, response) => {
      const body = await readBody(request);
      if (request.method === "POST" && body.includes('"name":"one"')) {
        response
          .writeHead(400, { "content-type": "application/json" })
          .end(JSON.stringify({ message: "The moon is wrong.", errors: { html_body: ["The moon is wrong."] } }));
        return;
      }
      const upstream = await fetch(service.url + request.url, {
        method: request.method ?? "GET",
        headers: { authorization: request.headers.authorization ?? "", "content-type": "application/json" },
        ...(body === "" ? {} : { body }),
      });
      response.writeHead(upstream.status, { "content-type": "application/json" }).end(await upstream.text());
    });
    const project = new TestProject({ ...staging(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    const partly = await project.run(["sync"], { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: service.apiKey });
    expect(partly).toMatchObject({ code: 4, stdout: expect.stringMatching(/one: .*The moon is wrong\./) });
    expect(partly.stdout).toContain("1 of 2 applied, 1 failed.");
  });

  it("finishes requests in progress on Ctrl-C, reports what was not applied, and the next run completes it", async () => {
    const service = await startService({ data: ":memory:", port: 0 });
    onTestFinished(() => service.close());
    let writes = 0;
    let interrupt: () => void = () => undefined;
    const url = await serve(async (request, response) => {
      const body = await readBody(request);
      const isTemplate = request.method === "POST" && !body.includes("lettershop-lease");
      if (isTemplate && (writes += 1) === 2) {
        interrupt();
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      const upstream = await fetch(service.url + request.url, {
        method: request.method ?? "GET",
        headers: { authorization: request.headers.authorization ?? "", "content-type": "application/json" },
        ...(body === "" ? {} : { body }),
      });
      response.writeHead(upstream.status, { "content-type": "application/json" }).end(await upstream.text());
    });
    const project = new TestProject({ ...staging(url), ...templates(10) });
    const env = { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: service.apiKey };
    const sync = project.begin(["sync"], env);
    interrupt = () => sync.kill("SIGINT");
    const interrupted = await sync.ended;
    expect(interrupted).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/\d+ of 10 applied, \d+ not started/),
    });
    const applied = Number(/(\d+) of 10 applied/.exec(interrupted.stdout)?.[1]);
    expect(writes).toBe(applied);
    const rest = await project.run(["sync"], env);
    expect(rest).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${10 - applied} of ${10 - applied} applied`),
    });
    expect(writes).toBe(10);
  });
});

describe("templates service", () => {
  it("is found by other commands, captures messages, and stops gracefully", async () => {
    const project = new TestProject(htmlTemplate("one"));
    const service = project.start(["service", "--port", "0"]);
    await service.printed("captured mail:");
    expect(await project.run(["sync"])).toMatchObject({ code: 0 });
    const sent = await project.run(["send", "one", "--to", "ada@example.com"]);
    expect(sent.stdout).toMatch(
      /^Accepted: \S+\n {2}message id <\S+>\n {2}read it at http:\/\/127\.0\.0\.1:\d+\/mail\/\S+\n$/,
    );
    const url = /read it at (\S+)/.exec(sent.stdout)?.[1] ?? "";
    expect((await fetch(url)).status).toBe(200);
    expect(await (await fetch(url.replace("/mail/", "/local/mails/"))).text()).toContain("For Ada");

    const second = await project.run(["service"]);
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining(String(service.pid)) });
    service.kill("SIGINT");
    expect((await service.ended).code).toBe(0);
    // Its data is available to a service that a command starts for itself.
    expect(await project.run(["sync"])).toMatchObject({ code: 0, stdout: expect.stringContaining("1 unchanged.") });
  });

  it("refuses a port that is in use", async () => {
    const url = await serve((_request, response) => void response.end());
    const project = new TestProject();
    expect(await project.run(["service", "--port", new URL(url).port])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(new URL(url).port),
    });
  });
});
