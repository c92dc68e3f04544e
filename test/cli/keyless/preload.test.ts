import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../../src/service/index.js";
import { htmlTemplate, TestProject } from "../project.js";

const dist = fileURLToPath(new URL("../../../dist/", import.meta.url));

/** Loads other modules when needed. Modules loaded from here are loaded before any project code runs, or without a key. */
const PRELOAD = path.join(dist, "cli/keyless/preload.js");

/**
 * Modules that a process with a key never loads: those that run project code in another process, other commands, and help.
 * `tracking.js` loads `verify.js` for the mailer's `verify`, which only `doctor` calls; `sync --from`, which loads
 * `built-project.js`, runs no project code.
 */
const NEVER = [
  /^process\//,
  /^render\//,
  /^project\/load-project\.js$/,
  /^cli\/(?:commands\/|help\.js|keyless\/keyless-project\.js|preview\/(?:copy|shot|serve)\.js)/,
  /^send\/tracking\/verify\.js$/,
  /^cli\/deploy\/built-project\.js$/,
];

interface Imports {
  readonly always: readonly string[];
  readonly later: readonly string[];
}

/** The modules that a built file imports, as absolute paths or package names. */
function importsOf(file: string): Imports {
  const code = readFileSync(file, "utf8").replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  const specifiers = (pattern: RegExp) =>
    [...code.matchAll(pattern)]
      .map(([, name = ""]) => (name.startsWith(".") ? path.resolve(path.dirname(file), name) : name))
      .filter((name) => !name.startsWith("node:"));
  return {
    always: specifiers(/^(?:import|export)\b(?:[^;"'(=]*?\bfrom\s*|\s*)["']([^"']+)["']/gm),
    later: specifiers(/\bimport\(\s*["']([^"']+)["']/g),
  };
}

/** The modules that a process that starts with these files may load later, by the module that loads them. */
function loadedLater(files: readonly string[], preloaded: readonly string[] = []): string[] {
  const imports = new Map<string, Imports>();
  const pending = [...files, PRELOAD].map((file) => path.resolve(dist, file)).concat(preloaded);
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (imports.has(file)) continue;
    const imported = path.isAbsolute(file) ? importsOf(file) : { always: [], later: [] };
    imports.set(file, imported);
    pending.push(...imported.always, ...(file === PRELOAD ? imported.later : []));
  }
  return [...imports].flatMap(([file, { later }]) =>
    later
      .filter((each) => !imports.has(each) && !NEVER.some((pattern) => pattern.test(path.relative(dist, each))))
      .map((each) => `${path.relative(dist, file)} → ${path.relative(dist, each)}`),
  );
}

test.each(["sync", "status", "diff", "pull", "promote", "restore", "send", "logs", "trace", "outbox", "doctor"])(
  "%s loads no module after project code has run",
  (name) => {
    expect(loadedLater(["cli/main.js", `cli/commands/${name}.js`, "cli/keyless/keyless-project.js"])).toEqual([]);
  },
);

test("the preview loads no module after project code has run", () => {
  const serve = path.join(dist, "cli/preview/serve.js");
  const { later } = importsOf(serve);
  expect(loadedLater(["cli/main.js", "cli/commands/preview.js", "cli/commands/dev.js", serve], later)).toEqual([]);
});

/** Records each file that the command loads after project code has run, with the debugger, because a loader thread is slower. */
const observer = `
import { appendFileSync, existsSync } from "node:fs";
import { Session } from "node:inspector";
import Module from "node:module";
const resolve = Module._resolveFilename;
if (process.argv[1].endsWith("main.js")) {
  const note = (file) => existsSync(".lettershop/modules/ran.txt") && appendFileSync("late.txt", file + "\\n");
  const session = new Session();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params: { url } }) => url.startsWith("file:") && note(url));
  session.post("Debugger.enable");
  Module._resolveFilename = function (...given) {
    const file = resolve.apply(this, given);
    if (file.startsWith("/") && !(file in Module._cache)) note(file);
    return file;
  };
}`;

test.each([
  ["sync", ["sync", "--env", "production"], 0],
  ["sync to the local service", ["sync"], 0],
  ["send", ["send", "one", "--to", "ada@example.org", "--env", "production"], 3],
  ["a promotion from the local service", ["promote", "local", "production"], 0],
  ["a restore", ["restore", "one", "--env", "production", "--from", "backup.json"], 0],
  ["what fails", ["sync", "--env", "nowhere"], 2],
])("a process that runs %s loads no file after the configuration has run", async (_, args, code) => {
  const service = await startService({
    data: ":memory:",
    port: 0,
    seed: { apiKey: "a-key", domains: [{ name: "example.com" }] },
  });
  onTestFinished(() => service.close());
  const project = new TestProject({
    ...htmlTemplate("one"),
    "observer.mjs": observer,
    // A URL at which no local service of any project can be.
    ".lettershop/service.json": JSON.stringify({ url: "http://127.0.0.1:9" }),
    "backup.json": JSON.stringify({ name: "one", description: "", subject: "", html_body: "", text_body: "One" }),
    "lettershop.config.ts": `
      import { writeFileSync } from "node:fs";
      writeFileSync(".lettershop/modules/ran.txt", "");
      export default { environments: { production: { url: "${service.url}", domain: "example.com" } } };`,
  });
  const hook = `--import ${pathToFileURL(project.path("observer.mjs")).href}`;
  const running = project.start(args, { LETTERSHOP_API_KEY: "a-key", NODE_OPTIONS: hook });
  const ended = await running.ended;
  expect([ended.code, existsSync(project.path(".lettershop/modules/ran.txt"))], ended.stderr).toEqual([code, true]);
  expect(existsSync(project.path("late.txt")) ? readFileSync(project.path("late.txt"), "utf8") : "").toBe("");
});
