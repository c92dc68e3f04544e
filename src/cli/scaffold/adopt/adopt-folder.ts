import { existsSync, realpathSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { readPropsType } from "../../../render/react/types/typed-variables.js";
import { TypeModules } from "../../../render/react/types/type-module.js";
import { kebabCase, nameProblem, stemOf } from "../../../project/template-name.js";
import type { Engine } from "../../../project/template.js";
import { UsageError } from "../../arguments.js";
import { relativeTo } from "../../report/check-report.js";
import { json, titleOf } from "../create-template.js";
import { Components } from "./components.js";
import { type PropsExample, exampleOf } from "./example-props.js";
import { importedPackages, isScript, type SourceModule, SourceModules } from "./source-modules.js";
import { type Moves, pathsIn, readdressMarkup, readdressModule } from "./readdress.js";
import { type EmailComponent, type Role, rolesOf } from "./roles.js";
import { isWithin } from "../../../files.js";

/** A folder of templates for another tool, converted to files for lettershop. */
export interface Adopted {
  /** File contents by path within the templates folder. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly engines: readonly Engine[];
  /** The packages that the modules import, with the version ranges of their original project. */
  readonly packages: ReadonlyMap<string, string>;
  readonly templates: readonly AdoptedTemplate[];
  readonly parts: readonly AdoptedPart[];
  /** Files that may be templates, and why that is unclear. */
  readonly notUnderstood: readonly Unadopted[];
  /** Files that no template uses. */
  readonly notTaken: readonly Unadopted[];
}

export interface AdoptedTemplate {
  readonly name: string;
  /** The path in the original folder. */
  readonly file: string;
  readonly notes: readonly string[];
}

export interface AdoptedPart {
  readonly file: string;
  /** The path in the templates folder. */
  readonly place: string;
  readonly why: string;
}

export interface Unadopted {
  readonly file: string;
  readonly why: string;
}

/**
 * Imports a folder of React Email, MJML or HTML files. Each email becomes a template in its own folder; the name of an email in a
 * subfolder includes the subfolder's name. Files that templates use become shared parts, and paths between files are updated.
 *
 * @example
 * const { files } = await adoptFolder("/app/emails", "/app");
 * [...files.keys()]; // ["welcome/welcome.tsx", "welcome/template.json", "auth-reset/auth-reset.tsx", "_components/footer.tsx"]
 *
 * @throws {MissingPeerError} The folder contains modules, and rolldown, which parses them, is not installed.
 */
export async function adoptFolder(from: string, project: string): Promise<Adopted> {
  if (!existsSync(from)) throw new UsageError(`There is no folder ${from}.`);
  const folder = realpathSync(from);
  const root = path.join(realpathSync(project), "templates");
  if (isWithin(folder, root) && existsSync(root))
    throw new UsageError(`The templates folder ${root} is inside the folder to import.`, {
      hint: "Rename the folder to import, for example to emails. Then run: templates init --from emails",
    });
  const files = await filesIn(folder);
  const scripts = files.filter((file) => isScript(file) && !isTest(file));
  if (scripts.length === 0) return adopt({ from: folder, root, files }, new Map(), undefined);
  const modules = await SourceModules.in(folder);
  const read = await Promise.all(scripts.map((file) => modules.read(path.join(folder, file))));
  const sources = new Map(scripts.map((file, index) => [file, read[index] ?? { problem: "The file can't be read." }]));
  return adopt({ from: folder, root, files }, sources, modules);
}

interface Folder {
  readonly from: string;
  readonly root: string;
  readonly files: readonly string[];
}

type Sources = ReadonlyMap<string, SourceModule | { readonly problem: string }>;

/** A template to make from a file. */
interface Plan {
  readonly name: string;
  readonly file: string;
  readonly place: string;
  readonly email?: EmailComponent;
  /** Whether the file becomes a shared part, and the template re-exports its component. */
  readonly isReExport: boolean;
}

async function adopt(
  { from, root, files }: Folder,
  sources: Sources,
  modules: SourceModules | undefined,
): Promise<Adopted> {
  const components = modules && new Components(modules);
  const roles = components ? await rolesOfFiles({ from, root, files }, sources, components) : new Map<string, Role>();
  const plans = await plansFor({ from, root, files }, roles);
  const notUnderstood = [
    ...Array.from(sources, ([file, source]) => ({ file, why: "problem" in source ? source.problem : "" })),
    ...Array.from(roles, ([file, role]) => ({ file, why: role.kind === "unclear" ? role.why : "" })),
  ].filter(({ why }) => why !== "");
  if (plans.length === 0) {
    const [first] = notUnderstood;
    throw new UsageError(`${from} contains no React Email (.tsx), MJML (.mjml) or HTML (.html) templates.`, {
      ...(first && { hint: `${first.file}: ${first.why}` }),
    });
  }

  const users = await usersOf(plans, { from, files }, sources, modules);
  const places = placesOf(plans, files, users);
  const moves: Moves = { from, root, places };
  const contents = new Map<string, string | Buffer>();
  for (const [file, place] of places) {
    const source = sources.get(file);
    const content = await readFile(path.join(from, file));
    if (source && "program" in source && modules)
      contents.set(place, (await readdressModule(source, place, moves, modules)) + addedDefault(file, plans));
    else if (/\.(?:mjml|html|css)$/.test(file))
      contents.set(place, readdressMarkup(content.toString("utf8").replaceAll("\r\n", "\n"), file, place, moves));
    else contents.set(place, content);
  }
  const templates: AdoptedTemplate[] = [];
  const types = modules && (await TypeModules.in(from));
  for (const each of plans) {
    const { name, file, email } = each;
    let example: PropsExample | undefined;
    if (email && components && types) {
      const type = await readPropsType(types, path.join(from, file), email.exportName);
      example = await exampleOf(email.component, type, components, email.preview);
    }
    const isTitled = each.isReExport || !hasSubject(String(contents.get(each.place)));
    for (const [place, content] of filesBeside(each, example, isTitled, places)) contents.set(place, content);
    const notes = [email?.note ?? "", example ? noteOn(example) : "", isTitled ? "subject from its name" : ""];
    templates.push({ name, file, notes: notes.filter((note) => note !== "") });
  }
  const isBody = new Set(plans.flatMap(({ file, isReExport }) => (isReExport ? [] : [file])));
  const moved = [...places.keys()].flatMap((file) => sources.get(file) ?? []);
  return {
    files: contents,
    packages: modules ? await importedPackages(moved.filter(isParsed), modules, from) : new Map(),
    engines: [...new Set(plans.map(({ file }) => engineOf(file)))].toSorted(),
    templates,
    parts: [...places]
      .filter(([file]) => !isBody.has(file))
      .map(([file, place]) => ({ file, place, why: whyPart(users.get(file) ?? [], roles.get(file)) })),
    notUnderstood: notUnderstood.filter(({ file }) => !places.has(file)),
    notTaken: files
      .filter((file) => !places.has(file) && !notUnderstood.some((each) => each.file === file))
      .map((file) => ({ file, why: whyNotTaken(file, roles.get(file)) })),
  };
}

/** The files of a template in addition to its body. */
function filesBeside(
  plan: Plan,
  example: PropsExample | undefined,
  isTitled: boolean,
  places: ReadonlyMap<string, string>,
): [place: string, content: string][] {
  const folder = path.posix.dirname(plan.place);
  return [
    ...(plan.isReExport ? [[plan.place, reExport(plan, places.get(plan.file) ?? "")] as [string, string]] : []),
    ...(example?.kind === "props"
      ? [[`${folder}/fixtures/default.json`, json(example.props)] as [string, string]]
      : []),
    ...(isTitled ? [[`${folder}/template.json`, json({ subject: titleOf(plan.name) })] as [string, string]] : []),
  ];
}

function isParsed(source: SourceModule | { readonly problem: string }): source is SourceModule {
  return "program" in source;
}

/** The relative paths of all files in a folder, except for packages and hidden files. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relativeTo(folder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(node_modules|\.[^/]*)(\/|$)/.test(file))
    .toSorted();
}

async function rolesOfFiles({ from }: Folder, sources: Sources, components: Components): Promise<Map<string, Role>> {
  const parsed = [...sources.values()].filter(isParsed);
  const isAtTop = ({ file }: SourceModule): boolean => path.dirname(file) === from;
  const roles = await rolesOf(parsed, components, isAtTop);
  return new Map(Array.from(roles, ([{ file }, role]) => [relativeTo(from, file), role]));
}

/** The templates to make from the files of a folder. */
async function plansFor({ from, files }: Folder, roles: ReadonlyMap<string, Role>): Promise<Plan[]> {
  const unnamed: Omit<Plan, "name" | "place">[] = [];
  for (const file of files) {
    const role = roles.get(file);
    if (isShared(file) || (!role && !(await isMarkupTemplate(path.join(from, file))))) continue;
    if (!role) unnamed.push({ file, isReExport: false });
    if (role?.kind !== "emails") continue;
    for (const email of role.emails) {
      const { component, exportName } = email;
      const canHaveDefault = role.emails.length === 1 && !role.hasDefault && component.name !== undefined;
      const isOwnName = component.module.file === path.join(from, file);
      unnamed.push({ file, email, isReExport: exportName !== "default" && !(canHaveDefault && isOwnName) });
    }
  }
  const common = commonFolders(unnamed.map(({ file }) => file));
  const plans = new Map<string, Plan>();
  for (const each of unnamed) {
    const { dir, name: stem, ext } = path.posix.parse(each.file);
    const isOneOfSeveral =
      unnamed.filter(({ file }) => file === each.file).length > 1 && each.email?.exportName !== "default";
    const name = kebabCase(
      nameAt(dir.split("/").slice(common), isOneOfSeveral ? (each.email?.exportName ?? stem) : stem),
    );
    const clash = plans.get(name);
    const problem = clash ? `${clash.file} and ${each.file} would both be the template "${name}".` : nameProblem(name);
    if (problem !== undefined) throw new UsageError(problem, { hint: `Rename ${each.file}, then run init again.` });
    const body = stemOf(name);
    plans.set(name, { ...each, name, place: `${body}/${body}${engineOf(each.file) === "react" ? ".tsx" : ext}` });
  }
  return [...plans.values()];
}

/** An MJML or HTML file without its root element is a part of other files. */
async function isMarkupTemplate(file: string): Promise<boolean> {
  const extension = path.extname(file);
  if (extension === ".mjml") return /<mjml[\s>]/.test(await readFile(file, "utf8"));
  return extension === ".html" && /<html[\s>]/i.test(await readFile(file, "utf8"));
}

/** The names of the templates that use each file. */
async function usersOf(
  plans: readonly Plan[],
  { from, files }: Pick<Folder, "from" | "files">,
  sources: Sources,
  modules: SourceModules | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const existing = new Set(files);
  const needs = new Map<string, readonly string[]>();
  const needsOf = async (file: string): Promise<readonly string[]> => {
    const source = sources.get(file);
    if (source && "program" in source && modules)
      return (await modules.referencesIn(source)).map(({ target }) => relativeTo(from, target));
    return /\.(?:mjml|html|css)$/.test(file) ? pathsIn(await readFile(path.join(from, file), "utf8"), file) : [];
  };
  const users = new Map<string, string[]>();
  for (const { name, file, isReExport } of plans) {
    const seen = new Set<string>(isReExport ? [] : [file]);
    const queue = [file];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (next !== file || isReExport) users.set(next, [...(users.get(next) ?? []), name]);
      seen.add(next);
      const needed = needs.get(next) ?? (await needsOf(next)).filter((each) => existing.has(each));
      needs.set(next, needed);
      queue.push(...needed.filter((each) => !seen.has(each) && !queue.includes(each)));
    }
  }
  return users;
}

/** The new path of each file: templates, the files that they use, and all images. */
function placesOf(
  plans: readonly Plan[],
  files: readonly string[],
  users: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, string> {
  const places = new Map(plans.flatMap(({ file, place, isReExport }) => (isReExport ? [] : [[file, place] as const])));
  const used = new Set(places.values());
  for (const file of files) {
    if (places.has(file) || (!users.has(file) && !IMAGE.test(file))) continue;
    const place = [sharedPlace(file), `_assets/${file}`, `_${sharedPlace(file)}`].find((each) => !used.has(each));
    if (place === undefined) throw new UsageError(`${file} would have the same name as another shared file.`);
    places.set(file, place);
    used.add(place);
  }
  return places;
}

const IMAGE = /\.(png|jpe?g|gif|webp|svg|ico)$/i;

/** The path of a shared file. Shared parts begin with `_`; images are in `_assets`. */
function sharedPlace(file: string): string {
  if (IMAGE.test(file)) return `_assets/${file.replace(/^(static|images|assets|_assets)\//, "")}`;
  const [first = "", ...rest] = file.split("/");
  return [first.startsWith("_") ? first : `_${first}`, ...rest].join("/");
}

/** The default export to add to a module so that it can be a template's body. */
function addedDefault(file: string, plans: readonly Plan[]): string {
  const own = plans.find((each) => each.file === file && !each.isReExport);
  const isNamed = own?.email && own.email.exportName !== "default";
  return isNamed ? `\nexport default ${own.email?.component.name};\n` : "";
}

function reExport({ place, email }: Plan, from: string): string {
  const relative = path.posix.relative(path.posix.dirname(place), from).replace(/\.[^.]+$/, "");
  return `export { ${email?.exportName} as default } from ${JSON.stringify(relative)};\n`;
}

function noteOn(example: PropsExample): string {
  if (example.kind === "no props") return "";
  if (example.kind === "PreviewProps") return "example: its PreviewProps";
  if (example.kind === "props")
    return `example: fixtures/default.json, from ${example.from.join(" and ") || "its default values"}`;
  const of = example.props.length > 0 ? ` of ${example.props.join(", ")}` : "";
  return `no example${of}: create fixtures/default.json`;
}

function whyPart(users: readonly string[], role: Role | undefined): string {
  const [first, ...others] = users;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const used = first === undefined ? "" : `used by ${first}${more}`;
  return [role?.kind === "part" ? role.why : "", used].filter((each) => each !== "").join("; ");
}

function whyNotTaken(file: string, role: Role | undefined): string {
  if (isTest(file)) return "a test";
  return [role?.kind === "part" ? role.why : "", "not used by any template"].filter((each) => each !== "").join("; ");
}

function isTest(file: string): boolean {
  return /\.(?:test|spec|stories)\.[^/]*$|(?:^|\/)__tests__\//.test(file);
}

function isShared(file: string): boolean {
  return /(?:^|\/)_/.test(file);
}

function engineOf(file: string): Engine {
  const extension = path.extname(file);
  return extension === ".mjml" ? "mjml" : extension === ".html" ? "html" : "react";
}

/** The number of leading folders that all files share and whose names only mean "emails". */
function commonFolders(files: readonly string[]): number {
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  const end = first.findIndex(
    (folder, index) =>
      !/^(?:src|app|lib|components|(?:e?mail-?)?templates|e?mails?|transactional)$/i.test(folder) ||
      others.some((each) => each[index] !== folder),
  );
  return end < 0 ? first.length : end;
}

/**
 * `auth-reset` for `auth/reset.tsx`; `welcome` for `welcome/welcome.tsx` and `welcome/index.tsx`; `order-paid` for
 * `order/order-paid.tsx`.
 */
function nameAt(folders: readonly string[], name: string): string {
  const named = folders.filter((folder) => folder !== "");
  const last = kebabCase(named.at(-1) ?? "");
  if (last === "") return name;
  if (name === "index") return named.join("-");
  const own = kebabCase(name);
  return [...(own === last || own.startsWith(`${last}-`) ? named.slice(0, -1) : named), name].join("-");
}

function hasSubject(source: string): boolean {
  return /<mj-title>|<title>|export\s+const\s+subject\b/.test(source);
}
