/** How the log is read: somebody else's entry that is not as documented is no reason not to find ours. */
export function readOptions(signal: AbortSignal | undefined) {
  return { unreadable: "skip", ...(signal && { signal }) } as const;
}
