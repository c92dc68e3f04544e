import type { EmailElement } from "../document/nodes.js";
import type { Cascade } from "./cascade.js";
import type { View } from "./media.js";

/** A function of an element in a view. */
export type Question<Answer> = (cascade: Cascade, element: EmailElement, view: View) => Answer;

/**
 * Caches a function's results by element and view: every descendant needs its ancestors' inherited values.
 *
 * @example
 * const isHidden = remembered((cascade, element, view) => …);
 */
export function remembered<Answer>(question: Question<Answer>): Question<Answer> {
  const answers = new WeakMap<Cascade, Map<View, Map<EmailElement, { readonly answer: Answer }>>>();
  return (cascade, element, view) => {
    let views = answers.get(cascade);
    if (!views) answers.set(cascade, (views = new Map()));
    let inView = views.get(view);
    if (!inView) views.set(view, (inView = new Map()));
    let cached = inView.get(element);
    if (!cached) inView.set(element, (cached = { answer: question(cascade, element, view) }));
    return cached.answer;
  };
}
