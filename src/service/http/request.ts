import { ApiError, badRequest, invalidFields } from "./api-error.js";

/**
 * The largest request body that is read. Ten megabytes of attachments are fourteen in base64, and a template's fields
 * stay far below.
 */
const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * How far a body that does not say its length is read, most of it only to be forgotten: a client that is still writing
 * would take an earlier end of the connection for a failure, and miss the answer.
 */
const READ_ON_BYTES = 3 * BODY_LIMIT_BYTES;

/** More than anyone writes, and few enough that whatever walks through a value comes to its end. */
const NESTING_MAX = 100;

/**
 * The JSON object in a request's body, read no further than the limit.
 *
 * @throws ApiError (400) for another content type, a body that is too large, not UTF-8, not JSON, nested too deep,
 * or not an object.
 */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  const [mediaType = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== "application/json") {
    throw badRequest("A request with a body needs the header Content-Type: application/json.");
  }
  const value = parseJson(decode(await readBody(request)));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("The request body must be a JSON object.");
  }
  if (!isNestedWithin(value, NESTING_MAX)) {
    throw badRequest(`The request body is nested more than ${NESTING_MAX} levels deep.`);
  }
  return { ...value };
}

/**
 * Reads what a refused request still has to say, up to the limit: an answer that comes before the body is complete may
 * be lost on a client that is still writing, with the connection.
 */
export async function discardBody(request: Request): Promise<void> {
  if (request.method === "GET" || request.method === "HEAD" || request.bodyUsed) return;
  // Too large or broken off: there is nothing to wait for.
  await readBody(request).catch(() => undefined);
}

/** The parameters that are numbers: the schemas would also take `0x10` for one, and `1e2`. */
const NUMBERS = new Set(["limit", "page", "offset"]);

/**
 * The parameters of a request's query. One that is empty counts as absent; of one that is repeated the first counts.
 *
 * @throws ApiError (400) for a number that is not written in digits.
 */
export function readQuery(request: { query(): Record<string, string> }): Record<string, string> {
  const given = Object.entries(request.query()).filter(([, value]) => value !== "");
  for (const [name, value] of given) {
    const isWrittenOtherwise = Number.isFinite(Number(value)) && !/^-?\d+$/.test(value);
    if (NUMBERS.has(name) && isWrittenOtherwise) throw invalidFields({ [name]: [`${name} must be a whole number`] });
  }
  return Object.fromEntries(given);
}

async function readBody(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > BODY_LIMIT_BYTES) throw tooLarge();
  try {
    return declared === null ? await readUndeclared(request) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The connection broke, so that nobody reads this; but it is no failure of the service.
    throw badRequest("The request ended before its body did.");
  }
}

/** A body that does not say how long it is: counted while it comes. */
async function readUndeclared(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length <= BODY_LIMIT_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (length > READ_ON_BYTES) break;
  }
  if (length > BODY_LIMIT_BYTES) throw tooLarge();
  return Buffer.concat(chunks, length);
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
