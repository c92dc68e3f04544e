import { findProject, type ProjectLocation } from "../../config/find.js";
import type { Project } from "../../config/load.js";
import { hideFromSystem } from "../../config/own-environment.js";
import { projectVariables } from "../../config/project-variables.js";
import { secretNames } from "../../config/secrets.js";
import { isShared, type PreviewUrl, previewUrls } from "../../preview/server/http/hosts.js";
import type { Output } from "../output.js";
import { preload, preloadMailer } from "../apart/preload.js";
import { warnOfWrites } from "../apart/sandbox.js";
import { type ProjectFlags, workingFolder } from "../project.js";
import { openInBrowser, openPrivately } from "./browser.js";
import type { Keeper } from "./keeper.js";
import { keptToken } from "./kept-token.js";
import { type LocalService, openLocalService } from "./local-service.js";
import { readAllowedHost } from "./preview-urls.js";
import type { Report } from "./protocol.js";
import { ServerProcess } from "./server-process.js";

export interface ServeOptions {
  readonly flags: ProjectFlags;
  readonly host?: string | undefined;
  /** As they were typed. */
  readonly allowedHosts: readonly string[];
  readonly port?: number | undefined;
  /** Whether to open the page in the browser. */
  readonly open: boolean;
  /** Whether to bring what is saved to the local service. */
  readonly isSynced: boolean;
  readonly output: Output;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Is told once that the page is there. */
  readonly onListening: (urls: readonly [PreviewUrl, ...PreviewUrl[]]) => void;
  /** Is told once that the configuration could be read. */
  readonly onProject?: (project: Project, local: LocalService) => Promise<void>;
}

/**
 * Serves the preview until the signal. Nothing of the project's own is loaded in this process, which may hold keys:
 * another one, started without anything secret, compiles and serves the page, and asks here for what needs a key.
 *
 * @throws {LettershopError} It cannot be started, or has ended.
 */
export async function servePreview(options: ServeOptions): Promise<void> {
  const { flags, host = "127.0.0.1", isSynced, output, signal } = options;
  const reach = { host, allowedHosts: options.allowedHosts.map(readAllowedHost) };
  const location = await findProject({
    cwd: workingFolder(flags),
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
  const token = isShared(reach) ? keptToken(location.dataFolder) : undefined;
  // With a signal that Node.js takes as a wish to be debugged, any process of the same user could read this one's memory.
  process.on("SIGUSR1", ignore);
  hideFromSystem(secretNames({}));
  const local = openLocalService((url) => isSynced || output.note(`Started the local service at ${url}`));
  const serving = new Serving({ ...options, ...reach, token }, location, local);
  // Loaded while the other process starts, and before it may run any of the project's code.
  const keeper = import("./keeper.js").then(({ createKeeper }) =>
    createKeeper({
      location,
      project: () => serving.project,
      isSeen: (variable) => Object.hasOwn(serving.env, variable),
      local,
      output,
      signal,
    }),
  );
  const preloaded = Promise.all([
    keeper,
    preload(true),
    preloadMailer(),
    import("./environments.js"),
    import("./remote.js"),
    import("launch-editor"),
  ]);
  try {
    while ((await serving.serve(keeper, preloaded)) === "again");
  } finally {
    await (await keeper).close();
    await local.close();
    process.off("SIGUSR1", ignore);
  }
}

/** `again`: the configuration names a key that the project's own code can see. */
type End = "ended" | "again";

interface ServingOptions extends ServeOptions {
  readonly host: string;
  /** Opens the page where others than this machine can reach it. */
  readonly token: string | undefined;
}

class Serving {
  readonly #options: ServingOptions;
  readonly #location: ProjectLocation;
  readonly #local: LocalService;
  #port: number | undefined;
  /** Reads the configuration that was told last. */
  #taking: Promise<unknown> = Promise.resolve();
  #isListening = false;
  #isOpen = false;
  #isReadOnly = true;
  /** As it was read last. */
  project: Project | undefined;
  /** What the project's own code sees. */
  env = projectVariables({});

  constructor(options: ServingOptions, location: ProjectLocation, local: LocalService) {
    this.#options = options;
    this.#location = location;
    this.#local = local;
    this.#port = options.port;
  }

  async serve(keeper: Promise<Keeper>, preloaded: Promise<unknown>): Promise<End> {
    const { flags, host, allowedHosts, token, isSynced, signal } = this.#options;
    const ending = new AbortController();
    const over = AbortSignal.any([signal, ending.signal]);
    if (over.aborted) return "ended";
    let end: End = "ended";
    let failure: Error | undefined;
    const hear = async (report: Report) => {
      try {
        if (!(await this.#hear(report, keeper, server))) return;
        end = "again";
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
      ending.abort();
    };
    const server = new ServerProcess({
      location: this.#location,
      env: this.env,
      ready: preloaded,
      order: { flags, host, allowedHosts, port: this.#port, token, isSynced },
      onReport: (report) => void hear(report),
    });
    const aborted = new Promise<void>((resolve) => over.addEventListener("abort", () => resolve(), { once: true }));
    try {
      await Promise.race([aborted, server.ended]);
    } finally {
      await server.close();
    }
    if (failure !== undefined) throw failure;
    return end;
  }

  /** Gives whether it has to be started again. */
  async #hear(report: Report, keeper: Promise<Keeper>, server: ServerProcess): Promise<boolean> {
    if (report.kind === "started") this.#isReadOnly = report.isReadOnly;
    if (report.kind === "project") {
      const taking = import("../../config/project-data.js").then(({ readProjectData }) =>
        this.#take(readProjectData(this.#location, report.project)),
      );
      this.#taking = taking.catch(() => undefined);
      return taking;
    }
    if (report.kind === "call") {
      await this.#taking;
      server.tell({ kind: "answer", id: report.id, ...(await (await keeper).answer(report)) });
    } else if (report.kind === "listening") {
      this.#port = report.port;
      if (!this.#isListening) this.#tellUrls(report.port);
      this.#isListening = true;
      await this.#tellProject();
    }
    return false;
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
    await this.#tellProject();
    return false;
  }

  /** Once, and after the page is there. */
  async #tellProject(): Promise<void> {
    if (this.#isOpen || !this.#isListening || this.project === undefined) return;
    this.#isOpen = true;
    const { environmentChoices } = await import("./environments.js");
    const choices = environmentChoices(this.project, (variable) => Object.hasOwn(this.env, variable));
    if (!this.#isReadOnly && choices.some(({ name, hasKey }) => name !== "local" && hasKey))
      warnOfWrites(this.#options.output);
    await this.#options.onProject?.(this.project, this.#local);
  }
}

function ignore(): void {}
