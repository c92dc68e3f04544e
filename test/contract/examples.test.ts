import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { ServiceError } from "../../src/api/errors.js";
import { answerJson, serve } from "../api/servers.js";
import { callsV3, callsV4 } from "./client-calls.js";
import examplesV3 from "./examples/v3.json" with { type: "json" };
import examplesV4 from "./examples/v4.json" with { type: "json" };
import { ENDPOINTS, type Version } from "./inventory.js";
import { membersOf, unknownMembers } from "./members.js";

interface Example {
  readonly call: string;
  /** Which of several responses of the call it is. */
  readonly form?: string;
  readonly status: number;
  readonly body?: { readonly [member: string]: unknown; readonly errors?: unknown };
}

const examples = (
  [
    ["v4", examplesV4],
    ["v3", examplesV3],
  ] as const
).flatMap(([version, list]) =>
  (list as readonly Example[]).map((example) => ({
    title: `${version} ${example.call} ${example.status}${example.form === undefined ? "" : `, ${example.form}`}`,
    version,
    example,
  })),
);

test("every success of every endpoint has an example", () => {
  const shown = new Set(examples.map(({ version, example }) => `${version} ${example.call} ${example.status}`));
  const needed = (["v4", "v3"] as const).flatMap((version) =>
    ENDPOINTS[version].flatMap(({ method, path, answers }) =>
      Object.keys(answers).map((status) => `${version} ${method} ${path} ${status}`),
    ),
  );
  expect(needed.filter((each) => !shown.has(each))).toEqual([]);
});

test.each(examples)("$title", async ({ version, example }) => {
  const { call, status, body, form } = example;
  const server = await serve((_, response) =>
    body === undefined ? void response.writeHead(status).end() : answerJson(response, status, body),
  );
  const result = await callThrough(version, call, form, server.url).catch((error: unknown) => {
    if (status >= 400) return error;
    throw error;
  });
  expect(server.seen.map(({ method }) => method)).toEqual([call.split(" ")[0]]);
  if (status >= 400) expect(result).toBeInstanceOf(ServiceError);
  if (status >= 400) expect(result).toMatchObject({ status, fieldErrors: body?.errors });
});

test.each(examples)("$title has no member that the contract lacks", ({ version, example: { call, status, body } }) => {
  const endpoint = ENDPOINTS[version].find(({ method, path }) => `${method} ${path}` === call);
  expect(endpoint).toBeDefined();
  const schema = endpoint?.answers[status];
  if (schema === undefined) return;
  const known = new Set(membersOf(schema).map(({ path }) => path));
  // Version 3's document does not show the response about one entry, so it may have version 4's form.
  if (!schema.safeParse(body).success) expect(`${version} ${call}`).toBe("v3 GET /domains/:domain/logs/:id");
  else expect(unknownMembers(body, known)).toEqual([]);
});

/** The result of the call through the real client. */
async function callThrough(
  version: Version,
  call: string,
  form: string | undefined,
  baseUrl: string,
): Promise<unknown> {
  const options = { baseUrl, apiKey: "key" };
  if (version === "v4") {
    const client = createClient(options);
    onTestFinished(() => client.close());
    return await callsV4[call]?.(client);
  }
  const client = createClient({ ...options, version });
  onTestFinished(() => client.close());
  return await callsV3[call]?.(client, form);
}
