import type { EmailElement } from "../document/nodes.js";
import type { Cascade } from "./cascade.js";
import type { View } from "./media.js";

/** A question about an element, in a view. */
export type Question<Answer> = (cascade: Cascade, element: EmailElement, view: View) => Answer;

/**
 * The same question, answered once for each element and view: what is inherited is asked for by everything inside.
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
    let known = inView.get(element);
    if (!known) inView.set(element, (known = { answer: question(cascade, element, view) }));
    return known.answer;
  };
}
