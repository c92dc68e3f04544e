import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const library = new URL("../../../dist/render/mjml/library.js", import.meta.url);
const mjml = createRequire(import.meta.url).resolve("mjml");
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "lettershop mjmlconfig "));
  await writeFile(
    path.join(folder, "evil.js"),
    'require("node:fs").writeFileSync(__dirname + "/ran", ""); module.exports = {};',
  );
  await writeFile(path.join(folder, ".mjmlconfig"), JSON.stringify({ packages: ["./evil.js"] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("runs no package that .mjmlconfig in the working directory names", async () => {
  // Loaded directly, MJML runs it: otherwise this test would prove nothing.
  await run(process.execPath, ["-e", `require(${JSON.stringify(path.join(repository, "node_modules/mjml"))})`], {
    cwd: folder,
  });
  expect(await readdir(folder)).toContain("ran");
  await rm(path.join(folder, "ran"));

  const ours = `import { mjmlOf } from ${JSON.stringify(library.href)};
    const library = mjmlOf(${JSON.stringify(mjml)});
    const html = await library.render({ tagName: "mjml", attributes: {}, children: [{ tagName: "mj-body", attributes: {} }] });
    console.log(html.includes("<body"));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", ours], { cwd: folder });
  expect(stdout.trim()).toBe("true");
  expect(await readdir(folder)).not.toContain("ran");
});

it("does not even read it", async () => {
  await writeFile(path.join(folder, ".mjmlconfig"), "not JSON");
  const ours = `import { mjmlOf } from ${JSON.stringify(library.href)}; mjmlOf(${JSON.stringify(mjml)});`;
  const { stderr } = await run(process.execPath, ["--input-type=module", "-e", ours], { cwd: folder });
  expect(stderr).toBe("");
});

it("loads lodash/fp only for a background image, and then prints what MJML prints", async () => {
  const ours = `import { createRequire } from "node:module";
    import { mjmlOf } from ${JSON.stringify(library.href)};
    const require = createRequire(${JSON.stringify(mjml)});
    const isLoaded = () => Object.keys(require.cache).some((file) => /lodash.fp\\.js$/.test(file));
    const library = mjmlOf(${JSON.stringify(mjml)});
    const section = { tagName: "mj-section", attributes: { "background-url": "https://example.com/a.png" } };
    const render = (...children) =>
      library.render({ tagName: "mjml", attributes: {}, children: [{ tagName: "mj-body", attributes: {}, children }] });
    await render({ tagName: "mj-section", attributes: {} });
    const before = isLoaded();
    const html = await render(section);
    console.log(JSON.stringify([before, isLoaded(), /background:[^;]*/.exec(html)[0], typeof require("lodash/fp").VERSION]));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", ours], { cwd: folder });
  const background = "background:url('https://example.com/a.png') center top / auto repeat";
  expect(JSON.parse(stdout)).toEqual([false, true, background, "string"]);
});
