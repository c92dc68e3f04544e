import { classes } from "../ui/classes.js";
import { Spoken } from "../ui/spoken.js";
import { visible } from "../ui/visible.js";
import { characterEnds } from "./characters.js";
import type { Cut } from "./cut.js";
import styles from "./envelope.module.css";

const lengthOf = (text: string) => characterEnds(text).length;

/** Text with a mark where it is cut off, and its length. */
export const Line = ({
  cut: { shown, rest },
  own = shown.length + rest.length,
  missing,
  isStrong,
}: {
  readonly cut: Cut;
  /** Length of the preheader itself in UTF-16 units. What follows are the body's first words. */
  readonly own?: number;
  /** Shown if the text is empty. */
  readonly missing: string;
  readonly isStrong?: boolean;
}) => {
  const text = (shown + rest).slice(0, own);
  const isCut = shown.length < own;
  if (shown + rest === "") return <span className={styles.missing}>{missing}</span>;
  return (
    <>
      <span className={classes(styles.text, isStrong && styles.strong)} title={visible(text)}>
        <bdi>
          {visible(text.slice(0, shown.length))}
          {isCut && (
            <>
              <span aria-hidden className={styles.cut} />
              <Spoken> (cut off here) </Spoken>
              <span className={styles.rest}>{visible(text.slice(shown.length))}</span>
            </>
          )}
          {shown.length > own && (
            <span className={styles.body}>
              {visible(shown.slice(own))}
              {rest !== "" && "…"}
            </span>
          )}
        </bdi>
      </span>
      <span className={classes(styles.count, (isCut || own === 0) && styles.over)}>
        {own === 0
          ? "No preheader: body text shows"
          : isCut
            ? `${lengthOf(shown)} of ${lengthOf(text)} shown`
            : counted(text)}
      </span>
    </>
  );
};

const counted = (text: string) => {
  const length = lengthOf(text);
  return length === 1 ? "1 character" : `${length} characters`;
};
