import { readFileSync, symlinkSync, unlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const long = process.env["MODE"] === "long";

describe("templates build --watch", () => {
  it("recompiles affected templates, also if a second save follows immediately", async () => {
    const project = new TestProject({
      ...htmlTemplate("one"),
      ...htmlTemplate("two", "{{> _shared/part}}"),
      "templates/_shared/part.html": "first {{name}}",
    });
    const watch = project.start(["build", "--watch", "--out", "out"]);
    await watch.printed("Watching for changes");
    const built = (name: string) => readFileSync(project.path("out", name, "body.html"), "utf8");
    project.write({ "templates/_shared/part.html": "second {{name}}" });
    await watch.printed("Compiled two.");
    expect(built("two")).toContain("second {{name}}");
    project.write(htmlTemplate("three"));
    await watch.printed("Compiled three.");
    // About when the first save is handled.
    for (const pause of long ? [10, 41, 43, 44, 45, 46, 47, 49] : [10, 43, 46, 49]) {
      project.write(htmlTemplate("one", `First, ${pause} ms`));
      await setTimeout(pause);
      project.write(htmlTemplate("one", `Second, ${pause} ms`));
      await expect.poll(() => built("one")).toContain(`Second, ${pause} ms`);
    }
    project.write({ "templates/one/template.json": "{" });
    await watch.printed("templates/one/template.json:1:");
    watch.kill("SIGINT");
    expect((await watch.ended).code).toBe(0);
  });

  it("notices files saved while watching starts, and reports only changed templates", async () => {
    const project = new TestProject({ ...htmlTemplate("one"), ...htmlTemplate("two") });
    const watch = project.begin(["build", "--watch", "--out", "out"]);
    await watch.printed("2 templates compiled");
    project.write(htmlTemplate("one", "Saved at once"));
    await watch.printed("Compiled one.");
    watch.kill("SIGINT");
    expect((await watch.ended).stderr).not.toContain("two");
  });

  it("names templates whose compilation throws, and removed templates", async () => {
    const project = new TestProject({ ...htmlTemplate("one"), ...htmlTemplate("two") });
    unlinkSync(project.path("node_modules/mjml"));
    project.write({ "node_modules/mjml/index.js": "module.exports = {};" });
    for (const name of ["mjml-core", "mjml-validator"]) {
      const installed = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
      symlinkSync(installed, project.path("node_modules", name), "junction");
    }
    const watch = project.begin(["build", "--watch", "--out", "out"]);
    await watch.printed("Watching for changes");
    project.write({
      "templates/three/template.json": `{ "subject": "Hi" }`,
      "templates/three/three.mjml": "<mjml><mj-body></mj-body></mjml>",
    });
    await watch.printed("Could not compile three: The installed mjml (");
    await watch.printed("Run: npm install --save-dev mjml@5");
    project.remove("templates/three");
    project.remove("templates/two");
    await watch.printed("Removed two.");
    watch.kill("SIGINT");
    expect((await watch.ended).code).toBe(0);
  });

  it("watches a module outside the folder once a template imports it", async () => {
    const project = new TestProject({
      ...htmlTemplate("other"),
      "words.ts": `export const greeting = "Hello";\n`,
      "templates/hi.tsx": `export const subject = "Hi";\nexport default () => <p>Hi</p>;\n`,
    });
    const watch = project.begin(["build", "hi", "--watch", "--out", "out"]);
    await watch.printed("Watching for changes");
    const head = `import { greeting } from "../words.js";\nexport const subject = "Hi";\n`;
    project.write({ "templates/hi.tsx": `${head}export default () => <p>{greeting}</p>;\n` });
    const built = () => readFileSync(project.path("out/hi/body.html"), "utf8");
    await expect.poll(built).toContain("Hello");
    const saveAndLook = () => {
      project.write({ "words.ts": `export const greeting = "Good day";\n` });
      return built();
    };
    await expect.poll(saveAndLook, { interval: 200 }).toContain("Good day");
    watch.kill("SIGINT");
    await watch.ended;
  });
});
