import {
  Check,
  ChevronRight,
  CircleHelp,
  CircleMinus,
  CircleX,
  FileCode,
  type LucideIcon,
  MailCheck,
  ScanSearch,
} from "lucide-react";
import type { ClientFeature, ClientRow, TemplateReport } from "../../src/preview/contract.js";
import { EmptyState } from "../ui/empty-state.js";
import { featureRows, type FeatureSupport, lossNames } from "./report.js";
import { rowProps, useRows } from "./rows.js";
import { useState } from "react";
import { useView } from "../state/view-store.js";
import type { Tone } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { placeText, showElement, showSource } from "./show.js";
import { MessageText, Spoken } from "../ui/text.js";
import { counted } from "../state/counts.js";
import styles from "./clients.module.css";

/** A table of clients and of the features that at least one of them does not fully support. */
export const ClientsTab = ({ report: { clients: support, isPartial } }: { readonly report: TemplateReport }) => {
  const { date, clients } = support;
  const groups = featureRows(clients);
  const rows = useRows();
  if (groups.length === 0) {
    return (
      <EmptyState icon={MailCheck} title={clients.length === 0 ? "Not known yet" : "Everything is supported"}>
        {clients.length === 0
          ? "Client support shows up once the template compiles."
          : `All ${clients.length} email clients support everything this HTML uses, according to caniemail data from ${date}.`}
      </EmptyState>
    );
  }
  return (
    <div {...rows} className="scroll">
      <table className={styles.table} aria-busy={isPartial}>
        <caption className={styles.caption}>
          <Legend date={date} clients={clients.length} />
        </caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={styles.corner}>
              HTML and CSS features
            </th>
            {familiesOf(clients).map(({ family, names }) => (
              <th
                key={names[0]}
                scope="colgroup"
                colSpan={names.length}
                title={names.join(", ")}
                className={styles.family}
              >
                {family}
              </th>
            ))}
          </tr>
          <tr>
            {clients.map(({ name }) => (
              <th key={name} scope="col" title={name} className={styles.platform}>
                {platformOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ loss, features }) => (
          <tbody key={loss}>
            <tr>
              <th scope="rowgroup" colSpan={clients.length + 1} className={styles.loss}>
                {lossNames[loss]}
              </th>
            </tr>
            {features.map((feature) => (
              <FeatureRow key={feature.name} feature={feature} clients={clients} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
};

/** Groups neighbouring clients of one family: `Outlook (Windows)`, `Outlook.com`. */
const familiesOf = (clients: readonly ClientRow[]): readonly { readonly family: string; readonly names: string[] }[] =>
  clients.reduce<{ readonly family: string; readonly names: string[] }[]>((families, { name }) => {
    const family = name.replace(/(?: \(.*\)|\.com)$/, "");
    const last = families.at(-1);
    if (last?.family === family) last.names.push(name);
    else families.push({ family, names: [name] });
    return families;
  }, []);

const platformOf = (name: string): string => {
  const platform = /\(([^)]*)\)$/.exec(name)?.[1] ?? /\.com$/.exec(name)?.[0] ?? "";
  return platform.replace(/webmail$/, "web");
};

/** A feature's row. When open, it shows what is known about each client without full support. */
const FeatureRow = ({
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
            <ChevronRight size={14} aria-hidden className="turns" />
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
            <strong>{names.join(", ")}</strong> {note && <MessageText text={note} />}
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
          {placeText(at)}
        </Button>
      ) : (
        <span className="soft">Added by the compiler</span>
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

type Support = ClientFeature["support"] | "full";

const marks: Readonly<Record<Support, readonly [icon: LucideIcon, name: string, tone?: Tone]>> = {
  full: [Check, "supported"],
  partial: [CircleMinus, "partial", "warning"],
  none: [CircleX, "not supported", "error"],
  unknown: [CircleHelp, "unknown", "neutral"],
};

/** Distinguished by shape and name, not by colour alone. */
const SupportMark = ({ support }: { readonly support: Support }) => {
  const [Icon, name, tone] = marks[support];
  return (
    <span data-tone={tone} className={styles.mark} title={name}>
      <Icon size={support === "full" ? 14 : 16} aria-hidden />
      <Spoken>{name}</Spoken>
    </span>
  );
};

const Legend = ({ date, clients }: { readonly date: string; readonly clients: number }) => (
  <span className={styles.legend}>
    <span>
      {counted(clients, "email client")}, caniemail data from <time dateTime={date}>{date}</time>
    </span>
    {(["none", "partial", "unknown", "full"] as const).map((support) => {
      const [Icon, name, tone] = marks[support];
      return (
        <span key={support} className={styles.key}>
          <Icon size={14} aria-hidden data-tone={tone} className={styles.mark} />
          {name}
        </span>
      );
    })}
  </span>
);
