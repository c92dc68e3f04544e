import { setTimeout as sleep } from "node:timers/promises";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { TABLE as V3 } from "../api/contract/v3/endpoints.js";
import { TABLE as V4 } from "../api/contract/v4/endpoints.js";
import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from "../api/limits.js";
import { isLoopback } from "../api/local.js";
import { accountHandlers } from "./account.js";
import { aliasHandlers } from "./aliases.js";
import { assetRoutes } from "./assets.js";
import { processDue } from "./background.js";
import type { ServiceClock } from "./clock.js";
import type { ApiEnv, ServiceContext } from "./context.js";
import { endpointNames, type FaultQueue } from "./control/faults.js";
import { type Controls, controlRoutes } from "./control/routes.js";
import { credentialHandlers } from "./credentials.js";
import { domainHandlers, ownDomain, refusalOfDeletedDomain } from "./domains.js";
import { type HandlersV4, routesOf } from "./endpoints.js";
import { ApiError, type ErrorStatus, forbidden, notFound, serviceFailure } from "./http/api-error.js";
import { discardBody, endpointPath } from "./http/request.js";
import { logHandlers } from "./logs/log-query.js";
import { mailRoutes } from "./mail/routes.js";
import { openApiDocument } from "./openapi/document.js";
import { sendEmail } from "./outbound/send.js";
import { RateLimiter, type RateState } from "./rate-limiter.js";
import { ruleHandlers } from "./rules.js";
import type { AccountStore } from "./store/accounts.js";
import { templateHandlers } from "./templates.js";
import { handlersV3 } from "./v3/handlers.js";

interface AppOptions extends ServiceContext, Controls {
  /** Faults to inject. */
  readonly faults: FaultQueue;
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
  const v4 = handlersV4(options);
  app.route("/v4", versioned("v4", options, routesOf(V4, v4)));
  app.route("/v3", versioned("v3", options, routesOf(V3, handlersV3(options, v4))));
  app.route("/", openApiRoutes());
  app.route("/", controlRoutes(options));
  app.route("/", mailRoutes(options.mail));
  app.route("/", assetRoutes(options.assets));
  return app;
}

function handlersV4(context: ServiceContext): HandlersV4 {
  return {
    ...accountHandlers(context),
    ...domainHandlers(context),
    ...aliasHandlers(context),
    ...ruleHandlers(context),
    ...logHandlers(context),
    ...credentialHandlers(context),
    ...templateHandlers(context),
    "emails.send": ({ account, domain, body }) => sendEmail(context, account, domain, body),
  };
}

/** Sets the headers that every response of the API has, including refusals. */
function beforeAnyAnswer(clock: ServiceClock): MiddlewareHandler {
  const limiter = new RateLimiter(clock);
  return async (c, next) => {
    // The time that the rate limit's headers refer to.
    c.header("Date", new Date(clock.now()).toUTCString());
    // For unauthenticated requests: the free plan's limit, without counting.
    showState(c, limiter.unused(REQUESTS_PER_MINUTE.free));
    await next();
  };
}

/** One version of the API: the checks before every endpoint, and the endpoints. */
function versioned(version: "v3" | "v4", options: AppOptions, endpoints: Hono<ApiEnv>): Hono<ApiEnv> {
  const { store, clock, faults } = options;
  const limiter = new RateLimiter(clock);
  const api = new Hono<ApiEnv>();
  // The order of refusals: 401, 429, 404 for the domain, 403 for a locked account. The routes continue from there.
  api.use(authenticate(store.accounts), limitRate(limiter, options.limits), injectFaults(faults, version, clock));
  api.use("/domains/:domain/*", ownDomain(options));
  api.use(async (c, next) => {
    await next();
    // A write is answered after it has reached the disk.
    if (c.req.method !== "GET") await store.flushed();
  });
  api.route("/", endpoints);
  return api;
}

/**
 * Serves `/openapi/v4.json` and `/openapi/v3.json` without authentication, because they contain nothing about the
 * account.
 */
function openApiRoutes(): Hono {
  return new Hono()
    .get("/openapi/v4.json", (c) => c.json(openApiDocument("v4")))
    .get("/openapi/v3.json", (c) => c.json(openApiDocument("v3")));
}

/**
 * Refuses requests whose host is not this machine. Otherwise another site whose name was made to point here (DNS
 * rebinding) could read captured emails.
 */
function requireLoopbackHost(): MiddlewareHandler {
  return async (c, next) => {
    const name = (c.req.header("host") ?? "").toLowerCase().replace(/:\d*$/, "");
    if (!isLoopback(name)) {
      throw forbidden("This service only accepts requests for a name of its own machine, such as localhost.");
    }
    await next();
  };
}

/** Paths that show emails: the log, the files of emails, the inbox of page and tests. */
const SHOWS_EMAILS = /\/(?:logs|mails?)(?:\/|$)/;

/** Before any response, processes due events. Before a response about emails, waits until their files are written. */
function readyToAnswer(
  context: Pick<ServiceContext, "deliveries" | "webhooks" | "inbound" | "filing">,
): MiddlewareHandler {
  const { filing } = context;
  return async (c, next) => {
    processDue(context);
    if (filing.busy && SHOWS_EMAILS.test(c.req.path)) await filing.settled();
    await next();
  };
}

const USER = "api";

/** Requires an account's API key (part 5) and sets the request's account. */
function authenticate(accounts: AccountStore): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const apiKey = readApiKey(c.req.header("authorization"));
    const account = apiKey === undefined ? undefined : accounts.findByKey(apiKey);
    if (!account) {
      c.header("WWW-Authenticate", 'Basic realm="lettershop", charset="UTF-8"');
      throw new ApiError(
        401,
        apiKey === undefined
          ? "Credentials are missing: use HTTP Basic authentication with the user name api."
          : "The API key is not valid.",
      );
    }
    c.set("account", account);
    await next();
  };
}

/** The password in `Basic base64("api:<key>")`. */
function readApiKey(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const credentials = Buffer.from(encoded, "base64").toString("utf8");
  return credentials.startsWith(`${USER}:`) ? credentials.slice(USER.length + 1) : undefined;
}

/**
 * Counts each request against its account's limit for the endpoint (part 8), that is, for a method and a path, whatever
 * the path's parameters. Unknown paths share one limit.
 */
function limitRate(limiter: RateLimiter, enforced: boolean): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { id, paid } = c.get("account");
    const path = endpointPath(c);
    // HEAD is handled like GET and counts as it.
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    const limit = path.endsWith(V4["emails.send"].path)
      ? SENDS_PER_MINUTE
      : REQUESTS_PER_MINUTE[paid ? "paid" : "free"];
    const state = enforced ? limiter.take(`${id} ${method} ${path}`, limit) : limiter.unused(limit);
    showState(c, state);
    if (state.retryAfter !== undefined) {
      c.header("Retry-After", String(state.retryAfter));
      throw new ApiError(
        429,
        `Too many requests: this endpoint allows ${limit} per minute. Try again in ${state.retryAfter} s.`,
      );
    }
    await next();
  };
}

function showState(c: Context, state: RateState): void {
  c.header("X-RateLimit-Limit", String(state.limit));
  c.header("X-RateLimit-Remaining", String(state.remaining));
  c.header("X-RateLimit-Reset", String(state.reset));
}

const RETRY_AFTER_SECONDS = 60;

/** Injects the next fault of a call's endpoint. Costs one lookup in an empty list if there are none. */
function injectFaults(faults: FaultQueue, version: "v3" | "v4", clock: ServiceClock): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (faults.list().length === 0) return next();
    const path = endpointPath(c).replace(`/${version}`, "");
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    const fault = faults.take(endpointNames(version, method, path));
    if (!fault) return next();
    switch (fault.kind) {
      case "refuse":
        if (fault.status === 429) setExhaustedHeaders(c, fault.retryAfter ?? RETRY_AFTER_SECONDS, clock);
        throw new ApiError(fault.status, reasons[fault.status]);
      case "delay":
        await sleep(fault.milliseconds);
        return next();
      case "malformed":
        await next();
        // A response without a body cannot be malformed.
        if (c.res.body !== null) c.res = new Response('{"half of an answ', c.res);
        return undefined;
      case "cut":
        if (fault.when === "after") await next();
        return cut(c);
    }
  };
}

const reasons: Readonly<Record<403 | 429 | 500, string> & Partial<Record<ErrorStatus, string>>> = {
  403: "Injected fault: this call is forbidden.",
  429: "Injected fault: too many requests.",
  500: "Injected fault: the service failed.",
};

/** Sets the rate limit's headers as for a 429. */
function setExhaustedHeaders(c: Context<ApiEnv>, retryAfter: number, clock: ServiceClock): void {
  c.header("X-RateLimit-Remaining", "0");
  c.header("X-RateLimit-Reset", String(Math.ceil(clock.now() / 1_000) + retryAfter));
  c.header("Retry-After", String(retryAfter));
}

/** Closes the connection without a response. Without a connection, in process, it throws instead. */
function cut(c: Context<ApiEnv>): never {
  c.env?.incoming?.socket.destroy();
  throw new ConnectionCut();
}

/** Thrown to cut a connection. It does not indicate an error of the service. */
class ConnectionCut extends Error {}
