import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

interface Outcome {
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly cause?: string;
  readonly opened?: string;
}

/** Loads only the driver, on a Node without SQLite and with only these packages installed. */
async function loadDriverWith(packages: Readonly<Record<string, string>>): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), "lettershop driver-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of ["sqlite/driver.js", "errors.js"]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await copyFile(path.join(dist, file), path.join(folder, file));
  }
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  for (const [name, code] of Object.entries(packages)) {
    const installed = path.join(folder, "node_modules", name);
    await mkdir(installed, { recursive: true });
    await writeFile(
      path.join(installed, "package.json"),
      JSON.stringify({ name, type: "module", exports: "./main.js" }),
    );
    await writeFile(path.join(installed, "main.js"), code);
  }
  const script = `
    process.getBuiltinModule = () => undefined;
    const { loadDriver } = await import(${JSON.stringify(pathToFileURL(path.join(folder, "sqlite/driver.js")).href)});
    const outcome = await loadDriver("the local service").then(
      (open) => ({ opened: open("mail.db").file }),
      ({ code, message, hint, cause }) => ({ code, message, hint, cause: cause.message }),
    );
    console.log(JSON.stringify(outcome));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  return JSON.parse(stdout);
}

test("opens the file with the optional peer if Node has no SQLite", async () => {
  const code = "export class DatabaseSync { constructor(file) { this.file = file; } }";
  expect(await loadDriverWith({ "@photostructure/sqlite": code })).toEqual({ opened: "mail.db" });
});

test("names the package to install without SQLite in Node and without the peer", async () => {
  const { code, message, hint, cause } = await loadDriverWith({});
  expect(code).toBe("missing_peer");
  expect(message).toBe("@photostructure/sqlite is not installed, and the local service needs it.");
  expect(hint).toMatch(/^Run: npm install @photostructure\/sqlite\. /);
  expect(hint).toContain("outputFileTracingIncludes");
  expect(cause).toContain("Cannot find package '@photostructure/sqlite'");
});

test("reports a peer without its native binary as installed", async () => {
  const reason = "No native build was found for platform=linux arch=x64";
  const { code, message, hint, cause } = await loadDriverWith({
    "@photostructure/sqlite": `throw new Error("${reason}\\n    loaded from: somewhere\\n");`,
  });
  expect(code).toBe("peer_load_failed");
  expect(message).toBe(
    `@photostructure/sqlite, which the local service needs, is installed but can't be loaded: ${reason}`,
  );
  expect(hint).toContain("npm rebuild @photostructure/sqlite");
  expect(hint).toContain("outputFileTracingIncludes");
  expect(cause).toContain(reason);
});

test("reports a peer without one of its dependencies as installed", async () => {
  const { code, message } = await loadDriverWith({ "@photostructure/sqlite": 'import "node-gyp-build";' });
  expect(code).toBe("peer_load_failed");
  expect(message).toContain("Cannot find package 'node-gyp-build'");
});
