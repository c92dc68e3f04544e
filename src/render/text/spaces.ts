/** Where spaces are around a section of a line: before it, inside at its beginning and end, and after it. */
export interface Spaces {
  readonly before: boolean;
  readonly first: boolean;
  readonly last: boolean;
  readonly after: boolean;
}

export interface Place {
  /** Whether the spaces before and after it are decided elsewhere. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isLineStart: boolean;
  readonly isLineEnd: boolean;
  /** Whether it repeats without a space in between. */
  readonly repeatsTightly: boolean;
}

const ALL: readonly Spaces[] = Array.from({ length: 16 }, (_, bits) => ({
  before: (bits & 1) > 0,
  first: (bits & 2) > 0,
  last: (bits & 4) > 0,
  after: (bits & 8) > 0,
}));

/** The costs of a wrong number of spaces. Words that run together are worst. */
const MISSING = 100;
const AT_LINE_END = 3;
const BETWEEN_REPEATED = 5;
const MOVED = 0.1;

/**
 * Moves spaces so that there is exactly one wherever the HTML shows one, whether the section is shown or not, and between
 * its repetitions; and none at the ends of the line.
 */
export function placeSpaces(
  written: Spaces,
  { isFirst, isLast, isLineStart, isLineEnd, repeatsTightly }: Place,
): Spaces {
  const isRepeatedSeparated = written.first || written.last;
  const isShown = {
    entering: !isLineStart && (written.before || written.first),
    leaving: !isLineEnd && (written.after || written.last),
    skipping: !isLineStart && !isLineEnd && (written.before || written.after),
  };
  const cost = ({ before, first, last, after }: Spaces): number =>
    costOf(isShown.entering, before, first, isLineStart ? AT_LINE_END : 1) +
    costOf(isShown.leaving, after, last, isLineEnd ? AT_LINE_END : 1) +
    costOf(isShown.skipping, before, after, isLineStart || isLineEnd ? AT_LINE_END : 1) +
    (repeatsTightly ? costOf(false, first, last, BETWEEN_REPEATED) : costOf(isRepeatedSeparated, first, last, 0)) +
    MOVED * Number(before !== written.before) +
    MOVED * Number(after !== written.after);
  const isPossible = ({ before, after }: Spaces) => !(isFirst && before) && !(isLast && after);
  return ALL.filter(isPossible).reduce((best, spaces) => (cost(spaces) < cost(best) ? spaces : best), written);
}

function costOf(isShown: boolean, one: boolean, other: boolean, excess: number): number {
  const surplus = Number(one) + Number(other) - Number(isShown);
  return surplus < 0 ? MISSING : surplus * excess;
}
