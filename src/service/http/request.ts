import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { ApiError, badRequest, invalidFields } from "./api-error.js";
import { readBodyUpTo } from "../../http.js";
import { isRecord } from "../../values.js";

/**
 * Maximum size of a request body. Ten megabytes of attachments are fourteen in base64, and a template's fields are far
 * smaller.
 */
const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** How much of a body without a content length is read, most of it only to be dropped. */
const READ_ON_BYTES = 3 * BODY_LIMIT_BYTES;

/** More than anyone writes, but low enough for recursive code. */
const NESTING_MAX = 100;

/**
 * The JSON object in a request's body, read up to the limit.
 *
 * @throws ApiError (400) for another content type, a body that is too large, not UTF-8, not JSON, nested too deeply, or
 * not an object.
 */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  if (mediaTypeOf(request) !== "application/json") {
    throw badRequest("A request with a body needs the header Content-Type: application/json.");
  }
  const value = parseJson(decode(await readBody(request)));
  if (!isRecord(value)) {
    throw badRequest("The request body must be a JSON object.");
  }
  if (!isNestedWithin(value, NESTING_MAX)) {
    throw badRequest(`The request body is nested more than ${NESTING_MAX} levels deep.`);
  }
  return { ...value };
}

/** The content type of a request's body, without parameters. */
export function mediaTypeOf({ headers }: Request): string {
  const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");
  return mediaType.trim().toLowerCase();
}

/**
 * Reads the rest of a refused request's body, up to the limit. A response before the body is complete may be lost,
 * together with the connection, if the client is still writing.
 */
export async function discardBody(request: Request): Promise<void> {
  if (request.method === "GET" || request.method === "HEAD" || request.bodyUsed) return;
  // Too large or interrupted: there is nothing to wait for.
  await readBody(request).catch(() => undefined);
}

/** Numeric parameters. The schemas alone would also accept `0x10` and `1e2`. */
const NUMBERS = new Set(["limit", "page", "offset"]);

/**
 * The query parameters of a request. Empty parameters count as missing; of repeated ones, the first counts.
 *
 * @throws ApiError (400) for a number that is not written in digits.
 */
export function readQuery(request: { query(): Record<string, string> }): Record<string, string> {
  const entries = Object.entries(request.query()).filter(([, value]) => value !== "");
  for (const [name, value] of entries) {
    const isOtherNotation = Number.isFinite(Number(value)) && !/^-?\d+$/.test(value);
    if (NUMBERS.has(name) && isOtherNotation) throw invalidFields({ [name]: [`${name} must be a whole number`] });
  }
  return Object.fromEntries(entries);
}

/** @throws ApiError (400) for a body that is too large or incomplete. */
export async function readBody(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > BODY_LIMIT_BYTES) throw tooLarge();
  try {
    return declared === null ? await readUndeclared(request) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The connection broke, so nobody will read this response. It is not an error of the service.
    throw badRequest("The request ended before its body was complete.");
  }
}

/** Reads a body without a content length. */
async function readUndeclared(request: Request): Promise<Uint8Array> {
  const body = await readBodyUpTo(BODY_LIMIT_BYTES, READ_ON_BYTES, request);
  if (!body) throw tooLarge();
  return body;
}

function tooLarge(): ApiError {
  return badRequest(`The request body is larger than ${BODY_LIMIT_BYTES / 1024 / 1024} MB.`);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badRequest("The request body is not UTF-8.");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The request body is not valid JSON.");
  }
}

function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedWithin(inner, levels - 1));
}

/** The path of the route that will respond: the first match that is not middleware. Middleware accepts all methods. */
export function endpointPath(c: Context): string {
  return matchedRoutes(c).find(({ method }) => method !== "ALL")?.path ?? "";
}

/**
 * The guard against accidental wipes: deleting everything requires `all=true` (version 4, part 4).
 *
 * @throws ApiError (400) that names `all` if it is missing or has another value.
 */
export function requireAll({ all }: Readonly<Record<string, string>>): void {
  if (all === "true") return;
  throw invalidFields({ all: ["all is required: ?all=true deletes everything in this list, and cannot be undone"] });
}

/**
 * Version 3 has two forms: with `all=true`, which responds with a count, and without.
 *
 * @throws ApiError (400) for `all` with another value.
 */
export function asksForCount(query: Readonly<Record<string, string>>): boolean {
  if (query["all"] === undefined) return false;
  requireAll(query);
  return true;
}
