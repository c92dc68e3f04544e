import { ServerOff } from "lucide-react";
import { Words } from "../panels/words.js";
import { useLoadingTrouble } from "../state/data.js";
import { EmptyState } from "../ui/empty-state.js";
import { Skeleton } from "../ui/skeleton.js";
import { Spoken } from "../ui/spoken.js";
import styles from "./loading.module.css";
import { sidebarSize } from "./use-kept-size.js";

/** The page's layout while the project loads. */
export const Loading = () => {
  const trouble = useLoadingTrouble();
  return (
    <main className={styles.page}>
      <div className={styles.head} />
      {trouble === undefined ? (
        <div className={styles.areas}>
          <Spoken>Loading templates</Spoken>
          <div className={styles.side} style={{ width: sidebarSize() }}>
            {["56%", "72%", "48%", "64%", "52%", "70%"].map((width, at) => (
              <div key={at} className={styles.row}>
                <Skeleton width={width} />
                <Skeleton width="84%" />
              </div>
            ))}
          </div>
        </div>
      ) : (
        <EmptyState icon={ServerOff} title="Couldn't load the project">
          <Words text={trouble} />
        </EmptyState>
      )}
    </main>
  );
};
