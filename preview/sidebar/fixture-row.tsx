import { CircleX } from "lucide-react";
import { memo } from "react";
import { addressOf } from "../state/view-store.js";
import { Badge } from "../ui/badge.js";
import { MiddleCut } from "../ui/middle-cut.js";
import { useIsUnsaved } from "../variables/unsaved.js";
import { choose } from "./choose.js";
import styles from "./sidebar.module.css";
import { UnsavedMark } from "./unsaved-mark.js";

export const FixtureRow = memo(
  ({
    rowKey,
    template,
    name,
    isBroken,
    level,
    isChosen,
    tabIndex,
  }: {
    readonly rowKey: string;
    readonly template: string;
    readonly name: string;
    readonly isBroken: boolean;
    readonly level: number;
    readonly isChosen: boolean;
    readonly tabIndex: number;
  }) => {
    const isUnsaved = useIsUnsaved(template, [name]);
    return (
      <a
        role="treeitem"
        aria-level={level}
        aria-selected={isChosen}
        aria-label={isBroken ? `Fixture ${name}, broken` : `Fixture ${name}`}
        aria-description={isUnsaved ? "Unsaved changes" : undefined}
        tabIndex={tabIndex}
        data-key={rowKey}
        href={addressOf({ fixture: name })}
        className={styles.fixture}
        onClick={choose({ fixture: name })}
      >
        <span className={styles.fixtureName} title={name}>
          <MiddleCut text={name} />
        </span>
        {isUnsaved && <UnsavedMark />}
        {isBroken && (
          <Badge tone="error">
            <CircleX size={12} aria-hidden />
          </Badge>
        )}
      </a>
    );
  },
);
