/** A value that is created on first use. */
export interface Once<Value> {
  (): Promise<Value>;
  /** The value if it was created, for cleaning up: undefined if it wasn't, or if creating it failed. */
  made(): Promise<Value | undefined>;
}

/**
 * Creates a value once. If that fails, the next use tries again.
 *
 * @param check Throws if the value must no longer be used.
 */
export function once<Value>(make: () => Promise<Value>, check: () => void): Once<Value> {
  let making: Promise<Value> | undefined;
  const use = async (): Promise<Value> => {
    check();
    making ??= make().catch((error: unknown) => {
      making = undefined;
      throw error;
    });
    return await making;
  };
  return Object.assign(use, { made: async () => making?.catch(() => undefined) });
}
