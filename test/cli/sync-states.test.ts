import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startGateway } from "../sync/apply/gateway.js";
import { htmlTemplate, TestProject } from "./project.js";
import { domain, environments, syncService } from "./sync-service.js";

function subject(text: string): string {
  return JSON.stringify({ subject: text });
}

describe("templates sync", () => {
  it("leaves edited templates alone, applies the rest, and overwrites them with a flag after a backup", async () => {
    const { url, env, edit, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    expect(await project.run(["sync"], env)).toMatchObject({ code: 0 });
    await edit("one", { subject: "Edited in the dashboard" });
    project.write({ "templates/two/template.json": subject("New") });

    const held = await project.run(["sync"], env);
    expect(held).toMatchObject({ code: 1, stdout: expect.stringContaining("1 of 1 applied, 1 held back") });
    expect(held.stdout).toContain("- Edited in the dashboard");
    expect(await stored()).toMatchObject({ one: { subject: "Edited in the dashboard" }, two: { subject: "New" } });

    expect(await project.run(["sync", "--overwrite-drift", "one"], env)).toMatchObject({ code: 0 });
    expect(await stored()).toMatchObject({ one: { subject: "For {{{name}}}" } });
    const runs = project.path(".lettershop/sync/staging/runs");
    const copies = readdirSync(runs).map((run) => `${runs}/${run}/before/one.json`);
    expect(copies.filter(existsSync).map((file) => JSON.parse(readFileSync(file, "utf8")).subject)).toEqual([
      "Edited in the dashboard",
    ]);
    expect(await project.run(["sync", "--check"], env)).toMatchObject({ code: 0 });
  });

  it("knows from the marker alone, on any machine, what was last applied", async () => {
    const { url, env, edit } = await syncService();
    const files = { ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") };
    expect(await new TestProject(files).run(["sync"], env)).toMatchObject({ code: 0 });
    await edit("one", { html_body: "<p>Edited</p>" });
    const elsewhere = new TestProject({ ...files, "templates/two/template.json": subject("New") });
    const { code, stdout } = await elsewhere.run(["sync", "--json"], env);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      held: [{ kind: "drifted", name: "one", fields: ["html_body"] }],
      result: { applied: [{ kind: "update", name: "two" }] },
    });
  });

  it("reports with the exit code of --check whether anything would change, distinct from errors", async () => {
    const { url, env, edit } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one") });
    const check = async (more: readonly string[] = []) => (await project.run(["sync", "--check", ...more], env)).code;
    expect(await check()).toBe(5);
    expect(await check(["--out", "sync.plan"])).toBe(5);
    await project.run(["sync"], env);
    expect(await check()).toBe(0);

    await edit("one", { subject: "Edited in the dashboard" });
    const { code, stdout } = await project.run(["sync", "--check", "--json"], env);
    expect([code, JSON.parse(stdout)]).toMatchObject([5, { operations: [], held: [{ kind: "drifted" }] }]);
    expect(await project.run(["sync", "--dry-run"], env)).toMatchObject({ code: 0 });
    expect(await project.run(["sync"], env)).toMatchObject({ code: 1 });

    // Exceeding a limit of the service is an error, and so is a template that does not compile.
    project.write({ "templates/two.html": `<title>Two</title>${"x".repeat(100_001)}` });
    expect(await check()).toBe(1);
    expect(await project.run(["sync", "--check"], { ...env, LETTERSHOP_API_KEY: "" })).toMatchObject({ code: 2 });
    expect(await project.run(["sync", "--check"], { ...env, LETTERSHOP_API_KEY: "wrong" })).toMatchObject({ code: 3 });
  });

  it("reports an obstacle with --check as an error, even if there are changes", async () => {
    const { url, env } = await syncService();
    const suffix = { staging: { nameSuffix: "-".repeat(248) } };
    const project = new TestProject({ ...environments(url, suffix), ...htmlTemplate("one"), ...htmlTemplate("two") });
    const { code, stdout } = await project.run(["sync", "--check", "--json"], env);
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { counts: { create: 2 }, obstacles: [{}, {}] }]);
  });

  it("does not treat a service's normalisation as an edit, with and without a lock", async () => {
    const { url, env, settings } = await syncService();
    settings.set({ normaliseBodies: true });
    const body = "<p>{{name}}</p>  \n\n\n";
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one", body) });
    expect(await project.run(["sync"], env)).toMatchObject({ code: 0 });
    expect(await project.run(["sync", "--check"], env)).toMatchObject({ code: 0 });
    const elsewhere = new TestProject({ ...environments(url), ...htmlTemplate("one", body) });
    expect(await elsewhere.run(["sync", "--check"], env)).toMatchObject({ code: 0 });
  });

  it("reports once that the service drops the marker, and on another machine that the lock is missing", async () => {
    const { url, env } = await syncService();
    const gateway = await startGateway({ url });
    gateway.alter = (body) => (body === "" ? body : JSON.stringify({ ...JSON.parse(body), description: "" }));
    const described = Object.fromEntries(
      ["one", "two"].map((name) => [
        `templates/${name}/template.json`,
        JSON.stringify({ subject: name, description: `The ${name}.` }),
      ]),
    );
    const files = { ...environments(gateway.url), ...htmlTemplate("one"), ...htmlTemplate("two"), ...described };
    const project = new TestProject(files);
    const synced = await project.run(["sync"], env);
    expect(synced.code).toBe(0);
    expect(synced.stdout.match(/commit\s+templates\.lock\.json/g)).toHaveLength(1);
    expect(synced.stdout).not.toContain("has learnt");
    expect(await project.run(["sync", "--check"], env)).toMatchObject({ code: 0 });

    const elsewhere = await new TestProject(files).run(["sync"], env);
    expect(elsewhere).toMatchObject({ code: 1, stdout: expect.stringContaining("with no record that") });
    expect(elsewhere.stdout.replaceAll(/\s+/g, " ")).toContain("commit its lock");
    const lock = readFileSync(project.path("templates.lock.json"), "utf8");
    const withLock = new TestProject({ ...files, "templates.lock.json": lock });
    expect(await withLock.run(["sync", "--check"], env)).toMatchObject({ code: 0 });
  });

  it("fails if the service stores only part of a body, naming the template and the field", async () => {
    const { url, env } = await syncService();
    const gateway = await startGateway({ url });
    gateway.alter = (body) => (body === "" ? body : JSON.stringify({ ...JSON.parse(body), html_body: "" }));
    const project = new TestProject({ ...environments(gateway.url), ...htmlTemplate("one") });
    const { code, stdout } = await project.run(["sync"], env);
    expect(code).toBe(4);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("create one: The service did not store everything that was sent");
    expect(stdout).toContain("html_body is empty");
  });

  it("deletes only templates that it applied and no longer has, after confirmation and a backup", async () => {
    const { url, env, client, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    await client.templates.create(domain, { name: "by-hand", subject: "Mine" });
    expect(await project.run(["sync"], env)).toMatchObject({ code: 0 });
    project.remove("templates/two");

    expect(await project.run(["sync"], env)).toMatchObject({ code: 0, stdout: expect.stringContaining("--prune") });
    expect(await project.run(["sync", "--prune"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    expect(Object.keys(await stored())).toEqual(["by-hand", "one", "two"]);
    expect(await project.run(["sync", "one", "--prune"], env)).toMatchObject({ code: 2 });
    expect(await project.run(["sync", "--prune", "--yes"], env)).toMatchObject({ code: 0 });
    expect(Object.keys(await stored())).toEqual(["by-hand", "one"]);
  });

  it("reports that a template that was edited and is no longer in the project would be deleted", async () => {
    const { url, env, edit, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    await project.run(["sync"], env);
    await edit("two", { subject: "Edited in the dashboard" });
    project.remove("templates/two");
    const held = await project.run(["sync", "--prune", "--yes"], env);
    expect(held).toMatchObject({ code: 1, stdout: expect.stringContaining("NOT deleted: edited on the service") });
    expect(held.stdout).not.toContain("make the same edits");
    expect(await project.run(["sync", "--prune", "--overwrite-drift", "two", "--yes"], env)).toMatchObject({ code: 0 });
    expect(Object.keys(await stored())).toEqual(["one"]);
  });

  it("never empties an environment, and without a project name deletes only templates in its lock", async () => {
    const { url, env, stored } = await syncService();
    const nameless = { ...environments(url), "package.json": JSON.stringify({ private: true }) };
    const project = new TestProject({ ...nameless, ...htmlTemplate("one"), ...htmlTemplate("two") });
    expect(await project.run(["sync"], env)).toMatchObject({ code: 0 });
    const prune = ["--prune", "--yes"];
    expect(await new TestProject({ ...nameless, ...htmlTemplate("three") }).run(["sync", ...prune], env)).toMatchObject(
      {
        code: 0,
      },
    );
    expect(Object.keys(await stored())).toEqual(["one", "three", "two"]);

    project.remove("templates/two");
    expect(await project.run(["sync", ...prune], env)).toMatchObject({ code: 0 });
    expect(Object.keys(await stored())).toEqual(["one", "three"]);
    project.remove("templates/one");
    expect(await project.run(["sync", ...prune], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The project has no templates"),
    });
    expect(Object.keys(await stored())).toEqual(["one", "three"]);
  });

  it("separates environments and projects on one domain", async () => {
    const { url, env, stored } = await syncService();
    const both = environments(url, { staging: { namePrefix: "staging-" }, production: {} });
    const project = new TestProject({ ...both, ...htmlTemplate("one"), ...htmlTemplate("two") });
    const other = new TestProject({
      ...both,
      "package.json": JSON.stringify({ name: "other", type: "module" }),
      ...htmlTemplate("three"),
    });
    const run = (which: TestProject, name: string) => which.run(["sync", "--env", name, "--prune", "--yes"], env);
    for (let round = 0; round < 2; round += 1) {
      expect(await run(project, "staging")).toMatchObject({ code: 0 });
      expect(await run(project, "production")).toMatchObject({ code: 0 });
      expect(await run(other, "production")).toMatchObject({ code: 0 });
    }
    expect(Object.keys(await stored())).toEqual(["one", "staging-one", "staging-two", "three", "two"]);

    other.write(htmlTemplate("one", "<p>Other {{name}}</p>"));
    expect(await run(other, "production")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`marked as "lettershop application"`),
    });
    expect((await stored())["one"]?.html_body).not.toContain("Other");
  });

  it("applies exactly the saved plan, except for templates that have changed since", async () => {
    const { url, env, edit, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    await project.run(["sync"], env);
    project.write({ "templates/one/template.json": subject("First"), "templates/two/template.json": subject("First") });
    expect(await project.run(["sync", "--out", "sync.plan"], env)).toMatchObject({ code: 0 });
    expect(readFileSync(project.path("sync.plan"), "utf8")).not.toContain(env["LETTERSHOP_API_KEY"]);
    project.write({ "templates/one/template.json": subject("Second") });
    await edit("two", { subject: "Edited" });

    expect(await project.run(["sync", "--plan", "sync.plan", "--json"], env)).toMatchObject({ code: 1 });
    expect(await stored()).toMatchObject({ one: { subject: "First" }, two: { subject: "Edited" } });
    expect(await project.run(["sync", "--plan", "nowhere"], env)).toMatchObject({ code: 2 });
    expect(await project.run(["sync", "one", "--plan", "sync.plan"], env)).toMatchObject({ code: 2 });
  });

  it("doesn't change a copy that was made on the service, including the marker", async () => {
    const { url, env, client, edit, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    await project.run(["sync"], env);
    const { subject: of, description, html_body, text_body } = await client.templates.get(domain, "one");
    await client.templates.create(domain, { name: "one-copy", subject: of, description, html_body, text_body });
    project.write({ "templates/one/template.json": subject("New") });
    project.remove("templates/two");
    expect(await project.run(["sync", "--prune", "--yes"], env)).toMatchObject({ code: 0 });
    expect(Object.keys(await stored()).sort()).toEqual(["one", "one-copy"]);
    await edit("one-copy", { subject: "Theirs" });
    rmSync(project.path("templates.lock.json"), { force: true });
    expect(await project.run(["sync", "--prune", "--yes"], env)).toMatchObject({ code: 0 });
    expect(await stored()).toMatchObject({ "one-copy": { subject: "Theirs" } });
  });

  it("applies the deletions of a saved plan, and saves no plan that would empty the environment", async () => {
    const { url, env, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    await project.run(["sync"], env);
    project.remove("templates/two");
    project.write({ "templates/one/template.json": subject("New") });
    expect(await project.run(["sync", "--prune", "--out", "sync.plan"], env)).toMatchObject({ code: 0 });
    expect(await project.run(["sync", "--plan", "sync.plan", "--yes"], env)).toMatchObject({ code: 0 });
    expect(await stored()).toEqual({ one: expect.objectContaining({ subject: "New" }) });
    expect(await project.run(["sync", "--plan", "sync.plan", "--yes"], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("0 of 2 applied, 2 already there."),
      stderr: expect.stringContaining("[2/2] delete two: already there"),
    });

    project.remove("templates/one");
    expect(await project.run(["sync", "--prune", "--out", "all.plan"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The project has no templates"),
    });
    expect(existsSync(project.path("all.plan"))).toBe(false);
  });

  it("holds back templates that would have blanks in running applications", async () => {
    const { url, env, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    await project.run(["sync"], env);
    project.write({
      ...htmlTemplate("one", "<p>{{name}} {{total}}</p>"),
      "templates/one/fixtures/default.json": JSON.stringify({ name: "Ada", total: "7" }),
      "templates/two/template.json": subject("New"),
    });
    const held = await project.run(["sync"], env);
    expect(held).toMatchObject({ code: 1, stdout: expect.stringContaining("total") });
    expect(await stored()).toMatchObject({
      one: { html_body: expect.not.stringContaining("total") },
      two: { subject: "New" },
    });
    expect(await project.run(["sync", "--allow-breaking", "once"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--allow-breaking once: no such template[^]*Did you mean one\?/),
    });
    expect(await project.run(["sync", "--allow-breaking", "one"], env)).toMatchObject({ code: 0 });
  });

  it("keeps the old name of a renamed template until a later --prune, or renames it in place", async () => {
    const { url, env, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one") });
    await project.run(["sync"], env);
    project.remove("templates/one");
    project.write({
      ...htmlTemplate("uno"),
      "templates/uno/template.json": JSON.stringify({ subject: "For {{name}}", renamedFrom: "one" }),
    });
    expect(await project.run(["sync", "--prune", "--yes"], env)).toMatchObject({ code: 0 });
    expect(Object.keys(await stored())).toEqual(["one", "uno"]);
    expect(await project.run(["sync", "--prune", "--yes"], env)).toMatchObject({ code: 0 });
    expect(Object.keys(await stored())).toEqual(["uno"]);

    project.remove("templates/uno");
    project.write({
      ...environments(url, {}, { sync: { renames: "in-place" } }),
      ...htmlTemplate("ein"),
      "templates/ein/template.json": JSON.stringify({ subject: "For {{name}}", renamedFrom: "uno" }),
    });
    expect(await project.run(["sync"], env)).toMatchObject({ code: 0, stdout: expect.stringContaining("uno → ein") });
    expect(Object.keys(await stored())).toEqual(["ein"]);
  });

  it("asks before it changes an environment with confirm", async () => {
    const { url, env } = await syncService();
    const project = new TestProject({ ...environments(url, { staging: { confirm: true } }), ...htmlTemplate("one") });
    expect(await project.run(["sync"], env)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(await project.run(["sync", "--yes"], env)).toMatchObject({ code: 0 });
  });

  it("uses version 3 of the API, leaves out excluded templates, and writes a summary", async () => {
    const { url, env, stored } = await syncService();
    const project = new TestProject({
      ...environments(url, { staging: { version: "v3", exclude: ["internal-*"] } }),
      ...htmlTemplate("one"),
      ...htmlTemplate("internal-two"),
    });
    const summary = project.path("job.md");
    expect(await project.run(["sync", "--summary", "mine.md"], { ...env, GITHUB_STEP_SUMMARY: summary })).toMatchObject(
      {
        code: 0,
      },
    );
    expect(Object.keys(await stored())).toEqual(["one"]);
    expect(readFileSync(project.path("mine.md"), "utf8")).toContain("1 of 1 applied");
    expect(readFileSync(summary, "utf8")).toContain("1 of 1 applied");
  });
});

it("the summaries of sync and of both kinds of diff list templates with errors", async () => {
  const { url, env } = await syncService();
  const project = new TestProject({ ...environments(url), ...htmlTemplate("one") });
  project.git("init", "--quiet");
  project.git("add", "templates", "package.json", "lettershop.config.json");
  project.git("commit", "--quiet", "--message", "First");
  await project.run(["sync"], env);
  project.write({ ...htmlTemplate("one", "Bye {{name}}"), ...htmlTemplate("two", "{{#open}}") });
  const commands = [["sync"], ["sync", "--dry-run"], ["diff"], ["diff", "--base", "HEAD"]];
  for (const command of commands) {
    const page = { ...env, GITHUB_STEP_SUMMARY: project.path("job.md") };
    expect(await project.run([...command, "--summary", "mine.md"], page)).toMatchObject({ code: 1 });
    for (const file of ["mine.md", "job.md"]) {
      const summary = readFileSync(project.path(file), "utf8");
      expect(summary).toContain("**✗ 1 template has errors**");
      expect(summary).toMatch(/^- templates\/two\/two\.html:4:\d+: .*is never closed/m);
      expect(summary).toContain(command[0] === "diff" ? "Bye" : "**Nothing was applied: 1 error.**");
      project.remove(file);
    }
  }
  const { stdout } = await project.run(["diff", "--json"], env);
  expect(JSON.parse(stdout)).toMatchObject({ errors: [{ templates: ["two"] }] });
});

it("a CI job summary may be longer than a comment, but never exceeds GitHub's limit", async () => {
  const { url, env } = await syncService();
  const long = (word: string) =>
    Array.from({ length: 400 }, (_, index) => `<i>${`${word} ${index} `.repeat(20)}</i>`).join("\n");
  const project = new TestProject({ ...environments(url), ...htmlTemplate("one", long("old")) });
  await project.run(["sync"], env);
  project.write(htmlTemplate("one", long("new")));
  const run = async (before: string) => {
    project.write({ "job.md": before });
    await project.run(["diff", "--summary", "mine.md"], { ...env, GITHUB_STEP_SUMMARY: project.path("job.md") });
    return Buffer.byteLength(readFileSync(project.path("job.md"))) - Buffer.byteLength(before);
  };
  expect(await run("")).toBeGreaterThan(65_536);
  expect(Buffer.byteLength(readFileSync(project.path("mine.md")))).toBeLessThanOrEqual(65_536);
  expect(readFileSync(project.path("mine.md"), "utf8")).toMatch(/not shown.*`templates diff --env staging`/);
  expect(await run("x".repeat(1_000_000))).toBeLessThanOrEqual(48_576);
  expect(await run("x".repeat(1_048_500))).toBe(0);
});

it("refuses an output file that can't be written before anything is applied", async () => {
  const { url, env, stored } = await syncService();
  const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), "templates.lock.json/x": "" });
  const lock = { code: 2, stderr: expect.stringContaining("The lock can't be written to") };
  expect(await project.run(["sync"], env)).toMatchObject(lock);
  project.remove("templates.lock.json");
  for (const flag of ["--out", "--summary"])
    for (const file of ["missing/x", "templates"]) {
      const { code, stderr } = await project.run(["sync", flag, file], env);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("can't be written to") });
    }
  expect(await project.run(["diff", "--summary", "missing/x"], env)).toMatchObject({ code: 2 });
  expect(await stored()).toEqual({});
});

it.runIf(process.platform === "linux")(
  "reports an output file that fails after applying, and keeps what was applied",
  async () => {
    const { url, env, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one") });
    const { code, stdout, stderr } = await project.run(["sync", "--summary", "/dev/full"], env);
    expect({ code, stdout }).toEqual({ code: 4, stdout: expect.stringContaining("1 of 1 applied") });
    expect(stderr).toContain("The summary can't be written to /dev/full. ENOSPC");
    expect(stderr).toContain("The changes on the service remain.");
    expect(Object.keys(await stored())).toEqual(["one"]);
  },
);

it("refuses two environments with the same templates, by configuration or by variable", async () => {
  const { url, env, stored } = await syncService();
  const same = new TestProject({ ...environments(url, { staging: {}, production: {} }), ...htmlTemplate("one") });
  const refused = {
    code: 2,
    stderr: expect.stringContaining("The environments staging and production have the same templates"),
  };
  expect(await same.run(["sync", "--env", "staging", "--yes"], env)).toMatchObject(refused);

  const apart = new TestProject({
    ...environments(url, { staging: { domain: "staging.example.com" }, production: { confirm: true } }),
    ...htmlTemplate("one"),
  });
  const moved = { ...env, LETTERSHOP_DOMAIN: domain };
  expect(await apart.run(["sync", "--env", "staging"], moved)).toMatchObject(refused);
  const unnamed = await apart.run(["sync"], { ...moved, LETTERSHOP_ENV: "", LETTERSHOP_URL: `${url}/` });
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining("Select it with --env production") });
  expect(await stored()).toEqual({});
});

describe("templates promote", () => {
  it("copies one environment's templates to another", async () => {
    const { url, env, stored } = await syncService();
    const project = new TestProject({
      ...environments(url, { staging: { namePrefix: "staging-" }, production: {} }),
      ...htmlTemplate("one"),
    });
    await project.run(["sync", "--env", "staging"], env);
    project.write({ "templates/one/template.json": subject("Not yet") });
    expect(await project.run(["promote", "staging", "production"], env)).toMatchObject({ code: 0 });
    expect(await stored()).toMatchObject({ one: { subject: "For {{{name}}}" } });
    expect(await project.run(["promote", "staging", "production", "--check"], env)).toMatchObject({ code: 0 });
    expect(await project.run(["promote", "staging", "staging"], env)).toMatchObject({ code: 2 });
  });

  it("names the command that continues the promotion if it fails", async () => {
    const { url, env, faults } = await syncService();
    const project = new TestProject({
      ...environments(url, { staging: { namePrefix: "staging-" }, production: {} }),
      ...htmlTemplate("one"),
    });
    await project.run(["sync", "--env", "staging"], env);
    faults.add({ kind: "refuse", endpoint: "v4 templates.create", status: 403 });
    const refused = await project.run(["promote", "staging", "production", "--prune", "--yes"], env);
    expect(refused).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("To continue: templates promote staging production --prune\n"),
    });
  });
});

describe("templates diff", () => {
  it("shows changes compared with an environment, and with a commit without a key", async () => {
    const { url, env } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    project.git("init", "--quiet");
    project.git("add", "templates", "package.json", "lettershop.config.json");
    project.git("commit", "--quiet", "--message", "First");
    await project.run(["sync"], env);
    project.write({ "templates/one/template.json": subject("New") });
    expect(await project.run(["diff", "one"], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ +\+ New$/m),
    });
    const since = await project.run(["diff", "--base", "HEAD", "--summary", "diff.md"]);
    expect(since).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ +\+ New$/m) });
    expect(since.stdout).not.toContain("request");
    expect(readFileSync(project.path("diff.md"), "utf8")).toContain("+ New");
  });
});
