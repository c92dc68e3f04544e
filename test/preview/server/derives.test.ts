import { expect, test } from "vitest";
import { html, PreviewedProject } from "./harness.js";

const schema = (name: string, more = "") => ({
  "templates/hi/variables.ts": `import { z } from "zod";
export default z.object({ name: ${name}, map: z.record(z.string(), z.string()).optional() });
${more}
`,
});

test.each([
  [
    "derive gives a variable anew, of the same type",
    "z.string()",
    "export const derive = (v) => ({ name: `${v.name}!` });",
    true,
  ],
  ["the schema does", "z.string().toUpperCase()", "", true],
  ["an entry of an object is named", "z.string()", "", false],
])("the page asks for the variables where code computes them: %s", async (_, name, derive, asks) => {
  const project = new PreviewedProject({ ...html("hi", "{{name}} {{map.a}}"), ...schema(name, derive) });
  const preview = await project.preview();
  await preview.running.workspace.settled();
  const { derives, failure } = await preview.template("hi");
  expect(failure).toBeUndefined();
  expect(derives).toBe(asks);
});
