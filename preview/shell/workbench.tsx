import { type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { ExportCommands } from "../export/export-commands.js";
import { EnvelopeBar } from "../envelope/envelope.js";
import { BottomPanel } from "../panels/bottom-panel.js";
import { Sidebar } from "../sidebar/sidebar.js";
import { Stage } from "../stage/stage.js";
import { useOfProject, useSummary, useTemplate } from "../state/data.js";
import { changeView, currentView, useView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { useUnsaved } from "../variables/unsaved.js";
import { VariablesPanel } from "../variables/variables-panel.js";
import { ErrorBoundary } from "./error-boundary.js";
import { CompilingBar, ShownTemplate } from "./template-state.js";
import { sidebarSize, useIsNarrow, useKeptSize } from "../state/window.js";
import styles from "./workbench.module.css";
import { notify } from "../ui/notice.js";

/**
 * In a narrow window, at most one panel lies over the email, and none at first. It closes when something is selected in
 * it.
 */
const useOneDrawer = (): void => {
  const isNarrow = useIsNarrow();
  const { template, fixture, right, isSidebarHidden } = useView();
  const wasNarrow = useRef(false);
  // Before the first paint, so that no panel flashes up.
  useLayoutEffect(() => {
    if (isNarrow === wasNarrow.current) return;
    wasNarrow.current = isNarrow;
    changeView({ isSidebarHidden: isNarrow || undefined, ...(isNarrow && { right: undefined }) }, "replace");
  }, [isNarrow]);
  useEffect(() => {
    if (isNarrow) changeView({ isSidebarHidden: true }, "replace");
  }, [isNarrow, template, fixture]);
  const isListShown = !isSidebarHidden;
  useEffect(() => {
    if (isNarrow && isListShown) changeView({ right: undefined }, "replace");
  }, [isNarrow, isListShown]);
  useEffect(() => {
    if (isNarrow && right) changeView({ isSidebarHidden: true }, "replace");
  }, [isNarrow, right]);
};

/** Removes a fixture that does not exist or no longer exists from the view, and notifies the user. Edits stay. */
const useMissingFixture = (): void => {
  const { detail } = useTemplate();
  useEffect(() => {
    if (!detail || detail.failure) return;
    const { template, fixture, panes, edited } = currentView();
    const names = detail.fixtures.map(({ name }) => name);
    const isMissing = (name: string | undefined) => name !== undefined && !names.includes(name);
    const missing = [fixture, ...panes.map((pane) => pane.fixture)].find(isMissing);
    if (detail.name !== template || missing === undefined) return;
    const [first] = names;
    notify(`Fixture "${missing}" no longer exists.${first ? ` Showing "${first}".` : ""}`, "error");
    changeView(
      {
        ...(isMissing(fixture) && { fixture: undefined, edited }),
        panes: panes.map((pane) => (isMissing(pane.fixture) ? { ...pane, fixture: undefined } : pane)),
      },
      "replace",
    );
    // A fixture that was selected or saved before its template has loaded is not missing.
  }, [detail]);
};

/** The templates screen: template list, email, variables and findings. */
export const Workbench = ({
  email,
  onNew,
}: {
  readonly email: RefObject<HTMLElement | null>;
  readonly onNew: () => void;
}) => {
  const { template, fixture, isSidebarHidden, right } = useView();
  const { keep: keepSidebar, ...sidebar } = useKeptSize("sidebar", sidebarSize());
  const { keep: keepVariables, ...variables } = useKeptSize("variables", 336);
  const first = useOfProject(({ templates }) => templates[0]?.name);
  useEffect(() => {
    if (template === undefined && first !== undefined) changeView({ template: first }, "replace");
  }, [template, first]);
  const shown = useSummary();
  const isNarrow = useIsNarrow();
  useOneDrawer();
  useMissingFixture();
  useUnsaved();
  // The email is rendered first, the panels next to it after that.
  const areSidesShown = useDeferredValue(true, false);
  const about = `${template} ${fixture} ${shown?.revision}`;

  const list = !isSidebarHidden && (
    <aside aria-label="Templates" className={styles.side}>
      <ErrorBoundary area="template list">{areSidesShown && <Sidebar onNew={onNew} />}</ErrorBoundary>
    </aside>
  );
  const form = right && shown && (
    <aside aria-label="Variables" className={styles.side}>
      <ErrorBoundary area="variables" about={about}>
        {areSidesShown && <VariablesPanel />}
      </ErrorBoundary>
    </aside>
  );

  return (
    <div className={styles.areas}>
      <Group
        onLayoutChanged={(_, { isUserInteraction }) => {
          if (!isUserInteraction) return;
          keepSidebar();
          keepVariables();
        }}
      >
        {list && !isNarrow && (
          <>
            <Panel {...sidebar} minSize={208} maxSize={480}>
              {list}
            </Panel>
            <Separator aria-label="Template list width" />
          </>
        )}
        <Panel id="centre" minSize={320}>
          <Centre email={email} about={about} areSidesShown={areSidesShown} />
        </Panel>
        {form && !isNarrow && (
          <>
            <Separator aria-label="Variables panel width" />
            <Panel {...variables} minSize={248} maxSize={640}>
              {form}
            </Panel>
          </>
        )}
      </Group>
      {isNarrow && (list || form) && (
        <>
          <button
            type="button"
            aria-label={list ? "Close the template list" : "Close the variables"}
            className={styles.veil}
            onClick={() => changeView({ isSidebarHidden: true, right: undefined })}
          />
          <div className={classes(styles.drawer, !list && styles.atEnd)}>{list || form}</div>
        </>
      )}
    </div>
  );
};

/** The height in pixels of the tabs alone. */
const closedHeight = 36;

const Centre = ({
  email,
  about,
  areSidesShown,
}: {
  readonly email: RefObject<HTMLElement | null>;
  readonly about: string;
  readonly areSidesShown: boolean;
}) => {
  const { bottom } = useView();
  const { keep, ...bottomPanel } = useKeptSize("bottom", window.innerHeight < 800 ? 220 : 280);
  const { panelRef, defaultSize } = bottomPanel;
  const lastOpen = useRef(bottom ?? "problems");
  const isOpen = bottom !== undefined;
  useEffect(() => {
    if (bottom) lastOpen.current = bottom;
    const panel = panelRef.current;
    if (!panel || panel.isCollapsed() !== isOpen) return;
    if (isOpen) panel.resize(defaultSize);
    else panel.collapse();
  }, [bottom, isOpen, panelRef, defaultSize]);

  return (
    <Group
      orientation="vertical"
      onLayoutChanged={(_, { isUserInteraction }) => {
        if (!isUserInteraction) return;
        const isCollapsed = panelRef.current?.isCollapsed();
        if (isCollapsed === isOpen) changeView({ bottom: isCollapsed ? undefined : lastOpen.current });
        keep();
      }}
    >
      <Panel id="email" minSize={160}>
        <section ref={email} tabIndex={-1} aria-label="Email" className={styles.email}>
          <CompilingBar />
          <ShownTemplate>
            <ErrorBoundary area="envelope" about={about}>
              <EnvelopeBar />
            </ErrorBoundary>
            <ErrorBoundary area="email" about={about}>
              <ExportCommands />
              <Stage />
            </ErrorBoundary>
          </ShownTemplate>
        </section>
      </Panel>
      <Separator aria-label="Findings panel height" />
      <Panel
        {...bottomPanel}
        collapsible
        collapsedSize={closedHeight}
        defaultSize={isOpen ? defaultSize : closedHeight}
        minSize={132}
      >
        <section aria-label="Findings" className={styles.bottom}>
          <ErrorBoundary area="findings" about={about}>
            {areSidesShown && <BottomPanel />}
          </ErrorBoundary>
        </section>
      </Panel>
    </Group>
  );
};
