import { Highlight } from "./highlight.js";
import styles from "./middle-cut.module.css";
import { Spoken } from "./spoken.js";

type Ranges = readonly (readonly [from: number, to: number])[];

/** So many characters of the end stay in sight. */
const END = 12;

/**
 * A text that loses its middle where there is no room for it: names differ at their ends, and places have their line there.
 *
 * @param whole What is read out instead.
 */
export const MiddleCut = ({
  text,
  whole = text,
  ranges = [],
}: {
  readonly text: string;
  readonly whole?: string;
  readonly ranges?: Ranges;
}) => {
  if (whole === text && text.length <= END) return <Highlight text={text} ranges={ranges} />;
  const at = Math.max(0, text.length - END);
  return (
    <>
      <Spoken>{whole}</Spoken>
      <span aria-hidden className={styles.name}>
        <span className={styles.start}>
          <Highlight text={text.slice(0, at)} ranges={within(ranges, 0, at)} />
        </span>
        <span className={styles.end}>
          <Highlight text={text.slice(at)} ranges={within(ranges, at, text.length)} />
        </span>
      </span>
    </>
  );
};

/** The parts of ranges that are in a part of the text, counted from its beginning. */
export const within = (ranges: Ranges, from: number, to: number): Ranges =>
  ranges.flatMap(([start, end]) =>
    Math.max(start, from) < Math.min(end, to)
      ? [[Math.max(start, from) - from, Math.min(end, to) - from] as const]
      : [],
  );
