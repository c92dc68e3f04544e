import { column } from "./column.js";
import { gradeOf, gradeWithOneEdit, type Letters, lettersOf } from "./grade.js";

/** Distinct words of many texts, by number. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  /** For each word, the letters it contains, as bits. */
  readonly #bits = column.uint32();
  /** For each word, its first two code units. */
  readonly #heads = column.uint32();
  /** The letters of words with letters that take two code units. */
  readonly #letters = new Map<number, Letters>();

  /** The number of a word, which is added if it is new. */
  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#words.push(word) - 1;
    this.#numbers.set(word, number);
    const letters = lettersOf(word);
    if (letters !== word) this.#letters.set(number, letters);
    this.#bits.push(letterBits(word));
    this.#heads.push(letters === word ? headOf(word) : ANY_HEAD);
    return number;
  }

  /**
   * The grade of each word for the search word, by its number. Undefined if none matches. Most words are ruled out by
   * their bits alone.
   */
  grades(wanted: string): Uint8Array | undefined {
    const words = this.#words;
    const bits = this.#bits.values;
    const heads = this.#heads.values;
    const grades = new Uint8Array(words.length);
    const letters = lettersOf(wanted);
    const wantedBits = letterBits(wanted);
    const wantedHead = letters === wanted ? headOf(wanted) : ANY_HEAD;
    // A word without one of the letters is at best one edit away. A letter may take two code units.
    const tolerated = letters === wanted ? 1 : 2;
    let best = 0;
    for (let number = 0; number < grades.length; number += 1) {
      const missing = wantedBits & ~(bits[number] ?? 0);
      if (missing !== 0 && !(isAtMost(missing, tolerated) && mayBeOff(wantedHead, heads[number] ?? 0))) continue;
      const word = words[number] ?? "";
      const wordLetters = this.#letters.size === 0 ? word : (this.#letters.get(number) ?? word);
      const grade =
        missing === 0 ? gradeOf(wanted, word, letters, wordLetters) : gradeWithOneEdit(letters, wordLetters);
      grades[number] = grade;
      if (grade > best) best = grade;
    }
    return best > 0 ? grades : undefined;
  }
}

/** Whether a number has at most `count` bits set, for 1 or 2. */
function isAtMost(bits: number, count: number): boolean {
  const rest = bits & (bits - 1);
  return count === 1 ? rest === 0 : (rest & (rest - 1)) === 0;
}

/** The first two code units in one number. */
function headOf(word: string): number {
  return ((word.charCodeAt(0) << 16) | word.charCodeAt(1)) >>> 0;
}

/** For words whose code units do not show where letters are. */
const ANY_HEAD = 0;

/** One edit leaves the first or the second letter in place, or next to its place. */
function mayBeOff(a: number, b: number): boolean {
  if (a === ANY_HEAD || b === ANY_HEAD) return true;
  const [first, second] = [b >>> 16, b & 0xffff];
  return a >>> 16 === first || (a & 0xffff) === second || a >>> 16 === second || (a & 0xffff) === first;
}

/** Bits of the digits: those not used by Latin letters, then those of the rarest letters. */
const digitBits = [27, 28, 29, 30, 31, 0, 10, 17, 24, 26];
const ZERO = 0x30;

/** One bit for each Latin letter. Letters of other scripts share bits. */
function letterBits(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index += 1) {
    const unit = word.charCodeAt(index);
    bits |= 1 << (digitBits[unit - ZERO] ?? unit & 31);
  }
  return bits;
}
