import { type RefObject, useDeferredValue, useEffect, useRef } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { Envelope } from "../envelope/envelope.js";
import { BottomPanel } from "../panels/bottom-panel.js";
import { Sidebar } from "../sidebar/sidebar.js";
import { Stage } from "../stage/stage.js";
import { useOfProject, useSummary } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { useUnsaved } from "../variables/unsaved.js";
import { VariablesPanel } from "../variables/variables-panel.js";
import { ErrorBoundary } from "./error-boundary.js";
import { TemplateState } from "./template-state.js";
import { sidebarSize, useKeptSize } from "./use-kept-size.js";
import { useMissingFixture } from "./use-missing-fixture.js";
import { useIsNarrow } from "./use-narrow.js";
import { useOneDrawer } from "./use-one-drawer.js";
import styles from "./workbench.module.css";

/** The templates screen: template list, email, variables and findings. */
export const Workbench = ({
  email,
  onNew,
}: {
  readonly email: RefObject<HTMLElement | null>;
  readonly onNew: () => void;
}) => {
  const { template, fixture, isSidebarHidden, right } = useView();
  const sidebar = useKeptSize("sidebar", sidebarSize());
  const variables = useKeptSize("variables", 336);
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
          sidebar.keep();
          variables.keep();
        }}
      >
        {list && !isNarrow && (
          <>
            <Panel
              id="sidebar"
              panelRef={sidebar.panelRef}
              defaultSize={sidebar.defaultSize}
              minSize={208}
              maxSize={480}
              groupResizeBehavior="preserve-pixel-size"
            >
              {list}
            </Panel>
            <Separator className={styles.upright} aria-label="Template list width" />
          </>
        )}
        <Panel id="centre" minSize={320}>
          <Centre email={email} about={about} areSidesShown={areSidesShown} />
        </Panel>
        {form && !isNarrow && (
          <>
            <Separator className={styles.upright} aria-label="Variables panel width" />
            <Panel
              id="variables"
              panelRef={variables.panelRef}
              defaultSize={variables.defaultSize}
              minSize={248}
              maxSize={640}
              groupResizeBehavior="preserve-pixel-size"
            >
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
  const { panelRef, defaultSize, keep } = useKeptSize("bottom", window.innerHeight < 800 ? 220 : 280);
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
          <TemplateState>
            <ErrorBoundary area="envelope" about={about}>
              <Envelope />
            </ErrorBoundary>
            <ErrorBoundary area="email" about={about}>
              <Stage />
            </ErrorBoundary>
          </TemplateState>
        </section>
      </Panel>
      <Separator className={styles.level} aria-label="Findings panel height" />
      <Panel
        id="bottom"
        panelRef={panelRef}
        collapsible
        collapsedSize={closedHeight}
        defaultSize={isOpen ? defaultSize : closedHeight}
        minSize={132}
        groupResizeBehavior="preserve-pixel-size"
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
