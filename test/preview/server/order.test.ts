import { describe, expect, onTestFinished, test } from "vitest";
import { projectAccess } from "../../../src/cli/preview/access.js";
import { Work, type WorkEvent } from "../../../src/preview/server/workspace/work.js";
import { openWorkspace } from "../../../src/preview/server/workspace/workspace.js";
import { html, PreviewedProject } from "./harness.js";

const projectOf = (names: readonly string[]) =>
  new PreviewedProject(Object.assign({}, ...names.map((name) => html(name))));

test("what is waited for before the project is read is compiled first", async () => {
  const project = projectOf(["a", "b", "c", "d", "e", "f"]);
  const workspace = openWorkspace(await projectAccess({ cwd: project.folder, config: undefined }), { watch: false });
  onTestFinished(() => workspace.close());
  await workspace.detail("f");
  await workspace.settled();
  const { templates } = await workspace.state();
  expect(templates.toSorted((one, other) => one.revision - other.revision)[0]?.name).toBe("f");
});

describe("a save", () => {
  async function workOn(project: PreviewedProject): Promise<Work> {
    const work = new Work(await projectAccess({ cwd: project.folder, config: undefined }), { watch: false });
    onTestFinished(() => work.close());
    return work;
  }
  const fileOf = (project: PreviewedProject, name: string) => project.path(`templates/${name}/${name}.html`);

  const names = Array.from({ length: 40 }, (_, index) => `t${index + 10}`);

  test.each([
    ["of what somebody looks at", "t49", "t49"],
    ["of another template", "t10", "t49"],
  ])("%s waits for no more than what is being compiled", async (_, saved, lookedAt) => {
    const project = projectOf(names);
    const work = await workOn(project);
    await work.entry(saved);
    await work.entry(lookedAt);
    const batches: string[][] = [];
    work.results.subscribe((results) => batches.push(results.map(({ name }) => name)));
    project.write(html(saved, "Another text"));
    work.changed(new Set([fileOf(project, saved)]));
    await work.compiled();
    const first = batches.findIndex((batch) => batch.includes(saved));
    expect(batches.flat().filter((name) => name === saved)).toHaveLength(1);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThanOrEqual(1);
  });

  test.each([
    ["before", (file: string) => [new Set([file]), "all"] as const],
    ["after", (file: string) => ["all", new Set([file])] as const],
  ])("is told where all is looked at again right %s it, though the html is the same", async (_, changes) => {
    const image = "templates/_assets/logo.png";
    const project = new PreviewedProject({
      ...html("hi", '<img src="_assets/logo.png" alt="Acme" width="10" height="10">'),
      [image]: "one",
    });
    const work = await workOn(project);
    await work.entry("hi");
    await work.settled();
    const events: WorkEvent[] = [];
    work.events.subscribe((event) => events.push(event));
    project.write({ [image]: "two" });
    for (const change of changes(project.path(image))) work.changed(change);
    await work.compiled();
    expect(
      events.flatMap((event) => (event.kind === "templates" ? event.changed.map(({ name }) => name) : [])),
    ).toEqual(["hi"]);
  });
});
