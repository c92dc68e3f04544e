import styles from "./sidebar.module.css";

/** Marks a template or fixture with unsaved edits to its variables. */
export const UnsavedMark = () => (
  <span role="img" aria-label="Unsaved changes" title="Unsaved changes" className={styles.unsaved} />
);
