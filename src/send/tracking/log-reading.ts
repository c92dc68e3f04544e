/** Options for reading the log: another message's malformed entry must not keep us from finding ours. */
export function readOptions(signal: AbortSignal | undefined) {
  return { unreadable: "skip", ...(signal && { signal }) } as const;
}
