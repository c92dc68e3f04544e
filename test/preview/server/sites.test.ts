import { describe, expect, it } from "vitest";
import { projectAccess } from "../../../src/cli/preview/project-access.js";
import type { ProjectAccess } from "../../../src/preview/server/preview-access.js";
import { html, PreviewedProject } from "./harness.js";

/** A project whose checks never end. */
async function unchecked(folder: string): Promise<ProjectAccess> {
  const access = await projectAccess({ cwd: folder, config: undefined });
  const open = async () => ({ ...(await access.open()), check: () => new Promise<never>(() => undefined) });
  return { ...access, open };
}

describe("the positions of elements", () => {
  it.each([
    ["compiled", {}],
    ["verbatim", { verbatim: true }],
  ])("are known for %s HTML before it is checked", async (_, metadata) => {
    const project = new PreviewedProject({
      ...html("hi", "Hello {{! kept }} {{name}}"),
      "templates/hi/template.json": JSON.stringify({ subject: "Hi", ...metadata }),
    });
    const preview = await project.preview({ project: await unchecked(project.folder) });
    const { isPartial, places } = await preview.report("hi");
    expect(isPartial).toBe(true);
    const { compiled } = await preview.template("hi");
    const paragraph = places.find(({ offset }) => compiled?.html.startsWith("<p>", offset));
    expect(paragraph).toMatchObject({ file: "templates/hi/hi.html", line: 4, column: 54 });
  });
});
