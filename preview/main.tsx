import "./ui/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { copySource } from "./data/copy.js";
import { liveSource } from "./data/live.js";
import { localServiceSource } from "./data/local-service.js";
import { ErrorBoundary } from "./shell/error-boundary.js";
import { LoadingShell, Shell } from "./shell/shell.js";
import { createDataStore } from "./state/data-store.js";
import { DataProvider, useLoadedProject } from "./state/data.js";
import { currentView } from "./state/view-store.js";
import "./ui/base.css";

const { screen, template } = currentView();
const store = createDataStore(
  copySource() ?? localServiceSource() ?? liveSource,
  screen === "template" ? template : undefined,
);

const App = () => (
  <ErrorBoundary area="page">
    <DataProvider value={store}>
      <Loaded />
    </DataProvider>
  </ErrorBoundary>
);

const Loaded = () => (useLoadedProject() ? <Shell /> : <LoadingShell />);

const root = document.getElementById("app");
if (!root) throw new Error("The page has no `#app` element.");

// Loading starts now rather than at the first text, which is rendered later.
queueMicrotask(() => void document.fonts.load('13px "Inter Variable"'));

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
