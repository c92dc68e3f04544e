/**
 * Loads something at its first use, and once.
 *
 * @example
 * const contract = lazily(() => import("../contract/v4/account.js"));
 */
export function lazily<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => (loading ??= load());
}
