import { appendFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { ciSummaryFile } from "../../config/ci.js";
import { unwritable } from "./unwritable.js";

/** The longest comment that GitHub takes is 65,536 characters, and there are never more characters than bytes. */
const COMMENT_BYTES = 65_536;
/** What GitHub shows of a step on the page of its job; it refuses a longer file as a whole. */
const PAGE_BYTES = 1024 * 1024;
/** A page with less room than this gets nothing more. */
const ROOM_MIN = 1024;

/**
 * Writes a Markdown summary: to the file that was asked for, fit for a comment, and at the end of the CI's own, which may
 * be longer.
 *
 * @param markdown Gives the summary in at most so many bytes.
 * @throws {ConfigurationError} The file that was asked for cannot be written.
 */
export async function writeSummaries(file: string | undefined, markdown: (bytes: number) => string): Promise<void> {
  if (file !== undefined)
    await writeFile(file, markdown(COMMENT_BYTES)).catch((cause: unknown) => {
      throw unwritable(file, "The summary", cause);
    });
  const page = ciSummaryFile();
  if (page === undefined || (file !== undefined && path.resolve(file) === path.resolve(page))) return;
  const taken = await stat(page).then(
    ({ size }) => size,
    () => 0,
  );
  // A job's page is an extra: that it cannot be had is no reason to fail.
  if (PAGE_BYTES - taken >= ROOM_MIN)
    await appendFile(page, `${markdown(PAGE_BYTES - taken - 1)}\n`).catch(() => undefined);
}
