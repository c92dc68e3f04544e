import { COMMON_REFUSALS, type Endpoint, type Refusal } from "../../api/contract/endpoint.js";
import type { Json, Schemas } from "./schemas.js";

export const RATE_HEADERS = {
  "X-RateLimit-Limit": { description: "Maximum number of requests in the window", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in the window", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "When the window ends, in Unix seconds", schema: { type: "integer" } },
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } },
} as const;

/** All responses of the endpoints that share an operation, by status. */
export function responsesOf(alike: readonly Endpoint[], schemas: Schemas): Json {
  const common = COMMON_REFUSALS.map(({ status }) => [status, { $ref: `#/components/responses/${status}` }]);
  return {
    ...answersOf(alike, schemas),
    ...refusalsOf(alike.flatMap(({ refusals }) => refusals)),
    ...Object.fromEntries(common),
  };
}

function answersOf(alike: readonly Endpoint[], schemas: Schemas): Json {
  const statuses = [...new Set(alike.flatMap(({ answers }) => Object.keys(answers)))];
  return Object.fromEntries(
    statuses.map((status) => {
      const bodies = alike.flatMap(({ answers }) => answers[Number(status)] ?? []).map((schema) => schemas.of(schema));
      const [first, ...others] = bodies;
      const content = first && jsonContent(others.length > 0 ? { anyOf: bodies } : first);
      return [status, { description: descriptions[status], headers: rateHeaders(), ...(content && { content }) }];
    }),
  );
}

const descriptions: Readonly<Record<string, string>> = {
  200: "Success",
  204: "Deleted",
  207: "Some entries failed",
};

/** Refusals by status, with their conditions. */
export function refusalsOf(refusals: readonly (Refusal | (typeof COMMON_REFUSALS)[number])[]): Json {
  const statuses = [...new Set(refusals.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const conditions = new Set(refusals.filter((refusal) => refusal.status === status).map(({ when }) => when));
      const headers = rateHeaders(status === 429);
      const content = jsonContent({ $ref: "#/components/schemas/Error" });
      return [String(status), { description: sentence([...conditions].join("; ")), headers, content }];
    }),
  );
}

function rateHeaders(withRetryAfter = false): Json {
  const names = Object.keys(RATE_HEADERS).filter((name) => withRetryAfter || name !== "Retry-After");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
