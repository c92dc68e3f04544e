import { EventEmitter, once } from "node:events";
import { statSync } from "node:fs";
import { setImmediate as immediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { projectAccess } from "../../../src/cli/preview/project-access.js";
import { Work, type WorkEvent } from "../../../src/preview/server/workspace/work.js";
import { openWorkspace } from "../../../src/preview/server/workspace/workspace.js";
import { html, PreviewedProject } from "./harness.js";

const projectOf = (names: readonly string[]) =>
  new PreviewedProject(Object.assign({}, ...names.map((name) => html(name))));

const names = Array.from({ length: 30 }, (_, index) => `t${index + 10}`);

test("a template that is requested before the project is read compiles first", async () => {
  const project = projectOf(["a", "b", "c", "d", "e", "f"]);
  const workspace = openWorkspace(await projectAccess({ cwd: project.folder, config: undefined }), { watch: false });
  onTestFinished(() => workspace.close());
  await workspace.detail("f");
  await workspace.settled();
  const { templates } = await workspace.state();
  expect(templates.toSorted((one, other) => one.revision - other.revision)[0]?.name).toBe("f");
});

describe("the pause for painting the first email", () => {
  /** What happens, in order: batches of results, and the start and end of the pause. */
  async function watched(): Promise<{ work: Work; happened: string[]; began: Promise<void>; goOn: () => void }> {
    const project = projectOf(names);
    // A file that was just written is reported once more, and a report ends the pause.
    const { ctimeMs } = statSync(project.path("templates/t39/t39.html"));
    await expect.poll(() => Date.now() - ctimeMs).toBeGreaterThan(50);
    const happened: string[] = [];
    const pausing = new EventEmitter();
    const began = once(pausing, "begun").then(() => undefined);
    const work = new Work(await projectAccess({ cwd: project.folder, config: undefined }), {
      watch: true,
      wait: async (ms, signal) => {
        happened.push(`pause of ${ms}`);
        signal.addEventListener("abort", () => pausing.emit("over"));
        pausing.emit("begun");
        await once(pausing, "over");
        happened.push("on");
      },
    });
    onTestFinished(() => work.close());
    work.results.subscribe((results) => happened.push(results.map(({ name }) => name).join(" ")));
    return { work, happened, began, goOn: () => pausing.emit("over") };
  }

  test("comes once, after the requested template and before the rest", async () => {
    const { work, happened, began, goOn } = await watched();
    await work.entry("t39");
    await began;
    // Without the pause, the first compilations would have started by now.
    for (let turn = 0; turn < 100; turn += 1) await immediate();
    goOn();
    await work.compiled();
    const [seen = "", ...rest] = happened;
    expect(seen.split(" ")).toEqual(["t39"]);
    expect(rest.slice(0, 2)).toEqual(["pause of 400", "on"]);
    expect(rest.slice(2).join(" ").split(" ")).toEqual(expect.arrayContaining(names.slice(0, -1)));
  });

  test.each([
    ["another template is requested", (work: Work) => work.entry("t30"), "t30"],
    ["a file is saved", async (work: Work, files: string[]) => work.changed(new Set(files)), "t10"],
  ])("ends as soon as %s", async (_, disturb, next) => {
    const { work, happened, began } = await watched();
    await work.entry("t39");
    await began;
    await disturb(work, [`${work.project.roots[0]}/t10/t10.html`]);
    await work.compiled();
    expect(happened.slice(0, 3)).toEqual(["t39", "pause of 400", "on"]);
    expect(happened[3]?.split(" ")).toContain(next);
  });
});

describe("a save", () => {
  async function workOn(project: PreviewedProject): Promise<Work> {
    const work = new Work(await projectAccess({ cwd: project.folder, config: undefined }), { watch: false });
    onTestFinished(() => work.close());
    return work;
  }
  const fileOf = (project: PreviewedProject, name: string) => project.path(`templates/${name}/${name}.html`);

  test.each([
    ["of the template that is being viewed", "t39", "t39"],
    ["of another template", "t10", "t39"],
  ])("%s waits only for what is being compiled", async (_, saved, lookedAt) => {
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

  test("of the template being viewed waits for none of its batch that has not started", async () => {
    const project = projectOf(names);
    const work = await workOn(project);
    const batches: string[][] = [];
    const largest = new Promise<void>((resolve) =>
      work.results.subscribe((results) => {
        batches.push(results.map(({ name }) => name));
        if (batches.length === 3) setImmediate(resolve);
      }),
    );
    await work.entry("t39");
    await largest;
    project.write(html("t39", "Another text"));
    work.changed(new Set([fileOf(project, "t39")]));
    await work.compiled();
    const [begun = [], next] = batches.slice(3);
    expect(begun.length).toBeLessThanOrEqual(2);
    expect(next).toEqual(["t39"]);
    expect(new Set(batches.flat())).toEqual(new Set(names));
  });

  test.each([
    ["before", (file: string) => [new Set([file]), "all"] as const],
    ["after", (file: string) => ["all", new Set([file])] as const],
  ])("is reported when everything is checked again right %s it, although the HTML is the same", async (_, changes) => {
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
