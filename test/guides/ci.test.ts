import { cpSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { addGitHub, gitHubToken } from "./fake-gh.js";
import { type JobResult, parseWorkflow, runGitHubJob } from "./github-job.js";
import { jobsOf, runGitLabJob } from "./gitlab-job.js";
import { filesOf, guideOf, hasCurl, PipelineMachine } from "./pipeline-machine.js";
import { htmlTemplate, TestProject } from "../cli/project.js";
import { startService } from "../../src/service/index.js";
import { createClient } from "../../src/api/client.js";

const key = "the-key-of-the-account";
const files = filesOf("ci.md");
const config = file("lettershop.config.ts");
/** The same as JSON, because code needs a worker for each command. */
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

/** A pull request's changes: a new subject, a new template, and code that records what it can read. */
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

/** Each run's backup of a template, if any. */
function backupsOf(machine: PipelineMachine, folder: string, name: string): string[] {
  const runs = path.join(folder, "production/runs");
  return readdirSync(runs).map((time) => machine.read(runs, time, `before/${name}.json`) ?? "");
}

it.skipIf(process.platform === "win32")(
  "the scripts for any CI check, build, plan, apply and detect drift",
  async () => {
    const set = await setUp();
    const { machine, project } = set;
    const { settings, list, edit } = await setUpService();
    const section = /^## Any CI$[^]*?(?=^## )/m.exec(guideOf("ci.md"))?.[0] ?? "";
    const scripts = Object.fromEntries(
      [...section.matchAll(/^\*\*(\w+)\*\*[^]*?^```sh\n([^]*?)^```$/gm)].map(([, name = "", script = ""]) => [
        name,
        script,
      ]),
    );
    expect(Object.keys(scripts)).toEqual(["check", "build", "plan", "apply", "drift"]);
    const run = async (name: string, cwd: string, env = {}) => {
      const result = await machine.bash(scripts[name] ?? "false", { cwd, env, options: ["-e"] });
      expect(result.output).not.toContain(key);
      return result;
    };
    const clone = (branch: string) => {
      const folder = machine.workspace();
      machine.checkOut(folder, branch);
      return folder;
    };
    const build = async () => {
      const folder = clone("main");
      expect(await run("build", folder)).toMatchObject({ code: 0 });
      return folder;
    };
    /** An empty folder with the artifacts of other jobs. */
    const withKey = async (name: string, artifacts: readonly string[]) => {
      const folder = machine.workspace();
      for (const artifact of artifacts)
        cpSync(artifact, path.join(folder, path.basename(artifact)), { recursive: true });
      return { ...(await run(name, folder, settings)), folder };
    };

    const first = await build();
    const plan = await withKey("plan", [path.join(first, "build")]);
    expect(plan).toMatchObject({ code: 0, output: expect.stringContaining("2 to create") });
    expect(machine.read(plan.folder, "plan.md")).toContain("2 to create");
    expect(await list()).toEqual([]);
    const artifacts = [path.join(first, "build"), path.join(plan.folder, "sync.plan")];
    expect(await withKey("apply", artifacts)).toMatchObject({
      code: 0,
      output: expect.stringContaining("2 of 2 applied."),
    });
    expect(await withKey("drift", [path.join(first, "build")])).toMatchObject({ code: 0 });

    openPullRequest(set);
    const check = await run("check", clone("new-subject"));
    // Its registry is out of date, which is reported after the changes.
    expect(check).toMatchObject({ code: 1, output: expect.stringMatching(/New for[^]*templates\.gen\.ts/) });

    project.git("switch", "--quiet", "main");
    project.write(subject("New for {{name}}"));
    machine.commit();
    const second = await build();
    const newPlan = await withKey("plan", [path.join(second, "build")]);
    const apply = await withKey("apply", [path.join(second, "build"), path.join(newPlan.folder, "sync.plan")]);
    expect(apply).toMatchObject({ code: 0 });
    expect(backupsOf(machine, path.join(apply.folder, ".lettershop/sync"), "one")).toEqual([
      expect.stringContaining("For {{{name}}}"),
    ]);
    await edit("two", "Edited");
    const drift = await withKey("drift", [path.join(second, "build")]);
    expect(drift.output).toContain("edited on the service since it was last applied");
    expect(drift.code).not.toBe(0);

    // The version in the build can't inject a command.
    writeFileSync(path.join(second, "build/sync.json"), JSON.stringify({ lettershop: "npm:other@1.0.0" }));
    expect((await withKey("drift", [path.join(second, "build")])).output).not.toContain("npm:other");
  },
);

it.skipIf(process.platform === "win32")(
  "a script distinguishes drift from errors by the exit code of --check",
  async () => {
    const { machine, project } = await setUp();
    const { settings } = await setUpService();
    const section = /^## If the nightly job fails[^]*?(?=^## )/m.exec(guideOf("ci.md"))?.[0] ?? "";
    const script = /^```sh\n([^]*?)^```$/m.exec(section)?.[1] ?? "";
    const run = (env: Readonly<Record<string, string>>) =>
      machine.bash(script, { cwd: project.folder, env, options: ["-e"] });
    expect(await project.run(["build", "--env", "production", "--out", "build"])).toMatchObject({ code: 0 });
    expect(await run(settings)).toMatchObject({ code: 0, output: expect.stringContaining("differ.") });
    expect(await project.run(["sync", "--env", "production", "--yes"], settings)).toMatchObject({ code: 0 });
    expect(await run(settings)).toMatchObject({ code: 0, output: expect.stringContaining("has what the main branch") });
    expect(await run({ ...settings, MAIL_API_KEY: "" })).toMatchObject({ code: 2 });
  },
);

describe.skipIf(process.platform === "win32")("the recipes for GitHub", () => {
  it("show what a pull request changes, without a key, and update a single comment", async () => {
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
    // Its registry is out of date. The changes are shown even though the job fails.
    const first = await check();
    expect(first).toMatchObject({ code: 1, log: expect.stringContaining("templates.gen.ts") });
    expect(first.log).toContain("3 templates checked: 1 warning, 2 notes.");
    expect(first.summary).toMatch(/1 to create, 1 to update[^]*New for/);
    const environmentSeen = machine.read(first.workspace, "seen.json") ?? "";
    expect(environmentSeen).toContain('"CI":"true"');
    for (const text of [first.log, first.summary, environmentSeen]) expect(text).not.toContain(key);

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

    // The artifact of a later push.
    const diff = path.join(machine.artifacts, "templates-diff/templates-diff.md");
    writeFileSync(diff, first.summary.replace("+ New for", "+ Newer for"));
    expect(await comment("abc")).toMatchObject({ code: 0 });
    expect(comments).toMatchObject([other, { id: 2, body: expect.stringContaining("+ Newer for") }]);

    // The case without findings is tested with GitLab.
    if (!long) return;
    project.remove("lettershop.config.ts");
    project.write({ ...subject("Newest for {{name}}"), "lettershop.config.json": data });
    expect(await project.run(["types"])).toMatchObject({ code: 0 });
    machine.commit();
    expect(await check()).toMatchObject({ code: 0, summary: expect.stringContaining("Newest for") });
    expect(await comment("abc")).toMatchObject({ code: 0 });
    expect(comments).toMatchObject([other, { id: 2, body: expect.stringContaining("Newest for") }]);
  });

  it("build, plan, apply the approved plan, keep backups, detect drift at night, and roll back", async () => {
    const { machine, project } = await setUp();
    const { settings, list, edit } = await setUpService();
    const { MAIL_API_KEY, ...vars } = settings;
    const workflow = file(".github/workflows/templates-deploy.yml");
    const run = async (job: string, { flags = "", branch = "main" } = {}): Promise<JobResult> => {
      const context = { secrets: { MAIL_API_KEY }, vars, inputs: { flags }, github: { run_attempt: "1" } };
      const result = await runGitHubJob({ machine, workflow, job, branch, context });
      expect(result.log + result.summary).not.toContain(key);
      return result;
    };
    /** The first two jobs of a run. */
    const plan = async (options?: Parameters<typeof run>[1]) => {
      expect(await run("build", options)).toMatchObject({ code: 0 });
      return run("plan", options);
    };

    const planned = await plan();
    expect(planned).toMatchObject({ code: 0, outputs: { changes: "2" } });
    expect(await list()).toEqual([]);
    const first = await run("apply");
    expect(first).toMatchObject({ code: 0, log: expect.stringContaining("2 of 2 applied.") });
    expect(first.summary).toContain("2 of 2 applied");
    for (const { workspace } of [planned, first]) expect(readdirSync(workspace)).not.toContain("package.json");
    project.git("branch", "good");
    expect(await plan()).toMatchObject({ code: 0, outputs: { changes: "0" } });
    expect(await run("drift")).toMatchObject({ code: 0 });

    project.write({ ...subject("New for {{name}}"), ...subject("New, too", "two") });
    machine.commit();
    expect(await plan()).toMatchObject({ code: 0, outputs: { changes: "2" } });
    await edit("two", "Edited meanwhile");
    expect(await run("apply")).toMatchObject({ code: 1, log: expect.stringContaining("1 of 2 applied") });
    expect(await list()).toMatchObject([{ subject: "New for {{{name}}}" }, { subject: "Edited meanwhile" }]);
    expect(backupsOf(machine, path.join(machine.artifacts, "templates-backups-1"), "one")).toContainEqual(
      expect.stringContaining("For {{{name}}}"),
    );
    const night = await run("drift");
    expect(night).toMatchObject({
      code: 1,
      summary: expect.stringContaining("changed both in the project and on the service"),
    });
    expect(await plan({ flags: "--overwrite-drift two" })).toMatchObject({
      code: 0,
      summary: expect.stringMatching(/1 to update.*1 unchanged/),
      outputs: { changes: "1" },
    });
    expect(await run("apply")).toMatchObject({ code: 0 });

    // "Re-run all jobs" of an earlier run builds its commit.
    expect(await plan({ branch: "good" })).toMatchObject({ code: 0, outputs: { changes: "2" } });
    expect(await run("apply")).toMatchObject({ code: 0 });
    expect(await list()).toMatchObject([{ subject: "For {{{name}}}" }, { subject: "For {{{name}}}" }]);

    await addGitHub(machine, { pulls: [], comments: [] });
    const section = /^## Backups[^]*/m.exec(guideOf("ci.md"))?.[0] ?? "";
    const restore = /^```sh\n([^]*?)^```$/m.exec(section)?.[1] ?? "";
    const script = restore.replace("RUN_ID", "42").replace("restore receipt", "restore one --yes");
    const env = { ...settings, GH_TOKEN: gitHubToken };
    expect(await machine.bash(script, { cwd: project.folder, env, options: ["-e"] })).toMatchObject({ code: 0 });
    expect(await list()).toMatchObject([{ subject: "New for {{{name}}}" }, { subject: "For {{{name}}}" }]);
  });

  it("build without a key, whatever project code searches for", async () => {
    const set = await setUp();
    const { machine, project } = set;
    openPullRequest(set);
    expect(await project.run(["types"])).toMatchObject({ code: 0 });
    machine.commit();
    const { settings } = await setUpService();
    const { MAIL_API_KEY, ...vars } = settings;
    const context = { secrets: { MAIL_API_KEY }, vars, inputs: { flags: "" }, github: { run_attempt: "1" } };
    const workflow = file(".github/workflows/templates-deploy.yml");
    const run = (job: string) => runGitHubJob({ machine, workflow, job, branch: "new-subject", context });
    const built = await run("build");
    expect(built).toMatchObject({ code: 0 });
    const environmentSeen = machine.read(built.workspace, "seen.json") ?? "";
    expect(environmentSeen).toContain('"CI":"true"');
    expect(environmentSeen).not.toContain(key);
    const planned = await run("plan");
    expect(planned).toMatchObject({ code: 0, outputs: { changes: "3" } });
    expect(readdirSync(planned.workspace)).not.toContain("seen.json");
  });

  it("sync the same commit to staging first", async () => {
    const { machine, project } = await setUp();
    const { settings, list } = await setUpService();
    const environment = {
      url: settings.LETTERSHOP_URL,
      domain: settings.LETTERSHOP_DOMAIN,
      keyVariable: "MAIL_API_KEY",
    };
    const environments = { production: environment, staging: { ...environment, namePrefix: "staging-" } };
    project.write({ "lettershop.config.json": JSON.stringify({ environments }) });
    machine.commit();
    const drift = /^ {2}drift:\n[^]*/m.exec(file(".github/workflows/templates-deploy.yml"))?.[0] ?? "";
    const upload = "with: { name: templates, path: build, overwrite: true }\n";
    const workflow =
      file(".github/workflows/templates-deploy.yml").replace(
        upload,
        `${upload}      - run: npx templates build --env staging --out build-staging
      - uses: actions/upload-artifact@v4
        with: { name: templates-staging, path: build-staging, overwrite: true }\n`,
      ) +
      drift
        .replace("drift:", "staging:")
        .replace("== 'schedule'", "!= 'schedule'")
        .replace("environment: production-plan", "environment: staging")
        .replace("name: templates,", "name: templates-staging,")
        .replace("--env production --from build --check", "--env staging --from build --yes");
    const { MAIL_API_KEY, ...vars } = settings;
    const context = { secrets: { MAIL_API_KEY }, vars, inputs: { flags: "" }, github: { run_attempt: "1" } };
    const run = (job: string) => runGitHubJob({ machine, workflow, job, branch: "main", context });
    expect(await run("build")).toMatchObject({ code: 0 });
    expect(await run("staging")).toMatchObject({ code: 0, log: expect.stringContaining("2 of 2 applied.") });
    expect((await list()).map(({ name }) => name)).toEqual(["staging-one", "staging-two"]);
    expect(await run("plan")).toMatchObject({ code: 0, outputs: { changes: "2" } });
    expect(await run("apply")).toMatchObject({ code: 0 });
    expect((await list()).map(({ name }) => name)).toEqual(["one", "staging-one", "staging-two", "two"]);
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
        .replace("templates check", `templates check --cwd packages/${name}`)
        .replace(
          "templates build --env production --out build",
          `templates build --cwd packages/${name} --env production --out ../../build`,
        );
      const { MAIL_API_KEY, ...vars } = settings;
      const context = {
        secrets: { MAIL_API_KEY },
        vars,
        inputs: { flags: "--prune" },
        github: { run_attempt: "1" },
      };
      const run = (job: string) => runGitHubJob({ machine, workflow, job, branch: "main", context });
      expect(await run("build")).toMatchObject({ code: 0 });
      expect(await run("plan")).toMatchObject({ code: 0, outputs: { changes: "1" } });
      expect(await run("apply")).toMatchObject({ code: 0, log: expect.stringContaining("1 of 1 applied.") });
    }
    expect(await list()).toMatchObject([{ name: "of-crm" }, { name: "of-shop" }]);

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
    // One registry is out of date.
    expect(result).toMatchObject({ code: 1, log: expect.stringContaining("templates.gen.ts is up to date.") });
    const packages = /packages\/shop\n[^]*\+ Of shop\n[^]*packages\/crm\n[^]*\+ Of crm\n/;
    expect(result.summary).toMatch(packages);
    const text = machine.read(machine.artifacts, "templates-diff/templates-diff.md") ?? "";
    expect(text).toMatch(packages);
    expect(text.match(/^### Templates:/gm)).toHaveLength(1);
    expect(text.startsWith("### Templates:")).toBe(true);
  });

  it("give the key only to the step that syncs, in jobs of main without the project's files", () => {
    const workflows = Object.entries(files).filter(([name]) => name.startsWith(".github/"));
    expect(workflows).toHaveLength(4);
    const withKey: string[] = [];
    for (const [, text] of workflows) {
      const { on, jobs, permissions } = parseWorkflow(text);
      expect(JSON.stringify(on)).not.toContain("pull_request_target");
      const granted = [permissions, ...Object.values(jobs).map((job) => job.permissions ?? {})];
      expect(granted.flatMap((each) => Object.entries(each)).filter(([, level]) => level !== "read")).toEqual(
        JSON.stringify(on).includes("workflow_run") ? [["pull-requests", "write"]] : [],
      );
      for (const [name, job] of Object.entries(jobs)) {
        const { environment, steps } = job;
        // Scripts don't contain untrusted text.
        for (const { run = "" } of steps) expect(run).not.toContain("${{");
        // A repeated job replaces its artifact.
        for (const { uses = "", with: options = {} } of steps)
          if (uses.includes("upload-artifact"))
            expect(options["overwrite"] === true || String(options["name"]).includes("run_attempt")).toBe(true);
        if (!JSON.stringify(job).includes("secrets.")) {
          expect(environment).toBeUndefined();
          continue;
        }
        withKey.push(name);
        expect(environment).toMatch(/^production/);
        expect({ ...permissions, ...job.permissions }).toEqual({});
        expect(steps.flatMap(({ uses = "" }) => uses).join()).not.toMatch(/checkout|cache|@v\d/);
        expect(JSON.stringify(steps)).not.toContain('"cache');
        for (const step of steps) {
          const isSync = step.run?.startsWith("npx templates sync --env production --from build ") ?? false;
          expect(JSON.stringify(step).includes("secrets.")).toBe(isSync);
          if (step.run !== undefined && !isSync) expect(step.run).toMatch(/^version=.*\nnpm install .*\n$/);
        }
      }
    }
    expect(withKey).toEqual(["plan", "apply", "drift"]);
    const { jobs } = parseWorkflow(file(".github/workflows/templates-deploy.yml"));
    expect(Object.entries(jobs).map(([name, job]) => [name, job.needs, job.if, job.concurrency?.group])).toEqual([
      ["build", undefined, undefined, undefined],
      ["plan", "build", "github.event_name != 'schedule'", undefined],
      ["apply", "plan", "needs.plan.outputs.changes != '0'", "templates-production"],
      ["drift", "build", "github.event_name == 'schedule'", undefined],
    ]);
  });
});

describe.skipIf(process.platform === "win32")("the recipe for GitLab", () => {
  const pipeline = file(".gitlab-ci.yml");

  it.skipIf(!hasCurl)("shows what a merge request changes, and comments if it has a token", async () => {
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
    const environmentSeen = machine.read(first.workspace, "seen.json") ?? "";
    expect(environmentSeen).toContain('"CI":"true"');
    for (const text of [first.output, environmentSeen])
      for (const secret of [key, gitlab.token]) expect(text).not.toContain(secret);

    const diff = path.join(machine.artifacts, "templates-check/templates-diff.md");
    const without = await run("templates-comment", {});
    expect(without).toMatchObject({ code: 0, output: expect.stringContaining("No token") });
    expect(gitlab.notes).toEqual(["LGTM"]);
    const comment = async () => {
      expect(await run("templates-comment")).toEqual({ code: 0, output: "", workspace: expect.any(String) });
      expect(gitlab.notes).toEqual(["LGTM", machine.read(diff)]);
      return gitlab.notes[1];
    };
    expect(await comment()).toContain("+ New for");
    // The artifact of a later push.
    writeFileSync(diff, (machine.read(diff) ?? "").replace("+ New for", "+ Newer for"));
    expect(await comment()).toContain("+ Newer for");
  });

  it("builds, plans, applies the approved plan, keeps backups, and detects drift at night", async () => {
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
    const plan = async (env = {}) => {
      expect(await run("templates-build")).toMatchObject({ code: 0 });
      return run("templates-plan", env);
    };
    expect(await plan()).toMatchObject({ code: 0, output: expect.stringContaining("2 to create") });
    expect(await list()).toEqual([]);
    const apply = await run("templates-apply");
    expect(apply).toMatchObject({ code: 0, output: expect.stringContaining("2 of 2 applied.") });
    expect(readdirSync(apply.workspace)).not.toContain("package.json");
    expect(await run("templates-drift")).toMatchObject({ code: 0 });

    project.write(subject("New for {{name}}"));
    machine.commit();
    expect(await plan()).toMatchObject({ code: 0 });
    expect(await run("templates-apply")).toMatchObject({ code: 0 });
    const journals = path.join(machine.artifacts, "templates-apply/.lettershop/sync");
    expect(backupsOf(machine, journals, "one")).toEqual([expect.stringContaining("For {{{name}}}")]);

    await edit("two", "Edited");
    const drift = await run("templates-drift");
    expect(drift.output).toContain("edited on the service since it was last applied");
    expect(drift.code).toBe(5);
    expect(await plan({ SYNC_FLAGS: "--overwrite-drift two" })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/1 to update.*1 unchanged/),
    });
  });

  it("gives the key only to jobs without the project, and applies manually on the default branch only", () => {
    const jobs = jobsOf(pipeline);
    expect(jobs["templates-apply"]?.rules.at(-1)).toEqual({
      if: "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH",
      when: "manual",
    });
    for (const { environment, rules, script, variables, before_script = [], cache } of Object.values(jobs)) {
      const isSync = script.join().includes("templates sync");
      expect(environment?.name.startsWith("production") ?? false).toBe(isSync);
      if (!isSync) continue;
      expect(rules.map((rule) => rule.if).join()).not.toContain("merge_request_event");
      expect(variables).toEqual({ GIT_STRATEGY: "empty" });
      expect([before_script.length, script.length, cache]).toEqual([2, 1, undefined]);
      expect(script.join()).toContain("--from build");
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
