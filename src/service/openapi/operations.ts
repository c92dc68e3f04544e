import { z } from "zod";
import type { Endpoint } from "../../api/contract/endpoint.js";
import { describePathParameter, describeQueryParameter } from "./descriptions.js";
import { jsonContent, responsesOf } from "./responses.js";
import type { Json, Schemas } from "./schemas.js";

/** Every endpoint as an operation of its path, with the tags that group them. */
export function operationsOf(
  endpoints: readonly Endpoint[],
  schemas: Schemas,
): { readonly paths: Json; readonly tags: Json[] } {
  const paths = new Map<string, Record<string, Json>>();
  for (const alike of sameAddress(endpoints)) {
    const [{ path, method }] = alike;
    const operations = paths.get(path) ?? {};
    operations[method.toLowerCase()] = operationOf(alike, schemas);
    paths.set(path, operations);
  }
  return {
    paths: Object.fromEntries([...paths].map(([path, operations]) => [path.replace(PARAMETER, "{$1}"), operations])),
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
  };
}

const PARAMETER = /:(\w+)/g;

type Alike = readonly [Endpoint, ...Endpoint[]];

/** OpenAPI has one operation for endpoints that differ only in the value of a parameter. */
function sameAddress(endpoints: readonly Endpoint[]): Alike[] {
  const byAddress = new Map<string, Alike>();
  for (const endpoint of endpoints) {
    const address = `${endpoint.method} ${endpoint.path.replace(PARAMETER, ":")}`;
    const before = byAddress.get(address);
    byAddress.set(address, before ? [...before, endpoint] : [endpoint]);
  }
  return [...byAddress.values()];
}

function operationOf(alike: Alike, schemas: Schemas): Json {
  const [endpoint] = alike;
  return {
    operationId: alike.map(({ id }) => id).join("-or-"),
    summary: alike.map(({ summary }) => summary).join("; or: "),
    tags: [tagOf(endpoint)],
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint, schemas)],
    ...(endpoint.body && { requestBody: { required: true, content: jsonContent(schemas.of(endpoint.body)) } }),
    responses: responsesOf(alike, schemas),
  };
}

function pathParameters({ id, path }: Endpoint): Json[] {
  return [...path.matchAll(PARAMETER)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: describePathParameter(id, name),
    schema: { type: "string" },
  }));
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

function queryParameters({ id, query }: Endpoint, schemas: Schemas): Json[] {
  if (!query) return [];
  const { properties, required } = objectSchema.parse(schemas.of(query));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description: describeQueryParameter(id, name),
    schema,
  }));
}

function tagOf({ id }: Endpoint): string {
  return id.slice(0, id.indexOf("."));
}
