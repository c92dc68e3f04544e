import { LoaderCircle, PanelBottomClose, PanelBottomOpen } from "lucide-react";
import type { Problem, TemplateReport } from "../../src/preview/contract.js";
import { useOfProject, useReport, useSummary } from "../state/data.js";
import type { BottomTab } from "../state/view.js";
import { changeView, currentView, useView } from "../state/view-store.js";
import { Badge } from "../ui/badge.js";
import { Bar, Space } from "../ui/bar.js";
import { IconButton } from "../ui/button.js";
import { EmptyState } from "../ui/empty-state.js";
import { Spoken } from "../ui/text.js";
import { tabPanel, Tabs } from "../ui/tabs.js";
import { ClientsTab } from "./clients-tab.js";
import { ImagesTab } from "./images-tab.js";
import { LinksTab } from "./links-tab.js";
import { LoadingRows } from "./rows.js";
import { ProblemsTab } from "./problems-tab.js";
import { RemoteTab } from "./remote-tab.js";
import { SizeTab } from "./size-tab.js";
import { type FindingsTab, followElement, isChecked, tabsOf, withFormerFindings } from "./report.js";
import { VariablesTab } from "./variables-tab.js";
import { useEffect, useMemo, useRef } from "react";
import { inGroup, type ShortcutKeys, useCommands } from "../palette/commands.js";
import { announce } from "../ui/notice.js";
import { bySeverity, chooseProblem, selectedIndex } from "./problem-row.js";
import styles from "./bottom-panel.module.css";

const keys: Readonly<Record<BottomTab, ShortcutKeys>> = {
  problems: "p",
  links: "g l",
  images: "g m",
  clients: "g c",
  size: "g z",
  variables: "g v",
  remote: "g r",
};

const show = (id: BottomTab): void => {
  changeView({ bottom: id });
  // The panel is rendered first.
  requestAnimationFrame(() => document.getElementById(`${base}-${id}-tab`)?.focus());
};

const goTo = (problems: readonly Problem[], step: 1 | -1): void => {
  // In the order of the list.
  const listed = bySeverity(problems);
  const at = selectedIndex(listed, currentView());
  const next = listed[at < 0 ? (step > 0 ? 0 : listed.length - 1) : (at + step + listed.length) % listed.length];
  if (!next) return announce("There are no problems");
  changeView({ bottom: "problems" });
  chooseProblem(next);
  announce(next.message);
};

/**
 * The template's report. While the template is checked again, the findings of the last check stay, so that lists do not
 * shrink and grow with every save. Their element numbers are dropped, because they belong to the previous HTML.
 */
const useShownReport = (): TemplateReport | undefined => {
  const report = useReport();
  const checked = useRef<TemplateReport>(undefined);
  return useMemo(() => {
    if (report && report.name !== checked.current?.name) checked.current = undefined;
    if (report && isChecked(report)) checked.current = report;
    return report && withFormerFindings(report, checked.current);
  }, [report]);
};

/** Keeps the view on the same element when a save changes the numbers of elements. */
const useFollowedPlace = (report: TemplateReport | undefined): void => {
  const before = useRef<TemplateReport>(undefined);
  useEffect(() => {
    if (!report || report.places.length === 0) return;
    const old = before.current;
    before.current = report;
    const { place, template } = currentView();
    if (!old || old.name !== report.name || template !== report.name || place === undefined) return;
    const next = followElement(place, old.places, report.places);
    if (next !== place) changeView({ place: next }, "replace");
  }, [report]);
};

const base = "findings";

/** The template's findings: a bar of tabs and the open tab. */
export const BottomPanel = () => {
  const { bottom, template } = useView();
  const can = useOfProject((project) => project.can);
  const report = useShownReport();
  useFollowedPlace(report);
  const isGone = useSummary() === undefined && template !== undefined;
  const tabs = isGone ? tabsOf(undefined, can).map(withoutCount) : tabsOf(report, can);
  const isOpen = bottom !== undefined;
  const toggle = () => changeView({ bottom: isOpen ? undefined : "problems" });
  const toggleLabel = isOpen ? "Close findings" : "Open findings";
  const problems = report?.problems ?? [];
  useCommands(
    inGroup("Findings", [
      { id: "findings", title: toggleLabel, keys: "mod+j", run: toggle },
      ...tabs.map(({ id, label }) => {
        const title = `Show ${label.toLowerCase()}`;
        return { id: `findings-${id}`, title, keys: keys[id], run: () => show(id) };
      }),
      { id: "next-problem", title: "Go to the next problem", keys: "n", run: () => goTo(problems, 1) },
      { id: "previous-problem", title: "Go to the previous problem", keys: "shift+n", run: () => goTo(problems, -1) },
    ]),
  );

  return (
    <>
      <Bar>
        <Tabs
          base={base}
          label="Findings"
          tabs={tabs}
          value={bottom}
          onChange={(id) => changeView({ bottom: id })}
          onClose={() => changeView({ bottom: undefined })}
        >
          {({ id }) => <Found found={tabs.find((tab) => tab.id === id)?.found} />}
        </Tabs>
        <Space />
        <p role="status" className={styles.checking}>
          {report?.isPartial && (
            <>
              <LoaderCircle size={14} aria-hidden className={styles.turning} />
              <span>Checking…</span>
            </>
          )}
        </p>
        <IconButton
          icon={isOpen ? PanelBottomClose : PanelBottomOpen}
          label={toggleLabel}
          keys="mod+j"
          onClick={toggle}
        />
      </Bar>
      {bottom && (
        <div {...tabPanel(base, bottom)} key={`${template} ${bottom}`} className="fill">
          {isGone ? (
            <EmptyState title="Nothing to show">Select a template from the list.</EmptyState>
          ) : (
            <Content tab={bottom} report={report} />
          )}
        </div>
      )}
    </>
  );
};

/** Without reserved space for a count, because none will come. */
const withoutCount = ({ id, label }: FindingsTab): FindingsTab => ({ id, label });

const Found = ({ found }: Pick<FindingsTab, "found">) => {
  if (!found) return null;
  return (
    <span className={styles.found}>
      {found.map(({ count, tone, words }) => (
        <Badge key={tone} tone={tone}>
          {words === undefined ? (
            count
          ) : (
            <>
              <span aria-hidden title={words}>
                {count}
              </span>
              <Spoken>{words}</Spoken>
            </>
          )}
        </Badge>
      ))}
    </span>
  );
};

const Content = ({ tab, report }: { readonly tab: BottomTab; readonly report: TemplateReport | undefined }) => {
  if (tab === "remote") return <RemoteTab />;
  if (!report) return <LoadingRows />;
  const Shown = tabContents[tab];
  return <Shown report={report} />;
};

const tabContents = {
  problems: ProblemsTab,
  links: LinksTab,
  images: ImagesTab,
  clients: ClientsTab,
  size: SizeTab,
  variables: VariablesTab,
};
