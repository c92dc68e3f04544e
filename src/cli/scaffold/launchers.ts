/**
 * Files that open the preview by a double click, for who has never used a terminal. They install what is missing, the
 * first time, and never anything that the project does not name (`--no`).
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

/** It opens only if it may be executed. */
export function isForMacos(file: string): boolean {
  return file.endsWith(FOR_MACOS);
}

const NO_NODE = "Node.js is not installed. Install it from https://nodejs.org, then open this file again.";
const INSTALLING = "Installing what the preview needs. Only the first time; it takes a minute.";
const FAILED = "That did not work. Send what stands above to one of the developers.";

const forMacos = (install: string): string => `#!/bin/sh
# Opens the preview of this folder's emails. Closing the window ends it.
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
rem Opens the preview of this folder's emails. Closing the window ends it.
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
