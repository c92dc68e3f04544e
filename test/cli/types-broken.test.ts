import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const withModule = (derive: string) => ({
  "templates/total/total.html": "<p>{{amount}}</p>",
  "templates/total/template.json": `{ "subject": "Total", "description": "The total." }`,
  "templates/total/variables.ts": `import { z } from "zod";\nexport default z.object({ cents: z.number() });\n${derive}\n`,
  "templates/total/fixtures/default.json": `{ "cents": 100 }`,
});
const DERIVE = "export const derive = ({ cents }: { cents: number }) => ({ amount: String(cents) });";

test("a template that does not compile keeps its entry, and the others are updated", async () => {
  const project = new TestProject({
    "src/index.ts": "",
    ...htmlTemplate("one"),
    ...htmlTemplate("two"),
    ...withModule(DERIVE),
  });
  expect((await project.run(["types", "--bodies"])).code).toBe(0);
  const registry = () => readFileSync(project.path("src/templates.gen.ts"), "utf8");
  const before = registry();

  project.write({ "templates/one/one.html": "<p>{{#a}}</p>", "templates/total/total.html": "<p>{{amount}" });
  const broken = await project.run(["types", "--check"]);
  expect(broken).toMatchObject({ code: 1, stdout: "src/templates.gen.ts is up to date.\n" });
  expect(broken.stderr).toContain("templates/one/one.html:1:4");
  expect(broken.stderr).toContain("Unchanged in the registry, because they don't compile: one, total.\n2 errors.\n");
  expect(registry()).toBe(before);

  project.write({ ...htmlTemplate("two", "<p>{{other}}</p>"), "templates/three/three.html": "<p>{{#a}}</p>" });
  const written = await project.run(["types"]);
  expect(written).toMatchObject({ code: 1 });
  expect(written.stdout).toContain("two: other is new (string)");
  expect(written.stderr).toContain("Not in the registry, because they don't compile: three.\n");
  expect(registry()).toContain("export interface OneVariables {");
  expect(registry()).toContain('...modules["total"],');
  expect(readdirSync(project.path("src/templates.gen.bodies"))).toEqual(["one.ts", "total.ts", "two.ts"]);
  const { kept, missing } = JSON.parse((await project.run(["types", "--json"])).stdout);
  expect({ kept, missing }).toEqual({ kept: ["one", "total"], missing: ["three"] });
});

test("a template with a broken variables.ts keeps its types, and can't be sent", async () => {
  const project = new TestProject({ "src/index.ts": "", ...htmlTemplate("one"), ...withModule(DERIVE) });
  expect((await project.run(["types"])).code).toBe(0);
  project.write(withModule("export const derive = ("));
  expect((await project.run(["types"])).code).toBe(1);
  const registry = readFileSync(project.path("src/templates.gen.ts"), "utf8");
  expect(registry).toContain("export interface TotalVariables {\n  cents: number;\n}");
  expect(registry).not.toContain("modules");
  expect(registry).toContain(`derive: () => { throw new Error("The variables.ts of total was broken`);
});

test("nothing is written if an error may affect any template", async () => {
  const project = new TestProject(htmlTemplate("one"));
  expect((await project.run(["types"])).code).toBe(0);
  project.remove("templates");
  const { code, stderr } = await project.run(["types"]);
  expect(code).toBe(1);
  expect(stderr).toContain("The registry was not written: 1 error.");
});
