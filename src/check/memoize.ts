import { Latest } from "../latest.js";

/**
 * A function of a string that remembers its latest answers: templates share most of their styles, selectors and colours.
 *
 * @param least How many answers it remembers at least.
 */
export function memoize<Answer>(least: number, find: (text: string) => Answer): (text: string) => Answer {
  const known = new Latest<{ readonly answer: Answer }>(least);
  return (text) => {
    let found = known.get(text);
    if (!found) known.set(text, (found = { answer: find(text) }));
    return found.answer;
  };
}
