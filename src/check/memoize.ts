import { Latest } from "../cache/latest.js";

/**
 * Caches the latest results of a function of a string: templates share most of their styles, selectors and colours.
 *
 * @param least Minimum number of results in the cache.
 */
export function memoize<Answer>(least: number, find: (text: string) => Answer): (text: string) => Answer {
  const known = new Latest<{ readonly answer: Answer }>(least);
  return (text) => {
    let found = known.get(text);
    if (!found) known.set(text, (found = { answer: find(text) }));
    return found.answer;
  };
}
