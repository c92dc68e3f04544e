import path from "node:path";
import { type CheckSettings, DEFAULT_SETTINGS } from "../../../check/settings.js";
import type { AssetsConfig } from "../../../config/define.js";
import { longestMarker } from "../../../config/marker-text.js";
import type { Diagnostic } from "../../../diagnostic.js";
import { type Asset, listAssets } from "../../../render/assets.js";
import type { CompileContext } from "../../../render/engine.js";
import type { ModuleHost } from "../../../modules/host.js";
import { realFolder } from "../../../template/links.js";
import { type LoadedTemplates, loadTemplates } from "../../../template/load.js";
import type { UnusableTemplate } from "../../../template/template.js";
import type { OpenedProject, ProjectAccess } from "../access.js";
import { Refusal } from "../refusal.js";
import { diagnosticOf } from "./failures.js";
import { reload } from "./reload.js";

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
    throw new Refusal(503, "The project's configuration can't be read.", "Fix it first; the page shows the problem.");
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
