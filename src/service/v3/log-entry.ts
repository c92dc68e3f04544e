import type { LogEntryV3, LogEventV3 } from "../../api/contract/v3/logs.js";
import type { LogEventRecord, NewLogEntry } from "../store/log-rows.js";

/* Log records as version 3 shows them (part 2): with times in milliseconds. */

export function logEntryV3(entry: NewLogEntry): LogEntryV3 {
  return {
    id: entry.id,
    created: entry.createdAt,
    created_raw: entry.createdAt,
    events: entry.events.map(logEventV3),
    forward: entry.forward,
    hostname: entry.hostname,
    messageId: entry.messageId,
    recipient: entry.recipient,
    sender: entry.sender,
    subject: entry.subject,
    transport: entry.transport,
  };
}

export function logEventV3({ code, createdAt, id, local, message, server, status }: LogEventRecord): LogEventV3 {
  return { code, created: createdAt, id, local, message, server, status };
}
