import { Highlight } from "./highlight.js";
import styles from "./middle-cut.module.css";
import { Spoken } from "./spoken.js";

type Ranges = readonly (readonly [from: number, to: number])[];

/** Number of characters at the end that stay visible. */
const END = 12;

/**
 * Text that is cut in the middle when there is no room for it: names often differ at their ends, and a place has its
 * line number there.
 *
 * @param whole Read by screen readers instead of the text.
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

/** The parts of ranges that are within a part of the text, relative to its start. */
export const within = (ranges: Ranges, from: number, to: number): Ranges =>
  ranges.flatMap(([start, end]) =>
    Math.max(start, from) < Math.min(end, to)
      ? [[Math.max(start, from) - from, Math.min(end, to) - from] as const]
      : [],
  );
