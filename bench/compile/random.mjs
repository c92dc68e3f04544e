// @ts-check
/**
 * A random generator that makes the same choices for the same seed on every machine (mulberry32).
 *
 * @example
 * const random = createRandom(7);
 * random.upTo(6); // 0 to 6
 * random.oneOf(["Fernhill", "Oakline"]);
 *
 * @param {number} seed
 */
export function createRandom(seed) {
  let state = seed;

  function next() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} max */
  const upTo = (max) => Math.floor(next() * (max + 1));

  return {
    upTo,
    /**
     * @template T
     * @param {readonly T[]} choices
     * @returns {T}
     */
    oneOf(choices) {
      const choice = choices[upTo(choices.length - 1)];
      if (choice === undefined) throw new Error("The list of choices is empty.");
      return choice;
    },
  };
}

/** @typedef {ReturnType<typeof createRandom>} Random */
