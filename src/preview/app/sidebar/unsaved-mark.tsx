import styles from "./sidebar.module.css";

/** What its variables were edited to is saved nowhere. */
export const UnsavedMark = () => (
  <span role="img" aria-label="Unsaved changes" title="Unsaved changes" className={styles.unsaved} />
);
