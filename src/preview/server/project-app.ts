import { Hono } from "hono";
import { answerErrors, type AppOptions } from "./app.js";
import { assetRoutes } from "./routes/assets.js";
import { commitRoutes } from "./routes/commits.js";
import type { RouteContext } from "./routes/context.js";
import { eventRoutes } from "./routes/events.js";
import { inboxRoutes } from "./routes/inbox.js";
import { projectRoutes } from "./routes/project.js";
import { sendRoutes } from "./routes/send.js";
import { templateRoutes } from "./routes/templates.js";

/** Handles the page's requests about the project. They have passed the guard already. */
export function createProjectApp(context: RouteContext, { onError }: Pick<AppOptions, "onError">): Hono {
  const app = new Hono();
  answerErrors(app, onError);
  app.route("/", assetRoutes(context));
  app.route("/api", projectRoutes(context));
  app.route("/api", templateRoutes(context));
  app.route("/api", eventRoutes(context));
  app.route("/api", sendRoutes(context));
  app.route("/api", commitRoutes(context));
  app.route("/api", inboxRoutes(context));
  return app;
}
