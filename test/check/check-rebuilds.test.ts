import { describe, expect, it } from "vitest";
import { type CheckedRebuild, checkRebuilds } from "../../src/check/check-rebuilds.js";
import { compileWithPositions } from "../../src/render/compile.js";
import { rebuildWithPositions } from "../../src/render/rebuild.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { type Files, rebuilding, useProjects } from "../render/project.js";

const projects = useProjects();

/** What is found, and the clocks of the builds that were made. */
async function rebuild(
  files: Files,
  build?: typeof rebuildWithPositions,
): Promise<{ readonly checked: CheckedRebuild; readonly builds: readonly string[] }> {
  const { templates } = loadTemplates([await projects.write(files)]);
  const context = rebuilding(projects.context());
  const builds: string[] = [];
  const another: typeof context.host.another = (options) => {
    builds.push(options?.later ? "later" : "now");
    return context.host.another(options);
  };
  const counting = { ...context, host: { ...context.host, another } };
  const [checked, ...others] = await checkRebuilds(
    await compileWithPositions(templates, context),
    counting,
    build && ((all, clock) => build(all, counting, clock)),
  );
  if (!checked || others.length > 0) throw new Error("Expected one template.");
  return { checked, builds };
}

const component = (printed: string) =>
  `export default function Email({ name }) {\n  return <p>{name} ${printed}</p>;\n}\nexport const subject = "Hi";\nEmail.PreviewProps = { name: "Ada" };`;

describe("checkRebuilds", () => {
  it.each([
    ["x.html", "<p>{{a}}</p>"],
    ["x.mjml", "<mjml><mj-body><mj-section></mj-section></mj-body></mjml>"],
  ])("rebuilds nothing if no user code runs: %s", async (name, text) => {
    const { checked, builds } = await rebuild({ [name]: text });
    expect(checked.findings).toEqual([]);
    expect(checked.sited?.text).toContain("data-lettershop-at");
    expect(builds).toEqual([]);
  });

  it("rebuilds a component with a later clock", async () => {
    const { checked, builds } = await rebuild({ "x.tsx": component("a") });
    expect(checked.findings).toEqual([]);
    expect(checked.sited?.places.length).toBeGreaterThan(0);
    expect(builds).toEqual(["later"]);
  });

  it("distinguishes the time in a body from random output", async () => {
    const time = await rebuild({ "x.tsx": component("{new Date().getFullYear()}") });
    expect(time.checked.findings).toMatchObject([{ rule: "time-in-body", at: { line: 2 } }]);
    expect(time.checked.sited?.text).toContain(String(new Date().getFullYear()));
    expect(time.builds).toEqual(["later", "now"]);

    const random = `export default () => <p>{chance}</p>;\nconst chance = Math.random();\nexport const subject = "Hi";`;
    const chance = await rebuild({ "x.tsx": random });
    expect(chance.checked.findings).toMatchObject([{ rule: "not-reproducible", at: { line: 2 } }]);
    expect(chance.checked.sited).toBeUndefined();
    expect(chance.builds).toEqual(["later", "now", "later", "now"]);
  });

  it("reports the time in the subject, but not if it is never printed", async () => {
    const subject = component("a").replace('"Hi"', "`${new Date().getFullYear()}`");
    expect((await rebuild({ "x.tsx": subject })).checked.findings).toMatchObject([
      {
        rule: "time-in-body",
        message: expect.stringContaining("The subject contains the time of the build") as string,
      },
    ]);
    const silent = component("a").replace('"Ada"', "new Date().toISOString()");
    expect((await rebuild({ "x.tsx": silent })).checked.findings).toEqual([]);
  });

  it("reports nothing if only recording positions makes a difference", async () => {
    const disturbed: typeof rebuildWithPositions = async (all, context, clock) =>
      (await rebuildWithPositions(all, context, clock)).map((built) => ({
        ...built,
        ...(built.fields && { fields: { ...built.fields, html_body: "disturbed" } }),
      }));
    const { checked, builds } = await rebuild({ "x.tsx": component("a") }, disturbed);
    expect(checked).toEqual({ findings: [] });
    expect(builds).toEqual(["later", "now", "later"]);
    const time = await rebuild({ "x.tsx": component("{new Date().getFullYear()}") }, disturbed);
    expect(time.checked.findings).toMatchObject([{ rule: "time-in-body", at: { line: 2 } }]);
    expect(time.builds).toEqual(["later", "now", "later", "now"]);
  });

  it("skips templates that did not compile", async () => {
    const { checked, builds } = await rebuild({ "x.tsx": "export default 1;" });
    expect(checked).toEqual({ findings: [] });
    expect(builds).toEqual([]);
  });
});
