import type { ProbeOptions } from "../../check/lib/probed-urls.js";
import type { PreviewAccess, ProjectAccess } from "./preview-access.js";
import { createApp } from "./app.js";
import { writeAtomically } from "./fixtures/write-file.js";
import { isShared, type PreviewUrl, previewUrls, urlHost } from "./hosts.js";
import { newToken } from "./token.js";
import { PreferenceFile } from "./preferences.js";
import { Listeners } from "./workspace/listeners.js";
import type { Workspace } from "./workspace/workspace.js";
import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { errorCode, LettershopError } from "../../errors.js";
import { listenOnFirst, type Ports } from "../../process/listen.js";

/** The default port, next to the local service's 4680. */
const PREVIEW_PORT = 4690;

export interface PreviewOptions {
  readonly project: ProjectAccess;
  /** Default: the project can only be viewed. */
  readonly access?: PreviewAccess;
  /**
   * Default: the port that this project's preview last had, otherwise 4690, otherwise any free one. 0 means any free
   * port.
   */
  readonly port?: number;
  /** The address to listen on. Default `127.0.0.1`: only this machine. Any other address requires the token. */
  readonly host?: string;
  /**
   * Further host names under which a proxy, a tunnel or other machines may open the page. `.example.com` includes all
   * subdomains. If any are set, the page requires the token. Default: none.
   */
  readonly allowedHosts?: readonly string[];
  /** Opens the page if other machines can reach it. Default: a random token. */
  readonly token?: string;
  /** How the URLs of links and images are requested, when a user asks for that. */
  readonly probe?: ProbeOptions;
  /** Receives the preview's own unexpected errors. Default: a process warning. */
  readonly onError?: (error: Error) => void;
}

export interface RunningPreview {
  /** Opens the page on this machine. Ends with `/`, followed by the token if there is one. */
  readonly url: string;
  /** All URLs that open the page; `url` is the first. */
  readonly urls: readonly PreviewUrl[];
  readonly port: number;
  readonly workspace: Workspace;
  /** Closes every connection and everything that runs for the project. */
  close(): Promise<void>;
}

/**
 * Serves the page with a project's templates and watches their files.
 *
 * @throws {PreviewPortError} The port is not available.
 */
export async function startPreview(options: PreviewOptions): Promise<RunningPreview> {
  const { access = ALONE, host = "127.0.0.1", allowedHosts = [], onError = warn } = options;
  const reach = { host, allowedHosts };
  const token = isShared(reach) ? (options.token ?? newToken()) : undefined;
  const preferences = new PreferenceFile(options.project.dataFolder, access.writeFile ?? writeAtomically);
  let port = 0;
  const app = createApp({ ...reach, token, port: () => port, onError, project: async () => (await opening).app });
  const listener = await listen(app, host, await portsOf(options, preferences));
  port = listener.port;
  // Opens the project while the browser loads the page.
  const opening = openProject(options, access, preferences, onError);
  if (options.port !== 0) await preferences.change({ port }).catch(onError);
  const { workspace, ending } = await opening;
  const close = async () => {
    ending.tell();
    await listener.close();
    await workspace.close();
  };
  let closed: Promise<void> | undefined;
  const urls = previewUrls(reach, port, token);
  return { url: urls[0].url, urls, port, workspace, close: () => (closed ??= close()) };
}

async function openProject(
  { project, probe }: PreviewOptions,
  access: PreviewAccess,
  preferences: PreferenceFile,
  onError: (error: Error) => void,
) {
  const [{ openWorkspace }, { createProjectApp }] = await Promise.all([
    import("./workspace/workspace.js"),
    import("./project-app.js"),
  ]);
  const ending = new Listeners<void>();
  const workspace = openWorkspace(project, {
    watch: true,
    ...(access.writeFile && { write: access.writeFile }),
    ...(probe && { probe }),
    surroundings: {
      environments: () => access.environments(),
      preferences: () => preferences.read(),
      can: {
        save: true,
        send: access.mailer !== undefined,
        openEditor: access.openEditor !== undefined,
        seeInbox: access.inbox !== undefined,
        seeOutbox: access.outbox !== undefined,
        seeRemote: access.remote !== undefined,
        seeCommits: access.commits !== undefined,
        changeTemplates: access.templates !== undefined,
      },
    },
  });
  return { workspace, ending, app: createProjectApp({ workspace, access, preferences, ending }, { onError }) };
}

const ALONE: PreviewAccess = { environments: async () => [] };

async function portsOf({ port }: PreviewOptions, preferences: PreferenceFile): Promise<Ports> {
  if (port !== undefined) return [port];
  const last = (await preferences.read()).port;
  return last === undefined ? [PREVIEW_PORT, 0] : [last, PREVIEW_PORT, 0];
}

function warn(error: Error): void {
  process.emitWarning(error.message, {
    type: "LettershopPreviewFailure",
    ...(error.stack !== undefined && { detail: error.stack }),
  });
}

/** The address or port can't be used. */
class PreviewPortError extends LettershopError {
  override readonly name = "PreviewPortError";
  readonly code = "port_unavailable";

  constructor(host: string, port: number, options: { readonly cause: unknown }) {
    const isTaken = errorCode(options.cause) === "EADDRINUSE";
    const at = `${urlHost(host)}:${port}`;
    super(isTaken ? `${at} is already in use.` : `The preview can't listen on ${at}.`, {
      ...options,
      hint: isTaken
        ? "Choose another with --port, or leave it out to use a free one."
        : "Choose another address with --host or another port with --port.",
    });
  }
}

interface Listener {
  readonly port: number;
  /** Closes every connection at once. The page reconnects by itself if a server starts again. */
  close(): Promise<void>;
}

/**
 * Serves the app on the first available port.
 *
 * @throws {PreviewPortError} None of the ports is available.
 */
async function listen(app: Hono, host: string, ports: Ports): Promise<Listener> {
  const respond = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    // Handles errors before the app is reached, such as an invalid URL or host.
    errorHandler: () => Response.json({ error: { message: "The request is not valid HTTP." } }, { status: 400 }),
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  const port = await listenOnFirst(server, host, ports, (last, cause) => new PreviewPortError(host, last, { cause }));
  return {
    port,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}
