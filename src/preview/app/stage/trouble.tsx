import styles from "./pane.module.css";

/** Why a pane shows what it showed before. */
export function Trouble({ children }: { readonly children: string }) {
  return (
    <div role="status" className={styles.trouble}>
      <strong>The email shows what was there before.</strong>
      <p>{children}</p>
    </div>
  );
}
