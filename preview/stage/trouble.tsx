import { serverGone } from "../data/live.js";
import { MessageText } from "../ui/message-text.js";
import { useIsConnected } from "../state/data.js";
import styles from "./pane.module.css";

/** Why a pane does not show the requested email. */
export function Trouble({ isOfFixture, children }: { readonly isOfFixture: boolean; readonly children: string }) {
  const isConnected = useIsConnected();
  // The connection bar already shows this.
  if (!isConnected && children === serverGone) return null;
  return (
    <div role="status" className={styles.trouble}>
      <strong>{isOfFixture ? "This fixture can't be used as it is." : "This email is out of date."}</strong>
      <p>
        <MessageText text={children} />
      </p>
    </div>
  );
}
