import { Lock, Unplug } from "lucide-react";
import { useIsConnected, useSource } from "../state/data.js";
import { classes } from "../ui/classes.js";
import styles from "./header.module.css";

/** Whether what is shown follows the files. */
export const ConnectionMark = () => {
  const { isCopy } = useSource();
  const isConnected = useIsConnected();
  if (isCopy)
    return (
      <span className={styles.mark} title="A copy as it was built: nothing can be saved or sent from here.">
        <Lock size={14} aria-hidden />
        Read-only copy
      </span>
    );
  return isConnected ? (
    <span className={styles.mark} title="Connected: a saved file shows here at once.">
      <span aria-hidden className={styles.dot} />
      Live
    </span>
  ) : (
    <span className={classes(styles.mark, styles.gone)}>
      <Unplug size={14} aria-hidden />
      Reconnecting
    </span>
  );
};
