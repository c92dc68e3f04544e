import styles from "./highlight.module.css";
import { visible } from "./visible.js";

/** Text with its matches highlighted. */
export const Highlight = ({
  text,
  ranges,
}: {
  readonly text: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}) => (
  <bdi>
    {ranges.flatMap(([from, to], at) => [
      visible(text.slice(ranges[at - 1]?.[1] ?? 0, from)),
      <mark key={from} className={styles.mark}>
        {visible(text.slice(from, to))}
      </mark>,
    ])}
    {visible(text.slice(ranges.at(-1)?.[1] ?? 0))}
  </bdi>
);
