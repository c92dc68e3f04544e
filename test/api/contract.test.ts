import { expect, test } from "vitest";
import { accountResponse } from "../../src/api/contract/v4/account.js";
import { domainListQuery, domainListResponse } from "../../src/api/contract/v4/domains.js";
import { errorSchema } from "../../src/api/contract/v4/formats.js";
import { logListQuery, logListResponse, logSearchQuery, logSearchResponse } from "../../src/api/contract/v4/logs.js";
import { newTemplateSchema, templateChangesSchema, templateListResponse } from "../../src/api/contract/v4/templates.js";
import { BODY_MAX, DESCRIPTION_MAX, NAME_MAX, SUBJECT_MAX } from "../../src/api/limits.js";
import { account, domain, logEntry } from "./shapes.js";

test("accepts an example of each answer", () => {
  const locked = { ...account, locked: "2026-01-01T00:00:00Z", lock_reason: "unpaid" };
  expect(accountResponse.parse({ account: locked })).toEqual({ account: locked });
  const domains = { domains: [domain, { ...domain, routing_engine: null }], total: 2, limit: 20, page: 1 };
  expect(domainListResponse.parse(domains)).toEqual(domains);
  const logs = {
    logs: [logEntry, { ...logEntry, forward: { email: "a@example.org", name: null } }],
    limit: 100,
    cursor: null,
    next_cursor: logEntry.id,
  };
  expect(logListResponse.parse(logs)).toEqual(logs);
  const searchPage = { logs: [logEntry], limit: 20, offset: 0, total: 1, next_offset: null };
  expect(logSearchResponse.parse(searchPage)).toEqual(searchPage);
  expect(templateListResponse.parse({ templates: [] })).toEqual({ templates: [] });
  const refusal = { message: "name already taken", errors: { name: ["name already taken"] } };
  expect(errorSchema.parse(refusal)).toEqual(refusal);
});

test.each(["receipt", "0", "a_b-c", "a".repeat(NAME_MAX)])("accepts %s as a template's name", (name) => {
  expect(newTemplateSchema.safeParse({ name }).success).toBe(true);
});

test.each([
  ["Receipt", "lowercase"],
  ["-a", "must start with"],
  ["_a", "must start with"],
  ["a.b", "lowercase"],
  ["a\n", "lowercase"],
  ["", "must start with"],
  ["a".repeat(NAME_MAX + 1), "at most 250"],
  [undefined, "required"],
  [7, "must be a string"],
])("refuses %j as a name, with the reason", (name, reason) => {
  expect(messages(newTemplateSchema.safeParse({ name }))).toContain(reason);
});

test("limits a template's fields", () => {
  const full = {
    name: "a",
    description: "d".repeat(DESCRIPTION_MAX),
    subject: "s".repeat(SUBJECT_MAX),
    html_body: "h".repeat(BODY_MAX),
    text_body: "t".repeat(BODY_MAX),
  };
  expect(newTemplateSchema.safeParse(full).success).toBe(true);
  for (const field of ["description", "subject", "html_body", "text_body"] as const) {
    expect(messages(newTemplateSchema.safeParse({ ...full, [field]: `${full[field]}x` }))).toContain(
      `${field} may have at most`,
    );
  }
});

test("requires no field for an update, and refuses null", () => {
  expect(templateChangesSchema.parse({})).toEqual({});
  expect(messages(templateChangesSchema.safeParse({ subject: null }))).toBe("subject must be a string");
});

test("has the documented defaults and limits of queries", () => {
  expect(domainListQuery.parse({})).toEqual({ order: "name_asc", limit: 20, page: 1 });
  expect(logListQuery.parse({})).toEqual({ order: "created_desc", limit: 100 });
  expect(logSearchQuery.parse({ query: "a" })).toEqual({ query: "a", order: "relevance", limit: 20, offset: 0 });
  expect(logListQuery.parse({ status: "QUEUED, SOFT-BOUNCE", limit: "200" })).toMatchObject({
    status: ["QUEUED", "SOFT-BOUNCE"],
    limit: 200,
  });
  for (const query of [
    { limit: "201" },
    { limit: "0" },
    { limit: "x" },
    { status: "LOST" },
    { transport: "fax" },
    { after: "yesterday" },
  ]) {
    expect(logListQuery.safeParse(query).success).toBe(false);
  }
});

function messages(result: {
  readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined;
}): string {
  return result.error?.issues.map(({ message }) => message).join("; ") ?? "";
}
