/** The browser that takes pictures, where the environment names one: `CHROMIUM_PATH`. */
export function chromiumPath({ CHROMIUM_PATH: file }: NodeJS.ProcessEnv = process.env): string | undefined {
  return file === undefined || file === "" ? undefined : file;
}
