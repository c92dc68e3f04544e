import { type Answer, type Api, credentials } from "./harness.js";

export interface ApiV3 {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** The same service in version 3. Paths are below `/v3`. */
export function version3(api: Api, apiKey = api.service.apiKey): ApiV3 {
  return below("v3", api, apiKey);
}

/** A version of the service with another account's key. */
export function below(version: "v3" | "v4", api: Api, apiKey: string): ApiV3 {
  const call = (method: string) => async (path: string, body?: unknown) =>
    await api.request(`/${version}${path}`, {
      method,
      headers: { authorization: credentials(apiKey), "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { get: call("GET"), post: call("POST"), put: call("PUT"), delete: call("DELETE") };
}
