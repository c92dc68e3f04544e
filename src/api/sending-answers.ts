/*
 * The parts of the service's answers that sending reads: the contract's schemas for these endpoints, rewritten without
 * zod, which would be larger than everything else that an application bundles for sending.
 * `test/api/sending-answers.test.ts` compares the two.
 */
import type { AnswerReader } from "./calls/answer.js";
import type { LogEntryV3, LogEventV3, LogPageV3 } from "./contract/v3/logs.js";
import type { LogEntry, LogEvent } from "./contract/v4/logs.js";
import type { LogContract, LogContractV3 } from "./resources/logs.js";
import { isRecord } from "../values.js";

/** Reads a value. Throws Unreadable if it is invalid. */
type Read<Value> = (value: unknown) => Value;

class Unreadable extends Error {
  readonly path: PropertyKey[] = [];
}

export function answerReader<Body>(read: Read<Body>): AnswerReader<Body> {
  return {
    safeParse(body) {
      try {
        return { success: true, data: read(body) };
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        return { success: false, error: { issues: [{ path: error.path, message: error.message }] } };
      }
    },
  };
}

/** Checks the `typeof` of a value. */
function ofType<Value>(type: "string" | "number" | "boolean"): Read<Value> {
  return (value) => {
    if (typeof value !== type) throw new Unreadable(`is not a ${type}`);
    // The caller passes the same type in both forms.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return value as Value;
  };
}

const text = ofType<string>("string");
const flag = ofType<boolean>("boolean");
const number: Read<number> = (value) => {
  if (!Number.isSafeInteger(value)) throw new Unreadable("is not a whole number");
  return Number(value);
};
const anything: Read<unknown> = (value) => value;

function at<Value>(key: PropertyKey, read: Read<Value>, value: unknown): Value {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof Unreadable) error.path.unshift(key);
    throw error;
  }
}

function object<Value extends object>(members: { readonly [Name in keyof Value]-?: Read<Value[Name]> }): Read<Value> {
  const readers = Object.entries<Read<unknown>>(members);
  return (value) => {
    if (!isRecord(value)) throw new Unreadable("is not an object");
    const read = Object.fromEntries(readers.map(([name, member]) => [name, at(name, member, value[name])]));
    // Each member was read by its own reader.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return read as Value;
  };
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable("is not a list");
  return value;
}

function listOf<Value>(read: Read<Value>): Read<Value[]> {
  return (value) => list(value).map((item, index) => at(index, read, item));
}

/** Skips unreadable items, so that one invalid entry does not hide the others. */
function readableListOf<Value>(read: Read<Value>): Read<Value[]> {
  const readItem = otherwise<Value[], []>((item) => [read(item)], []);
  return (value) => list(value).flatMap(readItem);
}

function orNull<Value>(read: Read<Value>): Read<Value | null> {
  return (value) => (value === null ? null : read(value));
}

/** Replaces null and undefined. */
function or<Value, Other>(read: Read<Value>, other: Other): Read<Value | Other> {
  return (value) => (value === null || value === undefined ? other : read(value));
}

/** Replaces unreadable values. */
function otherwise<Value, Other>(read: Read<Value>, other: Other): Read<Value | Other> {
  return (value) => {
    try {
      return read(value);
    } catch (error) {
      if (error instanceof Unreadable) return other;
      throw error;
    }
  };
}

const success: Read<true> = (value) => {
  if (value !== true) throw new Unreadable("is not true");
  return value;
};

const time: Read<string> = (value) => {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT/.test(value) || Number.isNaN(Date.parse(value)))
    throw new Unreadable("is not a time in ISO 8601");
  return value;
};

const accepted = { id: text, message_id: text };
const mailbox = object({ email: text, name: otherwise(orNull(text), null) });

/** What both versions say about an event and about an entry. */
const eventFields = {
  code: number,
  id: text,
  local: text,
  message: text,
  server: text,
  status: ofType<LogEvent["status"]>("string"),
};
const entryFields = {
  id: text,
  forward: otherwise(orNull(mailbox), null),
  hostname: otherwise(text, ""),
  recipient: mailbox,
  sender: mailbox,
  subject: (value: unknown) => orNull(text)(value) ?? "",
};

const event = object<LogEvent>({ ...eventFields, created_at: time });
const entry = object<LogEntry>({
  ...entryFields,
  created_at: time,
  events: otherwise(readableListOf(event), []),
  message_id: text,
  transport: ofType<LogEntry["transport"]>("string"),
});

const entries = answerReader(
  object({ logs: readableListOf(entry), limit: number, cursor: or(text, undefined), next_cursor: orNull(text) }),
);
const oneEntry = answerReader(entry);

const logs: LogContract = {
  logListResponse: entries,
  readableLogList: entries,
  logCountResponse: answerReader(object({ total: number })),
  logEntrySchema: oneEntry,
  readableLogEntry: oneEntry,
};

const summary = { name: text, description: or(text, "") };
const template = object({ ...summary, subject: or(text, ""), html_body: or(text, ""), text_body: or(text, "") });

/** Version 4. For the account, the domain and templates, only the fields that a mailer needs. */
export const answers = {
  accepted: answerReader(object(accepted)),
  account: answerReader(
    object({
      account: object({
        plan: object({ name: text, daily_send_limit: number, monthly_send_limit: number }),
        over_quota: flag,
        locked: anything,
      }),
    }),
  ),
  domain: answerReader(object({ domain: object({ banned: flag, send_ready: flag }) })),
  templates: answerReader(object({ templates: listOf(object(summary)) })),
  template: answerReader(object({ template })),
  logs,
};

const timeV3: Read<string | number> = (value) => (typeof value === "string" ? value : number(value));

const eventV3 = object<LogEventV3>({ ...eventFields, created: timeV3 });
const entryV3 = object<LogEntryV3>({
  ...entryFields,
  created: timeV3,
  created_raw: timeV3,
  events: otherwise(readableListOf(eventV3), []),
  messageId: text,
  transport: text,
});

const entriesV3 = answerReader<LogPageV3>((body) => {
  const { success: done, next_cursor } = object({ success, next_cursor: or(text, undefined) })(body);
  const all = isRecord(body) ? at("logs", list, body["logs"]) : [];
  const last: unknown = all.at(-1);
  // The next page begins after the last entry, whether that is readable or not.
  const following = next_cursor ?? (isRecord(last) && typeof last["id"] === "string" ? last["id"] : undefined);
  return { logs: readableListOf(entryV3)(all), success: done, next_cursor: all.length === 0 ? null : following };
});

/** A single entry, whose format version 3 does not document: accepts both versions' formats, with or without `log`. */
const oneEntryV3 = answerReader<LogEntryV3>((body) => {
  const alone = isRecord(body) && isRecord(body["log"]) ? body["log"] : body;
  if (!isRecord(alone) || alone["created_at"] === undefined) return entryV3(alone);
  const { created_at, message_id, events, ...rest } = entry(alone);
  return {
    ...rest,
    created: created_at,
    created_raw: created_at,
    messageId: message_id,
    events: events.map(({ created_at: created, ...others }) => ({ ...others, created })),
  };
});

const logsV3: LogContractV3 = {
  logsResponse: entriesV3,
  readableLogs: entriesV3,
  logCountResponse: logs.logCountResponse,
  anyLog: oneEntryV3,
  readableLog: oneEntryV3,
};

const record = object({ valid: flag });

/** Version 3. */
export const answersV3 = {
  accepted: answerReader(object({ ...accepted, success })),
  account: answerReader(
    object({
      success,
      account: object({ plan: object({ name: text }), limits: object({ daily_send: number }), locked: anything }),
    }),
  ),
  check: answerReader(object({ records: object({ dkim1: record, dkim2: record, dmarc: record }) })),
  templates: answerReader(object({ success, templates: listOf(object(summary)) })),
  template: answerReader(object({ success, template })),
  logs: logsV3,
};
