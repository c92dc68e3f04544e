/** The file for a CI system's Markdown job summary, if GitHub's `GITHUB_STEP_SUMMARY` is set. */
export function ciSummaryFile({ GITHUB_STEP_SUMMARY: file }: NodeJS.ProcessEnv = process.env): string | undefined {
  return file === undefined || file === "" ? undefined : file;
}
