import path from "node:path";
import { type Environment, isIncluded, remoteName } from "../project/environment.js";
import type { Diagnostic } from "../diagnostic.js";
import { type Content, contentHash, pickContent, readRemote } from "../sync/index.js";
import { sampleVariables } from "../mustache/sample.js";
import { localName } from "./deploy/local-side.js";
import { loadTemplates } from "../project/load-templates.js";
import { nameProblem, stemOf } from "../project/template-name.js";
import type { KeylessProject } from "./keyless/keyless-project.js";
import type { Target } from "./target.js";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import type { Project } from "../project/load-project.js";
import { didYouMean, UsageError } from "./arguments.js";
import { json } from "./scaffold/create-template.js";
import { type ContentField, contentFields } from "../sync/content.js";

interface PullOptions extends KeylessProject {
  readonly target: Target;
  /** The requested names in the project; empty for all that the project does not have. */
  readonly asked: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Writes the templates that an environment has and the project doesn't. Then compiles them, to verify that the result equals what
 * was pulled.
 */
export async function pullTemplates({ project, compile, target, asked, signal }: PullOptions): Promise<Pulled[]> {
  const { client, environment } = target;
  const here = loadTemplates(project.roots).names;
  const refused: Pulled[] = [];
  /** Names in the project, by those on the service. */
  const namesByRemoteName = new Map<string, string>();
  const { templates } = await readRemote({
    client,
    domain: environment.domain,
    signal,
    wanted(summaries) {
      const chosen = chooseNames(project, environment, summaries.keys(), asked);
      for (const [name, reason] of chosen.refused) refused.push({ name, state: "refused", reasons: [reason] });
      for (const name of chosen.names)
        if (asked.length > 0 || !here.has(name)) namesByRemoteName.set(remoteName(environment, name), name);
      return namesByRemoteName.keys();
    },
  });

  const contents = new Map([...templates].map(([name, { content }]) => [namesByRemoteName.get(name) ?? name, content]));
  const written = new Set<string>();
  for (const [name, content] of contents)
    if (!here.has(name) && (await writeTemplate(project.roots[0] ?? "", name, content))) written.add(name);

  const present = [...contents.keys()].filter((name) => written.has(name) || here.has(name));
  const compiled = present.length > 0 ? await compile(present, environment.assets) : { templates: [], diagnostics: [] };
  const own = new Map(compiled.templates.map((template) => [template.name, pickContent(template)]));
  const pulled = [...contents].map(([name, content]) =>
    written.has(name)
      ? comparePulled(name, own.get(name), content, compiled.diagnostics)
      : compareOwn(name, own.get(name), content),
  );
  return [...pulled, ...refused].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function writeTemplate(root: string, name: string, content: Content): Promise<boolean> {
  const stem = stemOf(name);
  return writeFolder(path.join(root, stem), templateFiles(content, stem));
}

function comparePulled(
  name: string,
  own: Content | undefined,
  content: Content,
  diagnostics: readonly Diagnostic[],
): Pulled {
  const fields = own ? differingFields(own, content) : [];
  if (own && fields.length === 0) return { name, state: "pulled", reasons: [] };
  const errors = diagnostics.filter(({ severity, template }) => severity === "error" && template === name);
  const reasons = errors.map(({ message, hint }) => (hint === undefined ? message : `${message} ${hint}`));
  return {
    name,
    state: "inexact",
    reasons: own ? fields.map((field) => `${field} ${whyNot(content[field])}.`) : reasons,
  };
}

/** A lone surrogate is possible in JSON, but not in a UTF-8 file. */
function whyNot(text: string): string {
  return Buffer.from(text).toString() === text
    ? "compiles to something else"
    : "contains half a character (a lone surrogate), which a file can't store";
}

function compareOwn(name: string, own: Content | undefined, content: Content): Pulled {
  if (!own) return { name, state: "kept", reasons: [] };
  if (contentHash(own) === contentHash(content)) return { name, state: "unchanged", reasons: [] };
  const fields = differingFields(own, content).join(", ");
  return { name, state: "kept", reasons: [`Different fields: ${fields}.`] };
}

/**
 * Creates a folder with all of its files, or none.
 *
 * @param files By path relative to the folder.
 * @returns False if the folder already exists; it is not changed then.
 */
async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<boolean> {
  await mkdir(path.dirname(folder), { recursive: true });
  // Hidden, so that it isn't taken for a template, and next to the target, so that moving it is atomic.
  const temporary = await mkdtemp(path.join(path.dirname(folder), ".pull-"));
  try {
    const draft = path.join(temporary, path.basename(folder));
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(draft, file)), { recursive: true });
      await writeFile(path.join(draft, file), text);
    }
    return await moveTo(draft, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function moveTo(draft: string, folder: string): Promise<boolean> {
  try {
    await rename(draft, folder);
    return true;
  } catch (error) {
    if (existsSync(folder)) return false;
    throw error;
  }
}

/**
 * The templates to pull, by their names in the project, sorted; and those whose names are not valid there, with the reason.
 *
 * @param remote Names on the service.
 * @param asked The requested names in the project; empty for all.
 * @throws {UsageError} The environment has no template of a requested name.
 */
function chooseNames(project: Project, environment: Environment, remote: Iterable<string>, asked: readonly string[]) {
  const { name: own, url, domain } = environment;
  const others = Object.entries(project.environments).filter(
    ([name, other]) => name !== own && other.url === url && other.domain === domain,
  );
  const affixes = others.map(([, other]) => other);
  const available = [...remote].flatMap((name) => localName(name, environment, affixes) ?? []).toSorted();
  for (const name of asked) if (!available.includes(name)) throw missing(name, available, environment);
  const selected =
    asked.length > 0 ? [...new Set(asked)].toSorted() : available.filter((name) => isIncluded(environment, name));
  const refused = new Map(
    selected.flatMap((name) => [[name, nameProblem(name) ?? ""] as const]).filter(([, why]) => why),
  );
  return { names: selected.filter((name) => !refused.has(name)), refused };
}

function missing(name: string, available: readonly string[], environment: Environment): UsageError {
  return new UsageError(
    `The environment "${environment.name}" has no template "${remoteName(environment, name)}" on ${environment.domain}.`,
    { hint: didYouMean(name, available) ?? "To list the templates, run: templates status" },
  );
}

export interface Pulled {
  /** The name in the project. */
  readonly name: string;
  readonly state: PullState;
  /** Why it was skipped, or what differs. */
  readonly reasons: readonly string[];
}

export type PullState =
  /** Its files were written and compile to what the service has. */
  | "pulled"
  /** Its files were written but do not compile to what the service has. */
  | "inexact"
  /** The project already has the same template. */
  | "unchanged"
  /** The project has a different template of this name. */
  | "kept"
  /** Its name is not valid in the project. */
  | "refused";

function differingFields(one: Content, other: Content): ContentField[] {
  return contentFields.filter((field) => one[field] !== other[field]);
}

/**
 * The files of a template with exactly the service's content, by their path in its folder. They are marked verbatim, so
 * that compiling leaves every character unchanged.
 *
 * @param stem The name of its folder and files, without extensions.
 */
function templateFiles(content: Content, stem: string): ReadonlyMap<string, string> {
  const { description, subject, html_body, text_body } = content;
  const metadata = { subject, ...(description !== "" && { description }), verbatim: true };
  return new Map([
    [`${stem}.html`, html_body],
    [`${stem}.txt`, text_body],
    ["template.json", json(metadata)],
    ["fixtures/default.json", json(sampleVariables([subject, html_body, text_body]))],
  ]);
}
