import type { ProbeOptions } from "../../../check/lib/probed-urls.js";
import type { AssetsConfig } from "../../../project/config.js";
import type { ModuleHost } from "../../../process/host.js";
import type { Asset } from "../../../render/assets.js";
import type { BrowserModules } from "../../../registry/inline-for-browser.js";
import { completeOne } from "../../../render/computed/complete-variables.js";
import { tryVariables } from "../../../project/variables-module.js";
import { hasBody } from "../../../project/read-template.js";
import type { CompiledTemplate, CompileResult, Template } from "../../../project/template.js";
import type {
  ProjectState,
  SaveFixtureAnswer,
  SaveFixtureRequest,
  TemplateDetail,
  TemplateReport,
  UrlRequest,
  VariablesAnswer,
  VariablesRequest,
} from "../../contract.js";
import type { ProjectAccess } from "../preview-access.js";
import { type WriteFile, writeAtomically } from "../fixtures/write-file.js";
import { answerOf } from "../../variables-answer.js";
import { PreviewRefusal } from "../refusal.js";
import { shownFixtures } from "./fixtures.js";
import { detailOf, sourcesOf, textOf } from "./detail.js";
import { diagnosticsOf, type Entry, failureOf } from "./entry.js";
import { projectState, type Surroundings } from "./project-state.js";
import { Work, type WorkEvent } from "./work.js";
import { realpathSync } from "node:fs";
import path from "node:path";
import { attempt, isWithin } from "../../../files.js";
import { statsOf } from "../../../project/candidates.js";
import { pathsRelativeTo } from "../report/problems.js";

export interface WorkspaceOptions {
  /** Whether to watch files for changes. */
  readonly watch: boolean;
  /** How long a template's code may run while a request waits, in ms. Default 2000. */
  readonly patienceMs?: number;
  /** How long `derive` may run for variables that the user edits, in ms. Default 5000. */
  readonly deriveMs?: number;
  /** How URLs are requested. */
  readonly probe?: ProbeOptions;
  /** Writes fixtures. Default: this process writes them. */
  readonly write?: WriteFile;
  /** Undefined if there is only the project: the page then can't change anything. */
  readonly surroundings?: Surroundings;
}

const DERIVE_MS = 5000;

/**
 * The project as the page shows it. Requested templates are compiled first, the others in the background, and again
 * when files change.
 *
 * @example
 * const workspace = openWorkspace(access, { watch: false });
 * await workspace.settled();
 * const { compiled } = await workspace.detail("receipt");
 * await workspace.close();
 */
export function openWorkspace(access: ProjectAccess, options: WorkspaceOptions): Workspace {
  return new Workspace(access, options);
}

export class Workspace {
  readonly #access: ProjectAccess;
  readonly #options: WorkspaceOptions;
  readonly #work: Work;

  constructor(access: ProjectAccess, options: WorkspaceOptions) {
    this.#access = access;
    this.#options = options;
    this.#work = new Work(access, options);
  }

  async state(): Promise<ProjectState> {
    await this.#work.ready();
    const { surroundings } = this.#options;
    return projectState({ access: this.#access, surroundings, ...this.#work.overview() });
  }

  /** @throws {Refusal} There is no such template. The same applies to all methods that take a name. */
  async detail(name: string): Promise<TemplateDetail> {
    return detailOf(await this.#entry(name), this.#access.folder);
  }

  /** Partial while checking is under way. Complete if files are not watched. */
  async report(name: string): Promise<TemplateReport> {
    if (!this.#options.watch) await this.settled();
    const entry = await this.#entry(name);
    const { revision, shown, findings } = entry;
    const failure = failureOf(entry);
    const { reportOf } = await import("../report/report.js");
    const sited = shown && (await this.#work.sitedOf(entry));
    return reportOf({
      name,
      revision,
      isPartial: !failure && !findings,
      folder: this.#access.folder,
      diagnostics: diagnosticsOf(entry),
      ...(shown && { shown: shown.result }),
      isBroken: failure !== undefined,
      ...(sited && { sited }),
      settings: this.#work.project.settings(),
      read: textOf,
    });
  }

  /** Requests the URLs of its links and images. No other method uses the network. */
  async requests(name: string): Promise<readonly UrlRequest[]> {
    const { shown } = await this.#entry(name);
    if (!shown) throw new PreviewRefusal(409, `The template "${name}" has not compiled yet.`);
    const { requestUrls } = await import("../report/addresses.js");
    return requestUrls(shown.result, { settings: this.#work.project.settings(), probe: this.#options.probe ?? {} });
  }

  /** Each template's filled text, subject first. */
  async contents(): Promise<Record<string, string>> {
    await this.#work.compiled();
    const shown = this.#work
      .entries()
      .flatMap((entry) => (entry.shown ? { name: entry.name, ...entry.shown.outline } : []));
    return Object.fromEntries(
      shown.map(({ name, subject, preheader, content }) => [name, [subject, preheader, content].join("\n")]),
    );
  }

  /** Completes the application's variables with the template's schema and `derive`. */
  async variables(name: string, { input, ...request }: VariablesRequest): Promise<VariablesAnswer> {
    const { template, shown } = await this.#withBody(name);
    const { host, ...context } = this.#work.project.asideContext();
    const { locale = context.locale, timeZone = context.timeZone } = request;
    if (!attempt(() => Intl.getCanonicalLocales(locale)))
      throw new PreviewRefusal(400, `"${locale}" isn't a language tag.`, "Use a BCP 47 tag, such as de-CH.");
    if (!attempt(() => new Intl.DateTimeFormat("en-US", { timeZone })))
      throw new PreviewRefusal(400, `"${timeZone}" isn't a time zone.`, "Use an IANA name, such as Europe/Paris.");
    const trying = { host: this.#trying(host), locale, timeZone };
    const trial = await tryVariables(trying.host, template, input, { locale, timeZone });
    const contract = shown?.result.compiled.contract;
    return answerOf(trial, contract && ((passed) => completeOne(template, contract, passed, trying)));
  }

  /** What completes the templates' variables, for a page without a server. */
  async browserModules(): Promise<BrowserModules> {
    const [{ inlineForBrowser }, { functionsByTemplate }] = await Promise.all([
      import("../../../registry/inline-for-browser.js"),
      import("../../../registry/inline-functions.js"),
    ]);
    const shown = this.#work.entries().flatMap((entry) => (entry.shown ? [{ ...entry, shown: entry.shown }] : []));
    const files = shown.flatMap(({ name, template: { variablesFile: file } }) =>
      file === undefined ? [] : [{ template: name, file }],
    );
    const computing = shown.flatMap(({ name, template: { body }, shown: { result } }) =>
      body ? [{ name, file: body.file, conditions: result.compiled.contract.conditions }] : [],
    );
    const functions = await functionsByTemplate(computing);
    return { ...(await inlineForBrowser(files, this.#access)), ...(functions !== undefined && { functions }) };
  }

  async saveFixture(name: string, fixture: string, request: SaveFixtureRequest): Promise<SaveFixtureAnswer> {
    const { saveFixture } = await import("../fixtures/save-fixture.js");
    const entry = await this.#withBody(name);
    const { template, result, shown } = entry;
    // Made-up values say nothing about the variables' contract.
    const isReal = !shownFixtures(entry).some(({ isMadeUp }) => isMadeUp);
    const { cache: _, ...aside } = this.#work.project.asideContext();
    const { folder } = this.#access;
    return saveFixture(fixture, request, {
      ...aside,
      write: this.#options.write ?? writeAtomically,
      host: this.#trying(aside.host),
      folder,
      result: result ?? { name, template, diagnostics: [] },
      ...(shown && isReal && { compiled: shown.result.compiled }),
      compile: async (changed) => (await import("../../../render/compile.js")).compileTemplate(changed, aside),
    });
  }

  /** The template with an environment's images. Undefined if it does not compile. */
  async compileFor(name: string, assets: AssetsConfig | undefined): Promise<CompiledTemplate | undefined> {
    const { template } = await this.#withBody(name);
    const { compileTemplate } = await import("../../../render/compile.js");
    return (await compileTemplate(template, this.#work.project.asideContext(assets))).compiled;
  }

  /** The template with its files, absolute: its body first, then its folder and files elsewhere. */
  async made(name: string) {
    const { template, shown } = await this.#withBody(name);
    const { opened, roots } = this.#work.project;
    const own = roots.includes(template.folder) ? [] : [template.folder];
    const files = [template.body.file, ...own, ...(shown?.result.compiled.sources ?? [])];
    return { template, files, assets: opened?.assets };
  }

  /** All images, by the part of their URL after `assets/`. */
  async assets(): Promise<readonly Asset[]> {
    await this.#work.ready();
    return this.#work.project.assets();
  }

  /** An image's file, absolute. */
  async asset(name: string): Promise<string | undefined> {
    await this.#work.ready();
    return this.#work.project.assets().find((each) => each.path === name)?.file;
  }

  /**
   * The absolute path of one of the project's own files.
   *
   * @param shown The path as the page shows it.
   */
  async ownFile(shown: string): Promise<string> {
    await this.#work.ready();
    return ownFile(shown, this.#access.folder, this.#work.entries());
  }

  /** Reports that something about the project has changed that is not in its files. */
  tellProject(): void {
    this.#work.events.tell({ kind: "project" });
  }

  subscribe(listener: (event: WorkEvent) => void): () => void {
    return this.#work.events.subscribe(listener);
  }

  /**
   * Receives compile results with their bodies: the existing ones, then others as they arrive. Templates with broken
   * fixtures are left out.
   */
  onCompiled(listener: (results: readonly CompileResult[]) => void): () => void {
    listener(this.#work.entries().flatMap(({ result, brokenFixtures }) => (brokenFixtures ? [] : (result ?? []))));
    return this.#work.results.subscribe(listener);
  }

  /** Resolves when everything is compiled and checked. */
  settled(): Promise<void> {
    return this.#work.settled();
  }

  close(): Promise<void> {
    return this.#work.close();
  }

  /** A module host with a timeout, for requests that are sent while the user types. */
  #trying(host: ModuleHost): ModuleHost {
    const { deriveMs: timeoutMs = DERIVE_MS } = this.#options;
    return { ...host, run: (task, input, options) => host.run(task, input, { ...options, timeoutMs }) };
  }

  async #withBody(name: string): Promise<Entry & { readonly template: Template }> {
    const { template, ...entry } = await this.#entry(name);
    if (hasBody(template)) return { ...entry, template };
    throw new PreviewRefusal(409, `The template "${name}" has no body yet, or more than one.`);
  }

  async #entry(name: string): Promise<Entry> {
    const entry = await this.#work.entry(name);
    if (entry) return entry;
    throw new PreviewRefusal(404, `There is no template "${name}".`);
  }
}

/**
 * The absolute path of a file that an editor may open: in the project's folder, or a source of a template.
 *
 * @param shown The path as the page shows it, relative to the project's folder.
 * @throws {Refusal} It is not such a file.
 */
function ownFile(shown: string, folder: string, entries: readonly Entry[]): string {
  const file = path.resolve(folder, shown);
  const shownPath = pathsRelativeTo(folder);
  const isSource = entries.some((entry) => sourcesOf(entry).some((each) => each === file && shownPath(each) === shown));
  if (!shown.includes("\0") && (isSource || isReallyWithin(folder, file)) && statsOf(file)?.isFile()) return file;
  throw new PreviewRefusal(403, `${JSON.stringify(shown)} isn't a file of this project.`);
}

/** Links are resolved, so that none can lead outside. False if the file does not exist. */
function isReallyWithin(folder: string, file: string): boolean {
  return attempt(() => isWithin(realpathSync.native(folder), realpathSync.native(file))) ?? false;
}
