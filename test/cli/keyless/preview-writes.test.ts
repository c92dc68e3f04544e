import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../src/process/sandbox.js";
import { writePreviewFile } from "../../../src/cli/preview/keeper.js";
import { htmlTemplate, TestProject } from "../project.js";

test("the page saves fixtures and preferences, but template code can't write there", async () => {
  const project = new TestProject({
    ...htmlTemplate("hello"),
    "templates/hello/variables.ts": `
      import { appendFileSync } from "node:fs";
      import { z } from "zod";
      const attempt = (file: string) => { try { appendFileSync(file, "\\n"); return file; } catch { return ""; } };
      export default z.object({ name: z.string() });
      export const derive = () => {
        const written = ["package.json", "templates/hello/fixtures/default.json", ".lettershop/preview.json"].map(attempt);
        appendFileSync(".lettershop/modules/written.txt", written.join(" ").trim());
        return {};
      };`,
  });
  const running = project.start(["preview", "--port", "0"]);
  await running.printed("Press Ctrl-C to stop.");
  const url = /http:\S+/.exec(running.stdout())?.[0] ?? "";
  const put = async (path: string, body: unknown) => {
    const headers = { "content-type": "application/json" };
    return (await fetch(new URL(path, url), { method: "PUT", headers, body: JSON.stringify(body) })).status;
  };
  expect(await put("api/templates/hello/fixtures/long", { input: { name: "Augusta" }, overwrite: false })).toBe(200);
  expect(JSON.parse(readFileSync(project.path("templates/hello/fixtures/long.json"), "utf8"))).toEqual({
    name: "Augusta",
  });
  expect(await put("api/preferences", { remoteImages: true })).toBeLessThan(300);
  expect(readFileSync(project.path(".lettershop/preview.json"), "utf8")).toContain('"remoteImages": true');

  const { command } = createSandbox({ folder: project.folder, dataFolder: project.path(".lettershop") });
  if (command.includes("--mount"))
    expect(readFileSync(project.path(".lettershop/modules/written.txt"), "utf8")).toBe("");
});

describe("files that the preview process asks the command to write", () => {
  const write = async (file: string, text = "{}") => {
    const project = new TestProject({
      ...htmlTemplate("hello"),
      "outside/fixtures/there.json": "{}",
      "node_modules/pkg/fixtures/a.json": "{}",
    });
    mkdirSync(project.path("templates/linked"));
    symlinkSync("../../outside/fixtures", project.path("templates/linked/fixtures"));
    const location = { folder: project.folder, dataFolder: project.path(".lettershop") };
    const target = project.path(file);
    const error: unknown = await writePreviewFile(location, [project.path("templates")], {
      file: file.includes("..") ? `${project.folder}/${file}` : target,
      text,
      overwrite: true,
    }).catch((caught: unknown) => caught);
    return error instanceof Error ? error.message : existsSync(target) && readFileSync(target, "utf8");
  };

  test.each(["templates/hello/fixtures/new.json", "templates/new/fixtures/new.json", ".lettershop/preview.json"])(
    "%s is written",
    async (file) => {
      expect(await write(file)).toBe("{}");
    },
  );

  test.each([
    ["package.json", "{}"],
    ["templates/hello/variables.ts", "{}"],
    ["templates/hello/fixtures/new.ts", "{}"],
    ["templates/hello/fixtures/new.json", "export default 1"],
    ["node_modules/pkg/fixtures/a.json", "{}"],
    [".git/fixtures/a.json", "{}"],
    [".lettershop/sync/fixtures/a.json", "{}"],
    ["templates/linked/fixtures/a.json", "{}"],
    ["templates/../../fixtures/a.json", "{}"],
  ])("%s is refused", async (file, text) => {
    expect(await write(file, text)).toMatch(
      /^The preview can't write .*, because it is not a fixture of this project\.$/,
    );
  });
});
