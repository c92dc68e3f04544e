import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const guide = readFileSync(fileURLToPath(new URL("../../docs/guides/check.md", import.meta.url)), "utf8");
const blocks = (language: string) =>
  Array.from(guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm")), ([, code = ""]) => code);
const [levels = "", custom = ""] = blocks("ts");
const [silenced = ""] = blocks("html");

interface Found {
  readonly rule: string;
  readonly severity: string;
}

async function check(project: TestProject, ...args: readonly string[]) {
  const { stdout, stderr } = await project.run(["check", "--json", ...args]);
  if (stdout === "") throw new Error(stderr);
  return (JSON.parse(stdout).diagnostics as Found[]).map(({ rule, severity }) => `${rule} ${severity}`);
}

describe("the guide of check", () => {
  it("has a configuration that does what it says", async () => {
    const image = '{{name}} <img src="https://a.example/b.png">';
    const project = new TestProject({ ...htmlTemplate("one", image), "lettershop.config.ts": levels });
    expect(await check(project, "--rule", "image-alt,placeholder-address")).toEqual(["image-alt error"]);
    const digest = new TestProject({ ...htmlTemplate("digest", image), "lettershop.config.ts": levels });
    expect(await check(digest, "--rule", "image-alt")).toEqual(["image-alt info"]);
  });

  it("silences what it says", async () => {
    const only = ["--rule", "image-alt,unused-silence"];
    const text = `{{name}}\n${silenced}`;
    expect(await check(new TestProject(htmlTemplate("one", text)), ...only)).toEqual([]);
    const without = new TestProject(htmlTemplate("one", text.replace(/^\{\{!.*$/m, "")));
    expect(await check(without, ...only)).toEqual(["image-alt warning"]);
  });

  it("has rules of one's own that find something", async () => {
    const project = new TestProject({
      ...htmlTemplate("one", "{{name}}\n<marquee>Hurry</marquee>"),
      "lettershop.config.ts": custom,
    });
    const only = ["--rule", "our-footer,no-marquee"];
    expect(await check(project, ...only)).toEqual(["our-footer error", "no-marquee warning"]);
    project.write(htmlTemplate("one", "{{name}} Example Ltd, 1 High Street"));
    expect(await check(project, ...only)).toEqual([]);
  });
});
