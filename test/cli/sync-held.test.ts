import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../src/version.js";
import { htmlTemplate, TestProject } from "./project.js";
import { domain, environments, syncService } from "./sync-service.js";

const total = (name: string) => ({
  ...htmlTemplate(name, "<p>{{name}} {{total}}</p>"),
  [`templates/${name}/fixtures/default.json`]: JSON.stringify({ name: "Ada", total: "7" }),
});

describe("what is held back", () => {
  it("is let through by name or by a pattern, each reason by its own flag", async () => {
    const { url, env, edit, stored } = await syncService();
    const files = { ...environments(url, { staging: { namePrefix: "s-" } }), ...htmlTemplate("order-one") };
    const project = new TestProject({ ...files, ...htmlTemplate("order-two"), ...htmlTemplate("welcome") });
    await project.run(["sync"], env);
    for (const name of ["s-order-one", "s-order-two", "s-welcome"]) await edit(name, { subject: "Edited" });
    const subjects = async () =>
      Object.fromEntries(Object.entries(await stored()).map(([name, { subject }]) => [name, subject]));

    const held = await project.run(["sync"], env);
    expect(held).toMatchObject({ code: 1 });
    expect(held.stdout.replaceAll(/\s+/g, " ")).toContain(
      "add --overwrite-drift s-order-one --overwrite-drift s-order-two --overwrite-drift s-welcome.",
    );
    for (const flag of ["--take-over", "--allow-breaking"])
      expect(await project.run(["sync", flag, "*"], env)).toMatchObject({ code: 1 });
    expect(await project.run(["sync", "--overwrite-drift", "welcom"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--overwrite-drift welcom: there is no such template[^]*Did you mean welcome\?/),
    });
    expect(await project.run(["sync", "--overwrite-drift", "--yes"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--overwrite-drift needs a value: --overwrite-drift NAME"),
    });
    expect(new Set(Object.values(await subjects()))).toEqual(new Set(["Edited"]));

    expect(await project.run(["sync", "--overwrite-drift", "s-welcome"], env)).toMatchObject({ code: 1 });
    expect(await subjects()).toMatchObject({ "s-welcome": "For {{{name}}}", "s-order-one": "Edited" });
    expect(await project.run(["sync", "--overwrite-drift", "order-*"], env)).toMatchObject({ code: 0 });
    expect(new Set(Object.values(await subjects()))).toEqual(new Set(["For {{{name}}}"]));
  });

  it("because another project manages it is taken over by a flag of its own", async () => {
    const { url, env, stored } = await syncService();
    const theirs = new TestProject({
      ...environments(url),
      "package.json": JSON.stringify({ name: "theirs" }),
      ...htmlTemplate("one"),
    });
    await theirs.run(["sync"], env);
    const ours = new TestProject({ ...environments(url), ...htmlTemplate("one", "<p>Ours {{name}}</p>") });
    expect(await ours.run(["sync", "--overwrite-drift", "one"], env)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("To apply your version, add --take-over one."),
    });
    expect(await ours.run(["sync", "--take-over", "one"], env)).toMatchObject({ code: 0 });
    expect((await stored())["one"]?.html_body).toContain("Ours");
    expect(await theirs.run(["sync"], env)).toMatchObject({ code: 1 });
  });

  it("and let through is told to whoever approves the plan, with the plan's file too", async () => {
    const { url, env, edit } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
    await project.run(["sync"], env);
    project.write({ ...total("one"), ...htmlTemplate("two", "<p>New {{name}}</p>") });
    await edit("two", { subject: "Edited" });
    const allowed = ["sync", "--allow-breaking", "one", "--overwrite-drift", "two", "--out", "sync.plan"];
    const planned = await project.run([...allowed, "--summary", "plan.md", "--json"], env);
    expect(JSON.parse(planned.stdout)).toMatchObject({
      operations: [
        { name: "one", breaking: [{ variable: "total", effect: "would be blank" }] },
        { name: "two", overwrites: "conflict" },
      ],
    });
    expect(readFileSync(project.path("plan.md"), "utf8")).toContain("- one: total would be blank");
    const { code, stdout } = await project.run(["sync", "--plan", "sync.plan"], env);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("one: total would be blank"),
    });
    expect(stdout).toContain("two: changed both in the project and on the service");
  });

  it("of names that are exchanged is applied when that is allowed", async () => {
    const { url, env, stored } = await syncService();
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two", "Second") });
    await project.run(["sync"], env);
    const renamed = (renamedFrom: string) => JSON.stringify({ subject: "For {{name}}", renamedFrom });
    project.write({ ...htmlTemplate("one", "Second"), ...htmlTemplate("two") });
    project.write({ "templates/one/template.json": renamed("two"), "templates/two/template.json": renamed("one") });
    const held = await project.run(["sync"], env);
    expect(held).toMatchObject({ code: 1 });
    expect(held.stdout).toContain("one: gets the content of two; its own becomes two");
    expect((await stored())["one"]?.html_body).not.toContain("Second");
    expect(await project.run(["sync", "--allow-breaking", "*"], env)).toMatchObject({ code: 0 });
    expect((await stored())["one"]?.html_body).toContain("Second");
    project.write({ "templates/one/template.html": "Second, edited" });
    expect(await project.run(["sync"], env)).toMatchObject({ code: 0 });
  });
});

describe("a promotion", () => {
  it("holds back what was edited in the environment that it comes from", async () => {
    const { url, env, edit, stored } = await syncService();
    const both = environments(url, { staging: { namePrefix: "staging-" }, production: {} });
    const project = new TestProject({ ...both, ...htmlTemplate("one"), ...htmlTemplate("two") });
    await project.run(["sync", "--env", "staging"], env);
    await edit("staging-one", { subject: "Edited by hand" });
    const promote = ["promote", "staging", "production"];
    const held = await project.run(promote, env);
    expect(held).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("To promote the edits, add --include-drift one."),
    });
    expect(Object.keys(await stored())).toEqual(["staging-one", "staging-two", "two"]);
    const summary = await project.run([...promote, "--include-drift", "one", "--json"], env);
    expect(summary).toMatchObject({ code: 0 });
    expect(JSON.parse(summary.stdout)).toMatchObject({ operations: [{ name: "one", sourceDrifted: true }] });
    expect((await stored())["one"]?.subject).toBe("Edited by hand");
  });
});

describe("a plan's file", () => {
  it("says when it was made, from which commit and by which version, and has each body once", async () => {
    const { url, env } = await syncService();
    const body = `<p>${"A long body. ".repeat(20)}{{name}}</p>`;
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two", body) });
    project.git("init", "--quiet");
    project.git("add", "templates");
    project.git("commit", "--quiet", "--message", "First");
    await project.run(["sync"], env);
    project.write(htmlTemplate("one", body));
    expect(await project.run(["sync", "--out", "sync.plan"], env)).toMatchObject({ code: 0 });
    const text = readFileSync(project.path("sync.plan"), "utf8");
    const commit = project.git("rev-parse", "HEAD").trim();
    expect(JSON.parse(text)).toMatchObject({
      made: { lettershop: VERSION, commit: { id: commit }, at: expect.stringMatching(/Z$/) },
    });
    // Once in html, once as text.
    expect(text.split("A long body. A long body. ")).toHaveLength(21);
    expect(await project.run(["sync", "--plan", "sync.plan"], env)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`by lettershop ${VERSION} from commit ${commit}`),
    });
  });

  it.each([
    ["a name that leads elsewhere", (text: string) => text.replace('"name":"one"', '"name":"../../one"')],
    ["a text that is missing", (text: string) => text.replace(/\{"text":\d+\}/, '{"text":99}')],
    ["a text that was changed", (text: string) => text.replace("A long body", "A wrong body")],
    ["another layout", (text: string) => text.replace('"lettershopPlan": 2', '"lettershopPlan": 1')],
  ])("with %s is refused", async (_, change) => {
    const { url, env, stored } = await syncService();
    const body = `<p>${"A long body. ".repeat(20)}{{name}}</p>`;
    const project = new TestProject({ ...environments(url), ...htmlTemplate("one", body) });
    await project.run(["sync", "--out", "sync.plan"], env);
    const text = readFileSync(project.path("sync.plan"), "utf8");
    expect(change(text)).not.toBe(text);
    project.write({ "sync.plan": change(text) });
    expect(await project.run(["sync", "--plan", "sync.plan"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("sync.plan can't be applied"),
    });
    expect(await stored()).toEqual({});
  });
});

it("two projects of the same name, each set up with init, leave each other's templates alone", async () => {
  const { url, env, stored } = await syncService();
  const target = { ...env, LETTERSHOP_ENV: "", LETTERSHOP_URL: url, LETTERSHOP_DOMAIN: domain };
  const projects = ["one", "two"].map((name) => new TestProject(htmlTemplate(name)));
  for (const project of projects) {
    expect(await project.run(["init", "--launchers", "--no-install"])).toMatchObject({ code: 0 });
    expect(await project.run(["sync", "--prune", "--yes"], target)).toMatchObject({ code: 0 });
  }
  expect(Object.keys(await stored())).toEqual(["one", "two"]);
});
