import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { createModuleHost, type ModuleHost } from "../../src/process/host.js";
import { compileAll } from "../../src/render/compile.js";
import type { CompileContext } from "../../src/render/engine.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import type { CompileResult, Template } from "../../src/project/template.js";
import { removeFolder } from "../remove-folder.js";

/** The folder with the packages that templates need. */
const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** The files of a templates root, by path. */
export type Files = Readonly<Record<string, string>>;

export interface TestProjects {
  /** Writes a templates root and returns its folder. */
  readonly write: (files: Files) => Promise<string>;
  /** Writes and loads. */
  readonly load: (files: Files) => Promise<readonly Template[]>;
  readonly context: (options?: Partial<CompileContext>) => CompileContext;
  /** Writes and compiles. */
  readonly compile: (files: Files, options?: Partial<CompileContext>) => Promise<CompileResult[]>;
  /** Writes and compiles one template. */
  readonly compileOne: (files: Files, options?: Partial<CompileContext>) => Promise<CompileResult>;
}

type Build = "first" | "again" | "later";

const hosts = new Map<Build, ModuleHost>();
let modules: string | undefined;

/**
 * The hosts for first builds, for builds without anything left from those, and for builds with a later clock. All files of a
 * process share them: starting one and loading React takes longer than most tests. Each template is in its own folder, so it
 * is imported afresh.
 */
export function sharedHost(build: Build): ModuleHost {
  modules ??= makeModulesFolder();
  const host =
    hosts.get(build) ?? createModuleHost({ cacheFolder: path.join(modules, build), later: build === "later" });
  hosts.set(build, host);
  return { ...host, close: () => Promise.resolve() };
}

/** A context whose templates are rebuilt in shared hosts. */
export function rebuilding(context: CompileContext): CompileContext {
  const another: ModuleHost["another"] = ({ later = false } = {}) => sharedHost(later ? "later" : "again");
  return { ...context, host: { ...context.host, another } };
}

/** Removed when vitest ends the process. */
function makeModulesFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "lettershop modules ")));
  symlinkSync(path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules"), "junction");
  process.once("SIGTERM", () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    process.kill(process.pid, "SIGTERM");
  });
  return folder;
}

/** Templates roots in a temporary folder with a space in its name, for the tests of one file. */
export function useProjects(): TestProjects {
  let folder = "";
  let count = 0;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "lettershop render ")));
    // Modules of templates resolve zod as they would in an application.
    await symlink(path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules"), "junction");
  });
  afterAll(() => removeFolder(folder));

  const projects: TestProjects = {
    async write(files) {
      const root = path.join(folder, `templates ${(count += 1)}`);
      for (const [name, text] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(root, name)), { recursive: true });
        await writeFile(path.join(root, name), text);
      }
      return root;
    },
    async load(files) {
      const { templates, diagnostics } = loadTemplates([await projects.write(files)]);
      if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
      return templates;
    },
    context(options) {
      return { host: sharedHost("first"), folder: REPOSITORY, locale: "en-US", timeZone: "UTC", ...options };
    },
    async compile(files, options) {
      return compileAll(await projects.load(files), projects.context(options));
    },
    async compileOne(files, options) {
      const [result, ...others] = await projects.compile(files, options);
      if (!result || others.length > 0) throw new Error("Expected one template.");
      return result;
    },
  };
  return projects;
}

/** A diagnostic as `rule file:line:column`, for comparisons. */
export function places({ diagnostics }: Pick<CompileResult, "diagnostics">): string[] {
  return diagnostics.map(({ rule, at }) => {
    const place = [at?.line, at?.column].filter((part) => part !== undefined).join(":");
    return `${rule} ${path.basename(at?.file ?? "")}${place && `:${place}`}`;
  });
}

/** The compiled template, or an error that shows why there is none. */
export function compiledOf(result: CompileResult): NonNullable<CompileResult["compiled"]> {
  if (!result.compiled) throw new Error(JSON.stringify(result.diagnostics, null, 2));
  return result.compiled;
}

/** A complete MJML document around the elements of a column. */
export function inColumn(elements: string): string {
  return `<mjml><mj-body><mj-section><mj-column>\n${elements}\n</mj-column></mj-section></mj-body></mjml>`;
}
