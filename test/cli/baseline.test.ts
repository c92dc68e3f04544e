import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const ONLY = ["--rule", "image-alt,subject-missing,unused-silence"];
const image = (name: string) => `<img src="https://a.example/${name}.png">`;
const off = Object.fromEntries(
  ["doctype-missing", "preheader-missing", "title-missing", "language-missing", "variable-without-example"].map(
    (id) => [id, "off"],
  ),
);

describe("check --write-baseline", () => {
  const project = new TestProject({
    ...htmlTemplate("one", `Hello {{name}}\n${image("a")}\n${image("b")}`),
    "lettershop.config.json": JSON.stringify({ check: { rules: off } }),
  });
  const found = async () => {
    const { stdout } = await project.run(["check", "--json", ...ONLY]);
    const { diagnostics, base } = JSON.parse(stdout);
    return [diagnostics.map(({ at }: { at: { line: number } }) => at.line), base?.known];
  };

  it("records what is found, so that only what is new is reported, wherever lines have gone", async () => {
    expect(await found()).toEqual([[5, 6], undefined]);
    expect(await project.run(["check", "--write-baseline"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Wrote \d+ findings to templates\.baseline\.json/),
    });
    const written = readFileSync(project.path("templates.baseline.json"), "utf8");
    expect(written).not.toContain("a.example");
    expect(await found()).toEqual([[], 2]);
    project.write(htmlTemplate("one", `Hello {{name}}\n<p>\n${image("c")}\n</p>\n${image("a")}\n${image("b")}`));
    expect(await found()).toEqual([[7], 2]);
  });

  it("says which entries are gone, and not where only some was looked at", async () => {
    project.write(htmlTemplate("one", `Hello {{name}}\n${image("a")}`));
    expect(await found()).toEqual([[], 1]);
    const { stdout } = await project.run(["check", "--level", "info"]);
    expect(stdout).toContain("1 finding of the baseline no longer exists.");
  });

  it("records nothing that keeps a template from compiling", async () => {
    project.write(htmlTemplate("two", "{{#open}}"));
    await project.run(["check", "--write-baseline"]);
    expect(await project.run(["check"])).toMatchObject({ code: 1, stdout: expect.stringContaining("mustache-syntax") });
  });

  it("refuses a part of the project, and a file that is not a baseline", async () => {
    expect(await project.run(["check", "one", "--write-baseline"])).toMatchObject({ code: 2 });
    project.write({ "templates.baseline.json": "[]" });
    expect(await project.run(["check"])).toMatchObject({ code: 2, stderr: expect.stringContaining("not a baseline") });
  });
});
