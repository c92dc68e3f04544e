import { Lock, Unplug } from "lucide-react";
import { useIsConnected, useSource } from "../state/data.js";
import { classes } from "../ui/classes.js";
import styles from "./header.module.css";

/** Whether the page is connected to the server, so that it follows the files. */
export const ConnectionMark = () => {
  const { isCopy } = useSource();
  const isConnected = useIsConnected();
  if (isCopy)
    return (
      <span className={styles.mark} title="A static copy: you can't save or send from it.">
        <Lock size={14} aria-hidden />
        Read-only copy
      </span>
    );
  return isConnected ? (
    <span className={styles.mark} title="Connected. Saved files show up here right away.">
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
