import { spawn } from "node:child_process";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { onTestFinished } from "vitest";
import { repository, write } from "../registry/templates.js";

export interface Application {
  readonly files: Readonly<Record<string, string>>;
  /** Packages of this repository that it also has installed. */
  readonly packages?: readonly string[];
  readonly compilerOptions?: object;
}

/** Writes an application with a guide's code to a folder. TypeScript compiles `src` to `out`. */
export async function writeApplication(
  folder: string,
  { files, packages = [], compilerOptions }: Application,
): Promise<void> {
  const link = (target: string, name: string) =>
    symlink(path.join(repository, target), path.join(folder, "node_modules", name), "junction");
  await link("", "lettershop");
  for (const name of ["@types", ...packages]) await link(`node_modules/${name}`, name);
  await write(folder, {
    ...files,
    "package.json": JSON.stringify({ name: "application", private: true, type: "module" }),
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "ES2023",
        module: "NodeNext",
        strict: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        types: ["node"],
        rootDir: "src",
        outDir: "out",
        ...compilerOptions,
      },
      include: ["src", "test"],
    }),
  });
}

/** Runs a compiled file of an application while this process keeps responding to it. */
export async function run(
  folder: string,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number | null; printed: string }> {
  const child = spawn(process.execPath, [path.join(folder, file)], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { status, printed };
}
