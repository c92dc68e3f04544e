import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { AnswerReader } from "../../src/api/calls/answer.js";
import * as accountContractV3 from "../../src/api/contract/v3/account.js";
import * as domainContractV3 from "../../src/api/contract/v3/domains.js";
import * as sendingContractV3 from "../../src/api/contract/v3/sending.js";
import * as accountContract from "../../src/api/contract/v4/account.js";
import * as domainContract from "../../src/api/contract/v4/domains.js";
import * as logContract from "../../src/api/contract/v4/logs.js";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
import * as templateContract from "../../src/api/contract/v4/templates.js";
import * as logContractV3 from "../../src/api/contract/v3/logs.js";
import { answers, answersV3 } from "../../src/api/sending-answers.js";
import { account, domain, logEntry, records, template } from "./shapes.js";
import { accountV3, earlierLogEntryV3, logEntryV3 } from "./shapes-v3.js";

const accepted = { id: "1.a", message_id: "<1@example.com>" };
const logs = [logEntry, { ...logEntry, id: "2.b", subject: null }, { ...logEntry, recipient: 7 }];
const logsV3 = [logEntryV3, earlierLogEntryV3, { ...logEntryV3, sender: null }];

const cases: [name: string, schema: z.ZodType, reader: AnswerReader<unknown>, body: object][] = [
  ["an accepted email", outboundEmailResponse, answers.accepted, accepted],
  ["the account", accountContract.accountResponse, answers.account, { account }],
  ["a domain", domainContract.domainResponse, answers.domain, { domain }],
  ["templates", templateContract.templateListResponse, answers.templates, { templates: [template, template] }],
  ["a template", templateContract.templateResponse, answers.template, { template }],
  [
    "a page of the log",
    logContract.readableLogList,
    answers.logs.readableLogList,
    { logs, limit: 100, next_cursor: null },
  ],
  ["a count", logContract.logCountResponse, answers.logs.logCountResponse, { total: 3 }],
  ["an entry", logContract.readableLogEntry, answers.logs.readableLogEntry, logEntry],
  [
    "version 3: an accepted email",
    sendingContractV3.outboundEmailResponse,
    answersV3.accepted,
    { ...accepted, success: true },
  ],
  [
    "version 3: the account",
    accountContractV3.accountResponse,
    answersV3.account,
    { account: accountV3, success: true },
  ],
  ["version 3: a domain's check", domainContractV3.domainCheckResponse, answersV3.check, { records, success: true }],
  [
    "version 3: templates",
    sendingContractV3.templateListResponse,
    answersV3.templates,
    { templates: [template], success: true },
  ],
  ["version 3: a template", sendingContractV3.templateResponse, answersV3.template, { template, success: true }],
  [
    "version 3: a page of the log",
    logContractV3.readableLogs,
    answersV3.logs.readableLogs,
    { logs: logsV3, success: true },
  ],
  ["version 3: an entry", logContractV3.readableLog, answersV3.logs.readableLog, logEntryV3],
  [
    "version 3: an entry in version 4's format",
    logContractV3.readableLog,
    answersV3.logs.readableLog,
    { log: logEntry },
  ],
];

/** Every path in a value. */
function placesIn(value: unknown): PropertyKey[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...placesIn(inner).map((place) => [key, ...place])]);
}

/** A copy in which one value is replaced; undefined removes it. */
function withValue(holder: unknown, [key = "", ...rest]: readonly PropertyKey[], value: unknown): unknown {
  const copy: unknown = Array.isArray(holder) ? [...holder] : { ...(holder as object) };
  const inner = rest.length === 0 ? value : withValue(Reflect.get(copy as object, key), rest, value);
  Reflect.set(copy as object, key, inner);
  return copy;
}

describe.each(cases)("%s", (_, schema, reader, body) => {
  test("is read", () => {
    expect(schema.safeParse(body).error).toBeUndefined();
    expect(reader.safeParse(body).success).toBe(true);
  });

  test("is read the same as by the contract's schema, whatever else is unusual about it", () => {
    const odd = fc.constantFrom<unknown>(undefined, null, "", "x", 0, 7, 1.5, true, [], {}, [null]);
    fc.assert(
      fc.property(fc.constantFrom(...placesIn(body)), odd, (place, value) => {
        const changed = withValue(body, place, value);
        const byContract = schema.safeParse(changed);
        if (!byContract.success) return;
        const read = reader.safeParse(changed);
        expect(read).toMatchObject({ success: true });
        if (read.success) expect(byContract.data).toMatchObject(JSON.parse(JSON.stringify(read.data)));
      }),
      { numRuns: 150 },
    );
  });

  test("is refused with another value, with its path", () => {
    for (const other of [undefined, null, "x", 7, []]) expect(reader.safeParse(other).success).toBe(false);
    for (const [name] of placesIn(body).filter(([first, ...rest]) => rest.length === 0 && first !== "log")) {
      const read = reader.safeParse(withValue(body, [name ?? ""], Symbol("odd")));
      if (!read.success) expect(read.error.issues[0]).toMatchObject({ path: [name] });
    }
  });
});
