let fixed: number | undefined;

/** Runs code with the same random number each time, also code that took `Math.random` when it was loaded. */
export function withRandom<T>(number: number, work: () => T): T {
  const before = fixed;
  fixed = number;
  try {
    return work();
  } finally {
    fixed = before;
  }
}

/** Replaces `Math.random` for user code. */
export function replaceRandom(): void {
  const { random } = Math;
  Math.random = () => fixed ?? random();
}
