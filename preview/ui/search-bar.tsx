import { Search } from "lucide-react";
import type { ComponentProps } from "react";
import styles from "./search-bar.module.css";

/** A search field above a list, with buttons next to it. */
export const SearchBar = ({ children, ...input }: ComponentProps<"input">) => (
  <search className={styles.search}>
    <Search size={16} aria-hidden />
    <input autoComplete="off" spellCheck={false} {...input} />
    {children}
  </search>
);
