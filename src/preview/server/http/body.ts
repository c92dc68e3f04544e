import type { Context } from "hono";
import { Refusal } from "../refusal.js";
import type { Requests } from "./requests.js";

/** Far more than any fixture needs. */
const MOST_BYTES = 2_000_000;

/** Deeper than any template's variables, but harmless for code that walks through them. */
const MOST_NESTED = 200;

/**
 * A body that is too large is still read up to this size and dropped. A client that is cut off while sending would not
 * receive the error.
 */
const DROPPED_BYTES = 20_000_000;

/**
 * Reads a JSON request and checks it against its schema.
 *
 * @throws {Refusal} The content type is not JSON, the body is too large, or it does not match the schema.
 */
export async function readBody<Name extends keyof Requests>(c: Context, name: Name): Promise<Requests[Name]> {
  // Only the page's own script can send this type; a form on another site cannot.
  if (!/^application\/json(?:\s*;|$)/i.test(c.req.header("content-type") ?? ""))
    throw new Refusal(415, "The request must be JSON, with content-type: application/json.");
  const content = parse(await readText(c.req.raw));
  if (isDeeper(content, MOST_NESTED))
    throw new Refusal(400, `The request is nested deeper than ${MOST_NESTED} levels.`, "Use flatter variables.");
  // Loaded on the first write, so that the page shows earlier.
  const { requests } = await import("./requests.js");
  const { success, data, error } = requests[name].safeParse(content);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this name
  if (success) return data as Requests[Name];
  const [issue] = error.issues;
  throw new Refusal(400, `The request is invalid: ${issue?.path.join(".")} ${issue?.message}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "The request is not valid JSON.");
  }
}

/** Level by level, because recursion could overflow the stack. */
function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}

async function readText({ body }: Request): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size <= MOST_BYTES) parts.push(part);
    else if (size > DROPPED_BYTES) break;
  }
  if (size <= MOST_BYTES) return Buffer.concat(parts).toString("utf8");
  throw new Refusal(413, `The request is larger than ${MOST_BYTES / 1_000_000} MB.`);
}
