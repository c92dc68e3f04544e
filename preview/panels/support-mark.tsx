import { Check, CircleHelp, CircleMinus, CircleX, type LucideIcon } from "lucide-react";
import type { ClientFeature } from "../../src/preview/contract.js";
import { classes } from "../ui/classes.js";
import { Spoken } from "../ui/spoken.js";
import styles from "./clients.module.css";
import { counted } from "../state/counts.js";

type Support = ClientFeature["support"] | "full";

const marks: Readonly<Record<Support, readonly [icon: LucideIcon, name: string]>> = {
  full: [Check, "supported"],
  partial: [CircleMinus, "partial"],
  none: [CircleX, "not supported"],
  unknown: [CircleHelp, "unknown"],
};

/** Distinguished by shape and name, not by colour alone. */
export const SupportMark = ({ support }: { readonly support: Support }) => {
  const [Icon, name] = marks[support];
  return (
    <span className={classes(styles.mark, styles[support])} title={name}>
      <Icon size={support === "full" ? 14 : 16} aria-hidden />
      <Spoken>{name}</Spoken>
    </span>
  );
};

export const Legend = ({ date, clients }: { readonly date: string; readonly clients: number }) => (
  <span className={styles.legend}>
    <span>
      {counted(clients, "email client")}, caniemail data from <time dateTime={date}>{date}</time>
    </span>
    {(["none", "partial", "unknown", "full"] as const).map((support) => {
      const [Icon, name] = marks[support];
      return (
        <span key={support} className={styles.key}>
          <Icon size={14} aria-hidden className={styles[support]} />
          {name}
        </span>
      );
    })}
  </span>
);
