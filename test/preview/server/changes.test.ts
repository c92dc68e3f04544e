import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PreviewEvent } from "../../../src/preview/contract.js";
import { html, PreviewedProject } from "./harness.js";

const mjml = (body: string) =>
  `<mjml><mj-head><mj-title>Hi</mj-title><mj-preview>Hello</mj-preview></mj-head><mj-body>${body}</mj-body></mjml>\n`;
const withFooter = mjml('<mj-include path="../_shared/footer.mjml" />');
const footer = (text: string) => `<mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section>`;

/** Names of all templates that are said to be others, in these events. */
function changedIn(events: readonly PreviewEvent[], revisions: ReadonlyMap<string, number>): Set<string> {
  const summaries = events.flatMap((event) => (event.kind === "templates" ? event.changed : []));
  return new Set(summaries.filter(({ name, revision }) => revision !== revisions.get(name)).map(({ name }) => name));
}

describe("following what changes", () => {
  it("compiles again only what depends on a file", async () => {
    const project = new PreviewedProject({
      "templates/_shared/footer.mjml": footer("Before"),
      "templates/one/one.mjml": withFooter,
      "templates/two/two.mjml": withFooter,
      "templates/three/three.mjml": mjml(footer("Three")),
      ...html("four"),
    });
    const preview = await project.preview();
    const events = await preview.events();
    await preview.running.workspace.settled();
    const revisions = new Map((await preview.project()).templates.map(({ name, revision }) => [name, revision]));
    expect([...revisions.keys()]).toEqual(["four", "one", "three", "two"]);

    const before = events.all.length;
    project.write({ "templates/_shared/footer.mjml": footer("After") });
    // What was told before may be of earlier revisions.
    await events.until((event) => events.all.indexOf(event) >= before && changedIn([event], revisions).size > 0);
    await preview.running.workspace.settled();
    expect(changedIn(events.all.slice(before), revisions)).toEqual(new Set(["one", "two"]));
    for (const name of ["one", "two"]) {
      const { compiled, revision } = await preview.template(name);
      expect(compiled?.html).toContain("After");
      expect(revision).not.toBe(revisions.get(name));
    }
  });

  it("shows a new subject, fixture and schema at once", async () => {
    const project = new PreviewedProject(html("hi"));
    const preview = await project.preview();
    const events = await preview.events();
    await events.changed("hi");
    await preview.running.workspace.settled();

    project.write({ "templates/hi/template.json": JSON.stringify({ subject: "Dear {{name}}" }) });
    expect((await events.changed("hi")).subject).toBe("Dear Ada");
    project.write({ "templates/hi/fixtures/long.json": JSON.stringify({ name: "Wilhelmina" }) });
    expect((await events.changed("hi")).fixtures).toEqual(["default", "long"]);
    project.remove("templates/hi/fixtures/long.json");
    expect((await events.changed("hi")).fixtures).toEqual(["default"]);
    project.write({ "templates/hi/fixtures/default.json": JSON.stringify({ name: "Grace" }) });
    expect((await events.changed("hi")).subject).toBe("Dear Grace");
    const { fixtures } = await preview.template("hi");
    expect(fixtures).toEqual([
      expect.objectContaining({
        name: "default",
        file: "templates/hi/fixtures/default.json",
        input: { name: "Grace" },
      }),
    ]);
  });

  it("keeps the last good build while the newest does not compile", async () => {
    const project = new PreviewedProject(html("hi", "First"));
    const preview = await project.preview();
    const events = await preview.events();
    await events.changed("hi");

    project.write(html("hi", "{{#open}} Second"));
    const broken = await events.changed("hi", "broken");
    expect(broken.findings?.error).toBeGreaterThan(0);
    expect(broken.subject).toBe("For Ada");
    const { compiled, failure, sources } = await preview.template("hi");
    expect(compiled?.html).toContain("First");
    expect(sources[0]?.text).toContain("Second");
    expect(failure?.problems[0]).toMatchObject({
      severity: "error",
      at: { file: "templates/hi/hi.html", line: 4 },
      frame: expect.arrayContaining([expect.objectContaining({ line: 4, isAt: true })]),
    });
    const report = await preview.report("hi");
    expect(report).toMatchObject({ isPartial: false, isBroken: true });
    expect(report.problems[0]?.message).toBe(failure?.problems[0]?.message);

    project.write(html("hi", "Third"));
    await events.changed("hi");
    const mended = await preview.template("hi");
    expect(mended.failure).toBeUndefined();
    expect((await preview.report("hi")).isBroken).toBe(false);
    expect(mended.compiled?.html).toContain("Third");
  });

  it("names what stands in the way before what is only to be looked at", async () => {
    const project = new PreviewedProject({
      "templates/hi/hi.tsx": [
        "const host = process.env.HOST ?? '';",
        "export const subject = 'Hi';",
        "export default ({ name }: { name: string }) => <p title={host}>{name.toUpperCase()}</p>;",
      ].join("\n"),
    });
    const preview = await project.preview();
    const { failure } = await preview.template("hi");
    const severities = failure?.problems.map(({ severity }) => severity);
    expect(severities?.[0]).toBe("error");
    expect(severities?.at(-1)).toBe("warning");
  });

  it("keeps what was there while its metadata cannot be read", async () => {
    const project = new PreviewedProject(html("hi"));
    const preview = await project.preview();
    const events = await preview.events();
    await events.changed("hi");
    const file = "templates/hi/template.json";
    project.write({ [file]: "{ not json" });
    await events.changed("hi", "broken");
    const { failure, compiled } = await preview.template("hi");
    expect(failure?.problems[0]?.at?.file).toBe(file);
    expect(compiled?.html).toContain("Hello");
    expect((await preview.project()).problems).toEqual([]);
    project.write(html("hi"));
    await events.changed("hi");
  });

  it("lists one whose metadata were never readable, with what is wrong, until that is mended", async () => {
    const file = "templates/hi/template.json";
    const project = new PreviewedProject({ ...html("hi"), [file]: "{ not json", ...html("other") });
    const preview = await project.preview();
    const events = await preview.events();
    const { templates, problems } = await preview.project();
    expect(templates.map(({ name, state }) => [name, state === "broken"])).toContainEqual(["hi", true]);
    expect(problems, "it is said of the template").toEqual([]);
    const { failure, fixtures } = await preview.template("hi");
    expect(failure?.problems[0]?.at).toMatchObject({ file, line: 1 });
    expect(templates.find(({ name }) => name === "hi")?.failure).toBe(failure?.problems[0]?.message);
    expect(fixtures.map(({ name }) => name)).toEqual(["default"]);
    expect((await preview.report("hi")).problems).toMatchObject([{ at: { file } }]);

    project.write({ [file]: "{ still not" });
    await events.changed("hi", "broken");
    project.write(html("hi"));
    expect((await events.changed("hi")).subject).toBe("For Ada");
    expect((await preview.template("hi")).failure).toBeUndefined();
  });

  it("lists a folder that has no body yet, or two, until it has one", async () => {
    const project = new PreviewedProject({ ...html("other"), "templates/hi/template.json": '{ "subject": "Hi" }' });
    const preview = await project.preview();
    const events = await preview.events();
    const { templates, problems } = await preview.project();
    const message = 'The template "hi" has no body: there is none of hi.mjml, hi.tsx, hi.html.';
    expect(templates[0]).toMatchObject({ name: "hi", state: "broken", failure: message });
    expect(problems, "it is said of the template").toEqual([]);
    const { failure, sources } = await preview.template("hi");
    expect(failure?.problems[0]).toMatchObject({ message, at: { file: "templates/hi", isNoFile: true } });
    expect(sources.map(({ file }) => file)).toContain("templates/hi/template.json");
    const refused = await preview.write("POST", "/api/templates/hi/variables", { input: {} });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("has no body yet, or more than one")]);

    project.write({ "templates/hi/hi.html": "<p>One</p>", "templates/hi/hi.mjml": "<mjml></mjml>" });
    await events.until(
      (event) => event.kind === "templates" && event.changed.some((each) => each.failure?.includes("two bodies")),
    );
    rmSync(project.path("templates/hi/hi.mjml"));
    expect(await events.changed("hi")).toMatchObject({ engine: "html", subject: "Hi" });
  });

  it("follows templates that come, go and get another name", async () => {
    const project = new PreviewedProject(html("one"));
    const preview = await project.preview();
    const events = await preview.events();
    await events.changed("one");
    await preview.running.workspace.settled();

    project.write(html("two"));
    await events.changed("two");
    expect((await preview.template("two")).compiled?.subject).toBe("For {{{name}}}");

    renameSync(project.path("templates/two"), project.path("templates/three"));
    renameSync(project.path("templates/three/two.html"), project.path("templates/three/three.html"));
    await events.changed("three");
    const names = async () => (await preview.project()).templates.map(({ name }) => name);
    expect(await names()).toEqual(["one", "three"]);

    rmSync(project.path("templates/one"), { recursive: true });
    await events.until((event) => event.kind === "templates" && event.removed.includes("one"));
    expect(await names()).toEqual(["three"]);
    expect((await preview.ask("/api/templates/one")).status).toBe(404);
  });

  it("takes a file that is written in steps, or put in place of another", async () => {
    const project = new PreviewedProject(html("hi"));
    const preview = await project.preview();
    const events = await preview.events();
    await events.changed("hi");
    await preview.running.workspace.settled();
    const file = project.path("templates/hi/hi.html");
    const text = (words: string) => html("hi", words)["templates/hi/hi.html"] ?? "";

    writeFileSync(`${file}.tmp`, text("Moved"));
    renameSync(`${file}.tmp`, file);
    await events.changed("hi");
    expect((await preview.template("hi")).compiled?.html).toContain("Moved");

    writeFileSync(file, "");
    writeFileSync(file, text("Emptied first"));
    await events.changed("hi");
    await preview.running.workspace.settled();
    expect((await preview.template("hi")).compiled?.html).toContain("Emptied first");
  });

  it("checks what was saved last, however quickly it came", async () => {
    const project = new PreviewedProject({ ...html("hi"), ...html("other") });
    const preview = await project.preview();
    const events = await preview.events();
    await events.changed("hi");
    for (const words of ["One", "Two", "Three"]) {
      project.write(html("hi", words));
      await events.changed("hi");
    }
    const { revision } = await preview.template("hi");
    await events.until((event) => event.kind === "report" && event.name === "hi" && event.revision === revision);
    expect((await preview.report("hi")).isPartial).toBe(false);
    // While all of them are looked at together, the next change comes.
    const other = await preview.template("other");
    project.write(html("other", "Four"));
    await events.until((event) => event.kind === "report" && event.name === "other" && event.revision > other.revision);
  });

  it("says what is wrong with a project that has nothing yet, and takes what comes", async () => {
    const project = new PreviewedProject();
    const preview = await project.preview();
    const state = await preview.project();
    expect(state).toMatchObject({ name: "application", templates: [], locale: "en-US" });
    expect(state.problems).toMatchObject([{ rule: "templates-root" }]);
    expect(state.problems[0]?.isBlocking, "a beginning, and no obstacle").toBeUndefined();
    const events = await preview.events();
    mkdirSync(project.path("templates"));
    await events.until((event) => event.kind === "project" && event.project.problems.length === 0);
    project.write(html("first"));
    await events.changed("first");
  });
});
