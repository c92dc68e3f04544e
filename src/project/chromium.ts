/** The browser for screenshots, if `CHROMIUM_PATH` is set. */
export function chromiumPath({ CHROMIUM_PATH: file }: NodeJS.ProcessEnv = process.env): string | undefined {
  return file === undefined || file === "" ? undefined : file;
}
