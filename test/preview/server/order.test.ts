import { expect, onTestFinished, test } from "vitest";
import { projectAccess } from "../../../src/cli/preview/access.js";
import { openWorkspace } from "../../../src/preview/server/workspace/workspace.js";
import { html, PreviewedProject } from "./harness.js";

test("what is waited for before the project is read is compiled first", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const project = new PreviewedProject(Object.assign({}, ...names.map((name) => html(name))));
  const workspace = openWorkspace(await projectAccess({ cwd: project.folder, config: undefined }), { watch: false });
  onTestFinished(() => workspace.close());
  await workspace.detail("f");
  await workspace.settled();
  const { templates } = await workspace.state();
  expect(templates.toSorted((one, other) => one.revision - other.revision)[0]?.name).toBe("f");
});
