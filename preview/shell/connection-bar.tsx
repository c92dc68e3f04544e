import { Unplug } from "lucide-react";
import { useEffect, useRef } from "react";
import { useIsConnected, useSource } from "../state/data.js";
import { dismissErrors, notify } from "../ui/notice.js";
import styles from "./bars.module.css";

/** Shown while the server does not respond. The page reconnects by itself. */
export const ConnectionBar = () => {
  const isConnected = useIsConnected();
  const isPreview = useSource().kind === "preview";
  const wasGone = useRef(false);
  useEffect(() => {
    if (isConnected && wasGone.current) {
      dismissErrors();
      notify("Connected again");
    }
    wasGone.current = !isConnected;
  }, [isConnected]);
  if (isConnected) return null;
  return (
    <div role="alert" className={styles.warning}>
      <Unplug size={16} aria-hidden />
      <p>
        <strong>The {isPreview ? "preview server" : "local service"} stopped.</strong> Start it again, for example with{" "}
        <code>templates {isPreview ? "preview" : "dev"}</code>; this page reconnects on its own.
        {isPreview && " Your edits are kept."}
      </p>
    </div>
  );
};
