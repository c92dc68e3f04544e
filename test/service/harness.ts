import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type Dispatcher, request as send } from "undici";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { errorSchema } from "../../src/api/contract/v4/formats.js";
import { type RunningService, type ServiceOptions, startService } from "../../src/service/index.js";
import { removeFolder } from "../remove-folder.js";

/** A temporary folder with a space in its path, removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lettershop service "));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, which must match the contract. */
  read<Schema extends z.ZodType>(schema: Schema): z.output<Schema>;
  /** The body of a refusal: only a message and errors by field. */
  readError(): { message: string; errors: Record<string, string[]> };
}

export interface Api {
  readonly service: RunningService;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Any request, with a path from the root and without credentials. */
  request(path: string, init?: Init): Promise<Answer>;
}

export interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
}

export function credentials(apiKey: string): string {
  return `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`;
}

/**
 * A running service and plain HTTP calls to it, with paths below `/v4`. In memory and without rate limits by default. A
 * service for a whole file is started outside its tests, with vitest's `afterAll` as `atEnd`.
 */
export async function startApi(
  options: Partial<ServiceOptions> = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<Api> {
  const starting = startService({ data: ":memory:", port: 0, limits: false, onError: failLoudly, ...options });
  atEnd(() =>
    starting.then(
      (service) => service.close(),
      () => undefined,
    ),
  );
  return apiOf(await starting);
}

export function apiOf(service: RunningService): Api {
  const authorization = credentials(service.apiKey);
  // A fifth of the CPU time that fetch takes: the tests send many thousand requests.
  const request = async (path: string, init: Init = {}) =>
    readAnswer(await send(`${service.url}${path}`, { ...init, method: init.method as Dispatcher.HttpMethod }));
  const withBody = (method: string) => (path: string, body: unknown) =>
    request(`/v4${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    service,
    request,
    get: (path, headers) => request(`/v4${path}`, { headers: { authorization, ...headers } }),
    post: withBody("POST"),
    put: withBody("PUT"),
    delete: (path) => request(`/v4${path}`, { method: "DELETE", headers: { authorization } }),
  };
}

async function readAnswer(response: Dispatcher.ResponseData): Promise<Answer> {
  const text = await response.body.text();
  const read = <Schema extends z.ZodType>(schema: Schema) => schema.parse(JSON.parse(text));
  return {
    status: response.statusCode,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    text,
    read,
    readError() {
      const body = read(z.strictObject(errorSchema.shape));
      expect(body.message).not.toBe("");
      const [first] = Object.values(body.errors);
      if (first) expect(body.message).toBe(first[0]);
      return body;
    },
  };
}

/** A refusal's status, message and fields in one value, for comparisons. */
export function refusal(answer: Answer): { status: number; message: string; fields: string[] } {
  const { message, errors } = answer.readError();
  return { status: answer.status, message, fields: Object.keys(errors) };
}

function failLoudly(error: Error): void {
  throw error;
}
