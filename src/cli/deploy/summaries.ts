import { appendFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { ciSummaryFile } from "../../project/own-environment.js";
import { cannotWrite } from "../failure.js";

/** GitHub's limit for a comment is 65,536 characters; a string never has more characters than bytes. */
const COMMENT_BYTES = 65_536;
/** GitHub's limit for a step's job summary. It rejects a longer file completely. */
const PAGE_BYTES = 1024 * 1024;
/** Nothing is added to a job summary with less room than this, in bytes. */
const ROOM_MIN = 1024;

/**
 * Writes a Markdown summary to a file, short enough for a comment, and appends it to the CI's job summary, which may be longer.
 *
 * @param markdown Renders the summary in at most this many bytes.
 * @throws {ConfigurationError} The file can't be written.
 */
export async function writeSummaries(file: string | undefined, markdown: (bytes: number) => string): Promise<void> {
  if (file !== undefined)
    await writeFile(file, markdown(COMMENT_BYTES)).catch((cause: unknown) => {
      throw cannotWrite(file, "The summary", cause);
    });
  const page = ciSummaryFile();
  if (page === undefined || (file !== undefined && path.resolve(file) === path.resolve(page))) return;
  const pageSize = await stat(page).then(
    ({ size }) => size,
    () => 0,
  );
  // The job summary is optional: ignore a failure to write it.
  if (PAGE_BYTES - pageSize >= ROOM_MIN)
    await appendFile(page, `${markdown(PAGE_BYTES - pageSize - 1)}\n`).catch(() => undefined);
}
