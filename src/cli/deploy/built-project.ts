import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { AssetsConfig } from "../../project/config.js";
import { missingPins } from "../../project/environment.js";
import { findProject } from "../../project/find-project.js";
import type { Project } from "../../project/load-project.js";
import { readProjectData } from "../../project/config-schema.js";
import { ConfigurationError } from "../../errors.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { templateHash } from "../../project/template.js";
import { VERSION } from "../../version.js";
import { contractSchema, templateName } from "../keyless/compiled.js";
import { didYouMean, UsageError } from "../arguments.js";
import type { GitCommit } from "../git.js";
import { type ProjectFlags, workingFolder } from "../project.js";
import { projectTarget } from "../target.js";
import { SYNC_RECORD } from "../write-build.js";
import type { DeployableTemplate, DeployableTemplates } from "./local-side.js";
import type { KeylessProject } from "../keyless/keyless-project.js";

/** A project as `templates build` recorded it: syncing it runs no project code. */
export interface BuiltProject {
  readonly project: Project;
  /** What applications pass, by the template's name in the project. */
  readonly passed: ReadonlyMap<string, VariablesContract>;
  readonly commit: () => Promise<GitCommit | undefined>;
  /** Reads all built templates, or only those named. There are no diagnostics: a build with errors is refused. */
  readonly compile: (...request: Parameters<KeylessProject["compile"]>) => Promise<DeployableTemplates>;
}

const versionSchema = z.object({ lettershop: z.string().regex(/^[\w.+-]+$/) });

const recordSchema = z.object({
  environments: z.unknown(),
  defaultEnvironment: z.unknown().optional(),
  sync: z.unknown(),
  assets: z.object({ baseUrl: z.string() }).optional(),
  commit: z.object({ id: z.string().regex(/^[0-9a-f]+$/), time: z.int() }).optional(),
  templates: z.array(templateName),
  passed: z.record(z.string(), contractSchema),
});

const manifestSchema = z.object({
  templates: z.array(
    z.object({
      name: templateName,
      description: z.string(),
      subject: z.string(),
      hash: z.string(),
      renamedFrom: templateName.optional(),
      sources: z.array(z.string()),
      variables: contractSchema,
    }),
  ),
});

type ManifestEntry = z.infer<typeof manifestSchema>["templates"][number];

/**
 * Reads the output of `templates build --out DIR`, for a job that holds the key and runs no project code. Project code that ran
 * during the build may have changed the output, so the service's URL and domain are not taken from it.
 *
 * @throws {ConfigurationError} The build is incomplete or has errors, another version made it, or the pipeline does not set the
 * service's URL and domain.
 */
export async function readBuiltProject(folder: string, flags: ProjectFlags & EnvironmentFlag): Promise<BuiltProject> {
  const location = await findProject({ cwd: workingFolder(flags), orHere: true });
  const { lettershop } = await read(folder, SYNC_RECORD, versionSchema);
  if (lettershop !== VERSION) throw builtByOther(folder, lettershop);
  const {
    passed,
    commit,
    templates: all,
    assets: builtFor,
    ...settings
  } = await read(folder, SYNC_RECORD, recordSchema);
  const unused = { check: {}, locale: undefined, timeZone: undefined, roots: [], registryFile: "" };
  const project = orUnreadable(path.join(folder, SYNC_RECORD), () =>
    readProjectData(location, { ...unused, ...settings }),
  );
  const environment = projectTarget(project, flags.env);
  if (environment.name !== "local") {
    refuseWithoutPins();
    refuseOtherAssets(folder, builtFor, environment.assets);
  }
  return {
    project,
    commit: () => Promise.resolve(commit),
    passed: new Map(Object.entries(passed)),
    async compile(names) {
      const manifest = await read(folder, "manifest.json", manifestSchema);
      const entries = new Map(manifest.templates.map((entry) => [entry.name, entry]));
      const chosen = names.length === 0 ? all : names;
      const unknown = chosen.find((name) => !all.includes(name) || !entries.has(name));
      if (unknown !== undefined) throw notBuilt(folder, unknown, all);
      const templates: DeployableTemplate[] = [];
      for (const name of new Set(chosen)) {
        const entry = entries.get(name);
        if (entry) templates.push(await readTemplate(folder, entry));
      }
      return { templates, diagnostics: [], present: new Set(chosen) };
    },
  };
}

interface EnvironmentFlag {
  readonly env: string | undefined;
}

async function readTemplate(folder: string, { hash, variables, ...entry }: ManifestEntry): Promise<DeployableTemplate> {
  const body = (file: string) => readFile(path.join(folder, entry.name, file), "utf8").catch(() => undefined);
  const [html_body, text_body] = await Promise.all([body("body.html"), body("body.txt")]);
  const template = { ...entry, html_body: html_body ?? "", text_body: text_body ?? "", contract: variables };
  if (templateHash(template) === hash) return template;
  throw new ConfigurationError(`The files of ${entry.name} in ${folder} were changed after the build.`, {
    hint: "Build again, and pass the whole folder on unchanged.",
  });
}

const HINT = `Run: templates build --out DIR. It writes ${SYNC_RECORD} if all templates compile without errors.`;

async function read<Schema extends z.ZodType>(folder: string, name: string, schema: Schema): Promise<z.infer<Schema>> {
  const file = path.join(folder, name);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ConfigurationError(`${folder} is not a complete build: ${name} is missing.`, { cause, hint: HINT });
  });
  return orUnreadable(file, () => schema.parse(JSON.parse(text)));
}

function orUnreadable<Value>(file: string, readIt: () => Value): Value {
  try {
    return readIt();
  } catch (cause) {
    const where = cause instanceof z.ZodError ? `: ${cause.issues[0]?.path.join(".")}` : "";
    throw new ConfigurationError(`${file} was not written by this version of lettershop, or was changed${where}.`, {
      cause,
      hint: HINT,
    });
  }
}

function refuseWithoutPins(): void {
  const missing = missingPins();
  if (missing.length === 0) return;
  throw new ConfigurationError(`--from needs ${missing.join(" and ")} to be set.`, {
    hint: "Set both in the pipeline's settings: template code that ran in the build could have changed the service's URL in its output.",
  });
}

function refuseOtherAssets(folder: string, built: AssetsConfig | undefined, wanted: AssetsConfig | undefined): void {
  if (built?.baseUrl === wanted?.baseUrl) return;
  const urls = `${built?.baseUrl ?? "relative URLs"}, and the environment has ${wanted?.baseUrl ?? "none"}`;
  throw new ConfigurationError(`The templates in ${folder} were built with images at ${urls}.`, {
    hint: "Build for the environment: templates build --env NAME --out DIR",
  });
}

function builtByOther(folder: string, version: string): ConfigurationError {
  return new ConfigurationError(`The build in ${folder} was made by lettershop ${version}, and this is ${VERSION}.`, {
    hint: `Sync with the version that made it: npm install --no-save lettershop@${version}`,
  });
}

function notBuilt(folder: string, name: string, all: readonly string[]): UsageError {
  return new UsageError(`The build in ${folder} has no template "${name}".`, {
    hint: didYouMean(name, all) ?? `Templates: ${all.join(", ") || "none"}`,
  });
}
