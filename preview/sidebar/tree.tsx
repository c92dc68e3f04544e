import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import { useView } from "../state/view-store.js";
import { bringIntoSight } from "../ui/bring-into-sight.js";
import { classes } from "../ui/classes.js";
import type { SidebarRow } from "./rows.js";
import { FixtureRow, GroupRow, TemplateRow } from "./tree-rows.js";
import styles from "./sidebar.module.css";

/** A single tab stop: arrow keys move inside, right and left open and close groups, Enter selects. */
export const Tree = ({
  ref,
  rows,
  isRich,
  onToggle,
}: {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly rows: readonly SidebarRow[];
  /** Whether rows show more than the name. */
  readonly isRich: boolean;
  readonly onToggle: (prefix: string) => void;
}) => {
  const { template, fixture } = useView();
  const [stop, setStop] = useState<string>();
  const isShown = (key: string | undefined) => rows.some((row) => row.id === key);
  const focusable = isShown(stop) ? stop : isShown(template) ? template : rows[0]?.id;
  const chosenFixture = fixture ?? rows.find((row) => row.kind === "fixture")?.name;

  // Keeps the selected template visible and reachable with Tab, however it was selected.
  useEffect(() => {
    setStop(template);
    bringIntoSight(ref.current?.querySelector("[aria-selected=true]"), ref.current);
  }, [template, ref]);

  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(ref.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
    const at = all.findIndex((item) => item === document.activeElement);
    const row = rows[at];
    const go = (to: number) => all[Math.min(all.length - 1, Math.max(0, to))]?.focus();
    if (event.metaKey || event.ctrlKey || event.altKey || !row) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(all.length - 1),
      ArrowRight: () => {
        if (row.kind === "group" && !row.isOpen) onToggle(row.prefix);
        else if (row.kind === "template" && row.id !== template) all[at]?.click();
        else if ((rows[at + 1]?.level ?? 0) > row.level) go(at + 1);
      },
      ArrowLeft: () => {
        if (row.kind === "group" && row.isOpen) onToggle(row.prefix);
        else go(rows.findLastIndex((other, index) => index < at && other.level < row.level));
      },
      " ": () => all[at]?.click(),
    };
    const move = moves[event.key];
    if (!move) return;
    move();
    event.preventDefault();
  };

  return (
    <div
      ref={ref}
      role="tree"
      aria-label="Templates and their fixtures"
      className={classes(styles.tree, !isRich && styles.compact)}
      onKeyDown={onKeyDown}
      onFocus={(event) => setStop(event.target.closest<HTMLElement>("[data-key]")?.dataset["key"])}
    >
      {rows.map((row) => {
        const tabIndex = row.id === focusable ? 0 : -1;
        if (row.kind === "group") return <GroupRow key={row.id} {...row} tabIndex={tabIndex} onToggle={onToggle} />;
        if (row.kind === "template")
          return (
            <TemplateRow key={row.id} {...row} isRich={isRich} isChosen={row.id === template} tabIndex={tabIndex} />
          );
        return <FixtureRow key={row.id} {...row} isChosen={row.name === chosenFixture} tabIndex={tabIndex} />;
      })}
    </div>
  );
};
