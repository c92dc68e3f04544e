import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Bundle, bundleModule } from "../../src/process/bundle.js";
import { createModuleHost, type ModuleHost, type ModuleHostOptions } from "../../src/process/host.js";
import { Interruption } from "../../src/process/host.js";
import { ModuleError } from "../../src/process/module-error.js";
import type { Task, TaskContext } from "../../src/process/host.js";
import { install, makeFolder } from "./folder.js";

const tasks = new URL("./tasks.mjs", import.meta.url);

type CallDefault = (input: { bundle: Bundle; input?: unknown }, context: TaskContext) => Promise<unknown>;
const CALL_DEFAULT: Task<CallDefault> = { module: tasks, name: "callDefault" };

/** Shared by all tests that need no separate host, because each worker takes a while to start. */
let shared: ModuleHost;
let sharedFolder: string;
beforeAll(async () => {
  sharedFolder = await mkdtemp(path.join(tmpdir(), "lettershop-test-"));
  shared = createModuleHost({ cacheFolder: sharedFolder });
});
afterAll(async () => {
  await shared.close();
  await rm(sharedFolder, { recursive: true, force: true });
});

/** A project with one module, and a host to run it in; with options, a separate host. */
async function project(source: string, options?: Partial<ModuleHostOptions>) {
  const folder = await makeFolder({ "entry.ts": source });
  const host = options ? hostIn(folder, options) : shared;
  const file = path.join(folder, "entry.ts");
  const call = async (input?: unknown, timeoutMs = 60_000): Promise<unknown> =>
    host.run(CALL_DEFAULT, { bundle: await bundleModule(file), input }, { timeoutMs });
  return { folder, file, host, call };
}

function hostIn(folder: string, options: Partial<ModuleHostOptions> = {}): ModuleHost {
  const host = createModuleHost({ cacheFolder: path.join(folder, ".lettershop/modules"), ...options });
  onTestFinished(() => host.close());
  return host;
}

/** A module that works, to check that a host is intact. */
async function worksStill(host: ModuleHost): Promise<boolean> {
  const folder = await makeFolder({ "fine.ts": `export default () => "fine";` });
  return (await host.run(CALL_DEFAULT, { bundle: await bundleModule(path.join(folder, "fine.ts")) })) === "fine";
}

async function failure(running: Promise<unknown>): Promise<ModuleError> {
  const error: unknown = await running.then(
    () => "no error at all",
    (caught: unknown) => caught,
  );
  if (error instanceof ModuleError) return error;
  throw new Error("Expected a ModuleError", { cause: error });
}

describe("run", () => {
  test("returns a clone of the task's result", async () => {
    const { call } = await project(
      `export default (input: { n: number }) => ({ twice: input.n * 2, at: new Date(0) });`,
    );
    expect(await call({ n: 21 })).toEqual({ twice: 42, at: new Date(0) });
  });

  test("user code sees only the given variables", async () => {
    const env = { BRAND: "Acme", ABSENT: undefined, NODE_ENV: "development", NODE_OPTIONS: "--max-old-space-size=100" };
    const { call } = await project(`export default () => ({ ...process.env });`, { env });
    expect(await call()).toEqual({ BRAND: "Acme", NODE_ENV: "production" });
  });

  test("runs one after the other, and imports the same bundle once", async () => {
    const { file, host } = await project(`
      let calls = 0;
      export default async () => { const before = ++calls; await new Promise(setImmediate); return before === calls && calls; };`);
    const bundle = await bundleModule(file);
    const calls = [1, 2, 3].map(() => host.run(CALL_DEFAULT, { bundle }));
    expect(await Promise.all(calls)).toEqual([1, 2, 3]);
  });

  test("concurrent tasks end in their order, and move to another worker if one ends its worker", async () => {
    const { file, host } = await project(`
      let runs = 0;
      export default ({ does }: { does: string }) => {
        runs += 1;
        if (does === "exit") process.exit(1);
        if (does === "throw") throw new Error("Thrown.");
        if (does === "never") return new Promise(() => {});
        if (does === "linger") setInterval(() => {}, 1000);
        return runs;
      };
    `);
    const bundle = await bundleModule(file);
    const order: string[] = [];
    const started = ["go", "go", "exit", "go", "throw", "go", "linger", "go", "go", "never", "go", "go", "go"];
    const ended = await Promise.all(
      started.map(async (does) => {
        const options = { timeoutMs: does === "never" ? 300 : 60_000 };
        const running = host.run(CALL_DEFAULT, { bundle, input: { does } }, options);
        const outcome = await running.catch((error: Error) => error.message);
        order.push(does);
        return outcome;
      }),
    );
    const inEachWorker = [
      [1, 2, "process.exit(1) was called."],
      [1, "Thrown.", 3, 4],
      [1, 2, "entry.ts did not finish within 0.3 s."],
      [1, 2, 3],
    ];
    expect(ended).toEqual(inEachWorker.flat());
    expect(order).toEqual(started);
  });

  test("a worker whose builtins were changed is replaced, and the change is blamed for what it breaks", async () => {
    const { file, host } = await project(`
      export default ({ does }: { does: string }) => {
        if (does === "delete") delete (globalThis as { Map?: unknown }).Map;
        if (does === "replace") Object.keys = () => { throw new Error("No keys."); };
        if (does === "replace") Object.keys({});
        return typeof Map + Object.keys({ a: 1 });
      };
    `);
    const bundle = await bundleModule(file);
    const call = async (does: string): Promise<unknown> => host.run(CALL_DEFAULT, { bundle, input: { does } });
    const changed = failure(call("replace"));
    const [removed, after] = await Promise.all([call("delete"), call("go")]);
    expect(removed).toBe("undefineda");
    expect(after).toBe("functiona");
    expect((await changed).message).toBe("The code changes or removes Object.keys, which other code needs.");
    expect(await worksStill(host)).toBe(true);
  });

  test("an interrupted task is abandoned, and those behind it run in another worker", async () => {
    const { file, host } = await project(
      `export default ({ ends }: { ends: boolean }) => { while (!ends); return 1; };`,
    );
    const bundle = await bundleModule(file);
    const [first, ...others] = [false, true, true].map((ends) => host.run(CALL_DEFAULT, { bundle, input: { ends } }));
    const interrupted = expect(first).rejects.toThrow(Interruption);
    while (host.busyMs() < 100) await new Promise((resolve) => setTimeout(resolve, 10));
    host.interrupt();
    await interrupted;
    expect(await Promise.all(others)).toEqual([1, 1]);
    expect(host.busyMs()).toBe(0);
    host.interrupt();
    expect(await worksStill(host)).toBe(true);
  });

  test("tasks that alternate between time zones all run, each in its own", async () => {
    const { file, host } = await project("export default () => new Date(0).getHours();", {});
    const bundle = await bundleModule(file);
    const hours = { "Asia/Tokyo": 9, UTC: 0 };
    const zones = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? "Asia/Tokyo" : "UTC"));
    const results = zones.map((timeZone) =>
      host.run(CALL_DEFAULT, { bundle }, { place: { locale: "en-US", timeZone } }),
    );
    expect(await Promise.all(results)).toEqual(zones.map((zone) => hours[zone]));
  });

  test("a worker is replaced after five hundred tasks without losing any, so that memory doesn't grow", async () => {
    const { file, host } = await project(`let runs = 0; export default () => (runs += 1);`, {});
    const bundle = await bundleModule(file);
    const ended = await Promise.all(Array.from({ length: 510 }, () => host.run(CALL_DEFAULT, { bundle })));
    expect(ended.slice(498)).toEqual([499, 500, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("a value that can't be cloned is rejected, as argument or result, without side effects", async () => {
    const { call, host } = await project(`export default () => () => {};`);
    await expect(call(() => {})).rejects.toThrow("could not be cloned");
    await expect(call()).rejects.toThrow("could not be cloned");
    expect(await worksStill(host)).toBe(true);
  });

  test("leaves nothing in the cache folder", async () => {
    const { folder, host, call } = await project(`export default 1;`, {});
    await call();
    expect(await readdir(path.join(folder, ".lettershop/modules"))).toHaveLength(1);
    await host.close();
    expect(await readdir(path.join(folder, ".lettershop/modules"))).toEqual([]);
  });

  test("rejects after close, and when close interrupts it", async () => {
    const { host, call } = await project(`export default () => new Promise(() => {});`, {});
    const running = expect(call()).rejects.toThrow("closed");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await host.close();
    await running;
    await expect(call()).rejects.toThrow("closed");
  });

  test("the task and the component use the same React", async () => {
    const folder = await makeFolder({
      "package.json": "{}",
      "entry.tsx": `
        import { createContext, useContext, useState } from "react";
        const Name = createContext("nobody");
        const Hello = () => <p>{useContext(Name)} {useState(7)[0]}</p>;
        export default () => <Name.Provider value="Ada"><Hello /></Name.Provider>;`,
    });
    await install(folder, "react", "react-dom");
    const { resolve } = createRequire(path.join(folder, "entry.tsx"));
    const [react, server] = [resolve("react"), resolve("react-dom/server")].map((file) => pathToFileURL(file).href);
    const bundle = await bundleModule(path.join(folder, "entry.tsx"));
    const render: Task<(input: unknown) => Promise<string>> = { module: tasks, name: "renderDefault" };
    expect(await hostIn(folder).run(render, { bundle, react, server })).toBe("<p>Ada 7</p>");
  });
});

describe("a user's error is a ModuleError with its position", () => {
  test("thrown while loading", async () => {
    const { call, file, host } = await project(
      `interface Unused { a: 1 }\n\nconst x: Unused | undefined = undefined;\nexport default x!.a;`,
    );
    const { message, at } = await failure(call());
    expect(message).toBe("TypeError: Cannot read properties of undefined (reading 'a')");
    expect(at).toEqual({ file, line: 4, column: 19 });
    expect(await worksStill(host)).toBe(true);
  });

  test("thrown while loading, and the worker is kept", async () => {
    const counting = await project(`let calls = 0;\nexport default () => (calls += 1);`);
    const broken = await project(`throw new Error("broken");`);
    expect(await counting.call()).toBe(1);
    expect((await failure(broken.call())).message).toBe("broken");
    expect(await counting.call()).toBe(2);
  });

  test("thrown while running, in an imported module", async () => {
    const folder = await makeFolder({
      "entry.ts": `import { check } from "./lib/check";\nexport default (value: string) => check(value);`,
      "lib/check.ts": `type Text = string;\n\n\nexport function check(value: Text) {\n  if (value === "bad") throw new Error("too bad");\n  return value;\n}`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"));
    const { message, at } = await failure(shared.run(CALL_DEFAULT, { bundle, input: "bad" }));
    expect(message).toBe("too bad");
    expect(at).toEqual({ file: path.join(folder, "lib/check.ts"), line: 5, column: 30 });
  });

  test("thrown in code that a transform has moved", async () => {
    const folder = await makeFolder({
      "entry.ts": `const before = 1;\nexport default () => { throw new Error("moved"); };`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"), {
      transform({ code, edits }) {
        edits.prepend("const added = 0;\n\n\n");
        edits.appendLeft(code.indexOf("throw"), "added; ");
      },
    });
    const { at } = await failure(shared.run(CALL_DEFAULT, { bundle }));
    expect(at).toMatchObject({ file: path.join(folder, "entry.ts"), line: 2 });
    // rolldown before 1.3 maps the contents of a moved statement to the statement's start.
    expect([24, 30]).toContain(at.column);
  });

  test("in a package, called from the user's module", async () => {
    const folder = await makeFolder({
      "entry.ts": `import { fail } from "pkg";\n\nexport default () => fail();`,
      "node_modules/pkg/package.json": `{ "main": "index.js" }`,
      "node_modules/pkg/index.js": `exports.fail = () => { throw new Error("inside"); };`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"));
    const { at } = await failure(shared.run(CALL_DEFAULT, { bundle }));
    expect(at).toEqual({ file: path.join(folder, "entry.ts"), line: 3, column: 22 });
  });

  test.each(["with space", "#1", "50%20off"])("in a folder %s", async (name) => {
    const folder = await makeFolder({ "entry.ts": `\n  throw new Error("here");` }, name);
    const bundle = await bundleModule(path.join(folder, "entry.ts"));
    const { at } = await failure(shared.run(CALL_DEFAULT, { bundle }));
    expect(at).toEqual({ file: path.join(folder, "entry.ts"), line: 2, column: 9 });
  });

  test("a thrown value that isn't an Error", async () => {
    const { call, file } = await project(`export default () => { throw { reason: "none" }; };`);
    const { message, at } = await failure(call());
    expect(message).toBe("{ reason: 'none' } was thrown.");
    expect(at).toEqual({ file });
  });

  test("an Error without a message", async () => {
    const { call, file } = await project(
      `export default () => {\n  Error.prepareStackTrace = () => [];\n  throw new RangeError();\n};`,
      {}, // that of others keeps its stacks
    );
    const { message, at } = await failure(call());
    expect(message).toBe("RangeError was thrown, without a message.");
    expect(at).toEqual({ file });
  });

  test("a package that imports a missing one", async () => {
    const folder = await makeFolder({
      "entry.ts": `import gone from "pkg";\nexport default gone;`,
      "node_modules/pkg/package.json": `{ "main": "index.js" }`,
      "node_modules/pkg/index.js": `module.exports = require("gone/macro");`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"));
    const { message } = await failure(shared.run(CALL_DEFAULT, { bundle }));
    expect(message).toBe("Cannot find module 'gone/macro', which pkg needs.");
  });

  test("a name that a package doesn't export", async () => {
    const folder = await makeFolder({
      "entry.ts": `export default 1;\nimport {\n  there,\n  gone,\n} from "pkg";\nexport const all = [there, gone];`,
      "node_modules/pkg/package.json": `{ "type": "module", "exports": "./index.js" }`,
      "node_modules/pkg/index.js": `export const there = 1;`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"));
    const { message, at } = await failure(shared.run(CALL_DEFAULT, { bundle }));
    expect(message).toBe('pkg has no export "gone".');
    expect(at).toEqual({ file: path.join(folder, "entry.ts"), line: 4, column: 3 });
  });

  test("a name that a package exports with a different spelling", async () => {
    const folder = await makeFolder({
      "entry.ts": `import { Buton } from "pkg";\nexport default Buton;`,
      "node_modules/pkg/package.json": `{ "type": "module", "exports": "./index.js" }`,
      "node_modules/pkg/index.js": `export const Body = 1, Button = 2;`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"));
    const { message, hint } = await failure(shared.run(CALL_DEFAULT, { bundle }));
    expect(message).toBe('pkg has no export "Buton".');
    expect(hint).toBe("Did you mean Button?");
  });

  test("a dynamically imported package that is missing", async () => {
    const { call, file } = await project(`export default () => import("nowhere");`);
    const { message, at } = await failure(call());
    expect(message).toBe("Cannot find package 'nowhere'");
    expect(at).toMatchObject({ file, line: 1 });
  });

  test("a module whose path is computed at run time, without the path of its bundle", async () => {
    const { call, file } = await project('export default () => import(["./no", "where.js"].join(""));');
    const { message, hint, at } = await failure(call());
    expect(message).toBe("An import() with a computed path found no module.");
    expect(hint).toContain('import("./name.js")');
    expect(at).toMatchObject({ file, line: 1 });
  });

  test("positionOf returns where user code called from", async () => {
    const folder = await makeFolder({
      "entry.ts": `const asked = () => new Error();\n\nexport default () => {\n  return asked();\n};`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"));
    const where: Task<(input: { bundle: Bundle }) => Promise<unknown>> = { module: tasks, name: "whereIsDefault" };
    expect(await shared.run(where, { bundle })).toMatchObject({
      file: path.join(folder, "entry.ts"),
      line: 1,
    });
  });

  test("positionOf returns nothing for code of lettershop", async () => {
    const { host } = await project("");
    const broken: Task<(input: unknown) => unknown> = {
      module: new URL("../../dist/process/read-default-task.js", import.meta.url),
      name: "readDefaultExport",
    };
    const error: unknown = await host.run(broken, undefined).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ModuleError);
  });
});

describe("user code that would end the command", () => {
  test("ends the process, while loading or running", async () => {
    const { call, file, host } = await project(`export default () => {\n  process.exit(3);\n};`);
    const { message, at } = await failure(call());
    expect(message).toBe("process.exit(3) was called.");
    expect(at).toEqual({ file, line: 2, column: 11 });
    expect(await worksStill(host)).toBe(true);
  });

  test("rejects without a handler", async () => {
    const { call, file, host } = await project(
      `export default () => {\n  void Promise.reject(new Error("floating"));\n  return 1;\n};`,
    );
    const { message, at } = await failure(call());
    expect(message).toBe("floating");
    expect(at).toEqual({ file, line: 2, column: 23 });
    expect(await worksStill(host)).toBe(true);
  });

  test("throws in a timer", async () => {
    const { call, file, host } = await project(
      `export default async () => {\n  setTimeout(() => { throw new Error("timed"); }, 1);\n  await new Promise((r) => setTimeout(r, 50_000));\n};`,
    );
    const { message, at } = await failure(call());
    expect(message).toBe("timed");
    expect(at).toMatchObject({ file, line: 2 });
    expect(await worksStill(host)).toBe(true);
  });

  test.each([
    ["while loading", `for (;;);`],
    ["while running", `export default () => { for (;;); };`],
    ["by waiting forever", `export default () => new Promise(() => {});`],
  ])("never ends, %s", async (_, source) => {
    const { call, file, host } = await project(source);
    const { message, at, hint } = await failure(call(undefined, 100));
    expect(message).toBe("entry.ts did not finish within 0.1 s.");
    expect(at).toEqual({ file });
    expect(hint).toContain("endless loop");
    expect(await worksStill(host)).toBe(true);
  });

  test("what a task assumes to be loaded isn't the user's code", async () => {
    const { file, host } = await project(`export default () => "done";`);
    const slow: Task<CallDefault> = { module: new URL("./slow-tasks.mjs", import.meta.url), name: "callDefault" };
    const bundle = await bundleModule(file);
    expect(await host.run(slow, { bundle }, { timeoutMs: 900 })).toBe("done");
  });

  test("uses all memory", async () => {
    const { call, file, host } = await project(
      `export default () => { const all = []; for (;;) all.push(Array(100_000).fill(all)); };`,
      { memoryMb: 32 },
    );
    const { message, at } = await failure(call());
    expect(message).toBe("entry.ts used more than 32 MB of memory.");
    expect(at).toEqual({ file });
    expect(await worksStill(host)).toBe(true);
  });

  test.each(["Array.from({ length: 73_705_487 }, (_, index) => index / 3)", "new Array(2 ** 31).fill(0)"])(
    "needs more memory at once, which would end the process: %s",
    async (list) => {
      const { call, host } = await project(`export default () => ${list}.length;`);
      const { message } = await failure(call());
      expect(message).toMatch(/^RangeError: A list of [\d,]+ items is too long: 10,000,000 at most\.$/);
      expect(await worksStill(host)).toBe(true);
    },
  );

  test("uses the memory that earlier tasks left: it gets a worker of its own", async () => {
    const { call } = await project(
      `const kept: unknown[] = [];
      export default () => kept.push(Array(1_000_000).fill(kept));`,
      { memoryMb: 48 },
    );
    const kept = await Promise.all(Array.from({ length: 10 }, () => call()));
    expect(kept).toHaveLength(10);
    expect(kept.filter((count) => count === 1).length).toBeGreaterThan(1);
  });

  test("leaves something running: it ends with its worker, and the task succeeds", async () => {
    const { call, host } = await project(
      `export default () => { setTimeout(() => { throw new Error("too late"); }, 50); return "done"; };`,
    );
    expect(await call()).toBe("done");
    const patient = await makeFolder({
      "wait.ts": `export default () => new Promise((r) => setTimeout(r, 150, "undisturbed"));`,
    });
    const bundle = await bundleModule(path.join(patient, "wait.ts"));
    expect(await host.run(CALL_DEFAULT, { bundle })).toBe("undisturbed");
  });

  test("prints: nothing on the command's output, and at most 64 kB is kept", async () => {
    const printed: string[] = [];
    const { call } = await project(
      `export default (times: number) => {
        for (let i = 0; i < times; i++) console.log("x".repeat(999));
        console.error("é");
        return new Promise((resolve) => process.stdout.write("end", () => resolve("written")));
      };`,
      { onOutput: (text) => printed.push(text) },
    );
    expect(await call(1)).toBe("written");
    expect(printed.splice(0)).toEqual([`${"x".repeat(999)}\né\nend`]);
    expect(await call(100)).toBe("written");
    expect(printed.map((text) => text.length)).toEqual([64 * 1024]);
  });
});

/** Runs a module in a host, in a separate process, and returns the output of that process. */
async function command(source: string, after: string): Promise<{ stdout: string; stderr: string }> {
  const folder = await makeFolder({ "entry.ts": source });
  const modules = new URL("../../dist/process/", import.meta.url).href;
  const script = `
    const { bundleModule } = await import("${modules}bundle.js");
    const { createModuleHost } = await import("${modules}host.js");
    const host = createModuleHost({ cacheFolder: ${JSON.stringify(path.join(folder, ".cache"))} });
    const bundle = await bundleModule(${JSON.stringify(path.join(folder, "entry.ts"))});
    const result = await host.run({ module: new URL("${tasks.href}"), name: "callDefault" }, { bundle });
    ${after}`;
  return promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
}

describe("the command", () => {
  test("survives a gigabyte of output with little memory, and ends by itself if the host isn't closed", async () => {
    const flood = `const line = "x".repeat(2 ** 20);\nexport default () => { for (let i = 0; i < 1000; i++) process.stdout.write(line); return "done"; };`;
    const { stdout, stderr } = await command(
      flood,
      // Not maxRSS: on Linux a process starts with the peak of its parent.
      `console.log(JSON.stringify([result, process.memoryUsage().rss / 2 ** 20]));`,
    );
    const [result, megabytes] = JSON.parse(stdout);
    expect(result).toBe("done");
    // If the output were kept, it would be more than a thousand.
    expect(megabytes).toBeLessThan(700);
    expect(stderr).toBe("");
  });
});
