import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "../cli/project.js";

const guide = readFileSync(fileURLToPath(new URL("../../docs/guides/check.md", import.meta.url)), "utf8");
const blocks = (language: string) =>
  Array.from(guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm")), ([, code = ""]) => code);
const [levels = "", custom = ""] = blocks("ts");
const [silenced = ""] = blocks("html");

interface Found {
  readonly rule: string;
  readonly severity: string;
  readonly templates: readonly string[];
}

async function check(project: TestProject, ...args: readonly string[]) {
  const { stdout, stderr } = await project.run(["check", "--json", ...args]);
  if (stdout === "") throw new Error(stderr);
  return (JSON.parse(stdout).diagnostics as Found[]).map(
    ({ rule, severity, templates }) => `${templates.join()}: ${rule} ${severity}`,
  );
}

describe("the guide about check", () => {
  it("has a configuration with the documented effects", async () => {
    const image = '{{name}} <img src="https://a.example/b.png">';
    const project = new TestProject({
      ...htmlTemplate("one", image),
      ...htmlTemplate("digest", image),
      "lettershop.config.ts": levels,
    });
    expect(await check(project, "--rule", "image-alt,placeholder-address")).toEqual([
      "digest: image-alt info",
      "one: image-alt error",
    ]);
  });

  it("has comments that silence the documented findings", async () => {
    const text = `{{name}}\n${silenced}`;
    const project = new TestProject({
      ...htmlTemplate("one", text),
      ...htmlTemplate("two", text.replace(/^\{\{!.*$/m, "")),
    });
    expect(await check(project, "--rule", "image-alt,unused-silence")).toEqual(["two: image-alt warning"]);
  });

  it("has custom rules that report findings", async () => {
    const project = new TestProject({
      ...htmlTemplate("one", "{{name}}\n<marquee>Hurry</marquee>"),
      ...htmlTemplate("two", "{{name}} Example Ltd, 1 High Street"),
      "lettershop.config.ts": custom,
    });
    expect(await check(project, "--rule", "our-footer,no-marquee")).toEqual([
      "one: our-footer error",
      "one: no-marquee warning",
    ]);
  });
});
