import type { IncomingHttpHeaders } from "node:http";
import { request } from "undici";
import { expect } from "vitest";
import { z } from "zod";
import { errorSchema as errorV3 } from "../../src/api/contract/v3/formats.js";
import { errorSchema as errorV4 } from "../../src/api/contract/v4/formats.js";
import { ENDPOINTS, type Exchange, type Version } from "./inventory.js";
import { membersOf, unknownMembers } from "./members.js";

/** A response's body as received. It was checked against the contract before. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Options {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** The expected success status, if the endpoint has several. Default: the first. */
  readonly status?: number;
  /** The path's parameters by name. */
  readonly [parameter: string]: unknown;
}

/** One version of the service, called by the endpoints as its document writes them. */
export interface Api {
  readonly version: Version;
  /** The body of a successful response. A response that does not match the document is an error. */
  (line: string, options?: Options): Promise<Json>;
  /** The body of a refusal with this status. */
  refused(status: number, line: string, options?: Options): Promise<Json>;
  /** Any response, without a second attempt after 429. */
  once(line: string, options?: Options): Promise<Exchange & { readonly headers: IncomingHttpHeaders }>;
}

export interface Access {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly domain: string;
  /** Receives every call. */
  readonly record: (exchange: Exchange) => void;
  readonly wait: (seconds: number) => Promise<void>;
}

const errors = { v3: z.strictObject(errorV3.shape), v4: z.strictObject(errorV4.shape) };

export function createApi(version: Version, access: Access): Api {
  const once = async (line: string, options: Options = {}) => {
    const endpoint = endpointOf(version, line);
    const parameters: Options = { domain: access.domain, ...options };
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) query.append(name, String(value));
    }
    const {
      statusCode: status,
      headers,
      body,
    } = await request(`${access.url}/${version}${path}?${query.toString()}`, {
      method: endpoint.method,
      headers: {
        ...(access.apiKey !== undefined && { authorization: `Basic ${btoa(`api:${access.apiKey}`)}` }),
        ...(options.body !== undefined && { "content-type": "application/json" }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
    const text = await body.text();
    const answer: Json = text === "" ? undefined : JSON.parse(text);
    const exchange: Exchange = { version, endpoint, query, body: options.body, status, answer };
    expectDocumented(exchange, headers);
    access.record(exchange);
    return { ...exchange, headers };
  };

  const patiently = async (line: string, options?: Options) => {
    const exchange = await once(line, options);
    if (exchange.status !== 429) return exchange;
    await access.wait(Number(exchange.headers["retry-after"]));
    return await once(line, options);
  };

  const call = async (line: string, options: Options = {}) => {
    const { endpoint, status, answer } = await patiently(line, options);
    const expected = options.status ?? Number(Object.keys(endpoint.answers)[0]);
    expect(status, `${version} ${line} answered ${JSON.stringify(answer)}`).toBe(expected);
    return answer;
  };
  const refused = async (expected: number, line: string, options?: Options) => {
    const { status, answer } = await patiently(line, options);
    expect(status, `${version} ${line} answered ${JSON.stringify(answer)}`).toBe(expected);
    return answer;
  };
  return Object.assign(call, { version, refused, once });
}

function endpointOf(version: Version, line: string): Exchange["endpoint"] {
  const endpoint = ENDPOINTS[version].find(({ method, path }) => `${method} ${path}` === line);
  if (!endpoint) throw new Error(`Version ${version} of the contract has no ${line}.`);
  return endpoint;
}

/** Checks a response against the contract: its status, its headers, and each member of its body. */
function expectDocumented({ version, endpoint, status, answer }: Exchange, headers: IncomingHttpHeaders): void {
  const what = `${version} ${endpoint.method} ${endpoint.path} answered ${status} ${JSON.stringify(answer)}`;
  const limits = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
  const wrong = limits.filter((name) => !/^\d+$/.test(String(headers[name])));
  expect(wrong, what).toEqual([]);
  expect("retry-after" in headers, what).toBe(status === 429);
  if (status >= 400) return expectError(version, answer, what);

  expect(Object.keys(endpoint.answers), what).toContain(String(status));
  const schema = endpoint.answers[status];
  if (!schema) return expect(answer, what).toBeUndefined();
  expect(headers["content-type"], what).toMatch(/^application\/json/);
  expect(schema.safeParse(answer).error, what).toBeUndefined();
  expect(unknownMembers(answer, membersKnown(schema)), `${what}: members that the document does not have`).toEqual([]);
}

const known = new Map<z.ZodType, ReadonlySet<string>>();

function membersKnown(schema: z.ZodType): ReadonlySet<string> {
  const members = known.get(schema) ?? new Set(membersOf(schema).map(({ path }) => path));
  known.set(schema, members);
  return members;
}

/** "`message` repeats the first field message" (part 7). */
function expectError(version: Version, answer: unknown, what: string): void {
  const result = errors[version].safeParse(answer);
  expect(result.error, what).toBeUndefined();
  const { message, errors: byField = {} } = result.data ?? {};
  const [first] = Object.values(byField).flat();
  if (version === "v4") expect(message, what).toMatch(/./);
  if (first !== undefined && message !== undefined) expect(message, what).toBe(first);
}
