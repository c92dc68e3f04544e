import { z } from "zod";
import { type LogEntryV3, logEntrySchema, readableLogEntry } from "../../contract/v3/logs.js";
import {
  type LogEntry,
  logEntrySchema as logEntryV4Schema,
  readableLogEntry as readableLogEntryV4,
} from "../../contract/v4/logs.js";

export { logsResponse, readableLogs } from "../../contract/v3/logs.js";
export { logCountResponse } from "../../contract/v4/logs.js";

/**
 * A single entry. Version 3 has the endpoint but does not document its answer: accepts both versions' formats, with or
 * without `log`, and returns version 3's.
 */
export const logResponse = alone(z.union([logEntrySchema, logEntryV4Schema.transform(asV3)]));

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
