import { type IncomingMessage, request } from "node:http";
import { type RequestFacts, UnreachableError } from "../api/errors.js";
import { LettershopError } from "../errors.js";

/** The local service refused a test's request. The message says why, and what is available instead. */
export class LocalServiceError extends LettershopError {
  override readonly name = "LocalServiceError";
  readonly code = "local_service";

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** The problems, by field. */
    readonly fieldErrors: Readonly<Record<string, readonly string[]>>,
  ) {
    super(message);
  }
}

/**
 * Sends requests to a running local service's own paths.
 *
 * @param url The service's URL, without a path. Bodies are JSON, or the bytes of a message.
 */
export function localHttp(url: string) {
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
    // Its format is that of the service in this same version.
    async json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      return JSON.parse((await bytes(method, path, body)).toString("utf8"));
    },
  };
}

async function exchange(method: string, url: URL, body: unknown): Promise<{ status: number; content: Buffer }> {
  const facts: RequestFacts = { method, path: url.pathname, url: `${url.origin}${url.pathname}` };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const isMessage = body instanceof Uint8Array;
      const headers = body === undefined ? {} : { "content-type": isMessage ? "message/rfc822" : "application/json" };
      request(url, { method, headers, agent: false })
        .once("response", resolve)
        .once("error", reject)
        .end(body === undefined || isMessage ? body : JSON.stringify(body));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return { status: answer.statusCode ?? 0, content: Buffer.concat(chunks) };
  } catch (cause) {
    throw new UnreachableError(facts, false, "no local service runs there", cause);
  }
}

function readRefusal(content: Buffer): { message?: string; errors?: Record<string, string[]> } {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return {};
  }
}

export type LocalHttp = ReturnType<typeof localHttp>;
