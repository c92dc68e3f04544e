import styles from "./skeleton.module.css";

/** In the place of a line of text that is on its way. */
export const Skeleton = ({ width }: { readonly width: string }) => (
  <span aria-hidden className={styles.skeleton} style={{ width }} />
);
