import { Skeleton } from "../ui/empty-state.js";
import { Spoken } from "../ui/text.js";
import styles from "./bottom-panel.module.css";

const widths = ["46%", "62%", "38%", "54%"];

/** Placeholder rows while data is loading. */
export const Loading = () => (
  <div role="status" className={styles.loading}>
    <Spoken>Loading</Spoken>
    {widths.map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
);
