const ACCENTS = /[\u0300-\u036f]/g;
const ASCII = /^[\0-\x7f]*$/;

/**
 * The words of a string in a comparable form: lower case, without accents, in one Unicode normal form. Anything other
 * than letters and digits separates words.
 */
export function words(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = text.normalize("NFKD").toLowerCase().replace(ACCENTS, "").replaceAll("ς", "σ").normalize("NFC");
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** How well a word matches a search word; higher is better. */
export const Grade = { none: 0, beginningOff: 1, off: 2, part: 3, beginning: 4, whole: 5 } as const;
export type Grade = (typeof Grade)[keyof typeof Grade];

/** Minimum length of words with an error: one edit turns almost any shorter word into any other. */
const OFF_LENGTH = 4;
/** Minimum length of beginnings with an error: a beginning says less than a whole word, so more of it is required. */
const BEGINNING_OFF_LENGTH = 5;

/**
 * How a word matches the search word: as a whole, at its beginning, inside it, or with one letter wrong, missing, extra
 * or swapped with the next.
 *
 * @example
 * gradeOf("receipt", "receipts"); // Grade.beginning
 * gradeOf("reciept", "receipt"); // Grade.off
 */
export function gradeOf(wanted: string, word: string): Grade {
  const at = word.indexOf(wanted);
  if (at > 0) return Grade.part;
  if (at === 0) return word.length === wanted.length ? Grade.whole : Grade.beginning;
  return gradeWithOneEdit(lettersOf(wanted), lettersOf(word));
}

/** The letters of a word by index: the word itself, unless some letters take two code units. */
type Letters = string | readonly string[];

function lettersOf(word: string): Letters {
  return /[\ud800-\udfff]/.test(word) ? Array.from(word) : word;
}

function gradeWithOneEdit(wanted: Letters, word: Letters): Grade {
  const longer = word.length - wanted.length;
  if (Math.max(wanted.length, word.length) < OFF_LENGTH || longer < -1) return Grade.none;
  const mayBeBeginning = wanted.length >= BEGINNING_OFF_LENGTH;
  if (longer > 1 && !mayBeBeginning) return Grade.none;
  let same = 0;
  while (same < wanted.length && wanted[same] === word[same]) same += 1;
  const swapped = wanted[same] === word[same + 1] && wanted[same + 1] === word[same];
  const end = Math.max(
    // Wrong, extra, missing, swapped: compares what follows that letter in both.
    endOfRest(wanted, same + 1, word, same + 1),
    endOfRest(wanted, same + 1, word, same),
    endOfRest(wanted, same, word, same + 1),
    swapped ? endOfRest(wanted, same + 2, word, same + 2) : 0,
  );
  if (end === word.length) return Grade.off;
  return end > 0 && mayBeBeginning ? Grade.beginningOff : Grade.none;
}

/** Where the rest of the search word ends in the word if it matches at that place, otherwise 0. */
function endOfRest(wanted: Letters, from: number, word: Letters, at: number): number {
  const end = at + wanted.length - from;
  if (from > wanted.length || end > word.length) return 0;
  for (let index = from; index < wanted.length; index += 1) {
    if (wanted[index] !== word[at + index - from]) return 0;
  }
  return end;
}
