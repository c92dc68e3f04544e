const ALWAYS_INVISIBLE = /\u00AD|\u034F|\u200B|\u2060|\uFEFF/g;

/** Zero-width joiners that join nothing; between letters and in emoji they change the appearance. */
const LOOSE_JOINERS =
  /(?<!\uFE0F|[\p{L}\p{M}\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\uE001])[\u200C\u200D]+|[\u200C\u200D]+(?![\p{L}\p{M}\p{Extended_Pictographic}\uE000])/gu;

/** Removes characters without width: soft hyphens, and the padding of a preheader. */
export function visible(text: string): string {
  const shown = text.replace(ALWAYS_INVISIBLE, "");
  return /[\u200C\u200D]/.test(shown) ? shown.replace(LOOSE_JOINERS, "") : shown;
}

const RAISED = new Map(Array.from("0123456789+-()", (plain, index) => [plain, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾".charAt(index)]));
const LOWERED = new Map(Array.from("0123456789+-()", (plain, index) => [plain, "₀₁₂₃₄₅₆₇₈₉₊₋₍₎".charAt(index)]));

/** Text as superscript or subscript: `10²`, because `102` is another number. Undefined if a character has no such form. */
export function raised(text: string, element: "sup" | "sub"): string | undefined {
  const table = element === "sup" ? RAISED : LOWERED;
  const characters = Array.from(text.trim(), (character) => table.get(character));
  return characters.includes(undefined) ? undefined : characters.join("");
}
