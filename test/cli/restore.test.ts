import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { openRun } from "../../src/sync/index.js";
import { htmlTemplate, TestProject } from "./project.js";
import { environments, type SyncService, syncService } from "./sync-service.js";

const schema = fileURLToPath(new URL("../../docs/sync-output.schema.json", import.meta.url));
const validate = new Ajv2020().compile(JSON.parse(readFileSync(schema, "utf8")) as object);
const RUNS = ".lettershop/sync/staging/runs";

/** The times of the runs that left a folder, oldest first. */
function timesIn(project: TestProject, runs = RUNS): string[] {
  return readdirSync(project.path(runs)).toSorted();
}

/** A project whose second deploy of `one` was a mistake. */
async function afterBadDeploy(more: object = {}, staging: object = {}) {
  const service = await syncService();
  const project = new TestProject({
    ...environments(service.url, { staging }, more),
    ...htmlTemplate("one"),
    ...htmlTemplate("two"),
  });
  expect(await project.run(["sync", "--yes"], service.env)).toMatchObject({ code: 0 });
  project.write(htmlTemplate("one", "Bad"));
  expect(await project.run(["sync", "--yes", "--allow-breaking", "one"], service.env)).toMatchObject({ code: 0 });
  const run = (...args: readonly string[]) => project.run(args, service.env);
  return { ...service, project, run, text: () => textOf(service) };
}

async function textOf({ stored }: Pick<SyncService, "stored">, name = "one"): Promise<string | undefined> {
  return (await stored())[name]?.text_body;
}

const good = "Hello {{{name}}}";

describe("templates restore, after a bad deploy", () => {
  it.each([
    ["version 4", {}, {}],
    ["version 3", { version: "v3" }, {}],
    ["no lock", {}, { lock: false }],
    ["no marker", {}, { marker: false }],
    ["neither lock nor marker", {}, { lock: false, marker: false }],
  ])("puts back what was there, and no later sync deploys the mistake again: %s", async (_, staging, sync) => {
    const { run, text, project, stored } = await afterBadDeploy({ sync }, staging);
    const marker = (await stored())["one"]?.description;
    expect(await run("restore", "one")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 of 1 applied.") });
    expect(await text()).toBe(good);
    expect((await stored())["one"]?.description).toBe(marker);

    expect(await run("sync")).toMatchObject({ code: 1, stdout: expect.stringContaining("1 held") });
    expect(await run("sync", "--check")).toMatchObject({ code: 5 });
    project.write(htmlTemplate("one", "Another {{name}}"));
    expect(await run("sync", "two")).toMatchObject({ code: 0 });
    expect(await run("sync")).toMatchObject({ code: 1 });
    expect(await text()).toBe(good);

    project.write(htmlTemplate("one"));
    expect(await run("sync")).toMatchObject({ code: 0 });
    expect(await run("sync", "--check")).toMatchObject({ code: 0 });
    project.write(htmlTemplate("one", "Fixed {{name}}"));
    // Where nothing is written down, nothing tells that the project has applied what is there.
    const isKnown = !("lock" in sync && "marker" in sync);
    expect(await run("sync")).toMatchObject({ code: isKnown ? 0 : 1 });
    expect(await text()).toBe(isKnown ? "Fixed {{{name}}}" : good);
  });

  it("can be repeated, and be undone by naming its own run", async () => {
    const { run, text, project } = await afterBadDeploy();
    expect(await run("restore", "one")).toMatchObject({ code: 0 });
    expect(await run("restore", "one", "one")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Nothing to"),
    });
    expect(await text()).toBe(good);

    const [, , own = ""] = timesIn(project);
    const undo = ["restore", "one", "--from", own];
    expect(await run(...undo)).toMatchObject({ code: 1, stdout: expect.stringContaining("edited on the service") });
    expect(await run(...undo, "--overwrite-drift", "*")).toMatchObject({ code: 0 });
    expect(await text()).toBe("Bad");
    // What the project applied is there again, so that nothing is left to hold back.
    expect(await run("sync", "--check")).toMatchObject({ code: 0 });
  });

  it("takes the last good version also where a later deploy or an earlier restore failed", async () => {
    const { run, text, project, faults } = await afterBadDeploy();
    project.write(htmlTemplate("one", "Worse"));
    faults.add({ kind: "refuse", endpoint: "v4 templates.update", status: 403 });
    expect(await run("sync")).toMatchObject({ code: 3 });
    faults.add({ kind: "refuse", endpoint: "v4 templates.update", status: 403 });
    expect(await run("restore", "one")).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("To go on: templates restore one --env staging"),
    });
    expect(await text()).toBe("Bad");
    for (const when of ["before", "after"] as const) faults.add({ kind: "cut", endpoint: "v4 templates.update", when });
    expect(await run("restore", "one")).toMatchObject({ code: 0 });
    expect(await text()).toBe(good);
    expect(await run("sync")).toMatchObject({ code: 1 });
  });

  it("holds back over an edit that somebody made since, and keeps a copy of it", async () => {
    const { run, text, project, edit } = await afterBadDeploy();
    await edit("one", { text_body: "Edited" });
    const held = await run("restore", "one", "--yes");
    expect(held).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("To restore the backup over this, add --overwrite-drift one."),
    });
    expect(held.stdout).toMatch(/- Edited\n +\+ Hello/);
    expect(await text()).toBe("Edited");
    expect(await run("restore", "one", "--overwrite-drift", "one")).toMatchObject({ code: 0 });
    expect(await text()).toBe(good);
    const copy = project.path(RUNS, timesIn(project).at(-1) ?? "", "before/one.json");
    expect(JSON.parse(readFileSync(copy, "utf8"))).toMatchObject({ text_body: "Edited" });
  });

  it("shows the plan with --dry-run, prints it with --json and --summary, and asks where sync asks", async () => {
    const { run, text, project } = await afterBadDeploy({}, { confirm: true });
    const before = await text();
    const dry = await run("restore", "one", "--dry-run", "--json");
    expect(dry.code).toBe(0);
    const backup = `${RUNS}/${timesIn(project).at(-1)}/before/one.json`;
    expect(JSON.parse(dry.stdout)).toMatchObject({
      restored: [{ name: "one", backup }],
      operations: [{ kind: "update", name: "one", fields: ["text_body", "html_body"] }],
    });
    expect(validate(JSON.parse(dry.stdout)), JSON.stringify(validate.errors)).toBe(true);
    expect(await run("restore", "one")).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(await text()).toBe(before);
    expect(await run("restore", "one", "--yes", "--summary", "job.md")).toMatchObject({ code: 0 });
    expect(await text()).toBe(good);
    expect(readFileSync(project.path("job.md"), "utf8")).toContain("1 of 1 applied");
  });
});

describe("templates restore, after a deletion", () => {
  it("creates the template again, which no --prune deletes until the project has it again", async () => {
    const { url, env, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    const run = (...args: readonly string[]) => project.run(args, env);
    expect(await run("sync")).toMatchObject({ code: 0 });
    project.remove("templates/one");
    expect(await run("sync", "--prune", "--yes")).toMatchObject({ code: 0 });
    expect(await run("restore", "one")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 to create") });
    expect(await stored()).toMatchObject({ one: { text_body: good, subject: "For {{{name}}}", description: "" } });

    expect(await run("sync", "--prune", "--yes")).toMatchObject({ code: 0 });
    expect(Object.keys(await stored())).toEqual(["one", "two"]);
    project.write(htmlTemplate("one"));
    expect(await run("sync")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 to mark as managed") });
    project.remove("templates/one");
    expect(await run("sync", "--prune", "--yes")).toMatchObject({ code: 0 });
    expect(Object.keys(await stored())).toEqual(["two"]);
  });
});

describe("templates restore --from", () => {
  it("takes a run's time, its folder, the folder of its backups or a file", async () => {
    const { run, text, project } = await afterBadDeploy();
    project.write(htmlTemplate("one", "Worse"));
    expect(await run("sync", "--yes")).toMatchObject({ code: 0 });
    const [, first = ""] = timesIn(project);
    const newest = await run("restore", "one", "--dry-run");
    expect(newest.stdout).toMatch(/- Worse\n +\+ Bad/);
    expect(newest.stderr).toContain(`Older backups of one: --from ${first}`);
    const forms = [
      first,
      first.replace(/T(..)-(..)-/, "T$1:$2:"),
      `${RUNS}/${first}`,
      `${RUNS}/${first}/before`,
      `${RUNS}/${first}/before/one.json`,
    ];
    for (const from of forms) {
      const { code, stdout } = await run("restore", "one", "--from", from, "--dry-run");
      expect({ from, code }).toEqual({ from, code: 0 });
      expect(stdout).toMatch(/- Worse\n +\+ Hello/);
    }
    expect(await run("restore", "one", "--from", first)).toMatchObject({ code: 0 });
    expect(await text()).toBe(good);
  });

  it("takes what another machine saved, and waits with it for a run under way", async () => {
    const { run, text, project, url, env } = await afterBadDeploy();
    const elsewhere = new TestProject(environments(url));
    expect(await elsewhere.run(["restore", "one"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--from PATH"),
    });
    cpSync(project.path(".lettershop/sync/staging"), elsewhere.path("backups/staging"), { recursive: true });
    expect(await elsewhere.run(["restore", "one", "--from", "backups/staging"], env)).toMatchObject({ code: 0 });
    expect(await text()).toBe(good);

    // The other run ends while this one waits, and leaves a newer backup.
    const folder = project.path(".lettershop/sync/staging");
    const target = JSON.parse(
      readFileSync(`${folder}/runs/${timesIn(project)[0]}/journal.jsonl`, "utf8").split("\n")[0] ?? "",
    ).target;
    const other = await openRun({ folder, target });
    expect(await run("restore", "one")).toMatchObject({ code: 3, stderr: expect.stringContaining("--wait") });
    const waiting = project.begin(["restore", "one", "--wait", "--overwrite-drift", "one"], env);
    await waiting.printed("Waiting for it to end");
    await other.save({
      name: "one",
      subject: "",
      description: "",
      html_body: "",
      text_body: "Newer",
      created_at: "",
      updated_at: "",
    });
    await other.begin({ begin: 0, kind: "update", name: "one" });
    await other.end({ end: 0, effect: "done" });
    await other.close();
    expect(await waiting.ended).toMatchObject({ code: 0 });
    expect(await text()).toBe("Newer");
  });
});

describe("templates restore refuses", () => {
  it("what is not there or damaged, and changes nothing", async () => {
    const { run, text, project } = await afterBadDeploy();
    const [, time = ""] = timesIn(project);
    const refusals: [args: readonly string[], message: string][] = [
      [["oen"], 'There is no backup of "oen" for staging.\nDid you mean one?'],
      [["unknown"], 'There is no backup of "unknown" for staging.\nThere are backups of one.'],
      [["../one"], 'There is no backup of "../one" for staging.'],
      [["two", "--from", time], `There is no backup of "two" in ${time}.`],
      [["one", "--from", "yesterday"], "--from yesterday: there is no run of that time, and no such file or folder."],
      [["one", "--from", "package.json"], "package.json is damaged or not a backup: description: "],
      [["one", "--from", "templates/one/one.html"], "one.html is damaged or not a backup: it is not valid JSON."],
      [["one", "--from", "templates"], 'There is no backup of "one" in templates.'],
      [[], '"templates restore" needs NAME…'],
    ];
    for (const [args, message] of refusals) {
      const { code, stdout, stderr } = await run("restore", ...args);
      expect({ args, code, stdout, stderr }).toEqual({
        args,
        code: 2,
        stdout: "",
        stderr: expect.stringContaining(message),
      });
    }
    const json = await run("restore", "oen", "--json");
    expect(JSON.parse(json.stdout)).toEqual({
      error: { code: "usage", message: 'There is no backup of "oen" for staging.', hint: "Did you mean one?" },
    });

    const file = project.path(RUNS, time, "before/one.json");
    const whole = readFileSync(file, "utf8");
    for (const [damaged, why] of [
      [whole.slice(0, -20), "it is not valid JSON"],
      [whole.replace(/"html_body"/, '"body"'), "html_body: "],
      [whole.replace('"one"', '"two"'), 'is a backup of "two", not of "one"'],
    ] as const) {
      project.write({ [`${RUNS}/${time}/before/one.json`]: damaged });
      expect(await run("restore", "one")).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    }
    rmSync(file);
    expect(await run("restore", "one")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Can't read the backup"),
    });
    expect(await text()).toBe("Bad");
  });

  it("backups of another environment, and takes names as the project has them", async () => {
    const { url, env, stored } = await syncService();
    const staging = { namePrefix: "staging-" };
    const project = new TestProject({
      ...environments(url, { staging, production: {} }),
      ...htmlTemplate("one"),
    });
    const run = (...args: readonly string[]) => project.run(args, env);
    for (const text of ["Hello {{name}}", "Bad"]) {
      project.write(htmlTemplate("one", text));
      for (const name of ["staging", "production"])
        expect(await run("sync", "--env", name, "--allow-breaking", "one")).toMatchObject({
          code: text === "Bad" ? 0 : expect.any(Number),
        });
    }
    const from = (name: string) => `.lettershop/sync/production/${name}`;
    const time = timesIn(project, from("runs")).at(-1) ?? "";
    for (const path of [`runs/${time}`, `runs/${time}/before/one.json`, ""])
      expect(await run("restore", "one", "--env", "staging", "--from", from(path))).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/The backups are of .* example\.test, and the environment is .* staging-\*/),
      });
    // Without the journal, the name still tells.
    cpSync(project.path(from(`runs/${time}/before`)), project.path("alone"), { recursive: true });
    expect(await run("restore", "one", "--env", "staging", "--from", "alone")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "one does not belong to the environment staging.\nIts templates are named staging-*.",
      ),
    });
    expect(await textOf({ stored }, "staging-one")).toBe("Bad");
    for (const name of ["one", "staging-one"])
      expect(await run("restore", name, "--env", "staging", "--dry-run", "--json")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('"staging-one"'),
      });
    expect(await run("restore", "one", "--env", "staging")).toMatchObject({ code: 0 });
    expect([await textOf({ stored }, "staging-one"), await textOf({ stored })]).toEqual([good, "Bad"]);
    expect(existsSync(project.path(".lettershop/sync/staging/running.json"))).toBe(false);
  });
});
