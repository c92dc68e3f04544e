import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const ONLY = ["--rule", "image-alt,subject-missing,unused-silence"];
const image = (name: string) => `<img src="https://a.example/${name}.png">`;
const off = Object.fromEntries(
  ["doctype-missing", "preheader", "title-missing", "language-missing", "variable-without-example"].map((id) => [
    id,
    "off",
  ]),
);

function projectOf(body: string): TestProject {
  return new TestProject({
    ...htmlTemplate("one", `Hello {{name}}\n${body}`),
    "lettershop.config.json": JSON.stringify({ check: { rules: off } }),
  });
}

/** The lines of what is reported, and how much is left out. */
async function found(project: TestProject) {
  const { stdout } = await project.run(["check", "--json", ...ONLY]);
  const { diagnostics, base } = JSON.parse(stdout);
  return [diagnostics.map(({ at }: { at: { line: number } }) => at.line), base?.known];
}

describe("check --write-baseline", () => {
  it("records what is found, so that only what is new is reported, wherever lines have gone", async () => {
    const project = projectOf(`${image("a")}\n${image("b")}`);
    expect(await found(project)).toEqual([[5, 6], undefined]);
    expect(await project.run(["check", "--write-baseline"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Wrote \d+ findings to templates\.baseline\.json/),
    });
    expect(await found(project)).toEqual([[], 2]);
    project.write(htmlTemplate("one", `Hello {{name}}\n<p>\n${image("c")}\n</p>\n${image("a")}\n${image("b")}`));
    expect(await found(project)).toEqual([[6], 2]);
  });

  it("says which entries are gone", async () => {
    const project = projectOf(`${image("a")}\n${image("b")}`);
    await project.run(["check", "--write-baseline"]);
    project.write(htmlTemplate("one", `Hello {{name}}\n${image("a")}`));
    expect(await found(project)).toEqual([[], 1]);
    const { stdout } = await project.run(["check", "--level", "info"]);
    expect(stdout).toMatch(/\d findings? of the baseline no longer exists?\./);
  });

  it("records nothing that keeps a template from compiling", async () => {
    const project = projectOf("{{#open}}");
    await project.run(["check", "--write-baseline"]);
    expect(await project.run(["check"])).toMatchObject({ code: 1, stdout: expect.stringContaining("mustache-syntax") });
  });

  it("refuses a part of the project, and a file that is not a baseline", async () => {
    const project = projectOf("");
    expect(await project.run(["check", "one", "--write-baseline"])).toMatchObject({ code: 2 });
    project.write({ "templates.baseline.json": "[]" });
    expect(await project.run(["check"])).toMatchObject({ code: 2, stderr: expect.stringContaining("not a baseline") });
  });
});
