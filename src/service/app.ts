import { Hono } from "hono";
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
import { ownDomain } from "./own-domain.js";
import { apiV3 } from "./v3/api.js";
import { apiV4 } from "./v4/api.js";

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
    return c.json(refusal.bodyFor(c.req.path), refusal.status);
  });
  app.notFound((c) => {
    throw notFound(`There is no ${c.req.method} ${c.req.path}.`);
  });
  if (options.loopbackOnly) app.use(requireLoopbackHost());
  app.get("/", (c) => c.redirect("/mail"));
  app.route("/v4", versioned(options, apiV4(options)));
  app.route("/v3", versioned(options, apiV3(options)));
  app.route("/", mailRoutes(options.mail));
  app.route("/", assetRoutes(options.assets));
  return app;
}

/** One version of the API: what comes before every endpoint, and the endpoints. */
function versioned(options: AppOptions, endpoints: Hono<ApiEnv>): Hono<ApiEnv> {
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
  api.use("/domains/:domain/*", ownDomain(options));
  api.route("/", endpoints);
  return api;
}
