import { Hono } from "hono";
import { PATHS } from "../api/contract/paths.js";
import { ApiError, notFound, serviceFailure } from "./api-error.js";
import { assetRoutes } from "./assets.js";
import { authenticate } from "./auth.js";
import type { ApiEnv, ServiceContext } from "./context.js";
import { requireLoopbackHost } from "./host.js";
import type { CapturedMails } from "./mail/captured.js";
import { mailRoutes } from "./mail/routes.js";
import { anonymousLimit, limitRate } from "./rate-limit.js";
import { RateLimiter } from "./rate-limiter.js";
import { discardBody } from "./request.js";
import { accountRoutes } from "./routes/account.js";
import { domainRoutes, ownDomain } from "./routes/domains.js";
import { emailRoutes } from "./routes/emails.js";
import { logRoutes } from "./routes/logs.js";
import { templateRoutes } from "./routes/templates.js";

export interface AppOptions extends ServiceContext {
  readonly mail: CapturedMails;
  /** Whether rate limits are enforced. */
  readonly limits: boolean;
  /** Whether only names of this machine are accepted in the Host header. */
  readonly loopbackOnly: boolean;
  /** Templates roots whose `_assets` folders are served. */
  readonly assets: readonly string[];
  /** Is told what went wrong in the service itself; the client only learns that something did. */
  readonly onError: (error: Error) => void;
}

/** The whole service as a function from a request to its response. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono();
  app.onError(async (error, c) => {
    const refusal = error instanceof ApiError ? error : serviceFailure;
    if (refusal === serviceFailure) options.onError(error);
    await discardBody(c.req.raw);
    return c.json(refusal.body, refusal.status);
  });
  app.notFound((c) => {
    throw notFound(`There is no ${c.req.method} ${c.req.path}.`);
  });
  if (options.loopbackOnly) app.use(requireLoopbackHost());
  app.get("/", (c) => c.redirect("/mail"));
  app.route("/v4", apiV4(options));
  app.route("/", mailRoutes(options.mail));
  app.route("/", assetRoutes(options.assets));
  return app;
}

function apiV4(options: AppOptions): Hono<ApiEnv> {
  const { store, clock } = options;
  const limiter = new RateLimiter(clock);
  const api = new Hono<ApiEnv>();
  api.use(async (c, next) => {
    // The time that the rate limit's headers are about.
    c.header("Date", new Date(clock.now()).toUTCString());
    await next();
  });
  // What comes first is refused first: 401, 429, 404 for the domain; the routes go on with 403 and 400.
  api.use(anonymousLimit(limiter), authenticate(store.accounts), limitRate(limiter, options.limits));
  api.use(`${PATHS.domain}/*`, ownDomain(options));
  for (const routes of [accountRoutes, domainRoutes, templateRoutes, emailRoutes, logRoutes]) {
    api.route("/", routes(options));
  }
  return api;
}
