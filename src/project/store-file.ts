/** The path in LETTERSHOP_STORE: the store that mailers write and that the outbox commands read. */
export function storeFile(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env["LETTERSHOP_STORE"]?.trim() || undefined;
}
