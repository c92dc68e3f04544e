import { request, type IncomingMessage } from "node:http";
import { UnreachableError, type RequestFacts } from "../api/errors.js";
import { LettershopError } from "../errors.js";

/** The local service refused what a test asked of it. Its message says why, and what there is instead. */
export class LocalServiceError extends LettershopError {
  override readonly name = "LocalServiceError";
  readonly code = "local_service";

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** What is wrong, by member. */
    readonly fieldErrors: Readonly<Record<string, readonly string[]>>,
  ) {
    super(message);
  }
}

/** Asks a running local service, below its own paths. */
export interface LocalHttp {
  /** The answer's body. */
  bytes(method: string, path: string, body?: unknown): Promise<Buffer>;
  /** The answer's JSON. */
  json<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** @param url The service's address, without a path. */
export function localHttp(url: string): LocalHttp {
  async function bytes(method: string, path: string, body?: unknown): Promise<Buffer> {
    const target = new URL(path, url);
    const { status, content } = await exchange(method, target, body);
    if (status >= 200 && status < 300) return content;
    const { message = `it answered ${status}`, errors = {} } = readRefusal(content);
    throw new LocalServiceError(
      `The local service at ${target.origin} refused ${method} ${path}: ${message}`,
      status,
      errors,
    );
  }
  return {
    bytes,
    // Its form is that of the service of this same version.
    json: async (method, path, body) => JSON.parse((await bytes(method, path, body)).toString("utf8")),
  };
}

async function exchange(method: string, url: URL, body: unknown): Promise<{ status: number; content: Buffer }> {
  const facts: RequestFacts = { method, path: url.pathname, url: `${url.origin}${url.pathname}` };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      request(url, { method, headers, agent: false })
        .once("response", resolve)
        .once("error", reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return { status: answer.statusCode ?? 0, content: Buffer.concat(chunks) };
  } catch (cause) {
    throw new UnreachableError(facts, false, "is the local service running there?", cause);
  }
}

function readRefusal(content: Buffer): { message?: string; errors?: Record<string, string[]> } {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return {};
  }
}
