import { Search } from "lucide-react";
import type { ComponentProps } from "react";
import styles from "./search-bar.module.css";

/** Above a list: what narrows it, and what stands behind that. */
export const SearchBar = ({ children, ...input }: ComponentProps<"input">) => (
  <search className={styles.search}>
    <Search size={16} aria-hidden />
    <input autoComplete="off" spellCheck={false} {...input} />
    {children}
  </search>
);
