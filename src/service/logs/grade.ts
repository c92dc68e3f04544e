/** How a word of a text answers a word that is looked for, best last. */
export const Grade = { none: 0, beginningOff: 1, off: 2, part: 3, beginning: 4, whole: 5 } as const;
export type Grade = (typeof Grade)[keyof typeof Grade];

/** Of two shorter words, one edit turns nearly any into any other. */
const OFF_LENGTH = 4;
/** A beginning says less than a whole word, so there has to be more of it. */
const BEGINNING_OFF_LENGTH = 5;

/** A word's letters by their number: the word itself, unless letters of it take two code units. */
export type Letters = string | readonly string[];

export function lettersOf(word: string): Letters {
  return /[\ud800-\udfff]/.test(word) ? Array.from(word) : word;
}

/**
 * How a word answers the one that is looked for: as a whole, as its beginning, as a part of it, or with one letter
 * wrong, missing, extra or swapped with its neighbour.
 *
 * @example
 * gradeOf("receipt", "receipts"); // Grade.beginning
 * gradeOf("reciept", "receipt"); // Grade.off
 */
export function gradeOf(
  wanted: string,
  word: string,
  wantedLetters: Letters = lettersOf(wanted),
  wordLetters: Letters = lettersOf(word),
): Grade {
  const at = word.indexOf(wanted);
  if (at > 0) return Grade.part;
  if (at === 0) return word.length === wanted.length ? Grade.whole : Grade.beginning;
  return gradeWithOneEdit(wantedLetters, wordLetters);
}

/** The same for a word that cannot have the wanted one in it. */
export function gradeWithOneEdit(wanted: Letters, word: Letters): Grade {
  const longer = word.length - wanted.length;
  if (Math.max(wanted.length, word.length) < OFF_LENGTH || longer < -1) return Grade.none;
  const mayBeBeginning = wanted.length >= BEGINNING_OFF_LENGTH;
  if (longer > 1 && !mayBeBeginning) return Grade.none;
  let same = 0;
  while (same < wanted.length && wanted[same] === word[same]) same += 1;
  const swapped = wanted[same] === word[same + 1] && wanted[same + 1] === word[same];
  const end = Math.max(
    // Wrong, extra, missing, swapped: what is left of both after that letter.
    endOfRest(wanted, same + 1, word, same + 1),
    endOfRest(wanted, same + 1, word, same),
    endOfRest(wanted, same, word, same + 1),
    swapped ? endOfRest(wanted, same + 2, word, same + 2) : 0,
  );
  if (end === word.length) return Grade.off;
  return end > 0 && mayBeBeginning ? Grade.beginningOff : Grade.none;
}

/** Where the rest of what is wanted ends in the word, which must have it at that place; 0 where it has not. */
function endOfRest(wanted: Letters, from: number, word: Letters, at: number): number {
  const end = at + wanted.length - from;
  if (from > wanted.length || end > word.length) return 0;
  for (let index = from; index < wanted.length; index += 1) {
    if (wanted[index] !== word[at + index - from]) return 0;
  }
  return end;
}
