/** The file that LETTERSHOP_STORE names: what mailers keep, and what the commands about the outbox read. */
export function storeFile(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env["LETTERSHOP_STORE"]?.trim() || undefined;
}
