import styles from "./highlight.module.css";

/** A text with what was found in it marked. */
export const Highlight = ({
  text,
  ranges,
}: {
  readonly text: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}) => (
  <>
    {ranges.flatMap(([from, to], at) => [
      text.slice(ranges[at - 1]?.[1] ?? 0, from),
      <mark key={from} className={styles.mark}>
        {text.slice(from, to)}
      </mark>,
    ])}
    {text.slice(ranges.at(-1)?.[1] ?? 0)}
  </>
);
