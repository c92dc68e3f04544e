import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The built client in a folder where neither zod nor undici can be found. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lettershop api "));
  const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
  await cp(join(dist, "api"), join(folder, "api"), { recursive: true });
  for (const name of ["errors.js", "latest.js"]) await cp(join(dist, name), join(folder, name));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
});

afterAll(() => rm(folder, { recursive: true }));

/** What a process of its own prints. */
async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: folder,
  });
  return stdout.trim();
}

test("a client is made without zod and undici; its first call needs them", async () => {
  const printed = await run(`
    import { createClient } from "./api/index.js";
    const client = createClient({ apiKey: "key-of-the-test", baseUrl: "http://127.0.0.1:9" });
    console.log("made");
    await client.account.get().catch((error) => console.log(error.message));
  `);
  expect(printed).toMatch(/^made\nCannot find package '(zod|undici)'/);
});

test("limits and the local account need nothing at all", async () => {
  const printed = await run(`
    import { BODY_MAX } from "./api/limits.js";
    import { LOCAL_DOMAIN } from "./api/local.js";
    console.log(BODY_MAX, LOCAL_DOMAIN);
  `);
  expect(printed).toBe("100000 example.test");
});
