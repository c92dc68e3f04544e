import { type IncomingMessage, request } from "node:http";
import { parseJson, readRefusal } from "../api/calls/answer.js";
import { failedToConnect, reasonOf } from "../api/calls/http.js";
import { ContractError, type RequestFacts, UnreachableError } from "../api/errors.js";
import { asError, LettershopError } from "../errors.js";
import { checkValue } from "./check-value.js";

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
 * Sends requests to a running local service's own paths. Bodies are JSON, or the bytes of a message.
 *
 * @param caller The function that was called.
 * @param url The service's URL, without a path.
 * @throws {ConfigurationError} It is not a URL, or not one of HTTP.
 */
export function localHttp(caller: string, url: string) {
  const isHttp = URL.canParse(url) && new URL(url).protocol === "http:";
  checkValue(caller, "url", url, isHttp, "the local service's URL, such as http://127.0.0.1:4680");
  async function exchange(method: string, path: string, body: unknown): Promise<Answer> {
    const target = new URL(path, url);
    const answer = await send(method, target, body);
    const { status, content } = answer;
    if (status >= 200 && status < 300) return answer;
    const refusal = readRefusal(parseJson(content.toString()), (words) => words);
    const { message = `it answered ${status}`, fieldErrors } = refusal;
    throw new LocalServiceError(
      `The local service at ${target.origin} refused ${method} ${path}: ${message}`,
      status,
      fieldErrors,
    );
  }
  return {
    bytes: async (method: string, path: string, body?: unknown) => (await exchange(method, path, body)).content,
    // Its format is that of the service in this same version.
    async json<Content>(method: string, path: string, body?: unknown): Promise<Content> {
      const { facts, status, content } = await exchange(method, path, body);
      try {
        return JSON.parse(content.toString());
      } catch {
        throw new ContractError(facts, status, "it is not JSON", content.toString("utf8", 0, 500));
      }
    },
  };
}

interface Answer {
  readonly facts: RequestFacts;
  readonly status: number;
  readonly content: Buffer;
}

async function send(method: string, url: URL, body: unknown): Promise<Answer> {
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
    return { facts, status: answer.statusCode ?? 0, content: Buffer.concat(chunks) };
  } catch (thrown) {
    const error = asError(thrown);
    const isOff = failedToConnect(error);
    throw new UnreachableError(facts, !isOff, isOff ? "no local service runs there" : reasonOf(error), error);
  }
}

export type LocalHttp = ReturnType<typeof localHttp>;
