import { memo } from "react";
import { addressOf } from "../state/view-store.js";
import { choose } from "./choose.js";
import styles from "./sidebar.module.css";

export const FixtureRow = memo(
  ({
    rowKey,
    name,
    level,
    isChosen,
    tabIndex,
  }: {
    readonly rowKey: string;
    readonly name: string;
    readonly level: number;
    readonly isChosen: boolean;
    readonly tabIndex: number;
  }) => (
    <a
      role="treeitem"
      aria-level={level}
      aria-selected={isChosen}
      aria-label={`Fixture ${name}`}
      tabIndex={tabIndex}
      data-key={rowKey}
      href={addressOf({ fixture: name })}
      className={styles.fixture}
      onClick={choose({ fixture: name })}
    >
      {name}
    </a>
  ),
);
