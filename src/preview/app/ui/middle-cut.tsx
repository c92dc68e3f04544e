import { Highlight } from "./highlight.js";
import styles from "./middle-cut.module.css";

type Ranges = readonly (readonly [from: number, to: number])[];

/** So many characters of the end stay in sight. */
const END = 12;

/** A text that loses its middle where there is no room for it: names differ at their ends, and places have their line there. */
export const MiddleCut = ({ text, ranges = [] }: { readonly text: string; readonly ranges?: Ranges }) => {
  const at = text.length > END ? text.length - END : text.length;
  return (
    <span className={styles.name}>
      <span className={styles.start}>
        <Highlight text={text.slice(0, at)} ranges={within(ranges, 0, at)} />
      </span>
      {at < text.length && (
        <span className={styles.end}>
          <Highlight text={text.slice(at)} ranges={within(ranges, at, text.length)} />
        </span>
      )}
    </span>
  );
};

/** The parts of ranges that are in a part of the text, counted from its beginning. */
export const within = (ranges: Ranges, from: number, to: number): Ranges =>
  ranges.flatMap(([start, end]) =>
    Math.max(start, from) < Math.min(end, to)
      ? [[Math.max(start, from) - from, Math.min(end, to) - from] as const]
      : [],
  );
