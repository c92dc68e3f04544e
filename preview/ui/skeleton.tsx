import styles from "./skeleton.module.css";

/** A placeholder for a line of text that is loading. */
export const Skeleton = ({ width }: { readonly width: string }) => (
  <span aria-hidden className={styles.skeleton} style={{ width }} />
);
