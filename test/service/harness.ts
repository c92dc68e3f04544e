import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { errorSchema } from "../../src/api/contract/v4/error.js";
import { type RunningService, type ServiceOptions, startService } from "../../src/service/index.js";
import { removeFolder } from "../remove-folder.js";

/** A folder of the test's own, with a space in its path, gone when the test is. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lettershop service "));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, which must be what the contract says. */
  read<Schema extends z.ZodType>(schema: Schema): z.output<Schema>;
  /** The body of a refusal: nothing but a message and the errors by field. */
  readError(): { message: string; errors: Record<string, string[]> };
}

export interface Api {
  readonly service: RunningService;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Any request, path from the root, without credentials of its own. */
  request(path: string, init?: RequestInit): Promise<Answer>;
}

export function credentials(apiKey: string): string {
  return `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`;
}

/** A running service and plain HTTP calls to it; paths are below `/v4`. In memory and without limits unless told otherwise. */
export async function startApi(options: Partial<ServiceOptions> = {}): Promise<Api> {
  const service = await startService({ data: ":memory:", port: 0, limits: false, onError: failLoudly, ...options });
  onTestFinished(() => service.close());
  return apiOf(service);
}

export function apiOf(service: RunningService): Api {
  const authorization = credentials(service.apiKey);
  const request = async (path: string, init?: RequestInit) => readAnswer(await fetch(`${service.url}${path}`, init));
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

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const read = <Schema extends z.ZodType>(schema: Schema) => schema.parse(JSON.parse(text));
  return {
    status: response.status,
    headers: response.headers,
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

/** What a refused request answered, in one value to compare with. */
export function refusal(answer: Answer): { status: number; message: string; fields: string[] } {
  const { message, errors } = answer.readError();
  return { status: answer.status, message, fields: Object.keys(errors) };
}

function failLoudly(error: Error): void {
  throw error;
}
