import { serverGone } from "../data/live.js";
import { Words } from "../panels/words.js";
import { useIsConnected } from "../state/data.js";
import styles from "./pane.module.css";

/** Why a pane does not show what was asked for. */
export function Trouble({ isOfFixture, children }: { readonly isOfFixture: boolean; readonly children: string }) {
  const isConnected = useIsConnected();
  // The bar above everything says it already.
  if (!isConnected && children === serverGone) return null;
  return (
    <div role="status" className={styles.trouble}>
      <strong>{isOfFixture ? "This fixture can’t be used as it is." : "The email shows what was there before."}</strong>
      <p>
        <Words text={children} />
      </p>
    </div>
  );
}
