import { type ReactNode, useRef } from "react";
import { classes } from "../ui/classes.js";
import { columnsFor } from "./columns.js";
import styles from "./stage.module.css";
import { useSize } from "./use-size.js";

/** Panes in as many columns as have room to be read. They stay where they are in the document: a frame that moves loads again. */
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
