import { answerFrom, type Fact } from "../runtime/facts.js";
import type { Part } from "./tree.js";

/** Removes impossible cases: inside "if there is a note", the case that there is none. */
export function prune(parts: readonly Part[], facts: readonly Fact[] = []): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.kind === "each") {
      const some: Fact = { test: { path: part.loop.list, question: { kind: "has-items" } }, answer: true };
      return [{ ...part, body: prune(part.body, [...facts, some]) }];
    }
    if (part.kind !== "alternative") return [part];
    const { test } = part;
    const answer = answerFrom(facts, test);
    if (answer !== undefined) return prune(answer ? part.yes : part.no, facts);
    return [
      {
        ...part,
        yes: prune(part.yes, [...facts, { test, answer: true }]),
        no: prune(part.no, [...facts, { test, answer: false }]),
      },
    ];
  });
}
