import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { ConfigurationError } from "../errors.js";
import { JsonSyntaxError, readSyntax } from "../json-syntax.js";
import { positionAt } from "../position.js";
import { nearest } from "../nearest.js";
import type { AssetsConfig, CheckConfig } from "./define.js";
import type { TargetEnvironment } from "./environment.js";
import { packageFile, type ProjectLocation } from "./find.js";
import { configSchema, isMarkerText, knownKeys } from "./schema.js";

export { findProject, type ProjectLocation } from "./find.js";

/** A project's configuration, defaults filled in and paths absolute. */
export interface Project extends ProjectLocation {
  /** Templates roots. */
  readonly roots: readonly string[];
  /** The generated file. */
  readonly registryFile: string;
  /** Whether the registry comes with bodies. Absent: as it has been. */
  readonly registryBodies?: boolean;
  readonly environments: Readonly<Record<string, TargetEnvironment>>;
  readonly defaultEnvironment?: string;
  readonly assets?: AssetsConfig;
  readonly check: Required<CheckConfig>;
  readonly sync: SyncSettings;
  /** Has variables for templates; it may not exist. */
  readonly envFile?: string;
  readonly locale: string;
  readonly timeZone: string;
}

/** How sync keeps track of what it has applied. */
export interface SyncSettings {
  /** What a marker begins with, before the environment's affixes; `false` where there are none. */
  readonly marker: string | false;
  /** Names on the service, or patterns of them, that may be deleted without a marker. */
  readonly prune: readonly string[];
  readonly renames: "keep" | "in-place";
  readonly lock: boolean;
}

/** The marker of a project without a name: others may have it, too. */
export const PLAIN_MARKER = "lettershop";

/** Gives the default export of a configuration file that is written in TypeScript or JavaScript. */
export type ReadModule = (file: string) => Promise<unknown>;

/**
 * @example
 * const location = await findProject({ cwd });
 * const project = await loadProject(location, async (file) => (await readDefault(host, file)).value);
 *
 * @throws {ConfigurationError} An unknown key (naming the near one) or a wrong value: all of them at once.
 */
export async function loadProject(location: ProjectLocation, readModule: ReadModule): Promise<Project> {
  const { configFile } = location;
  const config = configFile === undefined ? {} : await readConfig(configFile, readModule);
  return settle(location, config, await readPackageName(location));
}

async function readConfig(file: string, readModule: ReadModule): Promise<unknown> {
  if (path.extname(file) !== ".json") return readModule(file);
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`${file} is not JSON. ${syntaxProblem(text)}`, { cause });
  }
}

function syntaxProblem(text: string): string {
  try {
    readSyntax(text);
    return "";
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column } = positionAt(text, error.offset);
    return `Line ${line}, column ${column}: ${error.message}`;
  }
}

/** Undefined without one: whatever else is wrong with the file is for package managers to say. */
async function readPackageName(location: ProjectLocation): Promise<string | undefined> {
  const text = await readFile(packageFile(location), "utf8").catch(() => "{}");
  try {
    const content: unknown = JSON.parse(text);
    const name: unknown = typeof content === "object" && content !== null && "name" in content ? content.name : "";
    return typeof name === "string" && isMarkerText(`lettershop ${name}`) ? name : undefined;
  } catch {
    return undefined;
  }
}

function settle(location: ProjectLocation, config: unknown, packageName: string | undefined): Project {
  const { folder, configFile } = location;
  const parsed = configSchema.safeParse(config);
  if (!parsed.success) throw invalid(configFile, parsed.error.issues.flatMap(describe));

  const {
    templates,
    registry,
    registryBodies,
    environments,
    defaultEnvironment,
    assets,
    check,
    sync,
    envFile,
    locale,
    timeZone,
  } = parsed.data;
  if (
    defaultEnvironment !== undefined &&
    defaultEnvironment !== "local" &&
    !Object.hasOwn(environments, defaultEnvironment)
  ) {
    const names = ["local", ...Object.keys(environments)];
    throw invalid(configFile, [`defaultEnvironment: "${defaultEnvironment}" is none of ${names.join(", ")}`]);
  }
  const defaultRegistry = existsSync(path.join(folder, "src")) ? "src/templates.gen.ts" : "templates.gen.ts";
  return {
    ...location,
    roots: [templates].flat().map((root) => path.resolve(folder, root)),
    registryFile: path.resolve(folder, registry ?? defaultRegistry),
    ...(registryBodies === undefined ? {} : { registryBodies }),
    environments: withAssets(environments, assets),
    check,
    sync: {
      ...sync,
      marker: sync.marker ?? (packageName === undefined ? PLAIN_MARKER : `${PLAIN_MARKER} ${packageName}`),
    },
    locale,
    timeZone,
    ...(defaultEnvironment === undefined ? {} : { defaultEnvironment }),
    ...(assets === undefined ? {} : { assets }),
    ...(envFile === undefined ? {} : { envFile: path.resolve(folder, envFile) }),
  };
}

/** Images are where the project says, unless an environment says so itself. */
function withAssets(environments: Project["environments"], assets: AssetsConfig | undefined): Project["environments"] {
  if (assets === undefined) return environments;
  return Object.fromEntries(Object.entries(environments).map(([name, each]) => [name, { assets, ...each }]));
}

function invalid(configFile: string | undefined, problems: readonly string[]): ConfigurationError {
  return new ConfigurationError([`${configFile ?? "The configuration"} is not valid:`, ...problems].join("\n  "));
}

function describe(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const known = knownKeys(issue.path);
      const near = nearest(key, known);
      const hint = near === undefined ? `there are ${known.join(", ")}` : `did you mean ${near}?`;
      return `${nameOf([...issue.path, key])}: unknown key; ${hint}`;
    });
  }
  const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
  return [`${nameOf(issue.path)}: ${message?.replace(/^Invalid input: /, "")}`];
}

function nameOf(keys: readonly PropertyKey[]): string {
  return keys.map(String).join(".") || "the default export";
}
