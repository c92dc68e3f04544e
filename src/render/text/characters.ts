const ALWAYS_INVISIBLE = /\u00AD|\u034F|\u200B|\u2060|\uFEFF/g;

/** Joiners that join nothing; between letters and in emoji they change what is seen. */
const LOOSE_JOINERS =
  /(?<!\uFE0F|[\p{L}\p{M}\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\uE001])[\u200C\u200D]+|[\u200C\u200D]+(?![\p{L}\p{M}\p{Extended_Pictographic}\uE000])/gu;

/** Without the characters that have no width: soft hyphens, and what pads a preheader. */
export function visible(text: string): string {
  const shown = text.replace(ALWAYS_INVISIBLE, "");
  return /[\u200C\u200D]/.test(shown) ? shown.replace(LOOSE_JOINERS, "") : shown;
}

const RAISED = new Map(Array.from("0123456789+-()", (plain, index) => [plain, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾".charAt(index)]));
const LOWERED = new Map(Array.from("0123456789+-()", (plain, index) => [plain, "₀₁₂₃₄₅₆₇₈₉₊₋₍₎".charAt(index)]));

/** Raised or lowered text: `10²`, because `102` is another number. What has no such characters is undefined. */
export function raised(text: string, element: "sup" | "sub"): string | undefined {
  const table = element === "sup" ? RAISED : LOWERED;
  const characters = Array.from(text.trim(), (character) => table.get(character));
  return characters.includes(undefined) ? undefined : characters.join("");
}
