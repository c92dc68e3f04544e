import { Info, RefreshCw } from "lucide-react";
import { Moment } from "../ui/message-text.js";
import { useReport, useTemplate } from "../state/data.js";
import type { Filled } from "../variables/filled.js";
import { OWN_VERSION, type Pane, versionWord } from "../state/view.js";
import { IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { changePane } from "./panes.js";
import styles from "./version-bar.module.css";
import { VersionSelect } from "./version-choice.js";

export function hasVersion(pane: Pane): boolean {
  return versionWord(pane) !== OWN_VERSION || pane.client !== undefined;
}

/** Shows a pane's version and client if any pane shows something other than the project's own version. */
export function VersionBar({
  pane,
  index,
  version: { other, misfit, refresh },
}: {
  readonly pane: Pane;
  readonly index: number;
  readonly version: Filled;
}) {
  const { deployedTo, commit, client } = pane;
  return (
    <div className={styles.bar}>
      <div className={classes(styles.row, commit !== undefined && styles.committed)}>
        <VersionSelect label="Version" isQuiet pane={pane} onChange={(change) => changePane(index, change)} />
        <span className={styles.words}>
          {other && "updatedAt" in other && <Moment at={other.updatedAt} />}
          {other && <Likeness other={other} />}
          {client !== undefined && <ClientName client={client} />}
        </span>
        {deployedTo !== undefined && (
          <IconButton icon={RefreshCw} label={`Refresh the version on ${deployedTo}`} onClick={refresh} />
        )}
      </div>
      {misfit !== undefined && <p className={styles.misfit}>The variables don't fit this commit. {misfit}</p>}
    </div>
  );
}

/**
 * Reports differences only for commits. A deployed version also differs if only its image URLs do, which means nothing.
 */
function Likeness({ other }: { readonly other: NonNullable<Filled["other"]> }) {
  const compiled = useTemplate().detail?.compiled;
  const isSame = (["subject", "html", "text"] as const).every((part) => compiled?.[part] === other[part]);
  if (isSame) return <span>same as this project</span>;
  return "contract" in other && <span>differs</span>;
}

function ClientName({ client }: { readonly client: string }) {
  const { clients: { date, clients } = { date: "", clients: [] } } = useReport() ?? {};
  const basis = `Without the HTML and CSS that this client doesn't support, according to caniemail data from ${date}. The real client can still show it differently.`;
  return (
    <span className={styles.client}>
      {`as ${clients.find(({ id }) => id === client)?.name ?? client}, approximately\u00a0`}
      <span className={styles.basis} title={basis}>
        <Info size={14} role="img" aria-label={basis} />
      </span>
    </span>
  );
}
