import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const NAMES = ["one", "two"];

/** A completely built project, old enough that file states are reliable. */
async function builtProject(): Promise<TestProject> {
  const project = new TestProject(Object.assign({}, ...NAMES.map((name) => htmlTemplate(name))));
  await pause();
  await build(project);
  await pause();
  await build(project);
  return project;
}

async function build(project: TestProject, ...args: string[]): Promise<string> {
  const { stdout } = await project.run(["build", ...args, "--out", "out"]);
  return stdout;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

const all = (project: TestProject): Record<string, string> =>
  Object.fromEntries(
    readdirSync(project.path("out"), { recursive: true, encoding: "utf8" })
      .filter((file) => path.extname(file) !== "")
      .toSorted()
      .map((file) => [file, readFileSync(project.path("out", file), "utf8")]),
  );

/** The output of a build without a cache. */
async function cleanBuild(project: TestProject): Promise<Record<string, string>> {
  rmSync(project.path(".lettershop"), { recursive: true });
  rmSync(project.path("out"), { recursive: true });
  await build(project);
  return all(project);
}

/** Edits a file without changing its size or modification time. */
function edit(file: string, from: string, to: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  utimesSync(file, atime, mtime);
}

const body = "templates/two/two.html";

describe("an incremental build", () => {
  it("writes nothing and prints the same result if nothing has changed", async () => {
    const project = await builtProject();
    const before = statSync(project.path("out/one/body.html")).mtimeMs;
    expect(await build(project)).toBe("2 templates compiled in out.\n");
    expect(statSync(project.path("out/one/body.html")).mtimeMs).toBe(before);
    expect(JSON.parse((await project.run(["build", "--json", "--out", "out"])).stdout)).toMatchObject({
      templates: NAMES,
      diagnostics: [],
    });
  });

  it.each<[string, (project: TestProject) => void]>([
    ["an edit that keeps size and time", (project) => edit(project.path(body), "Hello", "Howdy")],
    [
      "a file replaced by another one with the same time",
      (project) => {
        const file = project.path(body);
        cpSync(file, `${file}~`, { preserveTimestamps: true });
        edit(`${file}~`, "Hello", "Howdy");
        renameSync(`${file}~`, file);
      },
    ],
    ["another fixture", (project) => project.write({ "templates/two/fixtures/other.json": `{ "name": "Grace" }` })],
    ["a fixture that goes", (project) => rmSync(project.path("templates/two/fixtures/default.json"))],
    ["metadata that come", (project) => project.write({ "templates/two/template.json": `{ "subject": "New" }` })],
    ["a written text", (project) => project.write({ "templates/two/two.txt": "Hello {{name}}" })],
    ["a template that comes", (project) => project.write(htmlTemplate("three"))],
    ["a template that goes", (project) => rmSync(project.path("templates/two"), { recursive: true })],
    [
      "a template that is now a single file",
      (project) => {
        renameSync(project.path(body), project.path("templates/two.html"));
        rmSync(project.path("templates/two"), { recursive: true });
      },
    ],
    [
      "the configuration",
      (project) =>
        project.write({
          "lettershop.config.json": `{ "templates": ["templates", "more"] }`,
          "more/x/x.html": "<p>x</p>",
        }),
    ],
    ["an edit of what was written", (project) => edit(project.path("out/two/body.html"), "Hello", "Howdy")],
    ["a removal of what was written", (project) => rmSync(project.path("out/two/body.txt"))],
    ["an emptied output folder", (project) => rmSync(project.path("out"), { recursive: true })],
    ["an edit of the manifest", (project) => edit(project.path("out/manifest.json"), "For", "Fro")],
    [
      "a clock that is ahead",
      (project) => utimesSync(project.path(body), new Date("2100-01-01"), new Date("2100-01-01")),
    ],
  ])("notices %s", async (_what, change) => {
    const project = await builtProject();
    change(project);
    await build(project);
    const output = all(project);
    expect(output).toEqual(await cleanBuild(project));
  });

  it("notices that a symbolic link to templates has a new target", async () => {
    const project = await builtProject();
    cpSync(project.path("templates"), project.path("v2"), { recursive: true, preserveTimestamps: true });
    edit(project.path("v2/two/two.html"), "Hello", "Howdy");
    renameSync(project.path("templates"), project.path("v1"));
    symlinkSync(project.path("v1"), project.path("templates"));
    await build(project);
    await pause();
    await build(project);
    rmSync(project.path("templates"));
    symlinkSync(project.path("v2"), project.path("templates"));
    await build(project);
    expect(all(project)["two/body.html"]).toContain("Howdy");
  });

  it("repeats errors until they are fixed", async () => {
    const project = await builtProject();
    const good = readFileSync(project.path(body), "utf8");
    project.write({ [body]: "{{#open}}" });
    const broken = await project.run(["build", "--out", "out"]);
    expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining("1 template compiled") });
    await pause();
    expect(await project.run(["build", "--out", "out"])).toEqual(broken);
    project.write({ [body]: good });
    expect(await build(project)).toBe("2 templates compiled in out.\n");
  });

  it("builds one template by name, and refuses unknown names", async () => {
    const project = await builtProject();
    edit(project.path(body), "Hello", "Howdy");
    edit(project.path("templates/one/one.html"), "Hello", "Howdy");
    expect(await build(project, "two")).toBe("1 template compiled in out.\n");
    expect(all(project)["two/body.html"]).toContain("Howdy");
    expect(all(project)["one/body.html"]).toContain("Hello");
    expect((await project.run(["build", "tow", "--out", "out"])).stderr).toContain("Did you mean two?");
    await build(project);
    expect(all(project)["one/body.html"]).toContain("Howdy");
  });

  it("has the same result in a copy of the project, and after it was moved", async () => {
    const project = await builtProject();
    const copy = new TestProject();
    for (const name of ["templates", ".lettershop", "out"])
      cpSync(project.path(name), copy.path(name), { recursive: true, preserveTimestamps: true });
    edit(copy.path(body), "Hello", "Howdy");
    await build(copy);
    expect(all(copy)["two/body.html"]).toContain("Howdy");
    expect(all(project)["two/body.html"]).toContain("Hello");
  });

  it("survives killed and concurrent builds", async () => {
    const project = await builtProject();
    for (let round = 0; round < 6; round += 1) {
      edit(project.path(body), round % 2 === 0 ? "Hello" : "Howdy", round % 2 === 0 ? "Howdy" : "Hello");
      const killed = project.start(["build", "--out", "out"]);
      setTimeout(() => killed.kill("SIGKILL"), 60 * round);
      await killed.ended;
      await Promise.all([build(project), build(project)]);
      expect(all(project)["two/body.html"]).toContain(round % 2 === 0 ? "Howdy" : "Hello");
    }
    const output = all(project);
    expect(output).toEqual(await cleanBuild(project));
  });

  it.each(["{", "", "[]", `{"key":1,"stamp":2,"inputs":3}`])("ignores a broken cache: %s", async (text) => {
    const project = await builtProject();
    const before = all(project);
    for (const name of readdirSync(project.path(".lettershop/cache")))
      writeFileSync(project.path(".lettershop/cache", name), text);
    edit(project.path(body), "Hello", "Howdy");
    await build(project);
    expect(all(project)).not.toEqual(before);
    const output = all(project);
    expect(output).toEqual(await cleanBuild(project));
  });
});
