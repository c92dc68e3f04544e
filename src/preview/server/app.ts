import { Hono } from "hono";
import { LettershopError } from "../../errors.js";
import type { PreviewError } from "../contract.js";
import { guard, type GuardOptions } from "./http/guard.js";
import { safeHeaders } from "./http/headers.js";
import { Refusal } from "./refusal.js";
import { eventRoutes } from "./routes/events.js";
import { inboxRoutes } from "./routes/inbox.js";
import { pageRoutes } from "./routes/page.js";
import { projectRoutes } from "./routes/project.js";
import type { RouteContext } from "./routes/context.js";
import { sendRoutes } from "./routes/send.js";
import { templateRoutes } from "./routes/templates.js";

export interface AppOptions extends RouteContext, GuardOptions {
  /** Is told of a mistake of ours; the page only learns that there is one. */
  readonly onError: (error: Error) => void;
}

/** The whole server as a function from a request to its response. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    if (!refusal) options.onError(error);
    const { status, message, hint } =
      refusal ?? new Refusal(500, "The preview made a mistake: its terminal says which.");
    const body: PreviewError = { error: { message, ...(hint !== undefined && { hint }) } };
    return c.json(body, status);
  });
  app.notFound((c) => {
    throw new Refusal(404, `There is no ${c.req.method} ${c.req.path}.`);
  });
  app.use(safeHeaders(), guard(options));
  app.route("/", pageRoutes(options));
  app.route("/api", projectRoutes(options));
  app.route("/api", templateRoutes(options));
  app.route("/api", eventRoutes(options));
  app.route("/api", sendRoutes(options));
  app.route("/api", inboxRoutes(options));
  return app;
}

/** What a person is told; undefined for a mistake of ours. */
function refusalOf(error: Error): Refusal | undefined {
  if (error instanceof Refusal) return error;
  return error instanceof LettershopError ? new Refusal(422, error.message, error.hint) : undefined;
}
