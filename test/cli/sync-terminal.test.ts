import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";
import { environments, syncService } from "./sync-service.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const hasTerminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** Runs `templates` on a new terminal and types as soon as it has printed the expected text. */
function onTerminal(
  project: TestProject,
  args: string,
  { env, until, type }: { env: Readonly<Record<string, string>>; until: string; type: string },
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const command = `"${process.execPath}" "${main}" ${args}`;
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(
    "script",
    ["--quiet", "--return", "--command", command, path.join(project.folder, "typescript")],
    {
      cwd: project.folder,
      env: { PATH, HOME, TERM: "xterm", SHELL: "/bin/sh", ...env },
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  let isTyped = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (isTyped || !printed.includes(until)) return;
    isTyped = true;
    child.stdin.write(type);
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, printed })));
}

it.runIf(hasTerminals)("Ctrl-C at a question exits with 130 and changes nothing", async () => {
  const { url, env, edit, stored } = await syncService();
  const project = new TestProject({ ...environments(url), ...htmlTemplate("one"), ...htmlTemplate("two") });
  await project.run(["sync"], env);
  await edit("one", { subject: "Edited" });
  await edit("two", { subject: "Edited" });
  const { code, printed } = await onTerminal(project, "sync", { env, until: "[y/N] ", type: "\u0003" });
  expect(printed.split("[y/N]")).toHaveLength(2);
  expect(printed).toContain("Interrupted before anything was changed.");
  expect(code).toBe(130);
  expect(await stored()).toMatchObject({ one: { subject: "Edited" }, two: { subject: "Edited" } });
});
