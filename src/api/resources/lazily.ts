/**
 * Loads a value once, on first use.
 *
 * @example
 * const contract = lazily(() => import("../contract/v4/account.js"));
 */
export function lazily<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => (loading ??= load());
}
