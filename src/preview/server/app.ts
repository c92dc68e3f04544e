import { Hono } from "hono";
import { html } from "hono/html";
import { LettershopError } from "../../errors.js";
import type { PreviewError } from "../contract.js";
import { guard, type GuardOptions } from "./http/guard.js";
import { safeHeaders } from "./http/headers.js";
import { Refusal } from "./refusal.js";
import { pageRoutes } from "./routes/page.js";

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

/** Answers errors with their message. For unexpected errors, the response does not contain details. */
export function answerErrors(app: Hono, onError: (error: Error) => void): void {
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    if (!refusal) onError(error);
    const { status, message, hint } =
      refusal ?? new Refusal(500, "Something went wrong in the preview. Its terminal has the details.");
    if (c.req.header("accept")?.includes("text/html")) return c.html(errorPage(message, hint), status);
    const body: PreviewError = { error: { message, ...(hint !== undefined && { hint }) } };
    return c.json(body, status);
  });
  app.notFound((c) => {
    throw new Refusal(404, `Not found: ${c.req.method} ${c.req.path}`);
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
function refusalOf(error: Error): Refusal | undefined {
  if (error instanceof Refusal) return error;
  return error instanceof LettershopError ? new Refusal(422, error.message, error.hint) : undefined;
}
