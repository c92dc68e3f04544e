import { readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { addGitHub, gitHubToken } from "./fake-gh.js";
import { type JobResult, parseWorkflow, runGitHubJob } from "./github-job.js";
import { jobsOf, runGitLabJob } from "./gitlab-job.js";
import { filesOf, guideOf, hasCurl, PipelineMachine } from "./pipeline-machine.js";
import { htmlTemplate, TestProject } from "./project.js";
import { startService } from "../../src/service/index.js";
import { createClient } from "../../src/api/client.js";

const key = "the-key-of-the-account";
const files = filesOf("ci.md");
const config = file("lettershop.config.ts");
/** The same as data: code takes a worker for each command. */
const data = JSON.stringify(parse(/defineConfig\(([^]*)\);/.exec(config)?.[1] ?? ""));
const long = process.env["MODE"] === "long";

function file(name: string): string {
  const { [name]: text } = files;
  if (text === undefined) throw new Error(`The guide has no ${name}`);
  return text;
}

const subject = (text: string, name = "one") => ({
  [`templates/${name}/template.json`]: JSON.stringify({ subject: text }),
});

/** What a pull request brings: another subject, a new template, and code that writes down what it can see. */
const pullRequest = {
  ...subject("New for {{name}}"),
  ...htmlTemplate("three"),
  "lettershop.config.ts": `import { writeFileSync } from "node:fs";\nwriteFileSync("seen.json", JSON.stringify(process.env));\n${config}`,
};

/** A repository with two templates. */
async function setUp() {
  const project = new TestProject({ "lettershop.config.json": data, ...htmlTemplate("one"), ...htmlTemplate("two") });
  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  const machine = new PipelineMachine(project);
  machine.init();
  return { project, machine };
}

async function setUpService() {
  const { url, domain, apiKey, ...service } = await startService({ data: ":memory:", port: 0, seed: { apiKey: key } });
  const client = createClient({ baseUrl: url, apiKey });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return {
    settings: { MAIL_API_KEY: key, LETTERSHOP_URL: url, LETTERSHOP_DOMAIN: domain },
    list: () => client.templates.list(domain),
    edit: (name: string, text: string) => client.templates.update(domain, name, { subject: text }),
  };
}

function openPullRequest({ project, machine }: Awaited<ReturnType<typeof setUp>>): void {
  project.git("switch", "--quiet", "--create", "new-subject");
  project.remove("lettershop.config.json");
  project.write(pullRequest);
  machine.commit();
}

it.skipIf(process.platform === "win32")(
  "a job without secrets builds, and a job with the key syncs from that",
  async () => {
    const { machine } = await setUp();
    const { settings, list } = await setUpService();
    machine.addProgram("npm", ":");
    const section = /^## Build without the key[^]*?(?=^## )/m.exec(guideOf("ci.md"))?.[0] ?? "";
    const [build = "", sync = ""] = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, script]) => script ?? "");
    const [clone, empty] = [machine.workspace(), machine.workspace()];
    machine.checkOut(clone, "main");
    symlinkSync(machine.project.path("node_modules"), path.join(clone, "node_modules"));
    expect(await machine.bash(build, { cwd: clone, env: {}, options: ["-e"] })).toMatchObject({ code: 0 });
    renameSync(path.join(clone, "build"), path.join(empty, "build"));
    expect(await machine.bash(sync, { cwd: empty, env: settings, options: ["-e"] })).toMatchObject({ code: 0 });
    expect((await list()).map(({ name }) => name)).toEqual(["one", "two"]);
  },
);

it.skipIf(process.platform === "win32")("a script tells drift from an error by the exit code of --check", async () => {
  const { machine, project } = await setUp();
  const { settings } = await setUpService();
  const section = /^## When the night's job fails[^]*?(?=^## )/m.exec(guideOf("ci.md"))?.[0] ?? "";
  const script = /^```sh\n([^]*?)^```$/m.exec(section)?.[1] ?? "";
  const run = (env: Readonly<Record<string, string>>) =>
    machine.bash(script, { cwd: project.folder, env, options: ["-e"] });
  expect(await run(settings)).toMatchObject({ code: 0, output: expect.stringContaining("differ.") });
  expect(await project.run(["sync", "--env", "production", "--yes"], settings)).toMatchObject({ code: 0 });
  expect(await run(settings)).toMatchObject({ code: 0, output: expect.stringContaining("has what the main branch") });
  expect(await run({ ...settings, MAIL_API_KEY: "" })).toMatchObject({ code: 2 });
});

describe.skipIf(process.platform === "win32")("the recipes for GitHub", () => {
  it("show what a pull request changes, without a key, and edit the one comment", async () => {
    const set = await setUp();
    const { machine, project } = set;
    openPullRequest(set);
    const check = () =>
      runGitHubJob({
        machine,
        workflow: file(".github/workflows/templates.yml"),
        job: "check",
        branch: "new-subject",
        context: {},
        env: { GITHUB_BASE_REF: "main" },
      });
    // Its registry is out of date: that the job fails keeps nobody from seeing the difference.
    const first = await check();
    expect(first).toMatchObject({ code: 1, log: expect.stringContaining("templates.gen.ts") });
    expect(first.log).toContain("3 templates checked: 1 warning, 2 notes.");
    expect(first.summary).toMatch(/1 to create, 1 to update[^]*New for/);
    const seen = machine.read(first.workspace, "seen.json") ?? "";
    expect(seen).toContain('"CI":"true"');
    for (const text of [first.log, first.summary, seen]) expect(text).not.toContain(key);

    const other = { id: 1, login: "github-actions[bot]", body: "Coverage: 100%" };
    const comments = [{ ...other }];
    await addGitHub(machine, {
      pulls: [
        { number: 6, head: "grace:new-subject", sha: "abc" },
        { number: 7, head: "ada:new-subject", sha: "abc" },
      ],
      comments,
    });
    const comment = (sha: string) =>
      runGitHubJob({
        machine,
        workflow: file(".github/workflows/templates-comment.yml"),
        job: "comment",
        branch: "main",
        context: {
          github: {
            token: gitHubToken,
            event: {
              workflow_run: {
                id: "42",
                head_sha: sha,
                head_branch: "new-subject",
                head_repository: { owner: { login: "ada" } },
              },
            },
          },
        },
        env: { GITHUB_REPOSITORY: "acme/shop" },
      });
    expect(await comment("older")).toMatchObject({ code: 0, log: expect.stringContaining("newer commits") });
    expect(comments).toEqual([other]);
    expect(await comment("abc")).toMatchObject({ code: 0, log: "" });
    expect(comments).toEqual([other, { ...other, id: 2, body: first.summary.trimEnd() + "\n" }]);

    // As the job of a later push leaves it.
    const diff = path.join(machine.artifacts, "templates-diff/templates-diff.md");
    writeFileSync(diff, first.summary.replace("+ New for", "+ Newer for"));
    expect(await comment("abc")).toMatchObject({ code: 0 });
    expect(comments).toMatchObject([other, { id: 2, body: expect.stringContaining("+ Newer for") }]);

    // That nothing is found where nothing is wrong is GitLab's, too: every run tries that one.
    if (!long) return;
    project.remove("lettershop.config.ts");
    project.write({ ...subject("Newest for {{name}}"), "lettershop.config.json": data });
    expect(await project.run(["types"])).toMatchObject({ code: 0 });
    machine.commit();
    expect(await check()).toMatchObject({ code: 0, summary: expect.stringContaining("Newest for") });
    expect(await comment("abc")).toMatchObject({ code: 0 });
    expect(comments).toMatchObject([other, { id: 2, body: expect.stringContaining("Newest for") }]);
  });

  it("plan, apply what was approved, keep backups, and find drift at night", async () => {
    const { machine, project } = await setUp();
    const { settings, list, edit } = await setUpService();
    const { MAIL_API_KEY, ...vars } = settings;
    const run = async (name: string, job: string, id: string, flags = ""): Promise<JobResult> => {
      const context = { secrets: { MAIL_API_KEY }, vars, inputs: { flags }, github: { run_id: id, run_attempt: "1" } };
      const workflow = file(`.github/workflows/${name}.yml`);
      const result = await runGitHubJob({ machine, workflow, job, branch: "main", context });
      expect(result.log + result.summary).not.toContain(key);
      return result;
    };
    const plan = (id: string, flags?: string) => run("templates-deploy", "plan", id, flags);
    const apply = (id: string) => run("templates-deploy", "apply", id);

    expect(await plan("1")).toMatchObject({ code: 0, outputs: { changes: "2" } });
    expect(await list()).toEqual([]);
    const first = await apply("1");
    expect(first).toMatchObject({ code: 0, log: expect.stringContaining("2 of 2 applied.") });
    expect(first.summary).toContain("2 of 2 applied");
    expect(readdirSync(machine.caches)).toEqual(["templates-lock-1-1"]);
    expect(await plan("2")).toMatchObject({ code: 0, outputs: { changes: "0" } });

    project.write({ ...subject("New for {{name}}"), ...subject("New, too", "two") });
    machine.commit();
    expect(await plan("3")).toMatchObject({ code: 0, outputs: { changes: "2" } });
    await edit("two", "Edited meanwhile");
    expect(await apply("3")).toMatchObject({ code: 1, log: expect.stringContaining("1 of 2 applied") });
    expect(await list()).toMatchObject([{ subject: "New for {{{name}}}" }, { subject: "Edited meanwhile" }]);
    const kept = path.join(machine.artifacts, "templates-backups-1/production/runs");
    expect(readdirSync(kept).map((time) => machine.read(kept, time, "before/one.json") ?? "")).toContainEqual(
      expect.stringContaining("For {{{name}}}"),
    );
    expect(await run("templates-drift", "drift", "4")).toMatchObject({
      code: 1,
      summary: expect.stringContaining("changed both in the project and on the service"),
    });
    expect(await plan("5", "--overwrite-drift two")).toMatchObject({
      code: 0,
      summary: expect.stringMatching(/1 to update.*1 unchanged/),
      outputs: { changes: "1" },
    });

    await addGitHub(machine, { pulls: [], comments: [] });
    const section = /^## Backups[^]*/m.exec(guideOf("ci.md"))?.[0] ?? "";
    const restore = /^```sh\n([^]*?)^```$/m.exec(section)?.[1] ?? "";
    const script = restore.replace("RUN_ID", "42").replace("restore receipt", "restore one --yes");
    const env = { ...settings, GH_TOKEN: gitHubToken };
    expect(await machine.bash(script, { cwd: project.folder, env, options: ["-e"] })).toMatchObject({ code: 0 });
    expect(await list()).toMatchObject([{ subject: "For {{{name}}}" }, { subject: "Edited meanwhile" }]);
  });

  it("show and deploy the packages of a monorepo that share a domain", async () => {
    const project = new TestProject();
    for (const name of ["shop", "crm"])
      project.write(
        Object.fromEntries(
          Object.entries({
            "package.json": JSON.stringify({ name: `@acme/${name}`, type: "module" }),
            "lettershop.config.json": data,
            ...htmlTemplate(`of-${name}`),
          }).map(([at, text]) => [`packages/${name}/${at}`, text]),
        ),
      );
    const types = async (name: string) =>
      expect(await project.run(["types", "--cwd", `packages/${name}`])).toMatchObject({ code: 0 });
    await types("shop");
    await types("crm");
    const machine = new PipelineMachine(project);
    machine.init();
    const { settings, list } = await setUpService();

    for (const name of ["shop", "crm"]) {
      const workflow = file(".github/workflows/templates-deploy.yml")
        .replaceAll("templates sync", `templates sync --cwd packages/${name}`)
        .replaceAll(/path: (?=templates\.lock|sync\.plan|\.lettershop)/g, `path: packages/${name}/`)
        .replace("with: { name: sync-plan }", `with: { name: sync-plan, path: packages/${name} }`)
        .replaceAll("templates-lock-", `templates-lock-${name}-`);
      const { MAIL_API_KEY, ...vars } = settings;
      const context = {
        secrets: { MAIL_API_KEY },
        vars,
        inputs: { flags: "--prune" },
        github: { run_id: "1", run_attempt: "1" },
      };
      const run = (job: string) => runGitHubJob({ machine, workflow, job, branch: "main", context });
      expect(await run("plan")).toMatchObject({ code: 0, outputs: { changes: "1" } });
      expect(await run("apply")).toMatchObject({ code: 0, log: expect.stringContaining("1 of 1 applied.") });
    }
    expect(await list()).toMatchObject([{ name: "of-crm" }, { name: "of-shop" }]);
    expect(readdirSync(machine.caches)).toEqual(["templates-lock-crm-1-1", "templates-lock-shop-1-1"]);

    project.git("switch", "--quiet", "--create", "new-subject");
    for (const name of ["shop", "crm"])
      project.write({
        [`packages/${name}/templates/of-${name}/template.json`]: JSON.stringify({ subject: `Of ${name}` }),
      });
    await types("crm");
    machine.commit();
    const result = await runGitHubJob({
      machine,
      workflow: file(".github/workflows/templates-packages.yml"),
      job: "check",
      branch: "new-subject",
      context: {},
      env: { GITHUB_BASE_REF: "main" },
    });
    // The registry of one is out of date.
    expect(result).toMatchObject({ code: 1, log: expect.stringContaining("templates.gen.ts is up to date.") });
    const packages = /packages\/shop\n[^]*\+ Of shop\n[^]*packages\/crm\n[^]*\+ Of crm\n/;
    expect(result.summary).toMatch(packages);
    const text = machine.read(machine.artifacts, "templates-diff/templates-diff.md") ?? "";
    expect(text).toMatch(packages);
    expect(text.match(/^### Templates:/gm)).toHaveLength(1);
    expect(text.startsWith("### Templates:")).toBe(true);
  });

  it("give keys to steps that talk to the service, in environments of main alone", () => {
    const workflows = Object.entries(files).filter(([name]) => name.startsWith(".github/"));
    expect(workflows).toHaveLength(5);
    for (const [, text] of workflows) {
      const { on, jobs, permissions } = parseWorkflow(text);
      expect(JSON.stringify(on)).not.toContain("pull_request_target");
      expect(Object.entries(permissions).filter(([, level]) => level !== "read")).toEqual(
        JSON.stringify(on).includes("workflow_run") ? [["pull-requests", "write"]] : [],
      );
      for (const { environment, steps } of Object.values(jobs))
        for (const step of steps) {
          const hasKey = JSON.stringify(step).includes("secrets.");
          expect(hasKey).toBe(step.run?.startsWith("npx templates sync ") ?? false);
          if (hasKey) expect(environment).toMatch(/^production/);
          // Texts of others are no part of a script.
          expect(step.run ?? "").not.toContain("${{");
        }
    }
  });
});

describe.skipIf(process.platform === "win32")("the recipe for GitLab", () => {
  const pipeline = file(".gitlab-ci.yml");

  it.skipIf(!hasCurl)("shows what a merge request changes, and comments where it is given a token", async () => {
    const set = await setUp();
    const { machine, project } = set;
    openPullRequest(set);
    expect(await project.run(["types"])).toMatchObject({ code: 0 });
    machine.commit();
    const gitlab = await serveNotes();
    const settings = {
      MAIL_API_KEY: { value: key, scope: "production" },
      TEMPLATES_COMMENT_TOKEN: { value: gitlab.token, scope: "merge-request-comments" },
    };
    const env = {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: project.git("rev-parse", "main").trim(),
      CI_API_V4_URL: gitlab.url,
      CI_PROJECT_ID: "5",
      CI_MERGE_REQUEST_IID: "7",
    };
    const run = (job: string, more: object = settings) =>
      runGitLabJob({ machine, pipeline, job, branch: "new-subject", settings: { ...more }, env });

    const first = await run("templates-check");
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining("1 to create, 1 to update") });
    const seen = machine.read(first.workspace, "seen.json") ?? "";
    expect(seen).toContain('"CI":"true"');
    for (const text of [first.output, seen])
      for (const secret of [key, gitlab.token]) expect(text).not.toContain(secret);

    const diff = path.join(machine.artifacts, "templates-diff.md");
    const without = await run("templates-comment", {});
    expect(without).toMatchObject({ code: 0, output: expect.stringContaining("No token") });
    expect(gitlab.notes).toEqual(["LGTM"]);
    const comment = async () => {
      expect(await run("templates-comment")).toEqual({ code: 0, output: "", workspace: expect.any(String) });
      expect(gitlab.notes).toEqual(["LGTM", machine.read(diff)]);
      return gitlab.notes[1];
    };
    expect(await comment()).toContain("+ New for");
    // As the job of a later push leaves it.
    writeFileSync(diff, (machine.read(diff) ?? "").replace("+ New for", "+ Newer for"));
    expect(await comment()).toContain("+ Newer for");
  });

  // What the commands do is the other recipe's, too: every run tries that one.
  it.runIf(long)("plans, applies what was approved, keeps backups, and finds drift at night", async () => {
    const { machine, project } = await setUp();
    const { settings, list, edit } = await setUpService();
    const scoped = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, { value, scope: "production" }]),
    );
    const run = async (job: string, env = {}) => {
      const result = await runGitLabJob({ machine, pipeline, job, branch: "main", settings: scoped, env });
      expect(result.output).not.toContain(key);
      return result;
    };
    expect(await run("templates-plan")).toMatchObject({ code: 0, output: expect.stringContaining("2 to create") });
    expect(await list()).toEqual([]);
    expect(await run("templates-apply")).toMatchObject({ code: 0, output: expect.stringContaining("2 of 2 applied.") });
    expect(readdirSync(machine.caches)).toEqual(["templates.lock.json"]);
    expect(await run("templates-drift")).toMatchObject({ code: 0 });

    project.write(subject("New for {{name}}"));
    machine.commit();
    expect(await run("templates-plan")).toMatchObject({ code: 0 });
    expect(await run("templates-apply")).toMatchObject({ code: 0 });
    const kept = path.join(machine.artifacts, ".lettershop/sync/production/runs");
    expect(readdirSync(kept).map((time) => machine.read(kept, time, "before/one.json") ?? "")).toContainEqual(
      expect.stringContaining("For {{{name}}}"),
    );

    await edit("two", "Edited");
    expect(await run("templates-drift")).toMatchObject({
      code: 5,
      output: expect.stringContaining("edited on the service since the last apply"),
    });
    expect(await run("templates-plan", { SYNC_FLAGS: "--overwrite-drift two" })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/1 to update.*1 unchanged/),
    });
  });

  it("leaves it to people to apply, on the default branch alone", () => {
    const jobs = jobsOf(pipeline);
    expect(jobs["templates-apply"]?.rules.at(-1)).toEqual({
      if: "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH",
      when: "manual",
    });
    for (const { environment, rules, script } of Object.values(jobs))
      if (script.join().includes("templates sync")) {
        expect(environment?.name).toMatch(/^production/);
        expect(rules.map((rule) => rule.if).join()).not.toContain("merge_request_event");
      }
  });
});

/** GitLab's notes of one merge request. */
async function serveNotes() {
  const token = "a-token-of-gitlab";
  const notes = ["LGTM"];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = new URLSearchParams(Buffer.concat(chunks).toString()).get("body") ?? "";
      const [, id] = /^\/projects\/5\/merge_requests\/7\/notes(?:\/(\d+)|\?per_page=100)?$/.exec(request.url ?? "") ?? [
        "",
        "",
      ];
      if (request.headers["private-token"] !== token || id === "") return response.writeHead(404).end();
      if (request.method === "POST") notes.push(body);
      if (request.method === "PUT") notes[Number(id) - 1] = body;
      return response.end(JSON.stringify(notes.map((each, index) => ({ id: index + 1, body: each }))));
    })();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token, notes };
}
