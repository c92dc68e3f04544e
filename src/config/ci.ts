/** The file whose Markdown a CI system shows with the job, where it names one: GitHub's `GITHUB_STEP_SUMMARY`. */
export function ciSummaryFile({ GITHUB_STEP_SUMMARY: file }: NodeJS.ProcessEnv = process.env): string | undefined {
  return file === undefined || file === "" ? undefined : file;
}
