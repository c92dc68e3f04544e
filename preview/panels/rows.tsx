import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from "react";
import type { LucideIcon } from "lucide-react";
import { Bar, Space } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/empty-state.js";
import { Spoken } from "../ui/text.js";
import styles from "./url-table.module.css";

const widths = ["46%", "62%", "38%", "54%"];

/** A bar with a button that sends requests, and what is known so far. */
export const RequestBar = ({
  label,
  status,
  icon,
  action,
  isAsking,
  onAsk,
}: {
  readonly label: string;
  readonly status: string;
  readonly icon: LucideIcon;
  readonly action: string;
  readonly isAsking: boolean;
  readonly onAsk: () => void;
}) => (
  <Bar label={label}>
    <p role="status" className="cut soft">
      {status}
    </p>
    <Space />
    <Button icon={icon} disabled={isAsking} onClick={onAsk}>
      {action}
    </Button>
  </Bar>
);

export const LoadingRows = () => (
  <div role="status" className={styles.loading}>
    <Spoken>Loading</Spoken>
    {widths.map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
);

/** Props of the element that represents a row: arrow keys move between rows, and Tab reaches one of them. */
export const rowProps = { "data-row": true, tabIndex: -1 } as const;
/** Props of a row's other actions: the right arrow key reaches them. */
export const actionProps = { "data-action": true, tabIndex: -1 } as const;

/**
 * Makes the rows in an element a single tab stop. The right and left arrow keys open and close a row that is a
 * disclosure.
 */
export const useRows = () => {
  const ref = useRef<HTMLDivElement>(null);
  const all = () => [...(ref.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const makeStop = (row: HTMLElement | undefined) => {
    if (!row) return;
    for (const other of ref.current?.querySelectorAll<HTMLElement>("[data-row][tabindex='0']") ?? [])
      other.tabIndex = -1;
    row.tabIndex = 0;
  };
  useEffect(() => {
    const stop = ref.current?.querySelector<HTMLElement>("[data-row][tabindex='0']");
    if (!stop || !isVisible(stop)) makeStop(all().find(isVisible));
  });
  return {
    ref,
    onFocus: ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches("[data-row]")) makeStop(target);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!(event.target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return;
      const { key, target } = event;
      if (!target.matches("[data-row], [data-action]")) return;
      const next =
        key === "ArrowRight" || key === "ArrowLeft"
          ? sideways(target, key)
          : target.matches("[data-row]") && upOrDown(all().filter(isVisible), target, key);
      if (!next) return;
      event.preventDefault();
      if (next !== target) {
        next.focus();
        next.scrollIntoView({ block: "nearest" });
      }
    },
  };
};

/** Doesn't ask the browser, which would have to lay out what is scrolled out of view. */
const isVisible = (element: HTMLElement): boolean => !element.closest("details:not([open])");

const upOrDown = (rows: readonly HTMLElement[], target: HTMLElement, key: string): HTMLElement | undefined => {
  const at = rows.indexOf(target);
  if (key === "ArrowDown") return rows[at + 1];
  if (key === "ArrowUp") return rows[at - 1];
  if (key === "Home") return rows[0];
  return key === "End" ? rows.at(-1) : undefined;
};

/** Moves to the next control in the row. A disclosure is opened or closed first. */
const sideways = (target: HTMLElement, key: "ArrowRight" | "ArrowLeft"): HTMLElement | undefined => {
  const row = target.closest("[data-row-of]");
  const disclosure = row?.querySelector<HTMLElement>("[aria-expanded]");
  const isOpen = disclosure?.getAttribute("aria-expanded") === "true";
  const stops = [...(row?.querySelectorAll<HTMLElement>("[data-row], [data-action]") ?? [])];
  const at = stops.indexOf(target);
  const isRow = target.matches("[data-row]");
  if (disclosure && isRow && isOpen === (key === "ArrowLeft")) {
    disclosure.click();
    return target;
  }
  return key === "ArrowRight" ? stops[at + 1] : isRow ? undefined : stops[at - 1];
};
