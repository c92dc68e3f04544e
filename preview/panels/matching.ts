import type { Problem } from "../../src/preview/contract.js";

/** The problems that contain every word of the filter, in any of their fields. */
export const matching = (problems: readonly Problem[], filter: string): readonly Problem[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return problems;
  return problems.filter(({ message, hint = "", rule, severity, at }) => {
    const text = [message, hint, rule, severity, at?.file ?? ""].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
};
