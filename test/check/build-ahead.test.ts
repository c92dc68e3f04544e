import { expect, test } from "vitest";
import { buildAhead } from "../../src/check/check-rebuilds.js";
import type { Rebuild } from "../../src/render/rebuild.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import type { Template } from "../../src/project/template.js";
import { useProjects } from "../render/project.js";

const projects = useProjects();

async function templatesOf(...files: readonly string[]): Promise<readonly Template[]> {
  return loadTemplates([await projects.write(Object.fromEntries(files.map((file) => [file, "<p></p>"])))]).templates;
}

/** A build that notes what it was asked for. */
function noting() {
  const asked: string[] = [];
  const build = (templates: readonly Template[], clock: string): Promise<readonly Rebuild[]> => {
    asked.push(`${clock}: ${templates.map(({ name }) => name).join(" ")}`);
    return Promise.resolve(
      templates.map(() => ({
        html: { text: clock, tags: [], places: [] },
        subject: { text: "", tags: [] },
        moments: [],
      })),
    );
  };
  return { asked, build };
}

test("components are built ahead once, and used for a later clock", async () => {
  const templates = await templatesOf("a.tsx", "b.html", "c.tsx");
  const { asked, build } = noting();
  const ahead = buildAhead(templates, build);
  const some = templates.filter(({ name }) => name === "c");
  expect(await ahead?.(some, "later")).toMatchObject([{ html: { text: "later" } }]);
  expect(asked).toEqual(["later: a c"]);
});

test("a build with the present clock is not taken from it", async () => {
  const templates = await templatesOf("a.tsx");
  const { asked, build } = noting();
  expect(await buildAhead(templates, build)?.(templates, "now")).toMatchObject([{ html: { text: "now" } }]);
  expect(asked).toEqual(["later: a", "now: a"]);
});

test("what failed ahead is built again, and fails then", async () => {
  const templates = await templatesOf("a.tsx");
  const ahead = buildAhead(templates, () => Promise.reject(new Error("No React.")));
  await expect(ahead?.(templates, "later")).rejects.toThrow("No React.");
});

test("nothing is built ahead for many templates, or without components", async () => {
  const { asked, build } = noting();
  expect(buildAhead(await templatesOf("a.tsx", "b.tsx", "c.tsx", "d.tsx"), build)).toBeUndefined();
  expect(buildAhead(await templatesOf("a.html"), build)).toBeUndefined();
  expect(asked).toEqual([]);
});
