import { invalidFields } from "../http/api-error.js";
import type { LogStore } from "../store/logs.js";
import type { LogPosition } from "../store/log-rows.js";

/** A log id: the entry's time, and a suffix that makes it unique. */
const LOG_ID = /^(\d{1,16})\.[\da-f]+$/;

export function isLogId(text: string): boolean {
  return LOG_ID.test(text);
}

/**
 * The position of a cursor's entry in time order. An entry that has expired meanwhile keeps its position, so that a
 * client that reads page by page can continue.
 *
 * @throws ApiError (400), under the cursor's name, if the domain never had such an entry.
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
