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

/** The reported lines, and the number of findings that are left out. */
async function linesAndKnown(project: TestProject) {
  const { stdout } = await project.run(["check", "--json", ...ONLY]);
  const { diagnostics, base } = JSON.parse(stdout);
  return [diagnostics.map(({ at }: { at: { line: number } }) => at.line), base?.known];
}

describe("check --write-baseline", () => {
  it("records findings, so that only new ones are reported, even if lines move", async () => {
    const project = projectOf(`${image("a")}\n${image("b")}`);
    expect(await linesAndKnown(project)).toEqual([[5, 6], undefined]);
    expect(await project.run(["check", "--write-baseline"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Wrote \d+ findings to templates\.baseline\.json/),
    });
    expect(await linesAndKnown(project)).toEqual([[], 2]);
    project.write(htmlTemplate("one", `Hello {{name}}\n<p>\n${image("c")}\n</p>\n${image("a")}\n${image("b")}`));
    expect(await linesAndKnown(project)).toEqual([[6], 2]);
  });

  it("reports how many entries no longer exist", async () => {
    const project = projectOf(`${image("a")}\n${image("b")}`);
    await project.run(["check", "--write-baseline"]);
    project.write(htmlTemplate("one", `Hello {{name}}\n${image("a")}`));
    expect(await linesAndKnown(project)).toEqual([[], 1]);
    const { stdout } = await project.run(["check", "--level", "info"]);
    expect(stdout).toMatch(/\d findings? in the baseline no longer exists?\./);
  });

  it("does not record problems that prevent a template from compiling", async () => {
    const project = projectOf("{{#open}}");
    await project.run(["check", "--write-baseline"]);
    expect(await project.run(["check"])).toMatchObject({ code: 1, stdout: expect.stringContaining("mustache-syntax") });
  });

  it("refuses to record only a part of the project, and an invalid baseline", async () => {
    const project = projectOf("");
    expect(await project.run(["check", "one", "--write-baseline"])).toMatchObject({ code: 2 });
    project.write({ "templates.baseline.json": "[]" });
    expect(await project.run(["check"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not a valid baseline"),
    });
  });
});
