import { renameSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { projectCommits } from "../../../src/cli/preview/commits.js";
import type { CompiledBodies, PreviewError, TemplateCommits } from "../../../src/preview/contract.js";
import { git } from "../../git.js";
import { html, type Preview, PreviewedProject } from "./harness.js";

const endings: (() => Promise<void>)[] = [];
const hashes: Record<string, string> = {};
let project: PreviewedProject;
let preview: Preview;

const serve = async (folder: PreviewedProject) => {
  const commits = await projectCommits({ cwd: folder.folder, config: undefined });
  return folder.preview({ access: { environments: async () => [], ...(commits && { commits }) } });
};

beforeAll(async () => {
  project = new PreviewedProject(html("hi", "First {{name}}"), (end) => void endings.unshift(end));
  hashes["first"] = project.commit("Begin");
  project.write(html("other"));
  hashes["other"] = project.commit("Add another");
  renameSync(project.path("templates/hi"), project.path("templates/hello"));
  renameSync(project.path("templates/hello/hi.html"), project.path("templates/hello/hello.html"));
  hashes["renamed"] = project.commit("Call it hello");
  project.write({ "templates/hello/hello.html": "<p>{{#name}}</p>" });
  hashes["broken"] = project.commit("Break it");
  project.write({
    ...html("hello", "Third {{name}} {{> _shared/part}}"),
    "templates/_shared/part.html": "<b>shared</b>",
    "templates/hello/fixtures/default.json": "{}",
  });
  hashes["third"] = project.commit("Repair it, without an example that fits");
  project.write({ "templates/_shared/part.html": "<b>changed</b>" });
  hashes["part"] = project.commit("Change what it includes");
  project.write({ "README.md": "" });
  hashes["last"] = project.commit("Say something");
  project.write(html("hello", "Now {{name}} {{> _shared/part}}"));
  preview = await serve(project);
});

afterAll(async () => {
  for (const end of endings) await end();
});

async function ask(address: string, from = preview): Promise<{ status: number; body: unknown }> {
  const { status, text } = await from.ask(`/api/commits/${address}`);
  return { status, body: JSON.parse(text) };
}

async function bodiesOf(address: string): Promise<CompiledBodies> {
  const { status, body } = await ask(address);
  expect(body).not.toHaveProperty("error");
  expect(status).toBe(200);
  return body as CompiledBodies;
}

async function refusal(address: string, from = preview): Promise<string> {
  const { status, body } = await ask(address, from);
  const { message } = (body as PreviewError).error;
  return `${status} ${message}`;
}

describe("commits", () => {
  it("include those of the template's own files, even under an earlier name, and the checked-out one", async () => {
    expect((await preview.project()).can.seeCommits).toBe(true);
    const { last, ofTemplate } = (await ask("hello")).body as TemplateCommits;
    expect(last).toEqual({
      hash: hashes["last"],
      committedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      subject: "Say something",
    });
    expect(ofTemplate.map(({ subject }) => subject)).toEqual([
      "Change what it includes",
      "Repair it, without an example that fits",
      "Break it",
      "Call it hello",
      "Begin",
    ]);
    expect((await ask("nobody")).status).toBe(404);
  });

  it("show the template at that time, with its parts and conditions", async () => {
    const third = await bodiesOf(`hello/${hashes["third"]}`);
    expect(third.html).toContain("<p>Third {{name}} <b>shared</b></p>");
    expect(third.subject).toBe("For {{{name}}}");
    expect(third.contract.input.properties).toHaveProperty("name");
    expect((await bodiesOf(`hello/${hashes["last"]}`)).html).toContain("<b>changed</b>");
    expect((await preview.template("hello")).compiled?.html).toContain("<p>Now {{name}} <b>changed</b></p>");
  });

  it("find a template by its earlier name", async () => {
    expect((await bodiesOf(`hello/${hashes["first"]}`)).html).toContain("<p>First {{name}}</p>");
  });

  it("give the reason if a template can't be shown", async () => {
    const inSecret = git(project.folder, "commit-tree", "HEAD^{tree}", "-m", "Not reviewed").trim();
    expect(await refusal(`hello/${hashes["broken"]}`)).toMatch(
      new RegExp(`^422 hello doesn't compile at commit ${hashes["broken"]}. hello.html, line 1: .*name`),
    );
    expect(await refusal(`other/${hashes["first"]}`)).toBe(
      `404 other is not in the project at commit ${hashes["first"]}.`,
    );
    expect(await refusal("hello/deadbeef")).toBe('422 git can\'t find the commit "deadbeef" here.');
    expect(await refusal(`hello/${inSecret}`)).toBe(
      `422 The commit ${inSecret} is not in the history of the checked-out branch.`,
    );
    for (const name of ["HEAD", "--all", "main", "abc", `${hashes["first"]}^`])
      expect(await refusal(`hello/${encodeURIComponent(name)}`)).toBe(`400 "${name}" isn't the hash of a commit.`);
  });

  it("can only be requested by the page itself", async () => {
    const headers = { origin: "https://example.com" };
    for (const path of ["hello", `hello/${hashes["first"]}`])
      expect((await preview.ask(`/api/commits/${path}`, { headers })).status).toBe(403);
  });

  it("are compiled only once", async () => {
    const first = await bodiesOf(`hello/${hashes["first"]}`);
    rmSync(project.path(".git"), { recursive: true });
    expect(await bodiesOf(`hello/${hashes["first"]}`)).toEqual(first);
  });
});

it("a shallow clone reports that it lacks a commit", async () => {
  const whole = new PreviewedProject(html("hi", "First {{name}}"));
  const first = whole.commit("Begin");
  whole.write(html("hi", "Second {{name}}"));
  whole.commit("Change it");
  const clone = new PreviewedProject();
  git(clone.folder, "init", "--quiet");
  git(clone.folder, "fetch", "--quiet", "--depth", "1", `file://${whole.folder}`, "main");
  git(clone.folder, "checkout", "--quiet", "--force", "FETCH_HEAD");
  const shallow = await serve(clone);
  const { body } = await ask(`hi/${first}`, shallow);
  expect((body as PreviewError).error).toEqual({
    message: `git can't find the commit "${first}" here.`,
    hint: expect.stringContaining("shallow clone"),
  });
});

it("a project that was added to a repository later is not confused with the folder around it", async () => {
  const around = new PreviewedProject(html("hi", "Around"));
  const first = around.commit("Begin");
  around.write({ "mail/package.json": '{ "name": "mail" }', "mail/templates/hi.html": "<p>Within</p>" });
  around.commit("Add a project");
  const commits = await projectCommits({ cwd: around.path("mail"), config: undefined });
  await expect(commits?.withProject(first, async () => "opened")).rejects.toThrow(
    `Can't open the project at commit ${first}: This project does not exist at the commit.`,
  );
});

it("without a repository, commits are not offered and everything else works", async () => {
  const alone = await serve(new PreviewedProject(html("hi")));
  onTestFinished(() => alone.running.close());
  expect((await alone.project()).can.seeCommits).toBe(false);
  expect((await ask("hi", alone)).body).toEqual({ ofTemplate: [] });
  expect(await refusal("hi/abcdef", alone)).toContain(
    "404 Commits can't be shown: the project is not in a git repository",
  );
  expect((await alone.template("hi")).compiled?.html).toContain("Hello {{name}}");
});
