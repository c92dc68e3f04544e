import path from "node:path";
import { DEFAULT_SETTINGS, type CheckSettings } from "../../../check/rule.js";
import type { AssetsConfig } from "../../../project/config.js";
import { longestMarker } from "../../../text/marker.js";
import type { Diagnostic } from "../../../diagnostic.js";
import { listAssets, type Asset } from "../../../render/assets.js";
import type { CompileContext } from "../../../render/engine.js";
import type { ModuleHost } from "../../../process/host.js";
import { realFolder } from "../../../project/candidates.js";
import { loadTemplates, type LoadedTemplates } from "../../../project/load-templates.js";
import type { UnusableTemplate } from "../../../project/template.js";
import type { OpenedProject, ProjectAccess } from "../preview-access.js";
import { PreviewRefusal } from "../refusal.js";
import { diagnosticOf } from "./failures.js";

/** The current project: its configuration and the content of its templates roots. */
export class CurrentProject {
  readonly #access: ProjectAccess;
  /** The last project that could be opened. Its configuration may have been broken since. */
  opened: OpenedProject | undefined;
  loaded: LoadedTemplates = { templates: [], names: new Set(), diagnostics: [] };
  /** Templates roots, with links resolved. */
  roots: readonly string[] = [];
  /** The configuration's problem, if any. */
  trouble: Diagnostic | undefined;
  #assets: readonly Asset[] | undefined;
  #aside: ModuleHost | undefined;

  constructor(access: ProjectAccess) {
    this.#access = access;
  }

  /**
   * Opens the project if it is not open or may have changed.
   *
   * @param files Files that were written, added or removed since. Undefined if anything may have changed.
   * @returns Whether the project has changed.
   */
  async open(files: ReadonlySet<string> | undefined): Promise<boolean> {
    this.#assets = undefined;
    if (files && !this.trouble && !this.#configures(files)) return false;
    try {
      const next = await this.#access.open();
      this.trouble = undefined;
      if (this.opened && JSON.stringify(next.project) === JSON.stringify(this.opened.project)) {
        await next.close();
        return false;
      }
      void this.close();
      this.#aside = undefined;
      this.opened = next;
      return true;
    } catch (error) {
      this.trouble = diagnosticOf(error);
      return false;
    }
  }

  /**
   * Loads the templates that exist now.
   *
   * @param templates The templates before the change.
   */
  load(files: ReadonlySet<string> | undefined, templates: readonly UnusableTemplate[]): void {
    const { roots = [] } = this.opened?.project ?? {};
    this.roots = roots.map((root) => realFolder(root) ?? root);
    try {
      this.loaded = files ? reload(this.loaded, templates, this.roots, files) : loadTemplates(roots);
    } catch (error) {
      this.loaded = { ...this.loaded, diagnostics: [diagnosticOf(error)] };
    }
  }

  /** @throws {Refusal} The configuration could never be read. */
  context(assets: AssetsConfig | undefined = this.opened?.assets): CompileContext {
    if (this.opened) return this.opened.context(assets);
    throw new PreviewRefusal(
      503,
      "The project's configuration can't be read.",
      "Fix it first; the page shows the problem.",
    );
  }

  /** The same with its own worker, so that requests neither wait for running compilations nor hold them up. */
  asideContext(assets?: AssetsConfig): CompileContext {
    const context = this.context(assets);
    this.#aside ??= context.host.another();
    return { ...context, host: this.#aside };
  }

  async close(): Promise<void> {
    await Promise.all([this.opened?.close(), this.#aside?.close()]);
  }

  settings(): CheckSettings {
    const project = this.opened?.project;
    if (project === undefined) return DEFAULT_SETTINGS;
    const { clients, rawVariables } = project.check;
    return { clients, rawVariables, network: false, markerLength: longestMarker(project) };
  }

  assets(): readonly Asset[] {
    this.#assets ??= this.roots.flatMap(listAssets);
    return this.#assets;
  }

  /** The folders and files to watch. */
  get watched(): { readonly roots: readonly string[]; readonly files: readonly string[] } {
    return { roots: this.opened?.project.roots ?? [], files: this.#access.configurationFiles() };
  }

  #configures(files: ReadonlySet<string>): boolean {
    const { folder } = this.#access;
    const known = new Set(this.#access.configurationFiles());
    return [...files].some(
      (file) =>
        known.has(file) || (path.dirname(file) === folder && path.basename(file).startsWith("lettershop.config.")),
    );
  }
}

/**
 * Loads the templates roots again. Only the templates that were touched are read, which matters with hundreds of
 * templates.
 *
 * @param roots With links resolved.
 * @param files Files that were written, added or removed since.
 */
function reload(
  before: LoadedTemplates,
  templates: readonly UnusableTemplate[],
  roots: readonly string[],
  files: ReadonlySet<string>,
): LoadedTemplates {
  const touched = new Set<string>();
  for (const file of files) {
    const root = roots.find((each) => isWithin(each, file));
    // Sources elsewhere and shared parts are not templates.
    if (root === undefined ? !roots.includes(file) : /^[_.]/.test(path.relative(root, file))) continue;
    const owner = templates.find(({ folder }) => !roots.includes(folder) && isWithin(folder, file));
    if (!owner) return loadTemplates(roots);
    touched.add(owner.name);
  }
  if (touched.size === 0) return before;
  const now = loadTemplates(roots, [...touched]);
  const isOther = (name: string | undefined) => name === undefined || !touched.has(name);
  const withNow = (which: "incomplete" | "unusable"): Pick<LoadedTemplates, typeof which> => {
    const all = [...(before[which] ?? []).filter(({ name }) => isOther(name)), ...(now[which] ?? [])];
    return all.length > 0 ? { [which]: all } : {};
  };
  return {
    names: new Set([...before.names].filter(isOther).concat([...touched].filter((name) => now.names.has(name)))),
    templates: [...before.templates.filter(({ name }) => isOther(name)), ...now.templates].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    ),
    ...withNow("incomplete"),
    ...withNow("unusable"),
    diagnostics: [...before.diagnostics, ...now.diagnostics.filter(({ template }) => !isOther(template))].filter(
      (each) => isOther(each.template) || now.diagnostics.includes(each),
    ),
  };
}

function isWithin(folder: string, file: string): boolean {
  return file.startsWith(folder + path.sep);
}
