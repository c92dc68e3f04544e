import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { Spoken } from "../ui/spoken.js";
import styles from "./sidebar.module.css";

export const GroupRow = memo(
  ({
    rowKey,
    prefix,
    count,
    isOpen,
    tabIndex,
    onToggle,
  }: {
    readonly rowKey: string;
    readonly prefix: string;
    readonly count: number;
    readonly isOpen: boolean;
    readonly tabIndex: number;
    readonly onToggle: (prefix: string) => void;
  }) => (
    <div
      role="treeitem"
      aria-level={1}
      aria-expanded={isOpen}
      tabIndex={tabIndex}
      data-key={rowKey}
      className={styles.group}
      onClick={() => onToggle(prefix)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onToggle(prefix);
      }}
    >
      <ChevronRight size={14} aria-hidden />
      <span className={styles.prefix}>{prefix}</span>
      <span className={styles.count}>
        <Spoken>, </Spoken>
        {count}
        <Spoken> templates</Spoken>
      </span>
    </div>
  ),
);
