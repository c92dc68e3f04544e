import { findProject, type ProjectLocation } from "../../project/find-project.js";
import type { Project } from "../../project/load-project.js";
import { hideFromSystem, projectVariables, secretNames } from "../../project/own-environment.js";
import { isShared, type PreviewUrl, previewUrls } from "../../preview/server/hosts.js";
import { POSTGRES_ADDRESS } from "../../project/environment.js";
import type { Output } from "../output.js";
import type { StoreFlags } from "../outbox/boxes.js";
import { KeylessProcess, tampered } from "../../process/keyless-process.js";
import { warnAboutFileAccess } from "../keyless/keyless-project.js";
import { loadPostgres, preload, preloadMailer } from "../keyless/preload.js";
import { hideFromGit, type ProjectFlags, workingFolder } from "../project.js";
import type { Keeper } from "./keeper.js";
import { type PreviewLocalService, openLocalService } from "./local-service.js";
import { readAllowedHost } from "./preview-urls.js";
import type { CommandFunctions, KeeperFunctions, PreviewFunctions } from "./command-functions.js";
import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { attempt } from "../../files.js";
import { newToken } from "../../preview/server/token.js";

export interface ServeOptions {
  readonly flags: ProjectFlags;
  /** Names the store of the outbox. Its address may contain a password. */
  readonly store: StoreFlags;
  readonly host?: string | undefined;
  /** As typed by the user. */
  readonly allowedHosts: readonly string[];
  readonly port?: number | undefined;
  /** Whether to open the page in a browser. */
  readonly open: boolean;
  /** Whether to sync saved changes to the local service. */
  readonly isSynced: boolean;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Called once, when the page can be opened. */
  readonly onListening: (urls: readonly [PreviewUrl, ...PreviewUrl[]]) => void;
  /** Called once, when the configuration was read and the page can be opened. */
  readonly onProject?: (project: Project, local: PreviewLocalService) => Promise<void>;
}

/**
 * Serves the preview until the signal is aborted. This process may hold keys, so it loads no project code: another process,
 * started without any secrets, compiles and serves the page, and calls this one for what needs a key.
 *
 * @throws {LettershopError} The preview can't start, or its process has ended.
 */
export async function servePreview(options: ServeOptions): Promise<void> {
  const { flags, host = "127.0.0.1", isSynced, output, signal } = options;
  const reach = { host, allowedHosts: options.allowedHosts.map(readAllowedHost) };
  const location = await findProject({ cwd: workingFolder(flags), configFile: flags.config });
  hideFromGit(location.dataFolder);
  const token = isShared(reach) ? keptToken(location.dataFolder) : undefined;
  // SIGUSR1 starts Node's debugger, through which any process of the same user could read this process's memory.
  process.on("SIGUSR1", ignore);
  hideFromSystem(secretNames({}));
  const local = openLocalService((url) => isSynced || output.note(`Started the local service at ${url}`));
  const serving = new Serving({ ...options, ...reach, token }, location, local);
  // Load while the other process starts, and before it may run project code.
  const keeper = import("./keeper.js").then(({ createKeeper }) =>
    createKeeper({
      location,
      project: () => serving.project,
      isSeen: (variable) => Object.hasOwn(serving.env, variable),
      local,
      store: options.store,
      output,
      signal,
    }),
  );
  const preloaded = Promise.all([
    keeper,
    preload(true),
    preloadMailer(),
    POSTGRES_ADDRESS.test(options.store.store ?? "") && loadPostgres(),
    import("./environments.js"),
    import("./remote.js"),
    import("launch-editor"),
  ]);
  try {
    while ((await serving.serve(keeper, preloaded)) === "restart");
  } finally {
    await (await keeper).close();
    await local.close();
    process.off("SIGUSR1", ignore);
  }
}

/** `restart`: the configuration names a key that project code can read. */
type End = "ended" | "restart";

interface ServingOptions extends ServeOptions {
  readonly host: string;
  /** Required to open the page if other machines can reach it. */
  readonly token: string | undefined;
}

/** What the command offers to the preview process, which is not trusted. */
type CommandSide = Readonly<Record<keyof CommandFunctions, (input: unknown) => unknown>>;

/**
 * Limits V8's young generation. By default it takes 32 MB per thread, although most threads have little to do
 * (`npm run bench -- preview`).
 */
const SMALL_HEAP = ["--max-semi-space-size=4"];

/** By default, glibc gives each thread its own memory arena and returns little of it to the system. */
const ONE_ARENA = process.platform === "linux" ? { MALLOC_ARENA_MAX: "1" } : {};

class Serving {
  readonly #options: ServingOptions;
  readonly #location: ProjectLocation;
  readonly #local: PreviewLocalService;
  #port: number | undefined;
  /** Settles when the latest configuration was read. */
  #taking: Promise<unknown> = Promise.resolve();
  #isListening = false;
  #isOpen = false;
  #isReadOnly = true;
  project: Project | undefined;
  /** The environment variables that project code can read. */
  env = projectVariables({});

  constructor(options: ServingOptions, location: ProjectLocation, local: PreviewLocalService) {
    this.#options = options;
    this.#location = location;
    this.#local = local;
    this.#port = options.port;
  }

  async serve(keeper: Promise<Keeper>, preloaded: Promise<unknown>): Promise<End> {
    const { flags, host, allowedHosts, token, isSynced, signal } = this.#options;
    const restart = new AbortController();
    const stop = AbortSignal.any([signal, restart.signal]);
    if (stop.aborted) return "ended";
    const server = new KeylessProcess<PreviewFunctions>({
      module: new URL("./preview-process.js", import.meta.url),
      purpose: "serves the preview",
      folders: this.#location,
      env: { ...ONE_ARENA, ...this.env },
      execArgv: SMALL_HEAP,
      isPrinting: true,
      functions: this.#functions(keeper, restart),
      factsOf: async (error) => (await keeper).factsOf(error),
    });
    try {
      const [isReadOnly] = await Promise.all([server.call("isReadOnly", undefined, stop), preloaded]);
      this.#isReadOnly = isReadOnly === true;
      await server.call(
        "serve",
        { flags: { cwd: flags.cwd, config: flags.config }, host, allowedHosts, port: this.#port, token, isSynced },
        stop,
      );
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      await server.close();
    }
    return restart.signal.aborted ? "restart" : "ended";
  }

  /** What the preview process can call. Project code runs there and can call it, too. */
  async #functions(keeper: Promise<Keeper>, restart: AbortController): Promise<CommandSide> {
    const { functions } = await keeper;
    const afterTaking = Object.entries(functions).map(([name, called]) => [
      name,
      async (input: unknown) => {
        await this.#taking;
        return called(input);
      },
    ]);
    const notified: Omit<CommandSide, keyof KeeperFunctions> = {
      project: async (data) => {
        const taking = import("../../project/config-schema.js").then(({ readProjectData }) =>
          this.#take(readProjectData(this.#location, data)),
        );
        this.#taking = taking.catch(() => undefined);
        if (await taking) restart.abort();
      },
      listening: async (port) => {
        if (typeof port !== "number") throw tampered(port);
        this.#port = port;
        if (!this.#isListening) this.#tellUrls(port);
        this.#isListening = true;
        await this.#sendProject();
      },
    };
    return { ...Object.fromEntries(afterTaking), ...notified };
  }

  #tellUrls(port: number): void {
    const { token, open, onListening } = this.#options;
    const urls = previewUrls(this.#options, port, token);
    onListening(urls);
    if (!open) return;
    if (token === undefined) openInBrowser(urls[0].url);
    else openPrivately(urls[0].url, this.#location.dataFolder);
  }

  async #take(project: Project): Promise<boolean> {
    this.project = project;
    const { environments } = project;
    if (secretNames(environments, this.env).length > 0) {
      hideFromSystem(secretNames(environments));
      this.env = projectVariables(environments, this.env);
      return true;
    }
    await this.#sendProject();
    return false;
  }

  /** Calls `onProject` once, after the page can be opened. */
  async #sendProject(): Promise<void> {
    if (this.#isOpen || !this.#isListening || this.project === undefined) return;
    this.#isOpen = true;
    const { environmentChoices } = await import("./environments.js");
    const choices = environmentChoices(this.project, (variable) => Object.hasOwn(this.env, variable));
    if (!this.#isReadOnly && choices.some(({ name, hasKey }) => name !== "local" && hasKey))
      warnAboutFileAccess(this.#options.output);
    await this.#options.onProject?.(this.project, this.#local);
  }
}

function ignore(): void {}

/** Opens a URL in the default browser. Does nothing if there is none. */
function openInBrowser(url: string): void {
  const [command, ...args] = commandFor(process.platform, url);
  const child = spawn(command, args, { stdio: "ignore", detached: true, windowsVerbatimArguments: true });
  child.on("error", () => undefined);
  child.unref();
}

/**
 * Opens a URL that contains a token. Other users of the machine can see a command's arguments, so the browser opens a private
 * file that redirects to the URL.
 */
function openPrivately(url: string, dataFolder: string): void {
  const file = path.join(dataFolder, "open-preview.html");
  const isWritten = writePrivate(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">\n`);
  if (isWritten) openInBrowser(pathToFileURL(file).href);
}

function commandFor(platform: NodeJS.Platform, url: string): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["cmd", "/c", "start", '""', `"${url}"`];
  return ["xdg-open", url];
}

/**
 * The token that opens a project's preview from other machines. It is stored, so that open pages and bookmarks keep working after
 * a restart. If it can't be stored privately, each start has a new one.
 */
function keptToken(dataFolder: string): string {
  const file = path.join(dataFolder, "preview-token");
  const saved = readPrivate(file);
  if (saved !== undefined && /^[\w-]{32}$/.test(saved)) return saved;
  const token = newToken();
  hideFromGit(dataFolder);
  writePrivate(file, token);
  return token;
}

/** Reads a file that only its user can read; undefined if others can read it, too. */
function readPrivate(file: string): string | undefined {
  try {
    // Windows has no file modes; a user's folder is private there.
    const isPrivate = process.platform === "win32" || (statSync(file).mode & 0o077) === 0;
    return isPrivate ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file that only its user can read. Returns whether it was written. */
function writePrivate(file: string, text: string): boolean {
  const isWritten = attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true });
    // Delete the file first: `mode` only applies to new files.
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
    return true;
  });
  return isWritten ?? false;
}
