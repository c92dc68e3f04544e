import { invalidFields } from "../http/api-error.js";
import type { LogStore } from "../store/logs.js";
import type { LogPosition } from "../store/log-rows.js";

/** A log id: the time of its entry, and what tells it from others of that time. */
const LOG_ID = /^(\d{1,16})\.[\da-f]+$/;

export function isLogId(text: string): boolean {
  return LOG_ID.test(text);
}

/**
 * Where the entry of a cursor stands in the order of time. An entry that its age has taken out of the log meanwhile
 * stands where it was, so that whoever reads page by page goes on.
 *
 * @throws ApiError (400), under the cursor's name, where the domain has and had no such entry.
 */
export function positionOf(
  logs: LogStore,
  domainId: number,
  cursor: Readonly<Record<string, string>>,
  order: "asc" | "desc",
): LogPosition {
  const [[name, id] = ["cursor", ""]] = Object.entries(cursor);
  const entry = logs.find(domainId, id);
  if (entry) return entry;
  const [, digits] = LOG_ID.exec(id) ?? [];
  if (digits === undefined || Number(digits) >= logs.horizon(domainId)) {
    throw invalidFields({ [name]: [`${name} is not the id of a log entry of this domain`] });
  }
  return { createdAt: Number(digits), seq: order === "asc" ? 0 : Number.MAX_SAFE_INTEGER };
}
