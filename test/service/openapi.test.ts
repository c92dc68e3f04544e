import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { ENDPOINTS as ENDPOINTS_V3 } from "../../src/api/contract/v3/endpoints.js";
import { ENDPOINTS as ENDPOINTS_V4 } from "../../src/api/contract/v4/endpoints.js";
import { openApiDocument } from "../../src/service/openapi/document.js";
import { type Api, credentials, startApi } from "./harness.js";
import { webhook } from "./inbound/smtp.js";

const versions = ["v4", "v3"] as const;

test.each(versions)("the OpenAPI document of %s is valid", async (version) => {
  const result = await new Validator().validate(structuredClone(openApiDocument(version)));
  expect(result).toMatchObject({ valid: true });
});

test.each(versions)("docs/openapi/%s.json is up to date (npm run openapi writes it)", async (version) => {
  const api = await startApi();
  const served: unknown = JSON.parse((await api.request(`/openapi/${version}.json`)).text);
  const written: unknown = JSON.parse(await readFile(`docs/openapi/${version}.json`, "utf8"));
  expect(served).toEqual(openApiDocument(version));
  expect(written).toEqual(served);
});

interface Parameter {
  readonly name: string;
  readonly description?: string;
}

test.each(versions)("every parameter of %s has a description", (version) => {
  const { paths } = openApiDocument(version) as { paths: Record<string, Record<string, { parameters: Parameter[] }>> };
  const silent = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters }]) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${method} ${path} ${name}`),
    ),
  );
  expect(silent).toEqual([]);
});

/** A reference to the document's schema of a response. */
function schemaAt(version: string, path: string, method: string, status: number): string {
  const place = ["paths", path.replace(/:(\w+)/g, "{$1}"), method.toLowerCase(), "responses", String(status)];
  const pointer = [...place, "content", "application/json", "schema"]
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  return `${version}#/${pointer}`;
}

/** One of each resource, created with version 4, for the read calls of both versions. */
async function fill(api: Api): Promise<Record<string, string>> {
  const domain = "/domains/example.test";
  const read = async (answer: Promise<{ text: string }>) => JSON.parse((await answer).text);
  const { alias } = await read(api.post(`${domain}/aliases`, { alias: "ada", forward: "ada@example.com" }));
  const config = { regex: "^a", scopes: ["subject"], forward: "ada@example.com" };
  const { rule } = await read(api.post(`${domain}/rules`, { type: "regex", config }));
  await api.post(`${domain}/credentials`, { username: "ada", password: "correct horse" });
  await api.post(`${domain}/templates`, { name: "receipt", subject: "Hi" });
  const mail = { from: "a", to: "b@example.com", subject: "Hi", text: "x" };
  const { id } = await read(api.post(`${domain}/emails/outbound`, mail));
  return { domain: "example.test", id, alias: alias.id, rule: rule.id, name: "receipt", username: "ada" };
}

test.each([
  ["v4", ENDPOINTS_V4],
  ["v3", ENDPOINTS_V3],
] as const)("what the service of %s answers fits its OpenAPI document", async (version, endpoints) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(openApiDocument(version), version);
  const api = await startApi();
  const known = await fill(api);
  const headers = { authorization: credentials("local") };
  for (const { id, method, path } of endpoints.filter((endpoint) => endpoint.method === "GET")) {
    const parameters = { ...known, ...(id.startsWith("aliases") && { id: known["alias"] }) };
    const address = path.replace(/:(\w+)/g, (_, name: string) => Reflect.get(parameters, name));
    const query = id === "logs.search" ? "?query=hi&after=0&before=9999999999".slice(0, version === "v4" ? 9 : 99) : "";
    const answer = await api.request(`/${version}${address}${query}`, { headers });
    expect(answer.status, `${id} ${answer.text}`).toBe(200);
    // Two endpoints of version 3 share a path and method, which is one operation of the document.
    const written = version === "v3" && id === "logs.get" ? path.replace(":id", ":alias") : path;
    const validate = ajv.getSchema(schemaAt(version, written, method, 200));
    expect(validate, id).toBeDefined();
    expect(validate?.(JSON.parse(answer.text)), `${id} ${JSON.stringify(validate?.errors)}`).toBe(true);
  }
  for (const { method, path, body } of endpoints.filter((endpoint) => endpoint.method !== "GET")) {
    const address = path.replace(/:(\w+)/g, (_, name: string) => (name === "domain" ? "example.test" : "0"));
    const init = { method, headers: { ...headers, "content-type": "application/json" }, ...(body && { body: "{}" }) };
    if (address === "/domains/example.test") continue;
    const { status, text } = await api.request(`/${version}${address}`, init);
    if (text === "") continue;
    const validate = ajv.getSchema(schemaAt(version, path, method, status));
    expect(validate?.(JSON.parse(text)), `${method} ${path} ${status} ${JSON.stringify(validate?.errors)}`).toBe(true);
  }
});

test.each(versions)("what a webhook gets of a received email fits the OpenAPI document of %s", async (version) => {
  const ajv = new Ajv2020({ strict: false, formats: { base64: /^[A-Za-z0-9+/]*={0,2}$/ } });
  ajv.addSchema(openApiDocument(version), version);
  const place = ["webhooks", "receivedEmail", "post", "requestBody", "content", "application~1json", "schema"];
  const validate = ajv.getSchema(`${version}#/${place.map(encodeURIComponent).join("/")}`);
  const { posts, host } = await webhook();
  const api = await startApi({
    seed: {
      domains: [{ name: "example.test", aliases: [{ alias: "a", forward: `http://${host}/,http://${host}/#raw` }] }],
    },
  });
  const [from, to] = ["bob@shop.example", "a@example.test"];
  const content = Buffer.from("notes").toString("base64");
  await api.service.receive({
    from,
    to,
    subject: "Hi",
    text: "Hi",
    html: "<p>Hi</p>",
    attachments: [{ filename: "a.txt", content }],
  });
  await api.service.receive({ raw: "X-No-Body: true\r\n\r\n", from, to });
  await expect.poll(() => posts.length).toBe(4);
  for (const { body } of posts) expect(validate?.(body), JSON.stringify([body, validate?.errors])).toBe(true);
  expect(posts.filter(({ body }) => body.raw !== undefined)).toHaveLength(2);
  for (const member of ["id", "envelope", "headers", "message_id", "subject", "text", "html", "attachments"] as const) {
    const { [member]: _, ...others } = posts[0]?.body ?? {};
    expect(validate?.(others), member).toBe(false);
  }
});
