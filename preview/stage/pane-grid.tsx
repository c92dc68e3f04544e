import { type ReactNode, useRef } from "react";
import { classes } from "../ui/classes.js";
import styles from "./stage.module.css";
import { useSize } from "./use-size.js";

/**
 * Panes in as many columns as fit. Their order in the document does not change, because a frame that moves loads again.
 */
export function PaneGrid({ widths, children }: { readonly widths: readonly number[]; readonly children: ReactNode }) {
  const grid = useRef<HTMLDivElement>(null);
  const { width: room } = useSize(grid);
  const columns = columnsFor(widths, room);
  return (
    <div
      ref={grid}
      className={classes(styles.grid, columns.length === 1 && widths.length > 1 && styles.stack)}
      style={{
        gridTemplateColumns: columns.map(({ least, share }) => `minmax(min(${least}px, 100%), ${share}fr)`).join(" "),
      }}
    >
      {children}
    </div>
  );
}

/**
 * Email width in CSS pixels from which a pane gets half as much space again. A threshold, so that panes stay put while
 * a panel is resized.
 */
const WIDE = 600;

interface Column {
  /** Minimum width in CSS pixels: a phone's email is almost at its full size, a wide one is readable in outline. */
  readonly least: number;
  readonly share: number;
}

const columnOf = (width: number): Column => (width < WIDE ? { least: 360, share: 2 } : { least: 328, share: 3 });

/**
 * The columns of a grid of panes: as many as fit, with the same number in every row.
 *
 * @param widths The widths of the panes' emails.
 * @param room In CSS pixels.
 *
 * @example
 * columnsFor([800, 800, 390, 390], 900).length; // 2
 */
function columnsFor(widths: readonly number[], room: number): readonly Column[] {
  const counts = [...new Set([widths.length, 2])].filter((count) => count > 1 && count <= widths.length);
  const choices = counts.map((count) =>
    widths.slice(0, count).map((_, at) => widest(widths.filter((__, index) => index % count === at))),
  );
  return choices.find((columns) => columns.reduce((sum, { least }) => sum + least, 0) <= room) ?? [widest(widths)];
}

/** Wide enough for each pane of a column. */
function widest(widths: readonly number[]): Column {
  const columns = widths.map(columnOf);
  return {
    least: Math.max(0, ...columns.map(({ least }) => least)),
    share: Math.max(1, ...columns.map(({ share }) => share)),
  };
}
