import type { LogEntryV3, LogEventV3 } from "../../api/contract/v3/logs.js";
import type { LogEventRecord, NewLogEntry } from "../store/log-rows.js";
import { logEntryV3, logEventV3 } from "../v3/log-entry.js";

/** The body that is posted to a webhook, which the documents leave open: the event and the log entry at that time. */
export interface WebhookBody {
  readonly domain: string;
  readonly event: LogEventV3;
  readonly log: LogEntryV3;
}

/** The body for one event, as JSON. */
export function webhookBody(domain: string, entry: NewLogEntry, event: LogEventRecord): string {
  const events = entry.events.slice(0, entry.events.findIndex(({ id }) => id === event.id) + 1);
  const body: WebhookBody = { domain, event: logEventV3(event), log: logEntryV3({ ...entry, events }) };
  return JSON.stringify(body);
}
