import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { TestProject } from "./project.js";
import { domain, environments, syncService } from "./sync-service.js";

const html = (text: string) => `<html lang="en"><head><title>Hello</title></head><body><p>${text}</p></body></html>`;

/** A pipeline's job with the key: it has only the build, and a configuration that records if it is run. */
function jobWith(project: TestProject): TestProject {
  const job = new TestProject({
    "lettershop.config.ts": `
      import { writeFileSync } from "node:fs";
      writeFileSync("ran", "");
      export default { environments: { production: { url: "https://evil.example", domain: "evil.example" } } };
    `,
  });
  cpSync(project.path("build"), job.path("build"), { recursive: true });
  return job;
}

const sync = ["sync", "--env", "production", "--from", "build"];

it("plans and applies a build from another machine, without running code or using the build's service URL", async () => {
  const { url, env, stored } = await syncService();
  const pins = { ...env, LETTERSHOP_ENV: "", LETTERSHOP_URL: url, LETTERSHOP_DOMAIN: domain };
  const production = { url: "https://elsewhere.example", namePrefix: "shop-", exclude: ["internal"] };
  const project = new TestProject({
    ...environments("https://staging.example", { production }),
    "templates/hello.html": html("Hello {{name}}"),
    "templates/new/new.html": html("New"),
    "templates/new/template.json": JSON.stringify({ renamedFrom: "old", description: "What is new" }),
    "templates/internal.html": html("Not for production"),
  });
  expect(await project.run(["build", "--env", "production", "--out", "build"])).toMatchObject({ code: 0 });
  const job = jobWith(project);

  const planned = await job.run([...sync, "--out", "sync.plan"], pins);
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining("2 to create") });
  expect(planned.stderr).toContain("templates sync --env production --from build --plan sync.plan");
  expect(await stored()).toEqual({});
  expect(await job.run([...sync, "--plan", "sync.plan", "--yes"], pins)).toMatchObject({ code: 0 });
  expect(await stored()).toMatchObject({
    "shop-hello": { html_body: html("Hello {{name}}"), text_body: "Hello {{{name}}}" },
    "shop-new": { description: expect.stringContaining("What is new"), html_body: html("New") },
  });
  expect(await job.run([...sync, "--check"], pins)).toMatchObject({ code: 0 });
  expect(await job.run([...sync, "hello", "--json"], pins)).toMatchObject({ code: 0 });
  expect(existsSync(job.path("ran"))).toBe(false);
  // The result doesn't depend on where it is applied from.
  expect(await project.run(["sync", "--env", "production", "--check"], pins)).toMatchObject({ code: 0 });
});

it("uses version 3 of the API if the build's environment does", async () => {
  const { url, env, stored, edit, faults } = await syncService();
  const pins = { ...env, LETTERSHOP_URL: url, LETTERSHOP_DOMAIN: domain };
  const project = new TestProject({
    ...environments(url, { staging: { version: "v3" } }),
    "templates/hello.html": html("Hello {{name}}"),
    "templates/bye.html": html("Bye"),
  });
  expect(await project.run(["build", "--env", "staging", "--out", "build"])).toMatchObject({ code: 0 });
  const job = jobWith(project);
  const syncV3 = async (...args: string[]) => {
    faults.add({ kind: "refuse", endpoint: "v4 templates.list", status: 500, times: 100 });
    const ended = await job.run(["sync", "--from", "build", ...args], pins);
    faults.clear();
    return ended;
  };

  expect(await syncV3("--out", "sync.plan")).toMatchObject({ code: 0, stdout: expect.stringContaining("2 to create") });
  expect(await syncV3("--plan", "sync.plan", "--yes")).toMatchObject({ code: 0 });
  expect(Object.keys(await stored()).toSorted()).toEqual(["bye", "hello"]);
  expect(await syncV3("--check")).toMatchObject({ code: 0 });

  await edit("hello", { html_body: html("Hello {{name}}, edited") });
  expect(await syncV3("--check")).toMatchObject({ stdout: expect.stringContaining("edited on the service") });
  expect(await syncV3()).toMatchObject({ code: 1 });
  expect((await stored())["hello"]).toMatchObject({ html_body: html("Hello {{name}}, edited") });
});

it("holds back templates that need more than the registry in the build contains", async () => {
  const { url, env, stored } = await syncService();
  const pins = { ...env, LETTERSHOP_URL: url, LETTERSHOP_DOMAIN: domain };
  const project = new TestProject({ ...environments(url), "templates/hello.html": html("Hello {{name}}") });
  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  expect(await project.run(["sync"], env)).toMatchObject({ code: 0 });
  project.write({ "templates/hello.html": html("Hello {{name}} from {{town}}") });
  expect(await project.run(["build", "--out", "build"])).toMatchObject({ code: 0 });
  const job = jobWith(project);
  expect(await job.run(["sync", "--from", "build"], pins)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("town"),
  });
  expect((await stored())["hello"]).toMatchObject({ html_body: html("Hello {{name}}") });
  expect(await job.run(["sync", "--from", "build", "--allow-breaking", "hello"], pins)).toMatchObject({ code: 0 });
});

it("needs no URL for the local service, and allows relative image URLs there", async () => {
  const project = new TestProject({ "templates/hello.html": html("Hello") });
  expect(await project.run(["build", "--out", "build"])).toMatchObject({ code: 0 });
  const job = jobWith(project);
  expect(await job.run(["sync", "--from", "build"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 of 1 applied"),
  });
  expect(existsSync(job.path("ran"))).toBe(false);
});

it("refuses a build that is incomplete, has errors, or is for another environment", async () => {
  const { url, env, stored } = await syncService();
  const pins = { ...env, LETTERSHOP_ENV: "", LETTERSHOP_URL: url, LETTERSHOP_DOMAIN: domain };
  const production = { namePrefix: "shop-", assets: { baseUrl: "https://images.example" } };
  const project = new TestProject({
    ...environments(url, { production }),
    "templates/hello.html": html("Hello"),
    "templates/bye.html": html("Bye"),
  });
  const build = (...more: string[]) => project.run(["build", "--env", "production", "--out", "build", ...more]);
  const refusal = async (message: string, args: readonly string[] = [], variables: Record<string, string> = pins) => {
    const { code, stderr } = await jobWith(project).run([...sync, ...args], variables);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  };

  await build();
  await refusal("--from needs LETTERSHOP_URL", [], { ...pins, LETTERSHOP_URL: "" });
  await refusal("--from needs LETTERSHOP_DOMAIN", [], { ...pins, LETTERSHOP_DOMAIN: "" });
  await refusal("Did you mean hello?", ["helo"]);
  await refusal("--config", ["--config", "lettershop.config.ts"]);
  await refusal("is not a complete build", ["--from", "nowhere"]);

  project.write({ "build/hello/body.html": html("Hello, changed on the way") });
  await refusal("The files of hello in");
  project.remove("build/hello/body.html");
  symlinkSync(project.path("package.json"), project.path("build/hello/body.html"));
  await refusal("The files of hello in");
  project.remove("build/hello/body.html");
  await refusal("The files of hello in");
  await build();
  const record = JSON.parse(readFileSync(project.path("build/sync.json"), "utf8"));
  for (const [message, changed] of [
    ["sync.json was not written by this version of lettershop, or was changed", { ...record, templates: ["../hello"] }],
    ["or was changed.", { ...record, environments: { production: { url: "no URL" } } }],
    ["was made by lettershop 0.0.1, and this is", { lettershop: "0.0.1", templates: "as 0.0.1 wrote them" }],
    ['has no template "more"', { ...record, templates: [...record.templates, "more"] }],
  ] as const) {
    project.write({ "build/sync.json": JSON.stringify(changed) });
    await refusal(message);
  }

  project.remove("build");
  await project.run(["build", "--out", "build"]);
  await refusal("built with images at relative URLs, and the environment has https://images.example");
  await build("hello");
  await refusal("is not a complete build");
  project.write({ "templates/bye.html": html("Bye {{#open}}") });
  expect(await build()).toMatchObject({ code: 1 });
  await refusal("is not a complete build");
  expect(await stored()).toEqual({});
});
