import { COMMON_REFUSALS } from "../../api/contract/endpoint.js";
import { operationsOf } from "./operations.js";
import { RATE_HEADERS, refusalsOf } from "./responses.js";
import { Schemas } from "./schemas.js";
import { API_VERSIONS, type DescribedVersion } from "./versions.js";

/**
 * The OpenAPI 3.1 document of one version, generated from the contract that client and service share.
 *
 * @example
 * openApiDocument("v4").openapi; // "3.1.1"
 */
export function openApiDocument(version: DescribedVersion): Readonly<Record<string, unknown>> {
  const { endpoints, resources, released } = API_VERSIONS[version];
  const schemas = new Schemas(resources);
  const { paths, tags } = operationsOf(endpoints, schemas);
  return {
    openapi: "3.1.1",
    info: {
      title: "Email forwarding service",
      version: `${version.slice(1)}.0.0`,
      description: `Version ${version.slice(1)} of the service's API, released on ${released}.`,
    },
    servers: [{ url: `/${version}` }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "basic", description: "The user name is `api`, the password is the API key." },
      },
      headers: RATE_HEADERS,
      responses: refusalsOf(COMMON_REFUSALS),
      schemas: schemas.named,
    },
  };
}
