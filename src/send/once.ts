/** Something that is made at its first use. */
export interface Once<Value> {
  (): Promise<Value>;
  /** What was made, for taking it down: undefined where nothing was, or where making it failed. */
  made(): Promise<Value | undefined>;
}

/**
 * Makes something once. Where that fails, the next use tries again.
 *
 * @param check Throws where it may not be used any more.
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
