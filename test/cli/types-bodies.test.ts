import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const files = {
  ...htmlTemplate("one"),
  ...htmlTemplate("two", 'Hello {{name}} <img src="_assets/logo.png" alt="">'),
  "templates/_assets/logo.png": "a logo",
  "templates/two/template.json": JSON.stringify({
    subject: "Hi",
    priority: "high",
    expiresAfter: "10m",
    onUnknown: "resend",
  }),
  "tsconfig.json": JSON.stringify({ compilerOptions: { module: "NodeNext" } }),
  "src/index.ts": "",
};

const bodies = (project: TestProject): string[] => readdirSync(project.path("src/templates.gen.bodies"));
const textOf = (project: TestProject, file: string): string => readFileSync(project.path("src", file), "utf8");

test("types --bodies writes a file per template, and later runs remember it", async () => {
  const project = new TestProject(files);
  expect(await project.run(["types", "--bodies", "--check"])).toMatchObject({
    code: 1,
    stdout: "  one is new\n  two is new\nsrc/templates.gen.ts is missing, and 2 more. Run: templates types --bodies\n",
  });
  expect(await project.run(["types", "--bodies"])).toMatchObject({
    code: 0,
    stdout: "  one is new\n  two is new\nWrote src/templates.gen.ts and 2 more.\n",
  });
  expect(bodies(project)).toEqual(["one.ts", "two.ts"]);
  expect(textOf(project, "templates.gen.ts")).toContain('bodies: () => import("./templates.gen.bodies/two.js"),');
  expect(textOf(project, "templates.gen.ts")).toContain(
    'delivery: { priority: "high", expiresAfter: "10m", onUnknown: "resend" },',
  );
  expect(textOf(project, "templates.gen.bodies/two.ts")).toContain('<img src="${assets}/logo.png" alt="">');

  project.write(htmlTemplate("one", "Good day {{name}}"));
  const outdated = JSON.parse((await project.run(["types", "--check", "--json"])).stdout);
  expect(outdated).toMatchObject({
    upToDate: false,
    outdated: [project.path("src/templates.gen.ts"), project.path("src/templates.gen.bodies/one.ts")],
    changes: [],
  });
  expect(await project.run(["types"])).toMatchObject({ code: 0, stdout: "Wrote src/templates.gen.ts and 1 more.\n" });
  expect(textOf(project, "templates.gen.bodies/one.ts")).toContain("Good day {{name}}");
  expect(await project.run(["types", "--check"])).toMatchObject({ code: 0 });
  expect((await project.run(["check"])).stdout).not.toContain("registry");

  // A file that was edited or is missing is also out of date.
  project.write({ "src/templates.gen.bodies/one.ts": "" });
  expect((await project.run(["types", "--check"])).stdout).toContain("one.ts is out of date");
});

test("only the bodies of templates that no longer exist are deleted", async () => {
  const project = new TestProject({ ...files, "lettershop.config.json": JSON.stringify({ registryBodies: true }) });
  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  project.write({ "src/templates.gen.bodies/own.ts": "export {};\n" });
  project.remove("templates/two");
  expect((await project.run(["types", "--check"])).code).toBe(1);
  expect((await project.run(["types"])).stdout).toBe(
    "  two is gone\nWrote src/templates.gen.ts. Deleted 1 file no longer needed.\n",
  );
  expect(bodies(project)).toEqual(["one.ts", "own.ts"]);

  project.remove("src/templates.gen.bodies/own.ts");
  project.write({ "lettershop.config.json": JSON.stringify({ registryBodies: false }) });
  expect((await project.run(["types"])).code).toBe(0);
  expect(existsSync(project.path("src/templates.gen.bodies"))).toBe(false);
  expect(textOf(project, "templates.gen.ts")).not.toContain("bodies");
});

test("each environment has its own image URL", async () => {
  const environment = (name: string, more: object = {}) => ({
    url: `https://${name}.example.com`,
    domain: "example.com",
    ...more,
  });
  const config = {
    assets: { baseUrl: "https://cdn.example.com/mail" },
    environments: {
      production: environment("api"),
      staging: environment("staging", { assets: { baseUrl: "https://staging.example.com/mail" } }),
    },
  };
  const project = new TestProject({ ...files, "lettershop.config.json": JSON.stringify(config) });
  await project.run(["types", "--bodies"]);
  const registry = textOf(project, "templates.gen.ts");
  expect(registry).toContain('assets: { baseUrl: "https://cdn.example.com/mail" },\n  locale');
  expect(registry).toMatch(/staging: \{.*assets: \{ baseUrl: "https:\/\/staging\.example\.com\/mail" \}/);
  expect(textOf(project, "templates.gen.bodies/two.ts")).toContain('src="${assets}/logo.png"');
});
