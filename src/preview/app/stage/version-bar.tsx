import { Info, RefreshCw } from "lucide-react";
import { Moment } from "../panels/words.js";
import { useReport } from "../state/data.js";
import type { Filled } from "../state/filled.js";
import type { Pane } from "../state/view.js";
import { IconButton } from "../ui/button.js";
import styles from "./version-bar.module.css";

export function hasVersion({ deployedTo, client }: Pane): boolean {
  return deployedTo !== undefined || client !== undefined;
}

/** Says which version a pane shows, and to which client, where one of the panes has another than the project's. */
export function VersionBar({
  pane: { deployedTo, client },
  version: { deployed, refresh },
}: {
  readonly pane: Pane;
  readonly version: Filled;
}) {
  return (
    <div className={styles.bar}>
      <span className={styles.words}>
        {deployedTo === undefined ? "This project" : `Deployed to ${deployedTo}`}
        {deployed && (
          <span className={styles.soft}>
            {" · "}
            <Moment at={deployed.updatedAt} />
          </span>
        )}
        {client !== undefined && <ClientName client={client} />}
      </span>
      {deployedTo !== undefined && (
        <IconButton icon={RefreshCw} label={`Refresh the version on ${deployedTo}`} onClick={refresh} />
      )}
    </div>
  );
}

function ClientName({ client }: { readonly client: string }) {
  const { clients: { date, clients } = { date: "", clients: [] } } = useReport() ?? {};
  const basis = `Without what this client doesn’t support, according to caniemail data from ${date}. The client itself can still show it differently.`;
  return (
    <>
      {` · as ${clients.find(({ id }) => id === client)?.name ?? client}, approximately `}
      <span className={styles.basis} title={basis}>
        <Info size={14} role="img" aria-label={basis} />
      </span>
    </>
  );
}
