import { expect, test } from "vitest";
import { TestProject } from "./project.js";

test.each([
  ["a file", "service.db", "it is a file, not a folder"],
  ["a folder with another service.db", ".", "is not a database of the local service"],
])("service: %s as its data is wrong usage, and says what to do", async (_, data, reason) => {
  const project = new TestProject({ "service.db": "no database ".repeat(1_000) });
  const { code, stderr } = await project.run(["service", "--port", "0", "--data", data]);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain("Choose another folder with --data");
  expect(stderr).not.toContain("    at ");
});

test("service: what it keeps in a folder without a project stays out of git; a folder of one's own is left as it is", async () => {
  const project = new TestProject();
  project.remove("package.json");
  project.git("init", "--quiet");
  project.write({ ".git/info/exclude": "node_modules\n" });
  for (const args of [[], ["--data", "kept"]]) {
    const service = project.start(["service", "--port", "0", ...args]);
    await service.printed("Local service at");
    service.kill("SIGINT");
    await service.ended;
  }
  expect(project.git("status", "--short").trim()).toBe("?? kept/");
});
