import { z } from "zod";
import {
  logCountResponse as logCountV4,
  type LogEntry,
  logEntrySchema as logEntryV4,
  logStatusSchema,
  readable,
  readableLogEntry as readableLogEntryV4,
  readableParts,
} from "../v4/logs.js";
import { openEnum } from "../open-enum.js";
import { logTimestampSchema, success } from "./formats.js";

const mailboxSchema = z.object({ email: z.string(), name: z.string().nullable() });

export const logEventSchema = z.object({
  /** The SMTP code. */
  code: z.int(),
  created: logTimestampSchema,
  id: z.string(),
  local: z.string(),
  message: z.string(),
  server: z.string(),
  status: openEnum(logStatusSchema.options),
});

/** One email to one recipient. */
export const logEntrySchema = z.object({
  id: z.string(),
  created: logTimestampSchema,
  created_raw: logTimestampSchema,
  events: z.array(logEventSchema),
  forward: mailboxSchema.nullable(),
  hostname: z.string(),
  messageId: z.string(),
  recipient: mailboxSchema,
  sender: mailboxSchema,
  subject: z.string(),
  transport: z.string(),
});

/** The query of `GET /domains/:domain/logs` and `/logs/:alias`. */
export const logListQuery = z.object({
  /** A log id: the page begins after its entry. */
  next_cursor: z.string().optional(),
});

const unixSeconds = z.coerce.number().int().min(0);

/** The query of `GET /domains/:domain/logs/search`, as strings. */
export const logSearchQuery = z.object({
  /** `failure` for bounces only. */
  filter: z.enum(["all", "failure"]).default("all"),
  text: z.string().optional(),
  order: z.enum(["desc", "asc"]).default("desc"),
  /** Unix seconds, inclusive. */
  after: unixSeconds,
  /** Unix seconds, inclusive. */
  before: unixSeconds,
});

/** The answer for listing and searching. Whether a page says where the next one begins is not documented. */
export const logsResponse = z.object({
  logs: z.array(logEntrySchema),
  next_cursor: z.string().nullish(),
  ...success,
});

/** An entry of which only the unreadable parts are left out. */
export const readableLogEntry = logEntrySchema.extend({
  ...readableParts,
  events: readable(logEventSchema).catch([]),
});

/** The same, without unreadable parts. The next page begins after the last entry, whether that is readable or not. */
export const readableLogs = logsResponse
  .extend({ logs: z.array(z.unknown()) })
  .transform(({ logs, next_cursor = lastId(logs), ...rest }) => ({
    ...rest,
    next_cursor: logs.length === 0 ? null : next_cursor,
    logs: readable(readableLogEntry).parse(logs),
  }));

function lastId(logs: readonly unknown[]): string | undefined {
  return z.object({ id: z.string() }).safeParse(logs.at(-1)).data?.id;
}

/*
 * The answers for one entry and for a count are not documented: as in version 4, and successful answers have `success`.
 */
const mayHaveSuccess = { success: success.success.optional() };

/** The answer of `GET /domains/:domain/logs/:id`. */
export const logResponse = logEntrySchema.extend(mayHaveSuccess);

/** The answer of `GET /domains/:domain/logs/count`. */
export const logCountResponse = logCountV4.extend(mayHaveSuccess);

/**
 * A single entry. Version 3 has the endpoint but does not document its answer: accepts both versions' formats, with or
 * without `log`, and returns version 3's.
 */
export const anyLog = alone(z.union([logEntrySchema, logEntryV4.transform(asV3)]));

/** The same, without unreadable parts. */
export const readableLog = alone(z.union([readableLogEntry, readableLogEntryV4.transform(asV3)]));

function alone(entry: z.ZodType<LogEntryV3>) {
  return z.union([entry, z.object({ log: entry }).transform(({ log }) => log)]);
}

/** Timestamps stay unchanged. */
function asV3({ created_at, message_id, events, ...rest }: LogEntry): LogEntryV3 {
  return {
    ...rest,
    created: created_at,
    created_raw: created_at,
    messageId: message_id,
    events: events.map(({ created_at: created, ...event }) => ({ ...event, created })),
  };
}

export type LogEntryV3 = z.infer<typeof logEntrySchema>;
export type LogEventV3 = z.infer<typeof logEventSchema>;
export type LogPageV3 = z.infer<typeof logsResponse>;
