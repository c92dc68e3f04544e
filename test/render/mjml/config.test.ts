import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const library = new URL("../../../dist/render/mjml/library.js", import.meta.url);
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

it("runs no package that .mjmlconfig of the working directory names", async () => {
  // Loaded as it loads itself, MJML does run it: otherwise this test would prove nothing.
  await run(process.execPath, ["-e", `require(${JSON.stringify(path.join(repository, "node_modules/mjml"))})`], {
    cwd: folder,
  });
  expect(await readdir(folder)).toContain("ran");
  await rm(path.join(folder, "ran"));

  const ours = `import { loadMjml } from ${JSON.stringify(library.href)};
    const mjml = loadMjml(${JSON.stringify(repository)}, "a test");
    const html = await mjml.render({ tagName: "mjml", attributes: {}, children: [{ tagName: "mj-body", attributes: {} }] });
    console.log(html.includes("<body"));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", ours], { cwd: folder });
  expect(stdout.trim()).toBe("true");
  expect(await readdir(folder)).not.toContain("ran");
});

it("does not even read it", async () => {
  await writeFile(path.join(folder, ".mjmlconfig"), "not JSON");
  const ours = `import { loadMjml } from ${JSON.stringify(library.href)}; loadMjml(${JSON.stringify(repository)}, "a test");`;
  const { stderr } = await run(process.execPath, ["--input-type=module", "-e", ours], { cwd: folder });
  expect(stderr).toBe("");
});
