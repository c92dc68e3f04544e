import { MailCheck } from "lucide-react";
import type { ClientRow, TemplateReport } from "../../src/preview/contract.js";
import { EmptyState } from "../ui/empty-state.js";
import styles from "./clients.module.css";
import { FeatureRow } from "./feature-row.js";
import { featureRows, lossNames } from "./feature-rows.js";
import { Legend } from "./support-mark.js";
import { useRows } from "./use-rows.js";

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
    <div {...rows} className={styles.scroll}>
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
