import { expect, test } from "vitest";
import { htmlTemplate, TestProject } from "../project.js";

const derive = `
import { z } from "zod";
export default z.object({ name: z.string() });
export const derive = () => ({ mark: String((globalThis as { mark?: string }).mark) });
`;

test("side effects of running the configuration don't affect templates, as if it was read from the cache", async () => {
  const project = new TestProject({
    ...htmlTemplate("hello", "Hello {{name}}, {{mark}}"),
    "templates/hello/variables.ts": derive,
    "lettershop.config.ts": [
      'Object.assign(globalThis, { mark: "left behind" });',
      'export default { locale: "de-CH" };',
    ].join("\n"),
  });
  for (const time of ["the first time", "from the cache"]) {
    const { stdout, code, stderr } = await project.run(["render", "hello", "--part", "html"]);
    expect([time, code + stderr, /Hello[^<]*/.exec(stdout)?.[0]]).toEqual([time, "0", "Hello Ada, undefined"]);
  }
});

test("if the configuration reads a hidden variable, the error says how to pass it", async () => {
  const project = new TestProject({
    ...htmlTemplate("hello"),
    "lettershop.config.ts":
      "export default { environments: { staging: { url: process.env.STAGING_URL, domain: 'example.com' } } };",
  });
  const { code, stderr } = await project.run(["render", "hello"], { STAGING_URL: "https://api.example.com" });
  expect(code).toBe(2);
  expect(stderr).toContain("environments.staging.url");
  expect(stderr).toContain("It reads STAGING_URL, which is not set here: commands pass to project code only variables");
});

test("template code can read its variables, also without a key", async () => {
  const project = new TestProject({
    ...htmlTemplate("hello", "{{mark}}"),
    "templates/hello/variables.ts": `
      import { z } from "zod";
      export default z.object({ name: z.string() });
      export const derive = () => ({ mark: [process.env.TEMPLATES_BRAND, process.env.GH_PAT].join() });`,
  });
  const env = { TEMPLATES_BRAND: "Acme", GH_PAT: "a secret" };
  const { stdout } = await project.run(["render", "hello", "--part", "text"], env);
  expect(stdout).toContain("Acme,");
  expect(stdout).not.toContain("a secret");
});
