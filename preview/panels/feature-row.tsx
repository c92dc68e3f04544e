import { ChevronRight, FileCode, ScanSearch } from "lucide-react";
import { useState } from "react";
import type { ClientFeature, ClientRow } from "../../src/preview/contract.js";
import { useView } from "../state/view-store.js";
import { Button } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import styles from "./clients.module.css";
import type { FeatureSupport } from "./feature-rows.js";
import { placeInWords, showElement, showSource } from "./show.js";
import { SupportMark } from "./support-mark.js";
import { rowProps } from "./use-rows.js";
import { Words } from "./words.js";

/** A feature's row. When open, it shows what is known about each client without full support. */
export const FeatureRow = ({
  feature,
  clients,
}: {
  readonly feature: FeatureSupport;
  readonly clients: readonly ClientRow[];
}) => {
  const view = useView();
  const [isOpen, setIsOpen] = useState(false);
  const { name, byClient } = feature;
  const all = [...byClient.values()];
  const place = all.find((each) => each.place !== undefined)?.place;
  const at = all.find((each) => each.at)?.at;
  const isShown = place !== undefined && view.place === place;
  return (
    <>
      <tr data-row-of className={classes(styles.row, isShown && styles.shown)}>
        <th scope="row" className={styles.feature}>
          <button
            type="button"
            {...rowProps}
            aria-expanded={isOpen}
            className={styles.cover}
            onClick={() => {
              setIsOpen(!isOpen);
              if (!isOpen && place !== undefined) showElement(place);
            }}
          >
            <ChevronRight size={14} aria-hidden className={classes(isOpen && styles.turned)} />
            <span className={styles.name}>{name}</span>
          </button>
        </th>
        {clients.map((client) => (
          <td key={client.name} className={styles.cell}>
            <SupportMark support={byClient.get(client.name)?.support ?? "full"} />
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={clients.length + 1}>
            <Notes feature={feature} place={place} at={at} />
          </td>
        </tr>
      )}
    </>
  );
};

const Notes = ({
  feature: { byClient, page },
  place,
  at,
}: {
  readonly feature: FeatureSupport;
  readonly place: number | undefined;
  readonly at: ClientFeature["at"];
}) => (
  <div className={styles.notes}>
    <ul>
      {sameNotes(byClient).map(([key, names, { support, note }]) => (
        <li key={key} className={styles.note}>
          <SupportMark support={support} />
          <p>
            <strong>{names.join(", ")}</strong> {note && <Words text={note} />}
          </p>
        </li>
      ))}
    </ul>
    <p className={styles.actions}>
      {place !== undefined && (
        <Button kind="quiet" icon={ScanSearch} onClick={() => showElement(place)}>
          Show in email
        </Button>
      )}
      {at ? (
        <Button kind="quiet" icon={FileCode} title={at.file} onClick={() => showSource(at, place)}>
          {placeInWords(at)}
        </Button>
      ) : (
        <span className={styles.soft}>Added by the compiler</span>
      )}
      <a href={page} target="_blank" rel="noreferrer">
        {page.replace(/^https:\/\/(?:www\.)?|\/$/g, "")}
      </a>
    </p>
  </div>
);

/** Groups clients with the same support and note. */
const sameNotes = (byClient: FeatureSupport["byClient"]): readonly (readonly [string, string[], ClientFeature])[] => {
  const notes = new Map<string, readonly [string, string[], ClientFeature]>();
  for (const [client, feature] of byClient) {
    const key = `${feature.support}\n${feature.note ?? ""}`;
    const group = notes.get(key);
    if (group) group[1].push(client);
    else notes.set(key, [key, [client], feature]);
  }
  return [...notes.values()];
};
