import type { Diagnostic } from "../../diagnostic.js";
import { positionAt } from "../../text/position.js";

const RESERVED = /[\uE000-\uE005]/;

/** Characters in a component's own modules that are reserved for tokens. */
export function reservedCharacters(template: string, sources: ReadonlyMap<string, string>): Diagnostic[] {
  return [...sources].flatMap(([file, text]): Diagnostic[] => {
    const offset = text.search(RESERVED);
    if (offset < 0) return [];
    const code = text.charCodeAt(offset).toString(16).toUpperCase();
    return [
      {
        rule: "mustache-syntax",
        severity: "error",
        message: `The character U+${code} is reserved for compiling.`,
        template,
        at: { file, ...positionAt(text, offset) },
        hint: "Remove it: it is a private-use character that fonts show differently.",
      },
    ];
  });
}
