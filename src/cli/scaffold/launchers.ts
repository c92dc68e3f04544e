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
