import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ciSummaryFile } from "../../config/ci.js";
import { type PlanDocument, planMarkdown } from "../report/plan/index.js";
import { unwritable } from "./unwritable.js";

/**
 * Writes what a plan says, and what became of it, as Markdown: to the file that was asked for, and behind what is in the
 * CI's own.
 *
 * @throws {ConfigurationError} The file that was asked for cannot be written.
 */
export async function writeSummaries(document: PlanDocument, file: string | undefined): Promise<void> {
  const ofCi = ciSummaryFile();
  if (file === undefined && ofCi === undefined) return;
  const markdown = planMarkdown(document);
  if (file !== undefined)
    await writeFile(file, markdown).catch((cause: unknown) => {
      throw unwritable(file, "The summary", cause);
    });
  // A job's page is an extra: that it cannot be had is no reason to fail.
  if (ofCi !== undefined && (file === undefined || path.resolve(file) !== path.resolve(ofCi)))
    await appendFile(ofCi, `${markdown}\n`).catch(() => undefined);
}
