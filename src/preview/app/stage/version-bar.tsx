import { RefreshCw } from "lucide-react";
import { Moment } from "../panels/words.js";
import type { Filled } from "../state/filled.js";
import type { Pane } from "../state/view.js";
import { IconButton } from "../ui/button.js";
import styles from "./version-bar.module.css";

export function hasVersion({ deployedTo }: Pane): boolean {
  return deployedTo !== undefined;
}

/** Says which version a pane shows, where one of the panes has another than the project's. */
export function VersionBar({ pane: { deployedTo }, version }: { readonly pane: Pane; readonly version: Filled }) {
  return (
    <div className={styles.bar}>
      <span className={styles.words}>
        {deployedTo === undefined ? "This project" : `Deployed to ${deployedTo}`}
        {version.deployedAt !== undefined && (
          <span className={styles.soft}>
            {" · "}
            <Moment at={version.deployedAt} />
          </span>
        )}
      </span>
      {deployedTo !== undefined && (
        <IconButton icon={RefreshCw} label={`Refresh the version on ${deployedTo}`} onClick={version.refresh} />
      )}
    </div>
  );
}
