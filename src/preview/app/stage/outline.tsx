import type { CSSProperties } from "react";
import { classes } from "../ui/classes.js";
import type { Box } from "./element-boxes.js";
import styles from "./outline.module.css";

/** Lines around elements of an email. They lie over it, so that nothing in it moves. */
export function Outline({
  boxes,
  scale,
  isHovered = false,
  label,
}: {
  readonly boxes: readonly Box[];
  /** Of the email: the lines and the label are not scaled with it. */
  readonly scale: number;
  readonly isHovered?: boolean;
  readonly label?: string;
}) {
  const unscaled: CSSProperties & Record<"--unscaled", number> = { "--unscaled": 1 / scale };
  return boxes.map((box, index) => (
    <div key={index} className={classes(styles.outline, isHovered && styles.hovered)} style={{ ...box, ...unscaled }}>
      {label && index === 0 && <span className={styles.label}>{label}</span>}
    </div>
  ));
}
