import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { ConfigurationError } from "../errors.js";
import type { ModuleError } from "../process/module-error.js";
import type { Problem, ProjectState, RowProblem, TemplateDetail, TemplateReport } from "./contract.js";
import type { Page } from "./server/page.js";
import { CAN_NOTHING } from "./server/workspace/project-state.js";
import type { Workspace } from "./server/workspace/workspace.js";
import { pathToFileURL } from "node:url";

export interface CopyOptions {
  readonly workspace: Workspace;
  readonly page: Page;
  /** The project's folder. */
  readonly folder: string;
  readonly out: string;
}

export interface WrittenCopy {
  readonly templates: readonly string[];
  /** Templates that did not compile. The copy shows why. */
  readonly broken: readonly string[];
}

/** All files of a copy. They are removed before a new copy is written. */
const parts = ["index.html", "app.js", "app.css", "licences.txt", "data", "assets"];

/**
 * Writes the page and everything it shows as files, for any web server or to be opened directly.
 *
 * @throws {ConfigurationError} The folder contains something else.
 */
export async function writeCopy({ workspace, page, folder, out }: CopyOptions): Promise<WrittenCopy> {
  await refuseOthers(out);
  await workspace.settled();
  const state = copiedState(await workspace.state());
  const clean = redactFolders({ [folder]: "", [homedir()]: "~" });

  for (const part of parts) await rm(path.join(out, part), { recursive: true, force: true });
  await mkdir(path.join(out, "data", "templates"), { recursive: true });
  const write = async (file: string, text: string): Promise<void> => writeFile(path.join(out, file), text);
  // The file that identifies the copy is written first, in case writing is interrupted.
  await write("index.html", copyPage(page.html));
  await write("app.js", page.script);
  await write("app.css", page.style);
  await write("licences.txt", page.licences);

  const { expression, functions, obstacles } = await workspace.browserModules();
  if (expression !== undefined || functions !== undefined) {
    const modules = `globalThis.lettershopModules = ${expression ?? "{}"};`;
    const more = `globalThis.lettershopFunctions = ${functions ?? "{}"};`;
    await write("data/variables.js", dataScript("variables", [page.worker, modules, more].join("\n")));
  }
  for (const { name } of state.templates) {
    const [detail, report] = [await workspace.detail(name), await workspace.report(name)];
    const obstacle = obstacles.get(name);
    const why = obstacle && clean(obstacleInWords(obstacle));
    const copied = {
      detail: { ...cleanDetail(detail, clean), ...(detail.derives && why !== undefined && { readOnly: why }) },
      report: cleanReport(report, clean),
      ...(why !== undefined && { obstacle: why }),
    };
    await write(`data/templates/${name}.js`, dataScript(`templates/${name}`, copied));
  }
  await write("data/contents.js", dataScript("contents", await workspace.contents()));
  await write("data/project.js", dataScript("project", { ...state, problems: cleanProblems(state.problems, clean) }));
  for (const asset of await workspace.assets()) await cp(asset.file, path.join(out, "assets", asset.path));

  const broken = state.templates
    .filter(({ state: is, brokenFixtures }) => is === "broken" || brokenFixtures)
    .map(({ name }) => name);
  return { templates: state.templates.map(({ name }) => name), broken };
}

function obstacleInWords({ message, at: { file, line } }: ModuleError): string {
  const place = line === undefined ? file : `${file}, line ${line}`;
  return `Read-only in this copy: a browser can't run this template's variables.ts. ${message} (${place})`;
}

/** A copy can't save or send, and it does not contain one user's preferences. */
function copiedState(state: ProjectState): ProjectState {
  return {
    ...state,
    environments: [],
    remoteImages: false,
    can: CAN_NOTHING,
  };
}

type Clean = ReturnType<typeof redactFolders>;

/** Cleans only lettershop's own messages. The project's content is shown unchanged. */
function cleanProblems(problems: readonly Problem[], clean: Clean): Problem[] {
  return problems.map((problem) => ({
    ...problem,
    message: clean(problem.message),
    ...(problem.hint !== undefined && { hint: clean(problem.hint) }),
  }));
}

function cleanDetail(detail: TemplateDetail, clean: Clean): TemplateDetail {
  const { failure } = detail;
  return { ...detail, ...(failure && { failure: { ...failure, problems: cleanProblems(failure.problems, clean) } }) };
}

function cleanReport(report: TemplateReport, clean: Clean): TemplateReport {
  const ofItem = <Item extends { readonly problems: readonly RowProblem[] }>(item: Item): Item => ({
    ...item,
    problems: item.problems.map((problem) => ({ ...problem, message: clean(problem.message) })),
  });
  return {
    ...report,
    problems: cleanProblems(report.problems, clean),
    links: report.links.map(ofItem),
    images: report.images.map(ofItem),
  };
}

async function refuseOthers(out: string): Promise<void> {
  const existing = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new ConfigurationError(`Can't write to ${out}: ${error.message}`);
  });
  if (existing.length === 0) return;
  const html = await readFile(path.join(out, "index.html"), "utf8").catch(() => "");
  if (!html.includes(COPY_MARK))
    throw new ConfigurationError(`${out} already contains something other than a copy of the preview.`, {
      hint: "Choose an empty folder or a new one.",
    });
}

/**
 * A classic script that stores a value where the page looks for it. The value is JSON inside a string, so nothing in it
 * can become code or a prototype.
 *
 * @example
 * dataScript("contents", { welcome: "Hello" });
 * // (globalThis.lettershopCopy??=new Map).set("contents","{\"welcome\":\"Hello\"}");
 */
export function dataScript(name: string, value: unknown): string {
  return `(globalThis.lettershopCopy??=new Map).set(${quoted(name)},${quoted(JSON.stringify(value))});\n`;
}

/** Also safe inside a `<script>` element, and where line separators end a line. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Marks a page as a static copy, unlike any other folder's `index.html`. */
const COPY_MARK = '<meta name="generator" content="lettershop preview" />';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: http: https:",
  "font-src 'self' data:",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The page's HTML for a copy: it loads only the data next to it. */
export function copyPage(html: string): string {
  return html
    .replace(/<meta charset="[^"]*" ?\/?>/, (charset) =>
      [charset, COPY_MARK, `<meta http-equiv="Content-Security-Policy" content="${policy}" />`].join("\n    "),
    )
    .replace(/<script defer[^>]*><\/script>/, (script) =>
      [`<script defer src="./data/project.js"></script>`, script].join("\n    "),
    );
}

/**
 * Removes local folders from a finding's text, so that a copy does not reveal where it was made.
 *
 * @example
 * redactFolders({ "/home/ada/shop": "", "/home/ada": "~" })("/home/ada/shop/templates/receipt has no body");
 * // "templates/receipt has no body"
 */
export function redactFolders(folders: Readonly<Record<string, string>>): (text: string) => string {
  const replacements = Object.entries(folders)
    .flatMap(([folder, name]) => spellings(folder).map((spelling) => [folderIn(spelling), name] as const))
    .toSorted(([one], [other]) => other.source.length - one.source.length);
  return (text) =>
    replacements.reduce(
      (cleaned, [folder, name]) =>
        cleaned.replace(folder, (_whole, slash: string) => (name === "" ? (slash === "" ? "." : "") : name + slash)),
      text,
    );
}

function spellings(folder: string): string[] {
  return [...new Set([pathToFileURL(folder).href, folder, folder.replaceAll("\\", "/")])];
}

/** Matches the folder and the separator after it, but not inside a URL or a longer folder name. */
function folderIn(spelling: string): RegExp {
  return new RegExp(`(?<![\\w./-])${escaped(spelling)}([\\\\/]|(?![\\w.-]))`, "g");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
