import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import type { StoredTemplate } from "../../../src/api/contract/v4/templates.js";

/** What goes wrong with a request; `after`: it has taken effect anyway. */
export const mishaps = ["429", "500", "503", "500 after", "cut", "cut after", "malformed after"] as const;

export type Mishap = (typeof mishaps)[number];

/** A write that went through. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Whether the service applied it. */
  readonly hadEffect: boolean;
  /** What it overwrote or deleted. */
  readonly before?: StoredTemplate;
}

/** A proxy between a client and the service. */
export interface Gateway {
  readonly url: string;
  readonly writes: readonly Write[];
  /** The fates of the next requests, in order; undefined lets one through. */
  mishaps: (Mishap | undefined)[];
  /** The fate of a request that `mishaps` does not cover. */
  mishapOf?: ((method: string, path: string, body: string) => Mishap | undefined) | undefined;
  /** All requests, including failed ones: `PUT /v4/domains/…`. */
  readonly requests: readonly string[];
  /** Whether nothing comes through, as from a dead process. */
  isShut: boolean;
  /** How the service stores what is sent. */
  alter?: ((body: string) => string) | undefined;
  /** Whether a write is answered with what it sent, whatever the service has stored. */
  echoes?: boolean;
  /** Alters the answer to a write. */
  alterAnswer?: ((body: string) => string) | undefined;
  /** Called before a request takes effect. */
  before?: ((method: string, path: string) => Promise<void>) | undefined;
  /** Called after a request took effect, before it is answered. */
  after?: ((method: string, path: string) => Promise<void>) | undefined;
  forget: () => void;
}

export async function startGateway(service: { readonly url: string }): Promise<Gateway> {
  let writes: Write[] = [];
  let requests: string[] = [];
  const gateway: { -readonly [Member in keyof Gateway]: Gateway[Member] } = {
    url: "",
    get writes() {
      return writes;
    },
    get requests() {
      return requests;
    },
    mishaps: [],
    isShut: false,
    forget() {
      writes = [];
      requests = [];
    },
  };

  const alterAnswer = (body: string) => gateway.alterAnswer?.(body) ?? body;

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = "GET", url: path = "/" } = request;
    requests.push(`${method} ${path}`);
    const mishap = gateway.isShut ? "cut" : (gateway.mishaps.shift() ?? gateway.mishapOf?.(method, path, body));
    if (mishap === "429") return answer(response, 429, '{"message":"Too many","errors":{}}', { "retry-after": "0" });
    if (mishap === "500") return answer(response, 500, '{"message":"No","errors":{}}');
    if (mishap === "503") return answer(response, 503, '{"message":"Busy","errors":{}}', { "retry-after": "9" });
    if (mishap === "cut") return void response.socket?.destroy();

    await gateway.before?.(method, path);
    const { authorization = "" } = request.headers;
    const headers = { authorization, "content-type": "application/json" };
    const before =
      method === "PUT" || method === "DELETE" ? await read(`${service.url}${path}`, authorization) : undefined;
    const altered = gateway.alter?.(body) ?? body;
    const init: RequestInit = { method, headers, ...(method === "POST" || method === "PUT" ? { body: altered } : {}) };
    const answered = await fetch(`${service.url}${path}`, init);
    const answerBody = await answered.text();
    if (method !== "GET")
      writes.push({ method, path, body, hadEffect: answered.ok, ...(before === undefined ? {} : { before }) });
    await gateway.after?.(method, path);
    if (mishap === "cut after") return void response.socket?.destroy();
    if (mishap === "500 after") return answer(response, 500, '{"message":"No","errors":{}}');
    const date = answered.headers.get("date") ?? "";
    const isEchoed = gateway.echoes === true && init.body !== undefined;
    const answerSent = isEchoed ? echo(body, answerBody) : method === "GET" ? answerBody : alterAnswer(answerBody);
    return answer(response, answered.status, mishap === "malformed after" ? "{" : answerSent, { date });
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The gateway has no port.");
  gateway.url = `http://127.0.0.1:${address.port}`;
  return gateway;
}

function echo(sent: string, answered: string): string {
  const { template, ...rest } = JSON.parse(answered);
  return JSON.stringify({ ...rest, template: { ...template, ...JSON.parse(sent) } });
}

async function read(url: string, authorization: string): Promise<StoredTemplate | undefined> {
  const current = await fetch(url, { headers: { authorization } });
  const { template }: { readonly template?: StoredTemplate } = JSON.parse(await current.text());
  return template;
}

function answer(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  if (status === 204) response.writeHead(status, headers).end();
  else response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
