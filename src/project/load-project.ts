import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { ConfigurationError } from "../errors.js";
import { attempt } from "../files.js";
import { nearest } from "../text/nearest.js";
import { isRecord } from "../values.js";
import type { AssetsConfig, CheckConfig, SyncConfig } from "./config.js";
import type { TargetEnvironment } from "./environment.js";
import { packageFile, type ProjectLocation } from "./find-project.js";
import { parseJson } from "./source-file.js";
import { configSchema, isMarkerText, knownKeys } from "./config-schema.js";

export { findProject, type ProjectLocation } from "./find-project.js";

/** A project's configuration with defaults applied and absolute paths. */
export interface Project extends ProjectLocation {
  /** The templates folders. */
  readonly roots: readonly string[];
  /** The generated registry. */
  readonly registryFile: string;
  /** Whether the registry has bodies. Absent: as before. */
  readonly registryBodies?: boolean;
  readonly environments: Readonly<Record<string, TargetEnvironment>>;
  readonly defaultEnvironment?: string;
  readonly assets?: AssetsConfig;
  readonly check: Required<CheckConfig>;
  readonly sync: Required<SyncConfig>;
  /** A file with variables for templates; it may not exist. */
  readonly envFile?: string;
  readonly locale: string;
  readonly timeZone: string;
}

/** The marker of a project without a name. Other projects may have the same. */
export const PLAIN_MARKER = "lettershop";

/** Returns the default export of a TypeScript or JavaScript configuration file. */
export type ReadModule = (file: string) => Promise<unknown>;

/**
 * Reads and validates a project's configuration.
 *
 * @throws {ConfigurationError} The configuration has unknown keys or invalid values. The message lists all of them.
 */
export async function loadProject(location: ProjectLocation, readModule: ReadModule): Promise<Project> {
  const { configFile } = location;
  const config = configFile === undefined ? {} : await readConfig(configFile, readModule);
  return settle(location, config, await readPackageName(location));
}

async function readConfig(file: string, readModule: ReadModule): Promise<unknown> {
  if (path.extname(file) !== ".json") return readModule(file);
  const { value, problem } = parseJson({ file, text: await readFile(file, "utf8") });
  if (problem === undefined) return value;
  const { line, column } = problem.at;
  throw new ConfigurationError(`${file} is not valid JSON. Line ${line}, column ${column}: ${problem.message}`);
}

/** The name in package.json; undefined without one. Other errors in the file are left to package managers. */
async function readPackageName(location: ProjectLocation): Promise<string | undefined> {
  const text = await readFile(packageFile(location), "utf8").catch(() => "{}");
  const content: unknown = attempt(() => JSON.parse(text));
  const name = isRecord(content) ? content["name"] : undefined;
  return typeof name === "string" && isMarkerText(`lettershop ${name}`) ? name : undefined;
}

function settle(location: ProjectLocation, config: unknown, packageName: string | undefined): Project {
  const { folder, configFile } = location;
  const parsed = configSchema.safeParse(config);
  if (!parsed.success) throw invalid(configFile, parsed.error.issues.flatMap(describe));
  const { $schema: _, templates, registry, ...settings } = parsed.data;
  const { environments, defaultEnvironment, assets, sync, envFile } = settings;
  if (
    defaultEnvironment !== undefined &&
    defaultEnvironment !== "local" &&
    !Object.hasOwn(environments, defaultEnvironment)
  ) {
    const names = ["local", ...Object.keys(environments)];
    throw invalid(configFile, [`defaultEnvironment: "${defaultEnvironment}" is not one of ${names.join(", ")}`]);
  }
  const defaultRegistry = existsSync(path.join(folder, "src")) ? "src/templates.gen.ts" : "templates.gen.ts";
  return {
    ...location,
    ...settings,
    roots: [templates].flat().map((root) => path.resolve(folder, root)),
    registryFile: path.resolve(folder, registry ?? defaultRegistry),
    environments: withAssets(environments, assets),
    sync: {
      ...sync,
      marker: sync.marker ?? (packageName === undefined ? PLAIN_MARKER : `${PLAIN_MARKER} ${packageName}`),
    },
    ...(envFile !== undefined && { envFile: path.resolve(folder, envFile) }),
  };
}

/** Uses the project's assets for environments without their own. */
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
      const hint = near === undefined ? `the known keys are ${known.join(", ")}` : `did you mean ${near}?`;
      return `${nameOf([...issue.path, key])}: unknown key; ${hint}`;
    });
  }
  const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
  return [`${nameOf(issue.path)}: ${message?.replace(/^Invalid input: /, "")}`];
}

function nameOf(keys: readonly PropertyKey[]): string {
  return keys.map(String).join(".") || "the default export";
}
