import { createRequire } from "node:module";
import path from "node:path";
import type { Engine } from "../../template/template.js";
import { packageManifest } from "../manifest.js";

/** What a project needs besides lettershop, by the bodies that it has. */
const ofEngine: Readonly<Record<Engine, readonly string[]>> = {
  mjml: ["mjml"],
  react: ["react", "react-dom", "@types/react"],
  html: [],
};

/** Many React templates are made of these; others of `react-email`, or of their own. */
const COMPONENTS = "@react-email/components";

/** Packages that are no peers of ours: the versions that the starters are written for. */
const ofTemplates: Readonly<Record<string, string>> = {
  [COMPONENTS]: "^1.0.12",
  "@types/react": "^19.0.0",
};

const SQLITE = "@photostructure/sqlite";

/**
 * The packages that a project's templates need to be built.
 *
 * @param sources The texts of their files, which may import more.
 * @example
 * neededPeers(["mjml"], [body]); // Map { "rolldown" => "^1.3.2", "mjml" => "^5.4.1" }
 */
export function neededPeers(
  engines: readonly Engine[],
  sources: Iterable<string | Buffer>,
): ReadonlyMap<string, string> {
  const names = [`"${COMPONENTS}"`, `'${COMPONENTS}'`];
  const isImported = [...sources].some((source) => names.some((name) => source.includes(name)));
  return withVersions([
    "rolldown",
    ...engines.flatMap((engine) => ofEngine[engine]),
    ...(isImported ? [COMPONENTS] : []),
  ]);
}

/** The packages that this Node needs where an application runs: a mailer's store is a database. */
export function runtimePeers(nodeVersion: string = process.versions.node): ReadonlyMap<string, string> {
  return withVersions(hasSqlite(nodeVersion) ? [] : [SQLITE]);
}

function withVersions(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    [...new Set(names)].map((name) => [name, packageManifest.peerDependencies[name] ?? ofTemplates[name] ?? "*"]),
  );
}

/** The command that installs them, each where it belongs. */
export function installCommand(packages: readonly string[]): string {
  const lines = [
    ["npm install", packages.filter((name) => name === SQLITE)],
    ["npm install --save-dev", packages.filter((name) => name !== SQLITE)],
  ] as const;
  return lines.flatMap(([command, names]) => (names.length === 0 ? [] : `${command} ${names.join(" ")}`)).join(" && ");
}

/** Those of them that the project cannot find. */
export function missingPeers(folder: string, engines: readonly Engine[], sources: Iterable<string | Buffer>): string[] {
  return missingPackages(folder, [...runtimePeers().keys(), ...neededPeers(engines, sources).keys()]);
}

/** Those of some packages that a project cannot find. */
export function missingPackages(folder: string, names: readonly string[]): string[] {
  const { resolve } = createRequire(path.join(folder, "package.json"));
  return names.filter((name) => {
    try {
      resolve(`${name}/package.json`);
      return false;
    } catch (error) {
      // A package that does not export its package.json is there all the same.
      return error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
    }
  });
}

/** `node:sqlite` is there without a flag since 22.13. */
function hasSqlite(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}
