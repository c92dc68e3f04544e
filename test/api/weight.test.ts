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
  for (const name of ["api", "cache"]) await cp(join(dist, name), join(folder, name), { recursive: true });
  for (const name of ["errors.js", "values.js", "version.js"]) await cp(join(dist, name), join(folder, name));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
});

afterAll(() => rm(folder, { recursive: true }));

/** What a separate process prints. */
async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: folder,
  });
  return stdout.trim();
}

test("creates a client without zod and undici, and makes calls without undici", async () => {
  const printed = await run(`
    import { createServer } from "node:http";
    import { createClient } from "./api/index.js";
    const server = createServer((_, response) => response.end('{"id":"1.a","message_id":"<1>"}')).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const client = createClient({ apiKey: "key-of-the-test", baseUrl: "http://127.0.0.1:" + server.address().port });
    console.log("made");
    const { id } = await client.emails.send("example.com", { from: "shop", to: "ada@example.com" });
    console.log(id);
    await client.account.get().catch((error) => console.log(error.message));
    process.exit();
  `);
  expect(printed).toMatch(/^made\n1\.a\nCannot find package 'zod'/);
});

test("needs nothing for limits and the local account", async () => {
  const printed = await run(`
    import { BODY_MAX } from "./api/limits.js";
    import { LOCAL_DOMAIN } from "./api/local.js";
    console.log(BODY_MAX, LOCAL_DOMAIN);
  `);
  expect(printed).toBe("100000 example.test");
});
