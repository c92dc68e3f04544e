import { createRequire } from "node:module";
import path from "node:path";
import type { Engine } from "../../project/template.js";

interface PackageManifest {
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** lettershop's own package.json. */
export const packageManifest: PackageManifest = createRequire(import.meta.url)("../../../package.json");

/** The packages that a project needs in addition to lettershop, by kind of body. */
const ofEngine: Readonly<Record<Engine, readonly string[]>> = {
  mjml: ["mjml"],
  react: ["react", "react-dom", "@types/react"],
  html: [],
};

/** Used by many React templates, but not by those that use `react-email` or their own components. */
const COMPONENTS = "@react-email/components";

/** Version ranges of packages that are not peer dependencies: those that the starters are written for. */
const ofTemplates: Readonly<Record<string, string>> = {
  [COMPONENTS]: "^1.0.12",
  "@types/react": "^19.0.0",
};

const SQLITE = "@photostructure/sqlite";

/**
 * The packages that a project's templates need to be built.
 *
 * @param sources The contents of the templates' files, which may import further packages.
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

/** The packages that an application needs on this version of Node: a mailer's store is an SQLite database. */
export function runtimePeers(nodeVersion: string = process.versions.node): ReadonlyMap<string, string> {
  return withVersions(hasSqlite(nodeVersion) ? [] : [SQLITE]);
}

function withVersions(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    [...new Set(names)].map((name) => [name, packageManifest.peerDependencies[name] ?? ofTemplates[name] ?? "*"]),
  );
}

/** The command that installs these packages, as dependencies or dev dependencies. */
export function installCommand(packages: readonly string[]): string {
  const lines = [
    ["npm install", packages.filter((name) => name === SQLITE)],
    ["npm install --save-dev", packages.filter((name) => name !== SQLITE)],
  ] as const;
  return lines.flatMap(([command, names]) => (names.length === 0 ? [] : `${command} ${names.join(" ")}`)).join(" && ");
}

/** The packages that a project needs and that are not installed. */
export function missingPeers(folder: string, engines: readonly Engine[], sources: Iterable<string | Buffer>): string[] {
  return missingPackages(folder, [...runtimePeers().keys(), ...neededPeers(engines, sources).keys()]);
}

/** The packages of these that are not installed. */
export function missingPackages(folder: string, names: readonly string[]): string[] {
  const { resolve } = createRequire(path.join(folder, "package.json"));
  return names.filter((name) => {
    try {
      resolve(`${name}/package.json`);
      return false;
    } catch (error) {
      // Any other error means that the package is installed, but does not export its package.json.
      return error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
    }
  });
}

/** `node:sqlite` needs no flag since Node 22.13. */
function hasSqlite(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}
