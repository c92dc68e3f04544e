import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../src/api/client.js";
import { startService } from "../src/service/index.js";
import { removeFolder } from "./remove-folder.js";

const repository = fileURLToPath(new URL("..", import.meta.url));

/** What `npm start` runs after building, in a copy of the repository whose path contains a space. */
function copyOfRepository(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "letter shop-"));
  onTestFinished(() => removeFolder(folder));
  for (const name of ["package.json", "lettershop.config.ts", "templates", "scripts"])
    cpSync(path.join(repository, name), path.join(folder, name), { recursive: true });
  cpSync(path.join(repository, "examples/shop"), path.join(folder, "examples/shop"), {
    recursive: true,
    filter: (file) => path.basename(file) !== "dist",
  });
  for (const name of ["dist", "node_modules"])
    symlinkSync(path.join(repository, name), path.join(folder, name), "junction");
  return folder;
}

/** Runs it until it has shown everything, calls the callback, then ends it as Ctrl-C does. */
async function start(
  folder: string,
  look: (printed: string) => Promise<void>,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const { PATH = "", HOME = "", SystemRoot = "" } = process.env;
  const child = spawn(process.execPath, [path.join(folder, "scripts/start.mjs")], {
    cwd: folder,
    env: { PATH, HOME, SystemRoot },
    detached: true,
  });
  onTestFinished(() => killGroup(child));
  let printed = "";
  const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
  const shown = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        if (printed.includes("Press Ctrl-C")) resolve();
      });
    }
  });
  await Promise.race([shown, ended.then((code) => Promise.reject(new Error(`Ended with ${code}:\n${printed}`)))]);
  await look(printed);
  pressCtrlC(child);
  return { code: await ended, printed };
}

/** Whatever fails, no local service keeps running. */
function killGroup(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
}

/** A terminal sends Ctrl-C to the whole group, so the local service receives it twice: from there and from its parent. */
function pressCtrlC(child: ChildProcess): void {
  if (process.platform === "win32" || child.pid === undefined) child.kill("SIGINT");
  else process.kill(-child.pid, "SIGINT");
}

/** Whether the local service shut down properly: then it removed its process id from the file. */
function endedInOrder(folder: string): boolean {
  return !("pid" in JSON.parse(readFileSync(path.join(folder, ".lettershop/service.json"), "utf8")));
}

it("npm start takes template files to received email, and keeps its data, even if another process uses the default port", async () => {
  const folder = copyOfRepository();
  const squatter = createServer().listen(4680, "127.0.0.1");
  onTestFinished(() => void squatter.close());
  // Another process may have the port already, and free it at any time.
  const isTaken = await new Promise<boolean>(
    (resolve) => void squatter.once("listening", () => resolve(true)).once("error", () => resolve(false)),
  );

  const idOf = (printed: string) => /^receipt +id (\S+) +message id <\S+>$/m.exec(printed)?.[1] ?? "none";
  const filesOf = (id: string) =>
    readdirSync(path.join(folder, ".lettershop/mail"))
      .filter((file) => file.startsWith(id))
      .map((file) => path.extname(file))
      .toSorted();

  const first = await start(folder, async (printed) => {
    const url = /captured mail: (\S+)/.exec(printed)?.[1] ?? "";
    expect(isTaken && new URL(url).port === "4680").toBe(false);
    const captured = await (await fetch(new URL("/local/mails?newest=10", url))).text();
    expect(captured).toContain("Your Fernhill receipt FH-10482");
    expect(captured).toContain("Reset your Fernhill password");
    // Data that was not written when the service ends is written when it runs again.
    await expect.poll(() => filesOf(idOf(printed))).toEqual([".eml", ".html", ".txt"]);
  });
  expect(first.code).toBe(0);
  expect(endedInOrder(folder)).toBe(true);
  expect(first.printed).toContain("6 of 6 applied.");
  const id = idOf(first.printed);
  expect(first.printed).toMatch(
    new RegExp(`DELIVERED +ada@okafor\\.example +Your Fernhill receipt FH-10482 +${id.replaceAll(".", "\\.")}`),
  );
  expect(readFileSync(path.join(folder, ".lettershop/mail", `${id}.txt`), "utf8")).toContain("Total: £165.60");

  const service = await startService({ data: path.join(folder, ".lettershop"), port: 0 });
  onTestFinished(() => service.close());
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  onTestFinished(() => client.close());
  expect(await client.templates.list(service.domain)).toHaveLength(6);
  expect(service.mail.list().map((mail) => mail.id)).toContain(id);
  await service.close();
  if (process.env["MODE"] !== "long") return;
  const second = await start(folder, async () => undefined);
  expect(second.code).toBe(0);
  expect(endedInOrder(folder)).toBe(true);
  // The port differs, and with it the URLs of images: templates are updated, and none is created.
  expect(first.printed).toMatch(/^\+ /m);
  expect(second.printed).not.toMatch(/^\+ /m);
});
