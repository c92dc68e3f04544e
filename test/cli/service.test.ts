import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TestProject } from "./project.js";

const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

test.each([
  ["a file", "service.db", "it is a file, not a folder"],
  ["a folder with another service.db", ".", "is not a database of the local service"],
])("service: %s as its data is wrong usage, and says what to do", async (_, data, reason) => {
  const project = new TestProject({ "service.db": "no database ".repeat(1_000) });
  const { code, stderr } = await project.run(["service", "--port", "0", "--data", data]);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain("Choose another folder with --data");
  expect(stderr).not.toContain("    at ");
});

test.runIf(process.platform === "linux").each(["/proc/lettershop", "/proc/lettershop/deeper", "/dev/null/data"])(
  "service: %s cannot be created, which is said at once and is wrong usage",
  async (data) => {
    const { code, stderr } = await new TestProject().run(["service", "--port", "0", "--data", data]);
    expect(code).toBe(2);
    expect(stderr).toContain(`The data folder ${data} cannot be used: `);
    expect(stderr).toContain("Choose another folder with --data");
    expect(stderr).not.toContain("    at ");
  },
);

/** Runs a shell script in which `mount` changes what this script alone sees. */
function withMounts(script: string, folder: string) {
  const { status, stderr } = spawnSync("unshare", ["-rm", "sh", "-c", script], {
    encoding: "utf8",
    env: { ...process.env, FOLDER: folder, COMMAND: command, NODE: process.execPath },
  });
  return { status, stderr };
}

const canMount =
  withMounts('mount -t tmpfs tmpfs "$FOLDER"', fileURLToPath(new URL(".", import.meta.url))).status === 0;

test.runIf(canMount).each([
  ["missing", "a read-only disk", "mount -o remount,ro"],
  ["there", "a read-only disk", "mount -o remount,ro"],
  ["missing", "disk is full|disk may be full", "mount -o remount,size=4k"],
])("service: a data folder that is %s on a disk that cannot be written is wrong usage: %s", (data, reason, remount) => {
  const { folder } = new TestProject();
  const script = `
    mount -t tmpfs tmpfs "$FOLDER" && mkdir "$FOLDER/there" && ${remount} "$FOLDER" &&
    exec "$NODE" "$COMMAND" service --port 0 --cwd / --data "$FOLDER/${data}"`;
  const { status, stderr } = withMounts(script, folder);
  expect(stderr).toMatch(new RegExp(`cannot be used: .*(?:${reason})`));
  expect(stderr).toContain("Choose another folder with --data");
  expect(stderr).not.toContain("    at ");
  expect(status).toBe(2);
});

test("service: what it keeps in a folder without a project stays out of git; a folder of one's own is left as it is", async () => {
  const project = new TestProject();
  project.remove("package.json");
  project.git("init", "--quiet");
  project.write({ ".git/info/exclude": "node_modules\n" });
  for (const args of [[], ["--data", "kept"]]) {
    const service = project.start(["service", "--port", "0", ...args]);
    await service.printed("Local service at");
    service.kill("SIGINT");
    await service.ended;
  }
  expect(project.git("status", "--short").trim()).toBe("?? kept/");
});
