import { copySource } from "./data/copy.js";
import { liveSource } from "./data/live.js";
import { ErrorBoundary } from "./shell/error-boundary.js";
import { Loading } from "./shell/loading.js";
import { Shell } from "./shell/shell.js";
import { DataProvider, useLoadedProject } from "./state/data.js";
import { currentView } from "./state/view-store.js";
import { createDataStore } from "./state/data-store.js";

const { screen, template } = currentView();
const store = createDataStore(copySource() ?? liveSource, screen === "template" ? template : undefined);

export const App = () => (
  <ErrorBoundary area="page">
    <DataProvider value={store}>
      <Loaded />
    </DataProvider>
  </ErrorBoundary>
);

const Loaded = () => (useLoadedProject() ? <Shell /> : <Loading />);
