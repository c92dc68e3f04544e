import { Hono, type MiddlewareHandler } from "hono";
import { ApiError, notFound, serviceFailure } from "./http/api-error.js";
import { assetRoutes } from "./assets.js";
import { authenticate } from "./http/auth.js";
import type { Clock } from "./clock.js";
import type { ApiEnv, ServiceContext } from "./context.js";
import { controlRoutes } from "./control/routes.js";
import { befall, ConnectionCut } from "./faults/befall.js";
import type { FaultQueue } from "./faults/faults.js";
import { requireLoopbackHost } from "./http/host.js";
import { readyToAnswer } from "./delivery/ready.js";
import type { CapturedMails } from "./mail/captured.js";
import { mailRoutes } from "./mail/routes.js";
import { limitRate, showAnonymousLimit } from "./http/rate-limit.js";
import { RateLimiter } from "./http/rate-limiter.js";
import { discardBody } from "./http/request.js";
import { openApiRoutes } from "./openapi/routes.js";
import { ownDomain, refusalOfDeletedDomain } from "./http/own-domain.js";
import { apiV3 } from "./v3/api.js";
import { apiV4 } from "./v4/api.js";

export interface AppOptions extends ServiceContext {
  readonly mail: CapturedMails;
  /** Faults to inject. */
  readonly faults: FaultQueue;
  /** Identifies this run of the service. */
  readonly id: string;
  /** The folder of the service's project. Undefined if it has none. */
  readonly project: string | undefined;
  /** Whether rate limits are enforced. */
  readonly limits: boolean;
  /** Whether the Host header must name this machine. */
  readonly loopbackOnly: boolean;
  /** Templates roots whose `_assets` folders are served. */
  readonly assets: readonly string[];
  /** Receives the service's own unexpected errors. The client only learns that there was one. */
  readonly onError: (error: Error) => void;
}

/** The whole service as a function from request to response. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono();
  app.onError(async (error, c) => {
    const refusal = error instanceof ApiError ? error : (refusalOfDeletedDomain(error) ?? serviceFailure);
    if (refusal === serviceFailure && !(error instanceof ConnectionCut)) options.onError(error);
    await discardBody(c.req.raw);
    return c.json(refusal.bodyFor(c.req.path), refusal.status);
  });
  app.notFound((c) => {
    throw notFound(`Not found: ${c.req.method} ${c.req.path}`);
  });
  for (const version of ["/v3/*", "/v4/*"]) app.use(version, beforeAnyAnswer(options.clock));
  if (options.loopbackOnly) app.use(requireLoopbackHost());
  app.use(readyToAnswer(options));
  app.get("/", (c) => c.redirect("/mail"));
  app.route("/v4", versioned("v4", options, apiV4(options)));
  app.route("/v3", versioned("v3", options, apiV3(options)));
  app.route("/", openApiRoutes());
  app.route("/", controlRoutes(options));
  app.route("/", mailRoutes(options.mail));
  app.route("/", assetRoutes(options.assets));
  return app;
}

/** Sets the headers that every response of the API has, including refusals. */
function beforeAnyAnswer(clock: Clock): MiddlewareHandler {
  const limiter = new RateLimiter(clock);
  return async (c, next) => {
    // The time that the rate limit's headers refer to.
    c.header("Date", new Date(clock.now()).toUTCString());
    showAnonymousLimit(c, limiter);
    await next();
  };
}

/** One version of the API: the checks before every endpoint, and the endpoints. */
function versioned(version: "v3" | "v4", options: AppOptions, endpoints: Hono<ApiEnv>): Hono<ApiEnv> {
  const { store, clock, faults } = options;
  const limiter = new RateLimiter(clock);
  const api = new Hono<ApiEnv>();
  // The order of refusals: 401, 429, 404 for the domain, 403 for a locked account. The routes continue from there.
  api.use(authenticate(store.accounts), limitRate(limiter, options.limits), befall(faults, version, clock));
  api.use("/domains/:domain/*", ownDomain(options));
  api.use(async (c, next) => {
    await next();
    // A write is answered after it has reached the disk.
    if (c.req.method !== "GET") await store.flushed();
  });
  api.route("/", endpoints);
  return api;
}
