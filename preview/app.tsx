import { copySource } from "./data/copy.js";
import { liveSource } from "./data/live.js";
import { localServiceSource } from "./data/local-service.js";
import { ErrorBoundary } from "./shell/error-boundary.js";
import { Shell } from "./shell/shell.js";
import { DataProvider, useLoadedProject, useLoadingTrouble } from "./state/data.js";
import { currentView } from "./state/view-store.js";
import { createDataStore } from "./state/data-store.js";
import { ServerOff } from "lucide-react";
import { MessageText } from "./ui/message-text.js";
import { EmptyState } from "./ui/empty-state.js";
import { Skeleton } from "./ui/skeleton.js";
import { Spoken } from "./ui/spoken.js";
import styles from "./shell/loading.module.css";
import { sidebarSize } from "./state/window.js";

const { screen, template } = currentView();
const store = createDataStore(
  copySource() ?? localServiceSource() ?? liveSource,
  screen === "template" ? template : undefined,
);

export const App = () => (
  <ErrorBoundary area="page">
    <DataProvider value={store}>
      <Loaded />
    </DataProvider>
  </ErrorBoundary>
);

const Loaded = () => (useLoadedProject() ? <Shell /> : <Loading />);

/** The page's layout while the project loads. */
const Loading = () => {
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
          <MessageText text={trouble} />
        </EmptyState>
      )}
    </main>
  );
};
