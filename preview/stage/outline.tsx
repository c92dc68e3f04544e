import type { CSSProperties } from "react";
import { classes } from "../ui/classes.js";
import type { Box } from "./element-boxes.js";
import styles from "./outline.module.css";

/** Outlines around elements of an email, in an overlay, so that nothing in the email moves. */
export function Outline({
  boxes,
  scale,
  isHovered = false,
  label,
}: {
  readonly boxes: readonly Box[];
  /** The email's zoom factor. Lines and label are not scaled with the email. */
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
