import { expect, test } from "vitest";
import { html, PreviewedProject } from "./harness.js";

const template = (templateName: string, name: string, more = "") => ({
  ...html(templateName, "{{name}} {{map.a}}"),
  [`templates/${templateName}/variables.ts`]: `import { z } from "zod";
export default z.object({ name: ${name}, map: z.record(z.string(), z.string()).optional() });
${more}
`,
});

test("the page requests variables that code computes, even of the same type, but not for records", async () => {
  const project = new PreviewedProject({
    ...template("derived", "z.string()", "export const derive = (v) => ({ name: `${v.name}!` });"),
    ...template("schema", "z.string().toUpperCase()"),
    ...template("entry", "z.string()"),
  });
  const preview = await project.preview();
  await preview.running.workspace.settled();
  for (const [name, asks] of [
    ["derived", true],
    ["schema", true],
    ["entry", false],
  ] as const) {
    const { derives, failure } = await preview.template(name);
    expect([name, derives, failure]).toEqual([name, asks, undefined]);
  }
});
