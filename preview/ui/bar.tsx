import type { ReactNode, ComponentProps } from "react";
import { Search } from "lucide-react";
import { classes } from "./classes.js";
import styles from "./bar.module.css";

/** A row of controls above the content they belong to. With a label, it is a toolbar. */
export const Bar = ({
  label,
  isHigh,
  children,
}: {
  readonly label?: string;
  readonly isHigh?: boolean;
  readonly children?: ReactNode;
}) => (
  <div role={label ? "toolbar" : undefined} aria-label={label} className={classes(styles.bar, isHigh && styles.high)}>
    {children}
  </div>
);

/** Moves the rest of a bar's content to its end. */
export const Space = () => <span className={styles.space} />;

/** A search field above a list, with buttons next to it. */
export const SearchBar = ({ children, ...input }: ComponentProps<"input">) => (
  <search className={styles.search}>
    <Search size={16} aria-hidden />
    <input autoComplete="off" spellCheck={false} {...input} />
    {children}
  </search>
);
