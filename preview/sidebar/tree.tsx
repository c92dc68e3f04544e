import { type KeyboardEvent, memo, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { ChevronRight, CircleX } from "lucide-react";
import { addressOf, useView } from "../state/view-store.js";
import { bringIntoSight } from "../ui/bring-into-sight.js";
import { classes } from "../ui/classes.js";
import type { Row } from "./rows.js";
import { TemplateRow, choose, UnsavedMark } from "./template-row.js";
import { Spoken, MiddleCut } from "../ui/text.js";
import { Badge } from "../ui/badge.js";
import { useIsUnsaved } from "../variables/unsaved.js";
import styles from "./sidebar.module.css";

/** A single tab stop: arrow keys move inside, right and left open and close groups, Enter selects. */
export const Tree = ({
  ref,
  rows,
  isRich,
  onToggle,
}: {
  readonly ref: Ref<HTMLDivElement>;
  readonly rows: readonly Row[];
  /** Whether rows show more than the name. */
  readonly isRich: boolean;
  readonly onToggle: (prefix: string) => void;
}) => {
  const { template, fixture } = useView();
  const own = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => own.current ?? document.createElement("div"));
  const [stop, setStop] = useState<string>();
  const isShown = (key: string | undefined) => rows.some((row) => row.key === key);
  const focusable = isShown(stop) ? stop : isShown(template) ? template : rows[0]?.key;
  const chosenFixture = fixture ?? rows.find((row) => row.kind === "fixture")?.name;

  // Keeps the selected template visible and reachable with Tab, however it was selected.
  useEffect(() => {
    setStop(template);
    bringIntoSight(own.current?.querySelector("[aria-selected=true]"), own.current);
  }, [template]);

  const items = () => [...(own.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const row = rows[at];
    const go = (to: number) => all[Math.min(all.length - 1, Math.max(0, to))]?.focus();
    if (event.metaKey || event.ctrlKey || event.altKey || !row) return;
    switch (event.key) {
      case "ArrowDown":
        go(at + 1);
        break;
      case "ArrowUp":
        go(at - 1);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(all.length - 1);
        break;
      case "ArrowRight":
        if (row.kind === "group" && !row.isOpen) onToggle(row.prefix);
        else if (row.kind === "template" && row.key !== template) all[at]?.click();
        else if ((rows[at + 1]?.level ?? 0) > row.level) go(at + 1);
        break;
      case "ArrowLeft":
        if (row.kind === "group" && row.isOpen) onToggle(row.prefix);
        else go(rows.findLastIndex((other, index) => index < at && other.level < row.level));
        break;
      case " ":
        all[at]?.click();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <div
      ref={own}
      role="tree"
      aria-label="Templates and their fixtures"
      className={classes(styles.tree, !isRich && styles.compact)}
      onKeyDown={onKeyDown}
      onFocus={(event) => setStop(event.target.closest<HTMLElement>("[data-key]")?.dataset["key"])}
    >
      {rows.map((row) => {
        const tabIndex = row.key === focusable ? 0 : -1;
        if (row.kind === "group")
          return (
            <GroupRow
              key={row.key}
              rowKey={row.key}
              prefix={row.prefix}
              count={row.count}
              isOpen={row.isOpen}
              tabIndex={tabIndex}
              onToggle={onToggle}
            />
          );
        const shared = { level: row.level, tabIndex };
        return row.kind === "template" ? (
          <TemplateRow
            key={row.key}
            hit={row.hit}
            prefix={row.prefix}
            isRich={isRich}
            isChosen={row.key === template}
            {...shared}
          />
        ) : (
          <FixtureRow
            key={row.key}
            rowKey={row.key}
            template={row.template}
            name={row.name}
            isBroken={row.isBroken}
            isChosen={row.name === chosenFixture}
            {...shared}
          />
        );
      })}
    </div>
  );
};

const GroupRow = memo(
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

const FixtureRow = memo(
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
