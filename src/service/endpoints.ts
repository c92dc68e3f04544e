import { type Context, Hono } from "hono";
import type { z } from "zod";
import type { EndpointTable } from "../api/contract/endpoint.js";
import type { PathParameters } from "../api/contract/paths.js";
import type { TABLE as V3 } from "../api/contract/v3/endpoints.js";
import type { TABLE as V4 } from "../api/contract/v4/endpoints.js";
import type { ApiEnv } from "./context.js";
import { readJsonObject, readQuery } from "./http/request.js";
import { parse } from "./http/validate.js";
import type { AccountRecord } from "./store/accounts.js";
import type { DomainRecord } from "./store/domains.js";

type Facts = EndpointTable[string];

/** A request to an endpoint of the contract. */
export interface EndpointRequest<Endpoint extends Facts> {
  readonly account: AccountRecord;
  /** The domain in the path. Only endpoints with one may read it. */
  readonly domain: DomainRecord;
  readonly parameters: PathParameters<Endpoint["path"]>;
  /** The query as strings, without empty parameters. */
  readonly rawQuery: () => Record<string, string>;
  /** @throws ApiError (400) with every incorrect parameter. */
  readonly query: () => Endpoint extends { readonly query: infer Query extends z.ZodType }
    ? z.output<Query>
    : undefined;
  /** @throws ApiError (400) if the body is not a JSON object. */
  readonly body: () => Promise<Record<string, unknown>>;
}

/** Answers an endpoint's requests: with the body, or with nothing if the answer has none. */
type Handler<Endpoint extends Facts> = (
  request: EndpointRequest<Endpoint>,
) => object | undefined | Promise<object | undefined>;

type Handlers<Table extends EndpointTable> = { readonly [Id in keyof Table]: Handler<Table[Id]> };

/** The handlers of a resource's endpoints: `aliases.list`, … */
type ResourceHandlers<Table extends EndpointTable, Resource extends string> = Pick<
  Handlers<Table>,
  Extract<keyof Table, `${Resource}.${string}`>
>;

export type HandlersV4<Resource extends string = string> = ResourceHandlers<typeof V4, Resource>;
export type HandlersV3<Resource extends string = string> = ResourceHandlers<typeof V3, Resource>;

/** The routes of a version: its endpoints' methods and paths from the contract, answered by the handlers. */
export function routesOf<Table extends EndpointTable>(table: Table, handlers: Handlers<Table>): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  const endpoints = Object.entries<Facts>(table).map(([id, facts]) => ({ ...facts, handle: handlers[id] }));
  // Fixed paths first: an alias named batch can be reached by its id.
  for (const { method, path, query, answers, handle } of endpoints.toSorted(byParameters)) {
    api.on(method, path, async (c) => {
      const answer = await handle?.(requestOf(c, query));
      if (answer === undefined) return c.body(null, 204);
      const isPartial = 207 in answers && "failed_count" in answer && answer.failed_count !== 0;
      return c.json(answer, isPartial ? 207 : 200);
    });
  }
  return api;
}

function byParameters(a: Facts, b: Facts): number {
  return a.path.split(":").length - b.path.split(":").length;
}

function requestOf(c: Context<ApiEnv>, query: z.ZodType | undefined): EndpointRequest<Facts> {
  return {
    account: c.get("account"),
    domain: c.get("domain"),
    parameters: c.req.param(),
    rawQuery: () => readQuery(c.req),
    // The handler of an endpoint gets what the endpoint's own schema returns.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    query: () => (query && parse(query, readQuery(c.req))) as undefined,
    body: () => readJsonObject(c.req.raw),
  };
}
