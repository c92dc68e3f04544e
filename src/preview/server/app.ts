import { Hono, type HonoRequest, type MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { LettershopError } from "../../errors.js";
import type { PreviewError } from "../contract.js";
import { answerPageFile, PAGE_POLICY, readPageHtml } from "../../http.js";
import { PreviewRefusal } from "./refusal.js";
import { isNamedHere, type Reach } from "./hosts.js";
import { authorize } from "./token.js";

export interface AppOptions extends GuardOptions {
  /** Handles requests about the project. It takes longer to load than the page. */
  readonly project: () => Promise<Hono>;
  /** Receives unexpected errors. The page is only told that there was one. */
  readonly onError: (error: Error) => void;
}

/** The whole server as a function from request to response. */
export function createApp({ project, onError, ...listened }: AppOptions): Hono {
  const app = new Hono();
  answerErrors(app, onError);
  app.use(safeHeaders(), guard(listened));
  app.route("/", pageRoutes());
  app.all("*", async (c) => (await project()).fetch(c.req.raw));
  return app;
}

const HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};

/** Sets the headers on every response, including errors. */
function safeHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  };
}

/** Answers errors with their message. For unexpected errors, the response does not contain details. */
export function answerErrors(app: Hono, onError: (error: Error) => void): void {
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    if (!refusal) onError(error);
    const { status, message, hint } =
      refusal ?? new PreviewRefusal(500, "Something went wrong in the preview. Its terminal has the details.");
    if (c.req.header("accept")?.includes("text/html")) return c.html(errorPage(message, hint), status);
    const body: PreviewError = { error: { message, ...(hint !== undefined && { hint }) } };
    return c.json(body, status);
  });
  app.notFound((c) => {
    throw new PreviewRefusal(404, `Not found: ${c.req.method} ${c.req.path}`);
  });
}

/** Shown when a browser opens a URL that can't be shown. */
function errorPage(message: string, hint = "") {
  // Every second part was inside backticks.
  const parts = hint.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Preview</title>
        <style>
          body {
            font:
              1rem/1.5 system-ui,
              sans-serif;
            max-width: 40rem;
            margin: 15vh auto;
            padding: 0 1.5rem;
            overflow-wrap: anywhere;
          }
          h1 {
            font-size: 1.375rem;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${message}</h1>
          <p>${parts}</p>
        </main>
      </body>
    </html>`;
}

/** The error to show. Undefined for unexpected errors. */
function refusalOf(error: Error): PreviewRefusal | undefined {
  if (error instanceof PreviewRefusal) return error;
  return error instanceof LettershopError ? new PreviewRefusal(422, error.message, error.hint) : undefined;
}

interface GuardOptions extends Reach {
  readonly port: () => number;
  /** The token that opens the page. Undefined if only this machine can reach it. */
  readonly token: string | undefined;
}

/**
 * Rejects requests that do not come from the page itself, so that no other site can read templates or write fixtures,
 * neither by requests nor by a host name that it points here (DNS rebinding). If other machines can reach the preview,
 * requests also need the token: once in the URL, then in a cookie.
 */
function guard(options: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    const hosts = hostsOf(c.req);
    const stranger = hosts.find((host) => !isNamedHere(host, options));
    if (stranger !== undefined) throw refusedHost(stranger);
    if (!isOwnOrigin(c.req.header("origin"), hosts, options.token === undefined ? ["http:"] : ["http:", "https:"]))
      throw new PreviewRefusal(
        403,
        "Refused: the preview only answers its own page.",
        "If this is the preview's own page, configure the proxy in front of it to forward the browser's Host header.",
      );
    if (!isOwnSite(c.req.header("sec-fetch-site")) && !isOpening(c.req))
      throw new PreviewRefusal(403, "Refused: the preview only answers its own page.");
    const opened = options.token === undefined ? undefined : authorize(c, options.token);
    return opened ?? next();
  };
}

/**
 * The hosts that the request names, as in a URL: the Host header, the request target if it is a whole URL, and the host
 * that a proxy reports.
 *
 * @throws {Refusal} One of them is not a valid host.
 */
function hostsOf(request: HonoRequest): readonly string[] {
  const [forwarded] = (request.header("x-forwarded-host") ?? "").split(",");
  return [request.header("host"), URL.parse(request.url)?.host, forwarded?.trim() || undefined]
    .filter((host) => host !== undefined)
    .map((host) => {
      const url = /^[^\s/\\?#@]+$/.test(host) ? URL.parse(`http://${host}`) : null;
      if (!url) throw new PreviewRefusal(400, "The request's host is not valid.");
      return url.host;
    });
}

function refusedHost(host: string): PreviewRefusal {
  const { hostname } = new URL(`http://${host}`);
  const name = hostname.replace(/^\[|\]$/g, "");
  return new PreviewRefusal(
    421,
    `This preview doesn't accept requests for ${host}.`,
    `To allow this host, start the preview with \`--allowed-host ${name}\` and open the URL that it prints.`,
  );
}

/** A proxy may accept HTTPS and forward HTTP. The scheme is then the browser's, but the host must still match. */
function isOwnOrigin(origin: string | undefined, hosts: readonly string[], schemes: readonly string[]): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  if (!url || !schemes.includes(url.protocol)) return false;
  return hosts.some((host) => URL.parse(`${url.protocol}//${host}`)?.host === url.host);
}

/** Checks the browser's fetch metadata. Other clients do not send it. */
function isOwnSite(site: string | undefined): boolean {
  return site === undefined || site === "same-origin" || site === "none";
}

/** A link to the page, in a chat for example, may be followed from any site. */
function isOpening(request: HonoRequest): boolean {
  const { method, path } = request;
  return (
    method === "GET" &&
    path === "/" &&
    request.header("sec-fetch-mode") === "navigate" &&
    request.header("sec-fetch-dest") === "document"
  );
}

/** Serves the page itself. */
function pageRoutes(): Hono {
  const routes = new Hono().get("/", async (c) => c.html(withPrefetchScript(await readPageHtml())));
  for (const name of ["ahead.js", "app.js", "app.css", "licences.txt"])
    routes.get(`/${name}`, (c) => answerPageFile(c, name));
  return routes;
}

/** Adds a small script before the large one. A static copy has no server to send requests to. */
function withPrefetchScript(page: string): string {
  return page.replace("<script defer", '<script src="./ahead.js"></script>\n    <script defer');
}
