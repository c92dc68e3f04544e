/**
 * Characters that Unicode does not map to the ASCII letter or the dot that they look like, in lower case: Cyrillic,
 * Greek, Armenian, Cherokee and Lisu letters, phonetic letters, small capitals, and symbols. Each group begins with its
 * letter.
 */
const GROUPS =
  "aаαɑᴀꭺꓮ bьвβʙƃƅꮟꓐ cсςᴄꮯꓚ dԁɗᴅꓒժ eеεɛєҽᴇꭼꓰ℮э fϝꞙꓝ gɡցɢԍꮐꓖ hһнհʜꮋꓧ iіιıɩӏɪꭵꓲ jјϳʝᴊꭻꓙ kкκᴋĸꮶꓗ lʟꮮꓡ mмᴍꓟ nпηɴոռꓠ " +
  "oоοօᴏσꓳ pрρᴘ⍴ꮲꓑ qԛգզ rгʀᴦꭇꮁꓣ sѕꜱƽꮪꓢ tтτᴛꭲꓔ uυᴜսꞟꓴ vνѵᴠ∨⋁ꮩꓦ wԝѡωшᴡꮃꓪ xхχ×ꭓꭕᕁ⤫⤬⨯✕✖ꓫ yуγүʏყꓬ zᴢꮓꓜ .·‧∙⋅•。۔܁܂ꓸꞏ᎐⸱٠۰";

const LOOK_ALIKES = new Map(
  GROUPS.split(" ").flatMap(([ascii = "", ...signs]) => signs.map((sign) => [sign, ascii] as const)),
);

/** Letters in circles, squares and flags: the code point of each alphabet's A. */
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

/** Accents and invisible characters. Unpacking programs drop control characters; a zero byte ends a name. */
const UNSEEN = /[\p{M}\p{Cf}\p{DI}\u0001-\u001f\u007f-\u009f]/gu;

/**
 * A string as it looks at a glance: in lower case, without accents and invisible characters, with ASCII letters in
 * place of look-alikes.
 *
 * @example
 * asItLooks("Ｉnvoice․ЕХЕ\u200b"); // "invoice.exe"
 */
export function asItLooks(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(UNSEEN, "")
    // A blank character that is not white space.
    .replaceAll("\u2800", " ");
  return Array.from(plain, (sign) => LOOK_ALIKES.get(sign) ?? asAscii(sign)).join("");
}

/** Converts letters in circles, squares and flags, and the digits of all scripts; others stay unchanged. */
function asAscii(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const start = ALPHABETS.find((first) => code >= first && code < first + 26);
  if (start !== undefined) return String.fromCodePoint(code - start + 0x61);
  return /^\p{Nd}$/u.test(sign) ? String(digitOf(code)) : sign;
}

/** The digits of a script are consecutive from its zero. */
function digitOf(code: number): number {
  let digit = 0;
  while (digit < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - digit - 1))) digit += 1;
  return digit;
}
