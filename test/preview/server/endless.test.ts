import { describe, expect, it, onTestFinished } from "vitest";
import { projectAccess } from "../../../src/cli/preview/project-access.js";
import { openWorkspace, type Workspace } from "../../../src/preview/server/workspace/workspace.js";
import { html, PreviewedProject } from "./harness.js";

const component = (body: string, text = "Parcel") =>
  `export const subject = "For you";\nexport default function Email() {\n  ${body}\n  return <html lang="en"><body><p>${text}</p></body></html>;\n}\n`;
const LOOP = "while (true) {}";
/** Code that also never ends, but leaves the CPU to others. */
const WAITING = `setInterval(() => {}, 1_000);\nawait new Promise(() => {});\n${component("")}`;

async function open(project: PreviewedProject): Promise<Workspace> {
  const access = await projectAccess({ cwd: project.folder, config: undefined });
  const workspace = openWorkspace(access, { watch: true, patienceMs: 500, deriveMs: 1500 });
  onTestFinished(() => workspace.close());
  return workspace;
}

/** Waits for a condition, which is tested again after every change. */
async function until(workspace: Workspace, isSo: () => Promise<boolean>): Promise<void> {
  for (;;) {
    // Subscribes first, so that changes during the test are not missed.
    let end = () => {};
    const changed = new Promise<void>((resolve) => (end = workspace.subscribe(() => resolve())));
    const is = await isSo();
    if (!is) await changed;
    end();
    if (is) return;
  }
}

/** A task ends by itself after 30 seconds, so everything has to take less. */
async function soon(action: Promise<unknown>): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("It took more than 20 s.")), 20_000).unref();
  });
  await Promise.race([action, late]);
}

describe("code that does not end", () => {
  it("is reported as compiling for long, blocks no other template, and is interrupted when it is fixed", async () => {
    const project = new PreviewedProject({
      "templates/parcel/parcel.tsx": component(""),
      "templates/parcel/fixtures/large.json": JSON.stringify({ note: "x".repeat(1.2e6) }),
      ...html("reset"),
    });
    const workspace = await open(project);
    const shows = async (name: string, text: string) =>
      (await workspace.detail(name)).compiled?.html.includes(text) ?? false;
    const isMarked = async () => (await workspace.state()).templates.map(({ isCompiling }) => isCompiling === true);
    await workspace.settled();

    project.write({ "templates/parcel/parcel.tsx": WAITING });
    await soon(until(workspace, async () => (await isMarked()).includes(true)));
    expect(await isMarked()).toEqual([true, false]);
    expect((await workspace.state()).templates[0]?.largeFixture).toEqual({ name: "large", megabytes: 1.2 });
    expect(await shows("parcel", "Parcel")).toBe(true);

    project.write(html("reset", "Another text"));
    await soon(until(workspace, () => shows("reset", "Another text")));
    project.write({ "templates/parcel/parcel.tsx": component("", "Mended") });
    await soon(until(workspace, () => shows("parcel", "Mended")));
    expect(await isMarked()).toEqual([false, false]);
  });

  it("does not keep a template that has not compiled yet from being compiled", async () => {
    const project = new PreviewedProject({ "templates/a/a.tsx": component(LOOP), "templates/b/b.tsx": component("") });
    const workspace = await open(project);
    await soon(workspace.detail("b"));
    expect((await workspace.state()).templates.map(({ state }) => state)).toEqual(["pending", "compiled"]);
  });

  it("in derive is reported while variables are edited, and blocks no template", async () => {
    const project = new PreviewedProject({
      ...html("hi", "{{greeting}}"),
      "templates/hi/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string() });
export function derive({ name }: { name: string }) {
  while (name === "Endless") {}
  return { greeting: "Hello " + name };
}
`,
    });
    const workspace = await open(project);
    await workspace.settled();
    const answer = workspace.variables("hi", { input: { name: "Endless" } });
    project.write({ "templates/hi/fixtures/default.json": JSON.stringify({ name: "Grace" }) });
    const greeting = async () => (await workspace.detail("hi")).fixtures[0]?.variables["greeting"];
    await soon(until(workspace, async () => (await greeting()) === "Hello Grace"));
    const hint = "Look for an endless loop, a promise that never settles, or a fixture of several megabytes.";
    expect(await answer).toEqual({
      problems: [{ path: [], message: `variables.ts did not finish within 1.5 s. ${hint}` }],
    });
    expect(await workspace.variables("hi", { input: { name: "Ada" } })).toMatchObject({
      variables: { greeting: "Hello Ada" },
    });
  });
});
