import { classes } from "../ui/classes.js";
import type { Box } from "./element-boxes.js";
import styles from "./outline.module.css";

/** Lines around elements of an email. They lie over it, so that nothing in it moves. */
export function Outline({
  boxes,
  isHovered = false,
  label,
}: {
  readonly boxes: readonly Box[];
  readonly isHovered?: boolean;
  readonly label?: string;
}) {
  return boxes.map((box, index) => (
    <div key={index} className={classes(styles.outline, isHovered && styles.hovered)} style={{ ...box }}>
      {label && index === 0 && <span className={styles.label}>{label}</span>}
    </div>
  ));
}
