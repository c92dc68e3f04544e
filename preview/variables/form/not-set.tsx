import { Plus } from "lucide-react";
import styles from "./form.module.css";
import type { Control } from "./row.js";

/** Shown instead of a control if there is no value, or null, which is different from an empty value. */
export const NotSet = ({
  control,
  word,
  onSet,
}: {
  readonly control: Control;
  readonly word: string;
  readonly onSet?: () => void;
}) =>
  onSet ? (
    <button type="button" {...control} className={styles.notSet} onClick={onSet}>
      {word}
      <Plus size={14} aria-hidden />
    </button>
  ) : (
    <output {...control} className={styles.notSet}>
      {word}
    </output>
  );
