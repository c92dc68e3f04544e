import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ConfigurationError } from "../../errors.js";
import { VERSION } from "../../version.js";
import { randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { upwards } from "../../files.js";
import { isRecord } from "../../values.js";

const lockfiles = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
] as const;

/** The package manager whose lockfile is in the folder or a parent; npm if there is none. */
export function packageManager(folder: string): string {
  for (const each of upwards(folder)) {
    const lockfile = lockfiles.find(([file]) => existsSync(path.join(each, file)));
    if (lockfile !== undefined) return lockfile[1];
  }
  return "npm";
}

/** Runs the package manager's install, with its output on standard error. Returns whether it succeeded. */
export async function installPackages(folder: string, manager: string): Promise<boolean> {
  const child = spawn(manager, ["install"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

interface Wanted {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: ReadonlyMap<string, string>;
  readonly devDependencies: ReadonlyMap<string, string>;
}

/**
 * Adds scripts and dependencies to a folder's package.json, without changing existing entries. Creates the file if necessary.
 *
 * @returns The names of the added packages.
 */
export async function extendPackageJson(folder: string, wanted: Wanted): Promise<string[]> {
  const file = path.join(folder, "package.json");
  const manifest = await readManifest(file, folder);
  const added: string[] = [];
  const has = (name: string): boolean =>
    ["dependencies", "devDependencies", "peerDependencies"].some((kind) => name in section(manifest, kind));
  for (const [kind, packages] of [
    ["dependencies", wanted.dependencies],
    ["devDependencies", wanted.devDependencies],
  ] as const) {
    const missing = [...packages].filter(([name]) => !has(name));
    if (missing.length === 0) continue;
    added.push(...missing.map(([name]) => name));
    manifest[kind] = Object.fromEntries(
      Object.entries({ ...section(manifest, kind), ...Object.fromEntries(missing) }).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      ),
    );
  }
  manifest["scripts"] = { ...wanted.scripts, ...section(manifest, "scripts") };
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return added;
}

/** The version range of lettershop for the project's dependencies. */
export const ownRange = `^${VERSION}`;

async function readManifest(file: string, folder: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    const name = path
      .basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^[._-]+|-+$/g, "");
    return { name: name === "" ? "emails" : name, private: true, type: "module" };
  }
  const manifest: unknown = parse(text, file);
  if (!isRecord(manifest)) throw new ConfigurationError(`${file} must be a JSON object.`);
  return { ...manifest };
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(`${file} is not valid JSON.`, {
      cause: error,
      hint: "Fix it and run `templates init` again.",
    });
  }
}

function section(manifest: Readonly<Record<string, unknown>>, kind: string): Record<string, unknown> {
  const value = manifest[kind];
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Maximum length of the name in the marker, which takes space from templates' descriptions. */
const NAME_MAX = 30;

/** The configuration that `init` writes, with a marker that is unique even among projects of the same name. */
export function configFile(name: string): string {
  const own = name
    .toLowerCase()
    .replace(/^@[^/]*\//, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, NAME_MAX)
    .replace(/^-|-$/g, "");
  return `import { defineConfig } from "lettershop/config";

export default defineConfig({
  defaultEnvironment: "local",
  // Marks this project's templates on the service, so that other projects don't overwrite or delete them. Never change it.
  sync: { marker: "lettershop ${own === "" ? "" : `${own}-`}${randomBytes(3).toString("hex")}" },
  environments: {
    // production: {
    //   url: "https://api.example.com",
    //   domain: "mail.example.com",
    //   keyVariable: "LETTERSHOP_API_KEY",
    //   assets: { baseUrl: "https://assets.example.com/email" },
    // },
  },
});
`;
}

/**
 * Files that open the preview on double-click, for users without terminal experience. On first use they install the project's
 * dependencies, but never a package that the project does not declare (`--no`).
 */
export function launchers(manager: string): ReadonlyMap<string, string> {
  const install = manager === "npm" ? "npm install" : `npx --yes ${manager} install`;
  return new Map([
    [FOR_MACOS, forMacos(install)],
    [FOR_WINDOWS, forWindows(install).replaceAll("\n", "\r\n")],
  ]);
}

const FOR_MACOS = "Preview.command";
const FOR_WINDOWS = "Preview.cmd";

export function isLauncher(file: string): boolean {
  return file.endsWith(FOR_MACOS) || file.endsWith(FOR_WINDOWS);
}

/** macOS only opens the file if it is executable. */
export function isForMacos(file: string): boolean {
  return file.endsWith(FOR_MACOS);
}

const NO_NODE = "Node.js is not installed. Install it from https://nodejs.org, then open this file again.";
const INSTALLING = "Installing what the preview needs. This happens only the first time and takes about a minute.";
const FAILED = "Something went wrong. Send the text above to a developer.";

const forMacos = (install: string): string => `#!/bin/sh
# Opens the preview of this folder's emails. Close the window to stop it.
cd "$(dirname "$0")" || exit 1

if ! command -v node >/dev/null 2>&1; then
  echo "${NO_NODE}"
  open https://nodejs.org/en/download 2>/dev/null
  exit 1
fi

if ! npm exec --no -- templates --help >/dev/null 2>&1; then
  echo "${INSTALLING}"
  ${install} || { echo "${FAILED}"; exit 1; }
fi

npm exec --no -- templates preview --open || { echo "${FAILED}"; exit 1; }
`;

const forWindows = (install: string): string => `@echo off
rem Opens the preview of this folder's emails. Close the window to stop it.
cd /d "%~dp0"

where node >nul 2>nul
if errorlevel 1 (
  echo ${NO_NODE}
  start "" https://nodejs.org/en/download
  pause
  exit /b 1
)

call npm exec --no -- templates --help >nul 2>nul
if errorlevel 1 (
  echo ${INSTALLING}
  call ${install}
  if errorlevel 1 (
    echo ${FAILED}
    pause
    exit /b 1
  )
)

call npm exec --no -- templates preview --open
if errorlevel 1 (
  echo ${FAILED}
  pause
  exit /b 1
)
`;
