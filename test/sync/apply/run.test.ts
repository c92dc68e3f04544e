import { type ChildProcess, execFile, spawn } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { StoredTemplate } from "../../../src/api/contract/v4/templates.js";
import { openRun, readWritten } from "../../../src/sync/index.js";
import { RunHeldError, RunLostError } from "../../../src/sync/apply/run-lock.js";
import { temporaryFolder } from "./machine.js";

const target = "https://api.example.com example.com";

test("refuses a second run, and names the one in its way", async () => {
  const folder = await temporaryFolder();
  const run = await openRun({ folder, target });
  const error: unknown = await openRun({ folder, target }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RunHeldError);
  expect(error).toMatchObject({ code: "run_held", hint: expect.stringContaining("--wait") });
  expect(String(error)).toContain(`process ${process.pid} on ${hostname()}, since 20`);
  await run.close();
  await (await openRun({ folder, target })).close();
});

test("leaves nothing behind after a run that changes nothing", async () => {
  const folder = await temporaryFolder();
  await (await openRun({ folder, target })).close();
  expect(await readdir(folder)).toEqual([]);
});

test("makes a second run wait for the first one's end", async () => {
  const folder = await temporaryFolder();
  const first = await openRun({ folder, target });
  const events: unknown[] = [];
  const second = openRun({ folder, target, wait: true, onEvent: (event) => events.push(event) });
  await expect.poll(() => events).toMatchObject([{ kind: "held", holder: { pid: process.pid } }]);
  await first.close();
  await (await second).close();
});

test("ends the wait at a signal", async () => {
  const folder = await temporaryFolder();
  const first = await openRun({ folder, target });
  const controller = new AbortController();
  const second = openRun({ folder, target, wait: true, signal: controller.signal });
  controller.abort();
  await expect(second).rejects.toMatchObject({ name: "AbortError" });
  await first.close();
});

test("runs many concurrent runs one after the other", async () => {
  const folder = await temporaryFolder();
  let under = 0;
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const run = await openRun({ folder, target, wait: true });
      under += 1;
      expect(under).toBe(1);
      order.push(i);
      await run.begin({ begin: 0, kind: "delete", name: "a" });
      under -= 1;
      await run.close();
    }),
  );
  expect(new Set(order)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

test("takes over at once what a killed process left", async () => {
  const folder = await temporaryFolder();
  const child = holder();
  await writeRunning(folder, { pid: child.pid ?? 0 });
  await expect(openRun({ folder, target })).rejects.toBeInstanceOf(RunHeldError);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  await (await openRun({ folder, target })).close();
});

test("distinguishes another process with the same number from the dead one", async () => {
  const folder = await temporaryFolder();
  if (process.platform === "linux") {
    await writeRunning(folder, { pid: process.pid, born: "an earlier boot 1" });
    await (await openRun({ folder, target })).close();
  }
  // If the system tells nothing, the missing heartbeat does.
  await writeRunning(folder, { pid: process.pid, host: "elsewhere" });
  await expect(openRun({ folder, target })).rejects.toBeInstanceOf(RunHeldError);
  await age(folder, 31_000);
  await (await openRun({ folder, target })).close();
});

test("is not blocked for long by an incompletely written file", async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, "running.json"), '{"pid":');
  await age(folder, 3_000);
  await (await openRun({ folder, target })).close();
});

test("lets only one continue if many take over at once", async () => {
  const folder = await temporaryFolder();
  await writeRunning(folder, { pid: 0x3fffffff });
  const runs = await Promise.allSettled(Array.from({ length: 8 }, async () => openRun({ folder, target })));
  const opened = runs.flatMap((run) => (run.status === "fulfilled" ? [run.value] : []));
  const begun = await Promise.allSettled(opened.map(async (run) => run.begin({ begin: 0, kind: "delete", name: "a" })));
  expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await Promise.all(opened.map(async (run) => run.close()));
});

test("writes nothing more in a run that was considered dead", async () => {
  const folder = await temporaryFolder();
  const first = await openRun({ folder, target });
  await age(folder, 31_000);
  const second = await openRun({ folder, target });
  await expect(first.begin({ begin: 0, kind: "delete", name: "a" })).rejects.toBeInstanceOf(RunLostError);
  await first.close();
  await second.begin({ begin: 0, kind: "delete", name: "a" });
  await second.close();
  expect(await readdir(folder)).toEqual(["runs"]);
});

test("records in the journal what was written, or may have been", async () => {
  const folder = await temporaryFolder();
  const first = await openRun({ folder, target });
  await first.begin({ begin: 0, kind: "create", name: "a", hash: "AAAAAAAAAA" });
  await first.end({ end: 0, effect: "done", stored: "SSSSSSSSSS" });
  await first.begin({ begin: 1, kind: "update", name: "b", hash: "BBBBBBBBBB", base: "0000000000" });
  await first.begin({ begin: 2, kind: "update", name: "c", hash: "CCCCCCCCCC", base: "0000000000" });
  await first.end({ end: 2, effect: "none" });
  await first.begin({ begin: 3, kind: "rename", name: "d", to: "e", hash: "DDDDDDDDDD", base: "0000000000" });
  await first.end({ end: 3, effect: "unknown" });
  await first.close();
  const [a, b, e] = [
    [{ hash: "AAAAAAAAAA", stored: "SSSSSSSSSS", isKnown: true }],
    [{ hash: "BBBBBBBBBB", isKnown: false }],
    [{ hash: "DDDDDDDDDD", isKnown: false }],
  ];
  expect(Object.fromEntries(await readWritten(folder, target))).toEqual({ a, b, c: [], e });
  expect((await readWritten(folder, "https://elsewhere.example example.com")).size).toBe(0);

  const second = await openRun({ folder, target });
  await second.begin({ begin: 0, kind: "update", name: "b", hash: "FFFFFFFFFF", base: "BBBBBBBBBB" });
  expect((await readWritten(folder, target)).get("b")).toEqual([...(b ?? []), { hash: "FFFFFFFFFF", isKnown: false }]);
  await second.end({ end: 0, effect: "done" });
  expect((await readWritten(folder, target)).get("b")).toEqual([{ hash: "FFFFFFFFFF", isKnown: true }]);
  await second.settled();
  await second.close();
  expect((await readWritten(folder, target)).has("b")).toBe(false);
  expect((await readWritten(folder, target)).get("e")).toEqual(e);
});

test.runIf(process.platform === "linux")("ends a run normally even if the disk has no room to record it", async () => {
  const script = `
    import { openRun } from ${JSON.stringify(new URL("../../../dist/sync/index.js", import.meta.url).href)};
    const run = await openRun({ folder: process.argv[1], target: "t" });
    const fill = async (begin) => {
      await run.begin({ begin, kind: "create", name: "a" });
      await fill(begin + 1);
    };
    await fill(0).catch(({ code }) => console.log(code));
    await run.settled();
    await run.close();
    console.log("settled");
  `;
  const node = [process.execPath, "--input-type=module", "--eval", script, await temporaryFolder()];
  const { stdout } = await promisify(execFile)("bash", ["-c", 'ulimit -f 1; exec "$@"', "bash", ...node]);
  expect(stdout).toBe("EFBIG\nsettled\n");
});

test("reads a journal that was cut at any character as far as it goes", async () => {
  const folder = await temporaryFolder();
  const run = await openRun({ folder, target });
  await run.begin({ begin: 0, kind: "update", name: "a", hash: "AAAAAAAAAA", base: "0000000000" });
  await run.end({ end: 0, effect: "done" });
  await run.close();
  const [time = ""] = await readdir(path.join(folder, "runs"));
  const file = path.join(folder, "runs", time, "journal.jsonl");
  const whole = await readFile(file, "utf8");
  const begun = whole.indexOf("\n", whole.indexOf("begin")) + 1;
  for (let end = 0; end < whole.length; end += 1) {
    await writeFile(file, whole.slice(0, end));
    const written = (await readWritten(folder, target)).get("a");
    // A line that only lacks its end is complete.
    if (end >= begun && end < whole.length - 1) expect(written).toEqual([{ hash: "AAAAAAAAAA", isKnown: false }]);
    if (end < begun - 1) expect(written).toBeUndefined();
  }
  await appendFile(file, "no json\n[]\nnull\n");
  await expect(readWritten(folder, target)).resolves.toBeDefined();
});

test("has all lines of concurrent operations", async () => {
  const folder = await temporaryFolder();
  const run = await openRun({ folder, target });
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      await run.begin({ begin: i, kind: "create", name: `t${i}`, hash: "AAAAAAAAAA" });
      await run.end({ end: i, effect: "done" });
    }),
  );
  await run.close();
  expect((await readWritten(folder, target)).size).toBe(50);
});

test("can save every name on every system, and what is saved twice is there twice", async () => {
  const folder = await temporaryFolder();
  const run = await openRun({ folder, target });
  expect(run.backups).toBeUndefined();
  const names = ["con", "nul", "com1", "n".repeat(250), "a", "../up", "x/y", "Ä", "x".repeat(400)];
  for (const name of names) await run.save(template(name, "first"));
  await run.save(template("a", "second"));
  await run.save(template("a", "third"));
  await run.close();
  const folderOfRun = run.backups ?? "";
  expect(folderOfRun.startsWith(path.join(folder, "runs"))).toBe(true);
  const files = await readdir(folderOfRun, { recursive: true });
  const saved = files.filter((file) => file.endsWith(".json"));
  expect(saved).toHaveLength(names.length + 2);
  for (const file of saved) {
    expect(path.basename(file)).toMatch(/^(?!(con|nul|com1)\.)[a-z0-9_-]+\.json$/);
    expect(path.basename(file).length).toBeLessThanOrEqual(255);
  }
  const subjects = await Promise.all(
    saved
      .filter((file) => path.basename(file) === "a.json")
      .map(async (file) => {
        const { subject }: StoredTemplate = JSON.parse(await readFile(path.join(folderOfRun, file), "utf8"));
        return subject;
      }),
  );
  expect(subjects.toSorted()).toEqual(["first", "second", "third"]);
});

test("keeps the newest fifty runs in order, even if the clock was set back", async () => {
  const folder = await temporaryFolder();
  for (let i = 0; i < 60; i += 1)
    await mkdir(path.join(folder, "runs", `2999-01-01T00-00-00.0${String(i).padStart(2, "0")}Z`), { recursive: true });
  const run = await openRun({ folder, target });
  await run.begin({ begin: 0, kind: "delete", name: "a" });
  await run.close();
  const runs = (await readdir(path.join(folder, "runs"))).toSorted();
  expect(runs).toHaveLength(50);
  expect(runs[0]).toBe("2999-01-01T00-00-00.011Z");
  expect(await readdir(path.join(folder, "runs", runs.at(-1) ?? ""))).toEqual(["journal.jsonl"]);
});

/** A process that does nothing. */
function holder(): ChildProcess {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function writeRunning(folder: string, entry: object): Promise<void> {
  const whole = { host: hostname(), since: "2026-11-20T10:00:00.000Z", token: "of another", ...entry };
  await writeFile(path.join(folder, "running.json"), JSON.stringify(whole));
}

/** As if it had not been touched for this long. */
async function age(folder: string, milliseconds: number): Promise<void> {
  const then = new Date(Date.now() - milliseconds);
  await utimes(path.join(folder, "running.json"), then, then);
}

function template(name: string, subject: string): StoredTemplate {
  const at = "2026-11-20T10:00:00Z";
  return { name, subject, description: "", html_body: "", text_body: "", created_at: at, updated_at: at };
}
