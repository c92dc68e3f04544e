import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PreviewEvent } from "../../../src/preview/contract.js";
import { html, type Preview, PreviewedProject } from "./harness.js";

const mjml = (body: string) =>
  `<mjml><mj-head><mj-title>Hi</mj-title><mj-preview>Hello</mj-preview></mj-head><mj-body>${body}</mj-body></mjml>\n`;
const withFooter = mjml('<mj-include path="../_shared/footer.mjml" />');
const footer = (text: string) => `<mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section>`;

/** Names of all templates that these events report as changed. */
function changedIn(events: readonly PreviewEvent[], revisions: ReadonlyMap<string, number>): Set<string> {
  const summaries = events.flatMap((event) => (event.kind === "templates" ? event.changed : []));
  return new Set(summaries.filter(({ name, revision }) => revision !== revisions.get(name)).map(({ name }) => name));
}

const metadata = (name: string) => `templates/${name}/template.json`;

// Each test has its own templates, so that they don't affect each other.
const project = new PreviewedProject(
  {
    ...html("shown"),
    ...html("kept", "First"),
    ...html("described"),
    ...html("never-read"),
    [metadata("never-read")]: "{ not json",
    [metadata("empty")]: '{ "subject": "Hi" }',
    ...html("leaving"),
    ...html("written"),
    ...html("quick"),
    ...html("other"),
  },
  afterAll,
);
let preview: Preview;

beforeAll(async () => {
  preview = await project.preview();
});

beforeEach(() => preview.running.workspace.settled());

describe("watching for changes", () => {
  it("compiles only what depends on a file", async () => {
    const alone = new PreviewedProject({
      "templates/_shared/footer.mjml": footer("Before"),
      "templates/one/one.mjml": withFooter,
      "templates/two/two.mjml": withFooter,
      "templates/three/three.mjml": mjml(footer("Three")),
      ...html("four"),
    });
    const shown = await alone.preview();
    const events = await shown.events();
    await shown.running.workspace.settled();
    const revisions = new Map((await shown.project()).templates.map(({ name, revision }) => [name, revision]));
    expect([...revisions.keys()]).toEqual(["four", "one", "three", "two"]);

    const before = events.all.length;
    alone.write({ "templates/_shared/footer.mjml": footer("After") });
    // Earlier events may be about earlier revisions.
    await events.until((event) => events.all.indexOf(event) >= before && changedIn([event], revisions).size > 0);
    await shown.running.workspace.settled();
    expect(changedIn(events.all.slice(before), revisions)).toEqual(new Set(["one", "two"]));
    for (const name of ["one", "two"]) {
      const { compiled, revision } = await shown.template(name);
      expect(compiled?.html).toContain("After");
      expect(revision).not.toBe(revisions.get(name));
    }
  });

  it("reports a missing templates folder only while it is missing", async () => {
    const alone = new PreviewedProject(html("hi"));
    const shown = await alone.preview();
    const events = await shown.events();
    await shown.running.workspace.settled();
    const rules = async () => (await shown.project()).problems.map(({ rule }) => rule);
    renameSync(alone.path("templates"), alone.path("away"));
    await expect.poll(rules).toEqual(["templates-root"]);
    await shown.running.workspace.settled();
    const before = events.all.length;
    renameSync(alone.path("away"), alone.path("templates"));
    const isBack = (event: PreviewEvent) => event.kind === "project" && event.project.templates.length > 0;
    const back = await events.until((event) => events.all.indexOf(event) >= before && isBack(event));
    expect(back).toMatchObject({ project: { problems: [] } });
  });

  it("shows a new subject, fixture and schema at once", async () => {
    const events = await preview.events();
    project.write({ "templates/shown/template.json": JSON.stringify({ subject: "Dear {{name}}" }) });
    expect((await events.changed("shown")).subject).toBe("Dear Ada");
    project.write({ "templates/shown/fixtures/long.json": JSON.stringify({ name: "Wilhelmina" }) });
    expect((await events.changed("shown")).fixtures).toEqual(["default", "long"]);
    project.remove("templates/shown/fixtures/long.json");
    expect((await events.changed("shown")).fixtures).toEqual(["default"]);
    project.write({ "templates/shown/fixtures/default.json": JSON.stringify({ name: "Grace" }) });
    expect((await events.changed("shown")).subject).toBe("Dear Grace");
    const { fixtures } = await preview.template("shown");
    expect(fixtures).toEqual([
      expect.objectContaining({
        name: "default",
        file: "templates/shown/fixtures/default.json",
        input: { name: "Grace" },
      }),
    ]);
  });

  it("keeps the last good build while the newest does not compile", async () => {
    const events = await preview.events();
    project.write(html("kept", "{{#open}} Second"));
    const broken = await events.changed("kept", "broken");
    expect(broken.findings?.error).toBeGreaterThan(0);
    expect(broken.subject).toBe("For Ada");
    const { compiled, failure, sources } = await preview.template("kept");
    expect(compiled?.html).toContain("First");
    expect(sources[0]?.text).toContain("Second");
    expect(failure?.problems[0]).toMatchObject({
      severity: "error",
      at: { file: "templates/kept/kept.html", line: 4 },
      frame: expect.arrayContaining([expect.objectContaining({ line: 4, isAt: true })]),
    });
    const report = await preview.report("kept");
    expect(report).toMatchObject({ isPartial: false, isBroken: true });
    expect(report.problems[0]?.message).toBe(failure?.problems[0]?.message);

    project.write(html("kept", "Third"));
    await events.changed("kept");
    const fixed = await preview.template("kept");
    expect(fixed.failure).toBeUndefined();
    expect((await preview.report("kept")).isBroken).toBe(false);
    expect(fixed.compiled?.html).toContain("Third");
  });

  it("lists blocking problems before warnings", async () => {
    const alone = new PreviewedProject({
      "templates/hi/hi.tsx": [
        "const host = process.env.HOST ?? '';",
        "export const subject = 'Hi';",
        "const isLate = (items: string[]) => items.length > Date.now();",
        "export default ({ items }: { items: string[] }) => <p title={host}>{isLate(items) ? 'late' : 'early'}</p>;",
      ].join("\n"),
    });
    const shown = await alone.preview();
    const { failure } = await shown.template("hi");
    const severities = failure?.problems.map(({ severity }) => severity);
    expect(severities?.[0]).toBe("error");
    expect(severities?.at(-1)).toBe("warning");
  });

  it("keeps the last version while the metadata cannot be read", async () => {
    const events = await preview.events();
    const file = metadata("described");
    project.write({ [file]: "{ not json" });
    await events.changed("described", "broken");
    const { failure, compiled } = await preview.template("described");
    expect(failure?.problems[0]?.at?.file).toBe(file);
    expect(compiled?.html).toContain("Hello");
    expect((await preview.project()).problems).toEqual([]);
    project.write(html("described"));
    await events.changed("described");
  });

  it("lists a template whose metadata was never readable, with the problem, until that is fixed", async () => {
    const file = metadata("never-read");
    const events = await preview.events();
    const { templates, problems } = await preview.project();
    expect(templates.map(({ name, state }) => [name, state === "broken"])).toContainEqual(["never-read", true]);
    expect(problems, "reported for the template").toEqual([]);
    const { failure, fixtures } = await preview.template("never-read");
    expect(failure?.problems[0]?.at).toMatchObject({ file, line: 1 });
    expect(templates.find(({ name }) => name === "never-read")?.failure).toBe(failure?.problems[0]?.message);
    expect(fixtures.map(({ name }) => name)).toEqual(["default"]);
    expect((await preview.report("never-read")).problems).toMatchObject([{ at: { file } }]);

    project.write({ [file]: "{ still not" });
    await events.changed("never-read", "broken");
    project.write(html("never-read"));
    expect((await events.changed("never-read")).subject).toBe("For Ada");
    expect((await preview.template("never-read")).failure).toBeUndefined();
  });

  it("lists a folder that has no body yet, or two, until it has exactly one", async () => {
    const events = await preview.events();
    const { templates, problems } = await preview.project();
    const message = 'The template "empty" has no body. Expected one of empty.mjml, empty.tsx, empty.html.';
    expect(templates.find(({ name }) => name === "empty")).toMatchObject({ state: "broken", failure: message });
    expect(problems, "reported for the template").toEqual([]);
    const { failure, sources } = await preview.template("empty");
    expect(failure?.problems[0]).toMatchObject({ message, at: { file: "templates/empty", isNoFile: true } });
    expect(sources.map(({ file }) => file)).toContain("templates/empty/template.json");
    const refused = await preview.write("POST", "/api/templates/empty/variables", { input: {} });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("has no body yet, or more than one")]);

    project.write({ "templates/empty/empty.html": "<p>One</p>", "templates/empty/empty.mjml": "<mjml></mjml>" });
    await events.until(
      (event) => event.kind === "templates" && event.changed.some((each) => each.failure?.includes("two bodies")),
    );
    rmSync(project.path("templates/empty/empty.mjml"));
    expect(await events.changed("empty")).toMatchObject({ engine: "html", subject: "Hi" });
  });

  it("follows templates that are added, removed and renamed", async () => {
    const events = await preview.events();
    project.write(html("come"));
    await events.changed("come");
    expect((await preview.template("come")).compiled?.subject).toBe("For {{{name}}}");

    renameSync(project.path("templates/come"), project.path("templates/moved"));
    renameSync(project.path("templates/moved/come.html"), project.path("templates/moved/moved.html"));
    await events.changed("moved");
    const names = async () => {
      const all = (await preview.project()).templates.map(({ name }) => name);
      return all.filter((name) => ["leaving", "come", "moved"].includes(name));
    };
    expect(await names()).toEqual(["leaving", "moved"]);

    rmSync(project.path("templates/leaving"), { recursive: true });
    await events.until((event) => event.kind === "templates" && event.removed.includes("leaving"));
    expect(await names()).toEqual(["moved"]);
    expect((await preview.ask("/api/templates/leaving")).status).toBe(404);
  });

  it("accepts a file that is written in steps or renamed over another", async () => {
    const events = await preview.events();
    const file = project.path("templates/written/written.html");
    const text = (words: string) => html("written", words)["templates/written/written.html"] ?? "";

    writeFileSync(`${file}.tmp`, text("Moved"));
    renameSync(`${file}.tmp`, file);
    await events.changed("written");
    expect((await preview.template("written")).compiled?.html).toContain("Moved");

    writeFileSync(file, "");
    writeFileSync(file, text("Emptied first"));
    await events.changed("written");
    await preview.running.workspace.settled();
    expect((await preview.template("written")).compiled?.html).toContain("Emptied first");
  });

  it("checks the last save, however quickly saves follow each other", async () => {
    const events = await preview.events();
    for (const words of ["One", "Two", "Three"]) {
      project.write(html("quick", words));
      await events.changed("quick");
    }
    const { revision } = await preview.template("quick");
    await events.until((event) => event.kind === "report" && event.name === "quick" && event.revision === revision);
    expect((await preview.report("quick")).isPartial).toBe(false);
    // The next change arrives while all of them are being checked together.
    const other = await preview.template("other");
    project.write(html("other", "Four"));
    await events.until((event) => event.kind === "report" && event.name === "other" && event.revision > other.revision);
  });

  it("reports the problems of an empty project and picks up its first template", async () => {
    const alone = new PreviewedProject();
    const shown = await alone.preview();
    const state = await shown.project();
    expect(state).toMatchObject({ name: "application", templates: [], locale: "en-US" });
    expect(state.problems).toMatchObject([{ rule: "templates-root" }]);
    expect(state.problems[0]?.isBlocking, "a beginning, and no obstacle").toBeUndefined();
    const events = await shown.events();
    mkdirSync(alone.path("templates"));
    await events.until((event) => event.kind === "project" && event.project.problems.length === 0);
    alone.write(html("first"));
    await events.changed("first");
  });
});
